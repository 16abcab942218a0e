"""An option has one name, type and shape in all commands: those of the table of options."""

from __future__ import annotations

from collections import Counter

import click
import pytest

from foldwise.cli.main import COMMANDS, cli
from foldwise.cli.options import OPTIONS, option


def taken():
    """Every option of every command, those of groups too."""
    context = click.Context(cli)
    waiting = [cli.get_command(context, name) for name in COMMANDS]
    while waiting:
        command = waiting.pop()
        if isinstance(command, click.Group):
            waiting += command.commands.values()
        yield from (part for part in command.params if isinstance(part, click.Option))


@pytest.fixture(scope="module")
def every():
    return list(taken())


def test_an_option_is_written_alike_in_all_commands(every):
    for name in OPTIONS:
        known = click.command()(option(name)(lambda: None)).params[0]
        same = [part for part in every if part.name == name and part.opts[0] == known.opts[0]]
        assert same, f"no command takes {known.opts[0]}"
        for part in same:
            assert (part.secondary_opts, part.is_flag) == (known.secondary_opts, known.is_flag)


def test_what_two_commands_have_is_written_once(every):
    # --test-fraction, --seed-column … belong to one command each, or mean another thing in each
    counts = Counter(part.opts[0] for part in every)
    known = {written.partition("/")[0] for written, _, _ in OPTIONS.values()}
    own = {
        "--data",
        "--method",
        "--train-size",
        "--folds",
        "--margin",
        "--candidate",
        "--baseline",
        "--fail-if",
        "--bar",
    }
    shared = {opt for opt, count in counts.items() if count > 3} - known - own
    assert shared <= {"--html", "--json", "--markdown", "--details", "--claim", "--kit", "--help"} | LAB, shared


LAB = {"--learners", "--trials", "--n", "--splits", "--nestings", "--blocks", "--dealings", "--parts", "--tests",
       "--population", "--filter", "--rows", "--over", "--inner"}  # fmt: skip
"""Of the studies of the lab, and of all commands that read results of any kind: a decorator of each."""


def test_help_lists_gates_runs_and_answers_apart(run):
    _, said, _ = run("compare", "--help")
    places = [said.index(f"\n{heading}:") for heading in ("Options", "Running", "Margins and gates", "Answer")]
    assert places == sorted(places)
    for name, heading in (
        ("--metric", 0),
        ("--store", 1),
        ("--candidate", 2),
        ("--fail-if", 2),
        ("--json", 3),
        ("-h,", 3),
    ):
        end = (*places, len(said))[heading + 1]
        assert places[heading] < said.index(f"\n  {name} ") < end


def test_every_command_stands_under_one_heading_of_help(run):
    _, said, _ = run("--help")
    for name in COMMANDS:
        assert said.count(f"\n  {name} ") == 1
