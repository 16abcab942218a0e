"""What an answer claims of a candidate against a baseline, and which claims a pipeline stops at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from foldwise.inference.conclusion import Conclusion

__all__ = ["CONDITIONS", "Claim", "Condition", "stopped_by"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What is known of one candidate against its baseline.

    Attributes
    ----------
    candidate, baseline
        Their names.
    better
        Name of the one that the test shows to be better; None where it shows no winner.
    conclusion
        About the candidate, where a margin was given.
    margin
        The margin in words.
    found
        The numbers in a few words.
    """

    candidate: str
    baseline: str
    better: str | None
    conclusion: Conclusion | None = None
    margin: str = ""
    found: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """When a claim stops a pipeline.

    Attributes
    ----------
    holds
        Whether it does.
    words
        What is to be said then.
    needs_margin
        Whether it takes a margin to know.
    """

    holds: Callable[[Claim], bool]
    words: str
    needs_margin: bool = False


CONDITIONS = {
    "worse": Condition(holds=lambda c: c.better == c.baseline, words="{candidate} is worse than {baseline}"),
    "not-better": Condition(
        holds=lambda c: c.better != c.candidate, words="{candidate} is not shown to be better than {baseline}"
    ),
    "inferior": Condition(
        holds=lambda c: c.conclusion == "inferior",
        words="{candidate} is inferior to {baseline} by more than {margin}",
        needs_margin=True,
    ),
    "not-noninferior": Condition(
        holds=lambda c: c.conclusion in ("inferior", "undecided"),
        words="{candidate} is not shown to be non-inferior to {baseline} with a margin of {margin}",
        needs_margin=True,
    ),
    "undecided": Condition(
        holds=lambda c: c.conclusion == "undecided",
        words="it is undecided whether {candidate} is worse than {baseline} by {margin} or more",
        needs_margin=True,
    ),
}
"""What ``--fail-if`` knows."""


def stopped_by(claims: Sequence[Claim], conditions: Sequence[str]) -> str | None:
    """What was found, in a sentence, where a condition holds for a claim; None where a pipeline may go on.

    Examples
    --------
    >>> stopped_by([Claim(candidate="new", baseline="old", better="old", found="−2 points")], ["worse"])
    'new is worse than old (−2 points): --fail-if worse'
    """
    for condition in conditions:
        rule = CONDITIONS[condition]
        found = [_said(rule.words, claim) for claim in claims if rule.holds(claim)]
        if found:
            return f"{'; '.join(found)}: --fail-if {condition}"
    return None


def _said(words: str, claim: Claim) -> str:
    said = words.format(candidate=claim.candidate, baseline=claim.baseline, margin=claim.margin)
    return f"{said} ({claim.found})" if claim.found else said
