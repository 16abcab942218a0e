"""Equivalence by two one-sided tests from any t-type test."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Numbers
from foldwise.core.validation import numbers
from foldwise.inference.student import StudentResult, student_result

__all__ = ["EquivalenceResult", "tost"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EquivalenceResult(Shown):
    """Outcome of two one-sided tests.

    Attributes
    ----------
    estimate
        The estimated difference, a − b.
    margin
        The largest difference that still counts as none.
    pvalue_low
        Of the test that the difference is −margin or less.
    pvalue_high
        Of the test that the difference is margin or more.
    pvalue
        The larger of the two: below α, the learners are practically the same at level α.
    """

    estimate: Numbers
    margin: Numbers
    pvalue_low: Numbers
    pvalue_high: Numbers
    pvalue: Numbers


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
    m = _above_zero(margin)
    estimate, error = np.asarray(result.estimate), np.asarray(result.standard_error)
    unknown = _fit(error, m) == 0
    low = student_result(estimate + m, _fit(error, m), result.df, "greater", warn=False).pvalue
    high = student_result(estimate - m, _fit(error, m), result.df, "less", warn=False).pvalue
    low, high = (np.where(unknown, 1.0, p)[()] for p in (low, high))
    return EquivalenceResult(
        estimate=result.estimate, margin=m[()], pvalue_low=low, pvalue_high=high, pvalue=np.maximum(low, high)
    )


def _fit(error: Array, margin: Array) -> Array:
    return np.broadcast_to(error, np.broadcast_shapes(error.shape, margin.shape))


def _above_zero(margin: ArrayLike) -> Array:
    array = numbers(margin, "margin")
    if (array <= 0).any():
        raise InvalidInput(f"margin must be above 0, got {array[array <= 0].flat[0]:g}")
    return array
