"""Dietterich's 5×2cv t test, with all ten statistics that the same data allow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.types import Alternative, Array, Numbers
from foldwise.inference.moments import matrices, refuse_not_finite
from foldwise.inference.student import StudentResult, student_result

__all__ = ["FiveByTwoTResult", "five_by_two_cv_t", "run_squares"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FiveByTwoTResult(StudentResult):
    """Outcome of the 5×2cv t test.

    The estimate is the first difference alone, because that is what the test's statistic and the interval dual
    to it are built on; `mean` is the mean of all ten.

    Attributes
    ----------
    mean
        Mean of the ten differences.
    statistics
        The ten statistics, shape (..., 5, 2): each difference over the common standard error; ``[..., 0, 0]`` is
        `statistic`.
    pvalues
        Their p-values, of the same shape.
    """

    mean: Numbers
    statistics: Numbers
    pvalues: Numbers


def five_by_two_cv_t(x: ArrayLike, *, alternative: Alternative = "two-sided") -> FiveByTwoTResult:
    r"""Test whether two learners differ, from five runs of two-fold cross-validation.

    Parameters
    ----------
    x
        Differences a − b, shape (..., 5, 2); leading axes are separate experiments. The result depends on which
        difference comes first.
    alternative
        ``"two-sided"``, ``"less"`` (a − b is below 0) or ``"greater"``.

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
    array = matrices(x, shape=(5, 2))
    standard_error = np.sqrt(run_squares(array).mean(axis=-1))
    first = student_result(np.asarray(array[..., 0, 0]), standard_error, 5, alternative)
    spread = np.broadcast_to(standard_error[..., None, None], array.shape)
    # one warning about a degenerate variance is enough, and the first numerator may be 0 where others are not
    every = student_result(array, spread, 5, alternative, warn=False)
    return FiveByTwoTResult(
        estimate=first.estimate,
        standard_error=first.standard_error,
        statistic=first.statistic,
        df=first.df,
        pvalue=first.pvalue,
        alternative=alternative,
        mean=array.mean(axis=(-2, -1))[()],
        statistics=every.statistic,
        pvalues=every.pvalue,
    )


def run_squares(x: Array) -> Array:
    """s² of each run, shape (..., 5): (x1 − x̄)² + (x2 − x̄)² is half the squared difference of the two."""
    with np.errstate(over="ignore", invalid="ignore"):
        squares = np.asarray((x[..., 0] - x[..., 1]) ** 2 / 2)
    refuse_not_finite(squares, x)
    return squares
