"""Standard streams that may be closed or can't show every sign; messages without commands to them; exit codes of gates.

Names from files go into messages, and a terminal obeys what is written to it: it would change its title, hide a line
or write anywhere on the screen.
"""

from __future__ import annotations

import codecs
import io
import os
import re
import sys

import click

NEAREST = {"−": "-", "≤": "<=", "≥": ">=", "≠": "!=", "→": "->", "≈": "~", "χ": "chi", "α": "alpha", "σ": "sigma"}
"""What stands for a sign that a code page lacks; a question mark for others."""


def prepare_output() -> None:
    """Let an answer be printed whatever standard output is: nowhere if it is closed, near signs on an old code page."""
    os.environ["MPLBACKEND"] = "agg"  # pictures go to files; a name that Matplotlib does not know would end it
    codecs.register_error("foldwise", _nearest)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
        elif isinstance(stream, io.TextIOWrapper):  # names of files that are not UTF-8 are no text in any encoding
            stream.reconfigure(errors="foldwise")


_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that a terminal obeys (escapes, backspaces, the direction of writing), and halves that it can't show."""


def without_commands(text: str) -> str:
    r"""The text with a question mark for every character that a terminal obeys; line feeds and tabs stay.

    Examples
    --------
    >>> without_commands("no column \x1b[2Jb")
    'no column ?[2Jb'
    """
    return _COMMANDS.sub("?", text)


def in_github() -> bool:
    """Whether this is a job of GitHub Actions."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


_ORDERS = re.compile(r"^(\s*)(::|##\[)", re.MULTILINE)


def harmless(text: str) -> str:
    """Text without lines that GitHub Actions would obey: a model may be called ``::add-mask::``."""
    return _ORDERS.sub(r"\1: :", text) if in_github() else text


def _nearest(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(NEAREST.get(sign, "?") for sign in error.object[error.start : error.end]), error.end


class Stopped(click.ClickException):
    """The work was done and shown, and a condition of ``--fail-if`` is shown; bad input has exit code 2."""

    exit_code = 1


class Inconclusive(Stopped):
    """The work was done and shown, and does not tell whether a condition of ``--fail-if`` holds."""

    exit_code = 3
