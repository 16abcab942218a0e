"""5×2 cross-validation: Dietterich's t, Alpaydın's combined F, and the power of the latter."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import DegenerateVariance, EmptyInterval, InvalidInput
from foldwise.core.types import Alternative, Answers, Array, Interval, Numbers
from foldwise.core.validation import fraction, integer, numbers
from foldwise.inference.power import noncentrality_for, two_sided_power
from foldwise.inference.student import (
    StudentResult,
    fields_of,
    matrices,
    reach_without_variance,
    refuse_not_finite,
    student_result,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FiveByTwoTResult(StudentResult):
    """Outcome of the 5×2cv t test.

    The estimate is the first difference alone, because that is what the test's statistic and the interval dual
    to it are built on; `mean` is the mean of all ten.
    """

    mean: Numbers  #: Mean of the ten differences
    #: The ten statistics, shape (..., 5, 2): each difference over the common standard error; ``[..., 0, 0]`` is
    #: `statistic`
    statistics: Numbers
    pvalues: Numbers  #: Their p-values, of the same shape


def five_by_two_cv_t(
    x: ArrayLike, *, alternative: Alternative = "two-sided", replications: int = 5
) -> FiveByTwoTResult:
    r"""Test whether two learners differ, from five runs of two-fold cross-validation.

    Parameters
    ----------
    x
        Differences a − b, shape (..., 5, 2); leading axes are separate experiments. The result depends on which
        difference comes first.
    replications
        Another number r of runs than five, for study: x has shape (..., r, 2), and the statistic r degrees of freedom.

    Returns
    -------
    FiveByTwoTResult
        A first difference of 0 gives statistic 0 and p = 1 whatever the variance. No variance in any run
        and a first difference that is not 0: statistic ±inf and p = 0 with a `DegenerateVariance` warning.

    Notes
    -----
    With :math:`s_j^2 = (x_{j1}-\bar x_j)^2 + (x_{j2}-\bar x_j)^2`,
    :math:`\tilde t = x_{11}/\sqrt{\tfrac15\sum_j s_j^2}` is referred to Student's distribution with 5 degrees of
    freedom [1]_. Any of the ten differences could stand in the numerator, and the ten statistics need not agree
    [2]_: look at `pvalues`, or use `five_by_two_cv_f`, which combines them.

    References
    ----------
    .. [1] Dietterich (1998), Approximate statistical tests for comparing supervised classification learning
       algorithms, Neural Computation 10, section 3.5.
    .. [2] Alpaydın (1999), Combined 5×2 cv F test for comparing supervised classification learning algorithms,
       Neural Computation 11, eq. 2.2.

    Examples
    --------
    >>> x = [[0.05, 0.01], [0.03, 0.04], [0.02, 0.06], [0.01, 0.02], [0.04, 0.00]]
    >>> result = five_by_two_cv_t(x)
    >>> float(round(result.statistic, 3)), float(round(result.pvalue, 4))
    (2.236, 0.0756)
    >>> int((result.pvalues < 0.05).sum())
    1
    """
    runs = integer(replications, "replications", minimum=1)
    array = matrices(x, shape=(runs, 2))
    standard_error = np.sqrt(run_squares(array).mean(axis=-1))
    first = student_result(np.asarray(array[..., 0, 0]), standard_error, runs, alternative)
    spread = np.broadcast_to(standard_error[..., None, None], array.shape)
    # one warning about a degenerate variance is enough, and the first numerator may be 0 where others are not
    every = student_result(array, spread, runs, alternative, warn=False)
    return FiveByTwoTResult(
        **fields_of(first), mean=array.mean(axis=(-2, -1)), statistics=every.statistic, pvalues=every.pvalue
    )


def run_squares(x: Array) -> Array:
    """s² of each run, shape (..., 5): (x1 − x̄)² + (x2 − x̄)² is half the squared difference of the two."""
    with np.errstate(over="ignore", invalid="ignore"):
        squares = np.asarray((x[..., 0] - x[..., 1]) ** 2 / 2)
    refuse_not_finite(squares, x)
    return squares


# ---- Alpaydın's combined 5×2cv F test: the default for 5×2 cross-validation.

DF = (10, 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class FiveByTwoFResult(Shown):
    """Outcome of the combined 5×2cv F test."""

    estimate: Numbers  #: Mean of the ten differences, a − b
    statistic: Numbers  #: f; 0 when all differences are 0, inf when only the runs' variances are
    df: tuple[int, int]  #: Degrees of freedom of numerator and denominator, (10, 5)
    pvalue: Numbers  #: Probability under the null hypothesis of an f at least this large
    between: Numbers  #: Mean squared deviation of the ten differences from their mean
    within: Numbers  #: Sum of the five runs' s²

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
    # mean of the ten differences, exact where all are the same (otherwise `between` would not be 0)
    constant = array.max(axis=(-2, -1)) == array.min(axis=(-2, -1))
    mean = np.where(constant, array[..., 0, 0], array.mean(axis=(-2, -1)))
    if ((within == 0) & (total > 0)).any():
        warnings.warn(
            "the two differences of every run are the same, so the variance estimate is 0 and p = 0 is not credible",
            DegenerateVariance,
            stacklevel=2,
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(total == 0, 0.0, total / (2 * within))
    return FiveByTwoFResult(
        estimate=mean, statistic=statistic, df=DF, pvalue=np.asarray(special.fdtrc(*DF, statistic)),
        between=np.asarray(((array - mean[..., None, None]) ** 2).mean(axis=(-2, -1))), within=within,
    )  # fmt: skip


# ---- Power of the combined 5×2cv F test, and the difference it would detect.

_DENOMINATOR_DF = np.array(5.0)


def five_by_two_f_power(effect: ArrayLike, within: ArrayLike, *, alpha: float = 0.05) -> Numbers:
    r"""Probability that the combined 5×2cv F test rejects when the true difference is `effect`.

    Parameters
    ----------
    effect
        True difference; its sign does not matter.
    within
        Sum of the five runs' s², as `five_by_two_cv_f` reports it, above 0.
    alpha
        Level of the test.

    Notes
    -----
    Runs use all examples each, so that their means :math:`\bar x_j` are much the same; taken as one
    :math:`\bar x \sim N(\delta, \sigma^2/2)` independent of :math:`\sum_j s_j^2 \sim \sigma^2\chi^2_5`,

    .. math:: f = \tfrac12 + \frac{\sum_j \bar x_j^2}{\sum_j s_j^2} = \tfrac12 + \tfrac12\,T^2

    where T is noncentral t with 5 degrees of freedom and noncentrality :math:`\sqrt2\,\delta/\sigma`. The test
    rejects where :math:`T^2 > 2F_{10,5;1-\alpha} - 1`; σ² is taken to be :math:`\sum_j s_j^2/5`. F's own level is
    lower than `alpha` in this model, .033 for .05, which is what experiments show for it [1]_.

    References
    ----------
    .. [1] Alpaydın (1999), Combined 5×2 cv F test for comparing supervised classification learning algorithms,
       Neural Computation 11.

    Examples
    --------
    >>> float(round(five_by_two_f_power(0.0, 0.01), 4))
    0.0334
    """
    noncentrality = np.abs(numbers(effect, "effect")) / _standard_error(within)
    return two_sided_power(noncentrality, _DENOMINATOR_DF, _critical(alpha))[()]


def five_by_two_f_detectable_difference(within: ArrayLike, *, alpha: float = 0.05, power: float = 0.8) -> Numbers:
    """Smallest true difference that the combined 5×2cv F test finds with probability `power`.

    Parameters
    ----------
    within, alpha
        As for `five_by_two_f_power`.
    power
        Probability of rejection that is asked for, above `alpha`.

    Examples
    --------
    >>> float(round(five_by_two_f_detectable_difference(0.01), 4))
    0.1231
    """
    wanted = fraction(power, "power")
    if wanted <= fraction(alpha, "alpha"):
        raise InvalidInput(f"power must be above alpha = {alpha:g}, got {wanted:g}")
    return (noncentrality_for(wanted, _DENOMINATOR_DF, _critical(alpha)) * _standard_error(within))[()]


def _critical(alpha: float) -> Array:
    """The value that the absolute value of T must exceed."""
    return np.asarray(np.sqrt(2 * special.fdtri(*DF, 1 - fraction(alpha, "alpha")) - 1))


def _standard_error(within: ArrayLike) -> Array:
    return np.sqrt(numbers(within, "within", above=0) / 10)
