"""The ``foldwise`` command: finds the sub-command, and turns every known error into one sentence and exit code 2."""

from __future__ import annotations

import difflib
import re
import shlex
import shutil
import sys
import textwrap
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any

import click

import foldwise
from foldwise.cli.settings import META, defaults_of, read_settings
from foldwise.cli.terminal import Stopped, harmless, prepare_output, without_commands
from foldwise.core.errors import FoldwiseError
from foldwise.core.process import answers_alone

UNREAD = 141
"""As a shell says of a program whose output nobody reads (128 + SIGPIPE); 1 would say that a gate is shown to fail."""

LONGEST = 2000  # Characters of a message; a cell that it quotes can have any number.

# what --help lists under a heading: command -> what it does; the command itself is `command` in foldwise.cli.<command>
SECTIONS = {
    "Compare": {
        "compare": "Train two or more learners on data sets and compare them: the main job.",
        "judge": "Compare models from files you have: harness logs, tracker exports, tables.",
        "predictions": "Compare models by their predictions on one test set.",
        "scores": "Compare models by cross-validation scores made elsewhere.",
        "table": "Compare models over several data sets, from a table of scores.",
        "votes": "Compare models by votes: which of two answers was preferred.",
        "leaderboard": "Rank many models, with rank intervals; where a new one enters.",
        "frontier": "Quality and cost: who is on the frontier; the cheapest good model.",
    },
    "Decide": {
        "gate": "May the candidate replace the baseline? For pipelines: exit codes 0, 1, 3.",
        "watch": "Results are still coming in: may you stop?",
        "advise": "Which test should I use?",
        "plan": "How many examples, items, runs or data sets are needed?",
        "explain": "What a note or decision of an answer means, and what to do.",
    },
    "One model": {
        "interval": "Confidence intervals of one error rate, side by side.",
        "rates": "Do independent error rates differ?",
        "estimate": "Estimate the error of one learner, by every error estimator.",
    },
    "Research": {
        "lab": "Measure the tests themselves: Type I error, power, replicability, calibration.",
        "reproduce": "The papers' tables and figures beside ours.",
    },
    "Other": {
        "serve": "Open the local web page.",
        "data": "List, describe and fetch data sets.",
        "store": "List, show and export stored results.",
    },
}
COMMANDS = {name: said for commands in SECTIONS.values() for name, said in commands.items()}


def _corrected(args: list[str], wrong: str, right: str) -> str:
    """The command line with one word put right, to copy it."""
    words = [re.sub(rf"^{re.escape(wrong)}(?==|$)", right, word) for word in args]
    return shlex.join(["foldwise", *words])


class _Unread(Exception):
    """Whoever read the answer has had enough."""


class LazyGroup(click.Group):
    """A group that imports a sub-command only when it is called, so that --help is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the table, which is the order a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"foldwise.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Suggest the nearest command when there is none of that name."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            hint = f"did you mean: {_corrected(args, args[0], near[0])}. " if near else ""
            raise click.UsageError(f"no command '{args[0]}': {hint}Known: {', '.join(COMMANDS)}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; click would turn an unread answer into an exit that looks like one of a learner's."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise _Unread from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, commands in SECTIONS.items():
            with formatter.section(heading):
                formatter.write_dl(list(commands.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(foldwise.__version__, prog_name="foldwise")
@click.pass_context
def cli(context: click.Context) -> None:
    """Is one model or learning algorithm really better than another, and how far can the answer be trusted?"""
    from foldwise.core.process import return_large_blocks

    return_large_blocks()
    name = context.invoked_subcommand or ""
    if (command := context.command.get_command(context, name)) is not None:  # type: ignore[attr-defined]
        file, tables = read_settings(Path.cwd(), COMMANDS)
        if name in tables:
            context.default_map = {name: defaults_of(command, tables[name], file)}
            context.meta[META] = file


def main(args: list[str] | None = None) -> None:
    """Run the command line and leave with its exit code: 0 for success, 1 by ``--fail-if``, 2 for bad input."""
    prepare_output()
    try:
        with answers_alone():
            cli.main(args=args, prog_name="foldwise", standalone_mode=False)
    except click.exceptions.Abort as stop:
        _leave(str(stop.__cause__ or "") or "stopped", 130)
    except click.exceptions.Exit as leaving:
        sys.exit(leaving.exit_code)
    except Stopped as found:
        _leave(found.format_message(), found.exit_code)
    except click.NoSuchOption as error:
        given = sys.argv[1:] if args is None else args
        names = {one.lstrip("-"): one for one in error.possibilities or ()}  # dashes alone make no two names alike
        near = difflib.get_close_matches(error.option_name.lstrip("-"), names, n=1)
        known = f"{error.ctx.command_path if error.ctx else 'foldwise'} --help lists those there are"
        if error.option_name == "--fail-if":
            by_bar = error.ctx is not None and error.ctx.info_name in ("estimate", "interval")
            how = "estimate LEARNER --data NAME --bar 10%" if by_bar else "gate PATH --candidate NEW --baseline OLD"
            known = f"foldwise {how} lets a pipeline fail"
        hint = f"did you mean: {_corrected(given, error.option_name, names[near[0]])}" if near else known
        _leave(f"no option '{error.option_name}': {hint}", 2)
    except click.MissingParameter as error:
        usage = " ".join(error.ctx.get_usage().split()) if error.ctx else ""
        _leave(f"{error.format_message()} {usage}", 2)
    except click.ClickException as error:
        if (message := error.format_message()).startswith("Usage:"):  # no command at all: click's help
            click.echo(message, err=True)
            sys.exit(2)
        _leave(message, 2)
    except FoldwiseError as error:
        _leave(error.said("command"), 2)
    except OSError as error:
        name = f"{str(error.filename)[:80]!r}: " if error.filename else ""
        _leave(f"{name}{error.strerror or error}", 2)
    except _Unread:
        sys.exit(UNREAD)
    except Exception as error:  # a fault of ours must not end with 1, which says that a gate is shown to fail
        if isinstance(error.__cause__, KeyboardInterrupt):
            raise
        traceback.print_exc()
        _leave(
            "something went wrong inside foldwise, which the lines above tell its developers; nothing was decided", 2
        )
    except SystemExit as error:  # no command raises it: it is a learner's, a scorer's or a population's
        _leave(f"code that was called tried to end the program (SystemExit: {error.code})", 2)


def _leave(message: str, code: int) -> None:
    text = f"foldwise: {without_commands(message if len(message) <= LONGEST else f'{message[:LONGEST]} …')}"
    if sys.stderr.isatty():  # a terminal alone would break lines within words
        width = shutil.get_terminal_size().columns
        text = "\n".join(textwrap.fill(line, width, break_long_words=False) for line in text.splitlines())
    click.echo(harmless(text), err=True)
    sys.exit(code)
