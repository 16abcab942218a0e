"""What so many trials can show about a test's level."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from foldwise.lab.bias import Bias
from foldwise.lab.populations.null import Null

__all__ = ["ROOM", "Judgement", "judge", "null_fails", "shown", "worst"]

ROOM = 1.5
"""A level is kept if the rate is shown to be at most so many times alpha; no number of trials shows it exactly."""

MATERIAL = 1.1
"""A bias that would raise a sound test's rate by less than this factor leaves the null hypothesis standing."""


class Judgement(StrEnum):
    """Whether a test keeps its level, as far as the trials tell.

    `KEPT`: the whole Monte-Carlo interval is below 1.5 alpha. `OPEN`: alpha is in the interval, and so is more than
    1.5 alpha: not shown to be broken, nor to be kept. `BROKEN`: the whole interval is above alpha. `NO_NULL`: the
    learners differ, so that the rate is no Type I error.
    """

    KEPT = "kept"
    OPEN = "open"
    BROKEN = "broken"
    NO_NULL = "no_null"

    @property
    def sound(self) -> bool:
        """Whether the test is not shown to exceed its level."""
        return self in (Judgement.KEPT, Judgement.OPEN)

    def words(self, high: float) -> str:
        """The judgement in words; `high` is the upper limit of the rate."""
        return {
            Judgement.KEPT: f"keeps its level (at most {high:.3f})",
            Judgement.OPEN: f"not shown to exceed its level (could be {high:.3f})",
            Judgement.BROKEN: "exceeds its level",
            Judgement.NO_NULL: "no Type I error: the learners differ",
        }[self]


def judge(low: float, high: float, alpha: float, *, bias: Bias, null: Null) -> Judgement:
    """Judge a rate by the limits of its Monte-Carlo error, and by whether the null hypothesis holds at all."""
    if null_fails(alpha, bias=bias, null=null):
        return Judgement.NO_NULL
    return shown(low, high, alpha)


def shown(low: float, high: float, alpha: float) -> Judgement:
    """What the limits of a rate show about its level, where the null hypothesis holds.

    Examples
    --------
    >>> [shown(low, high, 0.05).value for low, high in [(0.04, 0.07), (0.03, 0.09), (0.06, 0.09)]]
    ['kept', 'open', 'broken']
    """
    if low > alpha:
        return Judgement.BROKEN
    return Judgement.KEPT if high <= ROOM * alpha else Judgement.OPEN


def null_fails(alpha: float, *, bias: Bias, null: Null) -> bool:
    """Whether the learners differ: by the population's own word, or by a bias beyond its error that matters."""
    if null in (Null.EXACT, Null.FALSE):
        return null is Null.FALSE
    return bias.beyond_error and bias.reached(alpha) > MATERIAL * alpha


def worst(judgements: Iterable[Judgement]) -> Judgement:
    """The judgement over several null hypotheses; those that do not hold say nothing, unless none does."""
    found = set(judgements)
    ranked = (Judgement.BROKEN, Judgement.OPEN, Judgement.KEPT)
    return next((one for one in ranked if one in found), Judgement.NO_NULL)
