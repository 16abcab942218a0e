"""Alpaydın's combined 5×2cv F test: the default for 5×2 cross-validation."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import DegenerateVariance, EmptyInterval
from foldwise.core.types import Answers, Array, Interval, Numbers
from foldwise.core.validation import fraction
from foldwise.inference.five_by_two_cv_t import run_squares
from foldwise.inference.moments import matrices, refuse_not_finite
from foldwise.inference.student import reach_without_variance

__all__ = ["FiveByTwoFResult", "five_by_two_cv_f"]

DF = (10, 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class FiveByTwoFResult(Shown):
    """Outcome of the combined 5×2cv F test.

    Attributes
    ----------
    estimate
        Mean of the ten differences, a − b.
    statistic
        f; 0 when all differences are 0, inf when only the runs' variances are.
    df
        Degrees of freedom of numerator and denominator, (10, 5).
    pvalue
        Probability under the null hypothesis of an f at least this large.
    between
        Mean squared deviation of the ten differences from their mean.
    within
        Sum of the five runs' s².
    """

    estimate: Numbers
    statistic: Numbers
    df: tuple[int, int]
    pvalue: Numbers
    between: Numbers
    within: Numbers

    @property
    def degenerate(self) -> Answers:
        """Whether the variance estimate is 0, so that neither p-value nor interval says anything."""
        return self.within == 0

    def confidence_interval(self, confidence_level: float = 0.95) -> Interval:
        r"""The differences δ that the test applied to x − δ would not reject.

        f(x − δ) ≤ F is a quadratic inequality in δ, solved by
        :math:`\bar x \pm \sqrt{F\sum_j s_j^2/5 - \overline{(x-\bar x)^2}}`. Where the runs differ far more
        from one another than their two halves do, it has no solution: both limits are NaN then, with an
        `EmptyInterval` warning, since the test rejects every δ. Without variance (every s² is 0) it is unbounded
        where all differences are 0, else NaN with a `DegenerateVariance` warning.
        """
        level = fraction(confidence_level, "confidence_level")
        square = np.asarray(special.fdtri(*DF, level) * self.within / 5 - self.between)
        empty = (square < 0) & ~np.asarray(self.degenerate)
        if empty.any():
            warnings.warn(
                f"the combined 5×2cv F test rejects every difference at level {1 - level:.3g} in "
                f"{int(empty.sum())} of {empty.size} experiments, so these have no interval",
                EmptyInterval,
                stacklevel=2,
            )
        root = np.sqrt(np.where(square < 0, np.nan, square))
        reach = reach_without_variance(root, self.degenerate, self.pvalue)
        return Interval(low=self.estimate - reach, high=self.estimate + reach)


def five_by_two_cv_f(x: ArrayLike) -> FiveByTwoFResult:
    r"""Test whether two learners differ, from five runs of two-fold cross-validation.

    Parameters
    ----------
    x
        Differences a − b, shape (..., 5, 2); leading axes are separate experiments. Neither the order of the
        runs nor the order of the two folds of one matters.

    Returns
    -------
    FiveByTwoFResult
        All differences 0: f = 0 and p = 1. Both differences the same in every run, but not all 0:
        f = inf and p = 0 with a `DegenerateVariance` warning.

    Notes
    -----
    With :math:`s_j^2 = (x_{j1}-\bar x_j)^2 + (x_{j2}-\bar x_j)^2`,
    :math:`f = \sum_{j,i} x_{ji}^2 / (2\sum_j s_j^2)` is referred to the F distribution with 10 and 5 degrees of
    freedom [1]_. The test has no one-sided form: f does not see the sign of a difference.

    References
    ----------
    .. [1] Alpaydın (1999), Combined 5×2 cv F test for comparing supervised classification learning algorithms,
       Neural Computation 11, section 3.

    Examples
    --------
    >>> x = [[0.05, 0.01], [0.03, 0.04], [0.02, 0.06], [0.01, 0.02], [0.04, 0.00]]
    >>> result = five_by_two_cv_f(x)
    >>> float(round(result.statistic, 3)), float(round(result.pvalue, 4))
    (2.24, 0.1932)
    """
    array = matrices(x, shape=(5, 2))
    within = np.asarray(run_squares(array).sum(axis=-1))
    with np.errstate(over="ignore"):
        total = np.asarray((array**2).sum(axis=(-2, -1)))
    refuse_not_finite(total, array)
    mean = _mean(array)
    statistic = _ratio(total, 2 * within)
    return FiveByTwoFResult(
        estimate=mean[()],
        statistic=statistic[()],
        df=DF,
        pvalue=np.asarray(special.fdtrc(*DF, statistic))[()],
        between=np.asarray(((array - mean[..., None, None]) ** 2).mean(axis=(-2, -1)))[()],
        within=within[()],
    )


def _mean(x: Array) -> Array:
    """Mean of the ten differences, exact where all are the same (otherwise `between` would not be 0)."""
    constant = x.max(axis=(-2, -1)) == x.min(axis=(-2, -1))
    return np.where(constant, x[..., 0, 0], x.mean(axis=(-2, -1)))


def _ratio(total: Array, twice_within: Array) -> Array:
    if ((twice_within == 0) & (total > 0)).any():
        warnings.warn(
            "the two differences of every run are the same, so the variance estimate is 0 and p = 0 is not credible",
            DegenerateVariance,
            stacklevel=3,
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(total == 0, 0.0, total / twice_within)
