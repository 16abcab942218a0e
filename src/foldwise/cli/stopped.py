"""How a command says that the answer is not the one that was asked for: exit code 1."""

from __future__ import annotations

import click

__all__ = ["Stopped"]


class Stopped(click.ClickException):
    """The work was done and shown, and a condition of ``--fail-if`` holds; bad input has exit code 2."""

    exit_code = 1
