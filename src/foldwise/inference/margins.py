"""Margins: what one-sided limits conclude, and equivalence by two one-sided tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.display import Shown
from foldwise.core.types import Interval, Numbers
from foldwise.core.validation import numbers, positive
from foldwise.inference.student import StudentResult, student_result

# ---- What one-sided limits say about a margin: superior, non-inferior, equivalent, inferior, or undecided.

Conclusion: TypeAlias = Literal["superior", "non-inferior", "equivalent", "inferior", "undecided"]


def conclusion(limits: Interval | None, *, margin: float, higher_is_better: bool = True) -> Conclusion:
    r"""Conclude about a against b, the candidate against the baseline, from limits for the difference a − b.

    Parameters
    ----------
    limits
        The one-sided lower and the one-sided upper limit of level 1 − α: the two-sided interval of level 1 − 2α. None
        where the evidence has none.
    margin
        The largest difference that does not matter, above 0, in the unit of the limits.
    higher_is_better
        False for losses: a is better where a − b is negative.

    Returns
    -------
    Conclusion
        With L and U the limits for how much better a is, and m the margin: "superior" if L > m, "equivalent" if
        −m < L and U < m, "non-inferior" if L > −m only, "inferior" if U < −m, and otherwise "undecided".

    Notes
    -----
    Each claim is a one-sided test of level α [1]_; "equivalent" is two of them [2]_. Superior and equivalent imply
    non-inferior, and no two of superior, equivalent and inferior go together. Where a − b is turned round, superior
    becomes inferior and equivalent stays; non-inferior becomes undecided, since it says nothing in favour of b.

    The limits alone decide. A two-sided test of level α may show no difference where a one-sided limit of that level
    lies beyond a margin near 0, or where its p-value rests on another approximation than the limits: neither takes
    back what they show.

    References
    ----------
    .. [1] Piaggio, Elbourne, Pocock, Evans & Altman (2012), Reporting of noninferiority and equivalence randomized
       trials, JAMA 308, 2594-2604.
    .. [2] Schuirmann (1987), A comparison of the two one-sided tests procedure and the power approach for assessing
       the equivalence of average bioavailability, Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680.

    Examples
    --------
    >>> conclusion(Interval(low=-0.004, high=0.031), margin=0.01)
    'non-inferior'
    >>> conclusion(Interval(low=0.012, high=0.031), margin=0.01)
    'superior'
    """
    m = positive(margin, "margin")
    if limits is None:
        return "undecided"
    lead = limits if higher_is_better else -limits
    if lead.low > m:
        return "superior"
    if lead.low > -m:
        return "equivalent" if lead.high < m else "non-inferior"
    return "inferior" if lead.high < -m else "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class EquivalenceResult(Shown):
    """Outcome of two one-sided tests."""

    estimate: Numbers  #: The estimated difference, a − b
    margin: Numbers  #: The largest difference that still counts as none
    pvalue_low: Numbers  #: Of the test that the difference is −margin or less
    pvalue_high: Numbers  #: Of the test that the difference is margin or more
    pvalue: Numbers  #: The larger of the two: below α, the learners are practically the same at level α


def tost(result: StudentResult, *, margin: ArrayLike) -> EquivalenceResult:
    r"""Test whether the difference behind a t-type result is smaller than `margin` in either direction.

    Parameters
    ----------
    result
        Of `corrected_repeated_cv_t`, `corrected_resampled_t` or another t-type test.
    margin
        The largest difference that still counts as none, above 0, in the unit of the estimate.

    Returns
    -------
    EquivalenceResult
        With a standard error of 0 nothing is shown and all p-values are 1: differences that happen to be the same
        say nothing of their spread.

    Notes
    -----
    :math:`p = \max\{P(T > (d+m)/s),\; P(T < (d-m)/s)\}` for estimate d, standard error s and margin m [1]_. p < α
    exactly when the interval of level 1 − 2α of the two-sided test lies inside (−m, m).

    References
    ----------
    .. [1] Schuirmann (1987), A comparison of the two one-sided tests procedure and the power approach for assessing
       the equivalence of average bioavailability, Journal of Pharmacokinetics and Biopharmaceutics 15.

    Examples
    --------
    >>> from foldwise.inference import corrected_resampled_t
    >>> result = corrected_resampled_t([0.02, 0.01, -0.01, 0.00], test_train_ratio=1 / 9)
    >>> float(round(tost(result, margin=0.03).pvalue, 4))
    0.0242
    """
    m = numbers(margin, "margin", above=0)
    estimate, error = np.asarray(result.estimate), np.asarray(result.standard_error)
    error = np.broadcast_to(error, np.broadcast_shapes(error.shape, m.shape))
    unknown = error == 0
    low = student_result(estimate + m, error, result.df, "greater", warn=False).pvalue
    high = student_result(estimate - m, error, result.df, "less", warn=False).pvalue
    low, high = (np.where(unknown, 1.0, p)[()] for p in (low, high))
    return EquivalenceResult(
        estimate=result.estimate, margin=m[()], pvalue_low=low, pvalue_high=high, pvalue=np.maximum(low, high)
    )
