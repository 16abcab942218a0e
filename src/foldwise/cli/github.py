"""What GitHub Actions is told: a line beside the code, and the answer in the summary of the job."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

import click

Level = Literal["error", "warning", "notice"]

MOST = 900_000
"""Characters of a summary; GitHub takes a mebibyte for all steps."""


def runs_here() -> bool:
    return os.environ.get("GITHUB_ACTIONS") == "true"


def annotate(level: Level, title: str, text: str) -> None:
    """A line that GitHub shows with the pull request; it goes to the error stream, so that JSON stays whole."""
    click.echo(f"::{level} title={_data(title).replace(':', '%3A').replace(',', '%2C')}::{_data(text)}", err=True)


def add_to_summary(markdown: str) -> None:
    """Add the answer to the summary of the job, where there is one."""
    place = os.environ.get("GITHUB_STEP_SUMMARY")
    if place:
        with Path(place).open("a", encoding="utf-8") as file:
            file.write(f"{markdown[:MOST]}\n")


def set_outputs(**values: object) -> None:
    place = os.environ.get("GITHUB_OUTPUT")
    if place:
        with Path(place).open("a", encoding="utf-8") as file:
            file.writelines(
                f"{name.replace('_', '-')}={str(value).splitlines()[0]}\n" for name, value in values.items()
            )


def _data(text: str) -> str:
    """As workflow commands want it; names of models can't begin another command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
