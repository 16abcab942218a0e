"""What an answer claims of a candidate against a baseline, and what a gate makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from foldwise.core.formatting import level_text
from foldwise.core.metric import Unit
from foldwise.core.types import Interval
from foldwise.core.units import difference_text, span_text
from foldwise.inference.equivalence import Conclusion

MOST_CLAIMS = 5  # How many claims a sentence names.

Finding: TypeAlias = Literal["passed", "failed", "inconclusive"]
"""The condition is shown not to hold or not shown at all, shown to hold, or what it asks to be shown is open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What is known of one candidate against its baseline."""

    #: candidate, baseline: Their names
    candidate: str
    baseline: str
    better: str | None  #: Name of the one that the test shows to be better; None where it shows no winner
    conclusion: Conclusion | None = None  #: About the candidate, where a margin was given
    margin: str = ""  #: The margin in words
    found: str = ""  #: The numbers in a few words
    #: metric, task: By what and on which task, where an answer has several; else empty
    metric: str = ""
    task: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """When a claim stops a pipeline: what is shown fails, what is open is inconclusive."""

    by_test: bool = False  #: Whether the winner of the two-sided test counts, beside the limits
    #: failed, inconclusive: What is to be said then; empty where it can't be
    failed: str = ""
    inconclusive: str = ""
    needs_margin: bool = False  #: Whether it takes a margin to know

    def finding(self, claim: Claim) -> Finding:
        """What is found of a claim."""
        asks_better = bool(self.inconclusive) and not self.needs_margin
        if asks_better and (claim.better == claim.candidate or claim.conclusion == "superior"):
            return "passed"
        if self.failed and (claim.conclusion == "inferior" or (self.by_test and claim.better == claim.baseline)):
            return "failed"
        open_ = asks_better or (self.inconclusive and claim.conclusion == "undecided")
        return "inconclusive" if open_ else "passed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """Why a pipeline stops: shown to fail, or inconclusive; and the sentence that says so."""

    finding: Finding
    sentence: str


_IS_INFERIOR = "{candidate} is inferior to {baseline} by more than {margin}"
CONDITIONS = {
    "worse": Condition(by_test=True, failed="{candidate} is worse than {baseline}"),
    "not-better": Condition(
        by_test=True,
        failed="{candidate} is worse than {baseline}",
        inconclusive="{candidate} is not shown to be better than {baseline}",
    ),
    "inferior": Condition(failed=_IS_INFERIOR, needs_margin=True),
    "not-noninferior": Condition(
        failed=_IS_INFERIOR,
        inconclusive="{candidate} is not shown to be non-inferior to {baseline} with a margin of {margin}",
        needs_margin=True,
    ),
    "undecided": Condition(
        inconclusive="it is undecided whether {candidate} is worse than {baseline} by {margin} or more",
        needs_margin=True,
    ),
}
"""What ``--fail-if`` knows."""


def stopped_by(claims: Sequence[Claim], conditions: Sequence[str]) -> Stop | None:
    """What stops a pipeline: the first condition that is shown to fail, else the first that is inconclusive.

    Examples
    --------
    >>> stopped_by([Claim(candidate="new", baseline="old", better="old", found="−2 points")], ["worse"]).sentence
    'new is worse than old (−2 points): --fail-if worse'
    """
    stops: tuple[Finding, ...] = ("failed", "inconclusive")
    for finding in stops:
        for condition in conditions:
            rule = CONDITIONS[condition]
            words = rule.failed if finding == "failed" else rule.inconclusive
            found = [claim for claim in claims if rule.finding(claim) == finding]
            if found:
                return Stop(finding=finding, sentence=f"{_told(words, found)}: --fail-if {condition}")
    return None


def found_words(measure: str, estimate: float, interval: Interval | None, unit: Unit, level: float) -> str:
    """A difference with its interval, in a few words.

    Examples
    --------
    >>> found_words("accuracy", 0.02, Interval(low=0.01, high=0.03), "fraction", 0.95)
    'accuracy differs by 2 points, 95 % CI 1.0 to 3.0'
    """
    span = "" if interval is None else f", {level_text(level)} CI {span_text(interval, unit)}"
    return f"{measure} differs by {difference_text(estimate, unit)}{span}"


def _told(words: str, claims: Sequence[Claim]) -> str:
    """What is said of the claims; of several about the same models and margin it is said once."""
    groups: dict[str, list[Claim]] = {}
    for claim in claims:
        said = words.format(candidate=claim.candidate, baseline=claim.baseline, margin=claim.margin)
        groups.setdefault(said, []).append(claim)
    return "; ".join(_where(said, found) for said, found in groups.items())


def _where(said: str, claims: Sequence[Claim]) -> str:
    places = [
        " ".join([f"by {claim.metric}"] * bool(claim.metric) + [f"on {claim.task}"] * bool(claim.task))
        for claim in claims
    ]
    found = [f" ({claim.found})" if claim.found else "" for claim in claims]
    if len(claims) == 1:
        return f"{said}{' ' if places[0] else ''}{places[0]}{found[0]}"
    each = [f"{place or 'overall'}{numbers}" for place, numbers in zip(places, found, strict=True)]
    more = f", and {len(each) - MOST_CLAIMS} more" if len(each) > MOST_CLAIMS else ""
    return f"{said}: {', '.join(each[:MOST_CLAIMS])}{more}"
