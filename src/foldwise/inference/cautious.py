"""t and z tests that take a lack of variance for what it is: nothing can be told."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.errors import DegenerateVariance
from foldwise.core.types import Alternative, Array, Flags
from foldwise.core.validation import one_of
from foldwise.inference.student import ALTERNATIVES, StudentResult

__all__ = ["ROUNDING", "cautious_result"]

ROUNDING = 1e-12
"""Standard errors below this share of the largest difference are the rounding of a constant."""


def cautious_result(
    estimate: Array, standard_error: Array, df: ArrayLike, alternative: Alternative, *, differ: Flags
) -> StudentResult:
    """The result of a t-type test, or of a z test where `df` is infinite; p = 1 without variance.

    Parameters
    ----------
    estimate, standard_error
        Of the difference; the standard error is 0 where it can't be told.
    df, alternative
        Degrees of freedom, and which side of zero the alternative hypothesis allows.
    differ
        Where some difference is not 0: without variance the statistic is NaN there, with a `DegenerateVariance`
        warning, and 0 elsewhere.

    Examples
    --------
    >>> result = cautious_result(np.array(0.0), np.array(0.0), 9.0, "two-sided", differ=np.array(False))
    >>> float(result.statistic), float(result.pvalue)
    (0.0, 1.0)
    """
    one_of(alternative, "alternative", ALTERNATIVES)
    known = standard_error > 0
    unknown = ~known & differ
    if unknown.any():
        warnings.warn(
            "the variance estimate is 0 although the differences are not, so nothing can be told: p = 1",
            DegenerateVariance,
            stacklevel=3,
        )
    ratio = estimate / np.where(known, standard_error, 1.0)
    statistic = np.where(known, ratio, np.where(unknown, np.nan, 0.0))
    tail = {"less": statistic, "greater": -statistic, "two-sided": -np.abs(statistic)}[alternative]
    sides = 2 if alternative == "two-sided" else 1
    return StudentResult(
        estimate=estimate[()],
        standard_error=standard_error[()],
        statistic=statistic[()],
        df=np.broadcast_to(np.asarray(df, dtype=np.float64), statistic.shape)[()],
        pvalue=np.where(known, sides * special.stdtr(df, tail), 1.0)[()],
        alternative=alternative,
    )
