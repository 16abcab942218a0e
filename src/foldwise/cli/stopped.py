"""How a command says that the answer is not the one that was asked for: exit code 1, or 3 where it is open."""

from __future__ import annotations

import click

__all__ = ["Inconclusive", "Stopped"]


class Stopped(click.ClickException):
    """The work was done and shown, and a condition of ``--fail-if`` is shown; bad input has exit code 2."""

    exit_code = 1


class Inconclusive(Stopped):
    """The work was done and shown, and does not tell whether a condition of ``--fail-if`` holds."""

    exit_code = 3
