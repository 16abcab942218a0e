"""Two ways of comparing error rates that look right and are wrong; for study only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.display import Shown
from foldwise.core.types import Answers, Array, Numbers
from foldwise.core.validation import positive
from foldwise.inference.error_interval import Method, error_interval
from foldwise.inference.intervals.applicability import checked_counts

__all__ = ["CommonMistake", "outside_interval", "standard_error_rule"]

OUTSIDE_WARNING = (
    "An estimate outside the other's interval is not a test of their difference: it ignores the uncertainty of one "
    "of the two estimates and their covariance, and it looks at one side only."
)
STANDARD_ERROR_WARNING = (
    "k standard errors of one rate are not k standard errors of the difference of two: for independent rates the "
    "latter is larger by about √2, so the rule rejects too often."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonMistake(Shown):
    """What a wrong rule decides, with the reason why it is wrong.

    Attributes
    ----------
    estimate
        ε1 − ε2.
    reject
        Whether the rule calls the two rates different.
    warning
        Why the rule must not be used.
    """

    estimate: Numbers
    reject: Answers
    warning: str


def outside_interval(
    m1: ArrayLike,
    M1: ArrayLike,
    m2: ArrayLike,
    M2: ArrayLike,
    *,
    method: Method = "textbook",
    confidence_level: float = 0.95,
) -> CommonMistake:
    """Call two error rates different when the higher lies above the interval of the lower: a mistake.

    Parameters
    ----------
    m1, M1, m2, M2
        Errors and size of each test set.
    method, confidence_level
        The interval, as in `error_interval`.

    References
    ----------
    .. [1] Martin & Hirschberg (1996), Small sample statistics for classification error rates II, section 3.1.

    Examples
    --------
    Both are right that 4 % and 9 % of 100 differ little; this rule says they differ:

    >>> bool(outside_interval(4, 100, 9, 100).reject)
    True
    """
    first, second = _pair(m1, M1, m2, M2)
    upper1 = error_interval(*first, method=method, confidence_level=confidence_level).high
    upper2 = error_interval(*second, method=method, confidence_level=confidence_level).high
    rate1, rate2 = first[0] / first[1], second[0] / second[1]
    reject = np.where(rate1 <= rate2, rate2 > upper1, rate1 > upper2)
    return CommonMistake(estimate=(rate1 - rate2)[()], reject=reject[()], warning=OUTSIDE_WARNING)


def standard_error_rule(m1: ArrayLike, M1: ArrayLike, m2: ArrayLike, M2: ArrayLike, *, k: float = 2.0) -> CommonMistake:
    """Call two error rates different when they lie more than k standard errors of the lower one apart: a mistake.

    Parameters
    ----------
    m1, M1, m2, M2
        Errors and size of each test set.
    k
        2 for the ±2-SE rule, 1 for CART's 1-SE rule, 1.645 for its one-sided relative.

    References
    ----------
    .. [1] Martin & Hirschberg (1996), Small sample statistics for classification error rates II, section 3.1.

    Examples
    --------
    >>> bool(standard_error_rule(4, 100, 9, 100).reject)
    True
    """
    width = positive(k, "k")
    first, second = _pair(m1, M1, m2, M2)
    rate1, rate2 = first[0] / first[1], second[0] / second[1]
    lower, size = np.minimum(rate1, rate2), np.where(rate1 <= rate2, first[1], second[1])
    reject = np.abs(rate1 - rate2) > width * np.sqrt(lower * (1 - lower) / size)
    return CommonMistake(estimate=(rate1 - rate2)[()], reject=reject[()], warning=STANDARD_ERROR_WARNING)


def _pair(
    m1: ArrayLike, M1: ArrayLike, m2: ArrayLike, M2: ArrayLike
) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    return checked_counts(m1, M1, ("m1", "M1")), checked_counts(m2, M2, ("m2", "M2"))
