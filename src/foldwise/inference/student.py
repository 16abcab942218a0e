"""The Student distribution behind every t-type test: p-values, dual intervals, degenerate variances."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import DegenerateVariance
from foldwise.core.types import Alternative, Answers, Array, Interval, Numbers
from foldwise.core.validation import fraction, one_of

__all__ = ["StudentResult", "reach_without_variance", "student_result"]

ALTERNATIVES = ("two-sided", "less", "greater")


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentResult(Shown):
    """Outcome of a t-type test.

    Attributes
    ----------
    estimate
        The estimated difference, a − b in the unit of the input.
    standard_error
        Its standard error as the test estimates it.
    statistic
        estimate / standard_error; 0 when both are 0, ±inf when only the standard error is.
    df
        Degrees of freedom of the reference distribution.
    pvalue
        Probability under the null hypothesis of a statistic at least this extreme.
    alternative
        Which side of zero the alternative hypothesis allows.
    """

    estimate: Numbers
    standard_error: Numbers
    statistic: Numbers
    df: Numbers
    pvalue: Numbers
    alternative: Alternative

    @property
    def degenerate(self) -> Answers:
        """Whether the variance estimate is 0, so that neither p-value nor interval says anything."""
        return self.standard_error == 0

    def confidence_interval(self, confidence_level: float = 0.95) -> Interval:
        """Interval dual to the test: it excludes 0 exactly when the p-value is below 1 − confidence_level.

        Without variance no interval can be told: it is unbounded where the test rejects nothing, and has NaN limits,
        with a `DegenerateVariance` warning, where p = 0.
        """
        level = fraction(confidence_level, "confidence_level")
        tail = (1 - level) / 2 if self.alternative == "two-sided" else 1 - level
        reach = reach_without_variance(
            -special.stdtrit(self.df, tail) * self.standard_error, self.degenerate, self.pvalue
        )
        unbounded = np.full_like(self.estimate, np.inf)[()]
        low = -unbounded if self.alternative == "less" else self.estimate - reach
        high = unbounded if self.alternative == "greater" else self.estimate + reach
        return Interval(low=low, high=high)


def reach_without_variance(reach: Numbers, degenerate: Answers, pvalue: Numbers) -> Numbers:
    """Half-widths of intervals, where the variance estimate is 0 replaced by inf, or by NaN where p = 0 (see above)."""
    none = np.asarray(degenerate & (pvalue == 0))
    if none.any():
        warnings.warn("the variance estimate is 0, so there is no interval", DegenerateVariance, stacklevel=3)
    return np.where(none, np.nan, np.where(degenerate, np.inf, reach))[()]


def student_result(
    estimate: Array,
    standard_error: Array,
    df: ArrayLike,
    alternative: Alternative = "two-sided",
    *,
    warn: bool = True,
) -> StudentResult:
    """Build the result of a t-type test from an estimate, its standard error and the degrees of freedom.

    A standard error of 0 has a defined answer: statistic 0 and p = 1 where the estimate is 0 too (the learners
    were indistinguishable), statistic ±inf and p = 0 with a `DegenerateVariance` warning where it is not (none if
    not `warn`: the caller has warned already).

    Examples
    --------
    >>> float(student_result(np.array(2.0), np.array(1.0), 10).pvalue).__round__(4)
    0.0734
    """
    one_of(alternative, "alternative", ALTERNATIVES)
    constant = (standard_error == 0) & (estimate != 0)
    if warn and constant.any():
        warnings.warn(
            "the variance estimate is 0 although the differences are not, so p = 0 is not credible",
            DegenerateVariance,
            stacklevel=3,
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where((standard_error == 0) & (estimate == 0), 0.0, estimate / standard_error)
    return StudentResult(
        estimate=estimate[()],
        standard_error=standard_error[()],
        statistic=statistic[()],
        df=np.broadcast_to(np.asarray(df, dtype=np.float64), statistic.shape)[()],
        pvalue=_pvalue(statistic, df, alternative)[()],
        alternative=alternative,
    )


def _pvalue(statistic: Array, df: ArrayLike, alternative: Alternative) -> Array:
    if alternative == "less":
        return np.asarray(special.stdtr(df, statistic))
    if alternative == "greater":
        return np.asarray(special.stdtr(df, -statistic))
    # at 0 the two tails meet: 2·½ is exactly 1
    return np.asarray(2 * special.stdtr(df, -np.abs(statistic)))
