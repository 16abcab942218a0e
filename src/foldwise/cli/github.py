"""What GitHub Actions is told: a line beside the code, the answer in the summary of the job, outputs of the step."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Literal

import click

from foldwise.cli.terminal import in_github, without_commands
from foldwise.comparison.claims import Finding
from foldwise.core.result import Result

Level = Literal["error", "warning", "notice"]

MOST = 900_000  # Characters of a summary; GitHub takes a mebibyte for all steps.


_LEVELS: dict[Finding, Level] = {"passed": "notice", "failed": "error", "inconclusive": "warning"}


def report(found: Result, finding: Finding, sentence: str, *, about: str = "") -> None:
    """What is found, where this is a job of GitHub Actions: summary, outputs, a line with the pull request."""
    if not in_github():
        return
    add_to_summary(found.to_markdown())
    set_outputs(finding=finding, sentence=without_commands(sentence))
    command = click.get_current_context().command_path
    annotate(_LEVELS[finding], f"{command}: {shlex.quote(about)}" if about else command, sentence)


def annotate(level: Level, title: str, text: str) -> None:
    """A line that GitHub shows with the pull request; it goes to the error stream, so that JSON stays whole."""
    click.echo(f"::{level} title={_data(title).replace(':', '%3A').replace(',', '%2C')}::{_data(text)}", err=True)


def add_to_summary(markdown: str) -> None:
    """Add the answer to the summary of the job, where there is one."""
    _append("GITHUB_STEP_SUMMARY", f"{markdown[:MOST]}\n")


def set_outputs(**values: object) -> None:
    """Outputs of the step, each on a line."""
    _append("GITHUB_OUTPUT", "".join(f"{name}={' '.join(str(value).split())}\n" for name, value in values.items()))


def _append(variable: str, text: str) -> None:
    """Add to the file that GitHub names; where that can't be, the job has its answer and exit code all the same."""
    place = os.environ.get(variable)
    if not place:
        return
    try:
        with Path(place).open("a", encoding="utf-8", errors="replace") as file:
            file.write(text)
    except OSError as error:
        annotate("warning", "foldwise", f"the file of {variable} could not be written: {error.strerror or error}")


def _data(text: str) -> str:
    """As workflow commands want it; names of models can't begin another command."""
    return without_commands(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
