"""Options with which a pipeline stops a bad model: who is the candidate, by how much it may be worse, when to stop."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Protocol, TypeVar, cast

import click

from foldwise.cli import github
from foldwise.cli.terminal import Inconclusive, Stopped
from foldwise.comparison.claims import CONDITIONS, Claim, Stop, stopped_by
from foldwise.comparison.error_estimate import ErrorEstimate, EstimateSurvey
from foldwise.core.decisions import Decision
from foldwise.core.result import Result
from foldwise.document import document_of
from foldwise.reading.lineup import Lineup, line_up


class _Judged(Protocol):
    """An answer about a candidate and its baseline."""

    def claims(self) -> tuple[Claim, ...]:
        """What is known of each candidate."""


J = TypeVar("J", bound=_Judged)


def gate_options(function: Callable[..., object]) -> Callable[..., object]:
    """A command that returns the answer it has shown, with who is compared with whom, ``--margin`` and ``--fail-if``.

    Conditions that can't be judged are refused before the work; one that is shown ends the command with exit code 1,
    one that stays open with 3.
    """
    margin = click.option(
        "--margin", metavar="M",
        help="Is the candidate superior, non-inferior, equivalent or inferior to the baseline by this margin: 1pt (or "
        "1%) of a rate, or a number in the score's own unit?",
    )  # fmt: skip
    fail = click.option(
        "--fail-if", multiple=True, type=click.Choice(list(CONDITIONS)), metavar="WHAT",
        help=f"End with exit code 1 if the candidate is shown to be {', '.join(CONDITIONS)}, with 3 if that is "
        "inconclusive; the last three need --margin. May be given several times.",
    )  # fmt: skip

    @wraps(function)
    def gated(fail_if: tuple[str, ...], **options: object) -> object:
        for condition in fail_if:
            if CONDITIONS[condition].needs_margin and options["margin"] is None:
                raise click.UsageError(f"--fail-if {condition} needs --margin")
        return end_by(cast(_Judged, function(**options)), fail_if)

    # who is compared with whom
    baseline = click.option("--baseline", metavar="MODEL", help="The model that candidates are compared with; with "
                            "three or more models the same as --control.")  # fmt: skip
    candidate = click.option("--candidate", "candidates", multiple=True, metavar="MODEL", help="The model in question; "
                             "repeat it for several [all but the baseline].")  # fmt: skip
    return candidate(baseline(margin(fail(gated))))


def end_by(answer: J, conditions: Sequence[str]) -> J:
    """The same, unless one of the conditions is shown, or stays open: that ends the command."""
    if not conditions:
        return answer
    stop = stopped_by(answer.claims(), conditions)
    left_out = [one.value for one in cast(Result, answer).reading if one.what == "missing" and one.how == "assumed"]
    if stop is None and left_out:
        sentence = (
            f"it only passes where something is left out: {left_out[0]}; --missing drop or worst says what counts"
        )
        stop = Stop(finding="inconclusive", sentence=sentence)
    if stop is None:
        github.report(cast(Result, answer), "passed", " ".join(f"--fail-if {one}" for one in conditions))
        return answer
    needed = _needed(answer, conditions) if stop.finding == "inconclusive" and not left_out else ""
    sentence = f"{stop.sentence}. {needed}" if needed else stop.sentence
    github.report(cast(Result, answer), stop.finding, sentence)
    raise (Stopped if stop.finding == "failed" else Inconclusive)(sentence)


def _needed(answer: _Judged, conditions: Sequence[str]) -> str:
    """How many items would decide; while results come in, and of rates alone, nobody asks that."""
    from foldwise.comparison.from_stream import Watch
    from foldwise.comparison.gates import would_decide
    from foldwise.comparison.rates import RateComparison

    return "" if isinstance(answer, Watch | RateComparison) else would_decide(answer, conditions)  # type: ignore[arg-type]


def lined_up(
    names: Sequence[str], candidates: Sequence[str], baseline: str | None, *, control: str | None = None,
    ordered: bool = False,
) -> Lineup:  # fmt: skip
    """Who is compared with whom; refused where ``--fail-if`` asks and nobody said it, before the work."""
    found = line_up(names, candidate=tuple(candidates) or None, baseline=baseline, control=control, ordered=ordered)
    require_declared(found.names, found.decision)
    return found


def require_declared(names: Sequence[str], decision: Decision | None) -> None:
    """Refuse ``--fail-if`` where the order of the models comes from the file, or nobody named the baseline."""
    if not click.get_current_context().params.get("fail_if") or (decision is not None and decision.how == "declared"):
        return
    if len(names) > 2:
        raise click.UsageError(f"--fail-if needs --baseline where there are {len(names)} models")
    first, second = map(shlex.quote, names)
    raise click.UsageError(
        f"--fail-if needs --candidate and --baseline, since the file alone says which model comes first: --candidate "
        f"{first} --baseline {second}, or the other way round"
    )


# ---- One model, and what it should reach.

bar_option = click.option(
    "--bar", "bars", multiple=True, metavar="[METRIC=]X", help="What a single model should reach, 0.9 or 90%: exit "
    "code 1 if it is shown to be worse, 3 if that is inconclusive. Of several metrics one each: --bar f1=0.8.",
)  # fmt: skip


E = TypeVar("E", ErrorEstimate, EstimateSurvey, ErrorEstimate | EstimateSurvey)


def end_by_bar(found: E) -> E:
    """The same, unless a bar is not shown to be reached: that ends the command."""
    if found.finding is None:
        return found
    rows = found.rows if isinstance(found, EstimateSurvey) else (found,)
    github.report(found, found.finding, document_of(found).headline, about=rows[0].learner)
    if found.finding == "passed":
        return found
    names = ", ".join(row.metric for row in rows if row.finding == found.finding)
    if found.finding == "failed":
        raise Stopped(f"{rows[0].learner} is shown to miss the bar of {names}")
    raise Inconclusive(f"{rows[0].learner} is not shown to reach the bar of {names}, nor to miss it")
