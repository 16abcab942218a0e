"""Options with which a pipeline stops a bad model: ``--margin``, ``--fail-if``; exit code 1 and a sentence."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Protocol, cast

import click

from foldwise.cli.stopped import Stopped
from foldwise.verdict.claims import CONDITIONS, Claim, stopped_by

__all__ = ["gate_options", "require_baseline"]


class _Judged(Protocol):
    """An answer about a candidate and its baseline."""

    def claims(self) -> tuple[Claim, ...]:
        """What is known of each candidate."""


def gate_options(function: Callable[..., object]) -> Callable[..., object]:
    """A command that returns the answer it has shown, with ``--margin`` and ``--fail-if``.

    Conditions that can't be judged are refused before the work; one that holds ends the command with exit code 1.
    """
    margin = click.option(
        "--margin", type=float, metavar="M",
        help="Is the first (the candidate) superior, non-inferior, equivalent or inferior to the second (the "
        "baseline) by this margin, in the score's own unit?",
    )  # fmt: skip
    fail = click.option(
        "--fail-if", multiple=True, type=click.Choice(list(CONDITIONS)), metavar="WHAT",
        help=f"End with exit code 1 if the candidate is {', '.join(CONDITIONS)}; the last three need --margin. May be "
        "given several times.",
    )  # fmt: skip

    @wraps(function)
    def gated(fail_if: tuple[str, ...], **options: object) -> object:
        for condition in fail_if:
            if CONDITIONS[condition].needs_margin and options["margin"] is None:
                raise click.UsageError(f"--fail-if {condition} needs --margin")
        answer = cast(_Judged, function(**options))
        stopped = stopped_by(answer.claims(), fail_if) if fail_if else None
        if stopped is not None:
            raise Stopped(stopped)
        return answer

    return margin(fail(gated))


def require_baseline(learners: int, control: str | None) -> None:
    """Refuse ``--fail-if`` where nobody said which of several learners is the baseline, before the work."""
    if click.get_current_context().params.get("fail_if") and learners > 2 and control is None:
        raise click.UsageError(f"--fail-if needs --control, the baseline, where there are {learners} learners")
