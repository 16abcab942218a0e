from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from foldwise.cli.main import cli

EXAMPLES = Path(__file__).parents[2] / "examples"

CALLS = {
    "predictions": [EXAMPLES / "predictions.csv"],
    "scores": [EXAMPLES / "scores.csv"],
    "interval": [3, 50],
    "compare": ["majority", "nb", "--data", "iris", "--runs", 2, "--folds", 3],
    "estimate": ["majority", "--data", "iris", "--method", "holdout"],
    "table": [EXAMPLES / "table.csv"],
    "plan": ["--size", 200, "--difference", 0.05, "--discordance", 0.2],
    "advise": ["--question", 8],
    "data list": [],
    "data describe": ["iris"],
    "lab populations": [],
    "lab type1": ["--tests", "mcnemar", "--trials", 20],
}


@pytest.mark.parametrize("command", CALLS)
def test_commands_write_a_page_and_answer_as_before(run, tmp_path, command):
    path, words = tmp_path / "out.html", command.split()
    plain = run(*words, *CALLS[command])
    assert plain[0] == 0
    assert run(*words, *CALLS[command], "--html", path) == plain
    page = path.read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert page.rstrip().endswith("</html>")


def test_json_is_the_same_with_a_page(run, tmp_path):
    args = ["scores", EXAMPLES / "scores.csv", "--json"]
    assert json.loads(run(*args)[1]) == json.loads(run(*args, "--html", tmp_path / "x.html")[1])


def test_the_page_holds_the_command_that_made_it_but_not_its_file_name(run, tmp_path):
    path = tmp_path / "out put.html"
    run("scores", EXAMPLES / "scores.csv", "--higher-is-better", "--alpha", "0.1", "--html", path)
    page = path.read_text(encoding="utf-8")
    assert "scores.csv --higher-is-better --alpha 0.1</code>" in re.sub("</?span[^>]*>", "", page)
    assert "out put" not in page


def test_the_command_names_the_seed_even_when_it_was_not_given(run, tmp_path):
    code, out, _ = run(*["compare", *CALLS["compare"]], "--details")
    assert code == 0
    assert "repeat: foldwise compare majority nb --data iris --runs 2 --folds 3 --seed 0\n" in out
    brief = run(*["compare", *CALLS["compare"]])[1]
    assert brief.rstrip().endswith("--html FILE: all plots   --seed 0 repeats this")


@pytest.mark.parametrize("place", [".", "missing/out.html"])
def test_places_that_cannot_be_written_are_refused_at_once(run, tmp_path, place):
    code, out, err = run("scores", "nowhere.csv", "--html", tmp_path / place)
    assert (code, out) == (2, "")
    assert "--html" in err
    assert len(err.strip().splitlines()) == 1


def test_every_command_that_answers_takes_json_and_html():
    def leaves(group, *words):
        for name in group.list_commands(None):
            command = group.get_command(None, name)
            yield from (
                leaves(command, *words, name) if hasattr(command, "list_commands") else [((*words, name), command)]
            )

    writes_files = {("reproduce",), ("store", "export"), ("serve",)}
    for words, command in leaves(cli):
        options = {name for option in command.params for name in option.opts}
        assert words in writes_files or {"--json", "--html"} <= options, words
