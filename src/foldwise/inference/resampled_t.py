"""The resampled t test of repeated random splits; unsound, for study."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.types import Alternative
from foldwise.inference.moments import moments, samples
from foldwise.inference.student import StudentResult, student_result

__all__ = ["resampled_t"]


def resampled_t(x: ArrayLike, *, alternative: Alternative = "two-sided") -> StudentResult:
    r"""Student's t test over the differences of n random splits, as if the splits were independent.

    The training sets overlap and the test sets overlap, so the variance of the mean is underestimated: with
    enough splits the test rejects almost any null hypothesis. It is here for study, never as advice.

    Parameters
    ----------
    x
        Differences a − b, shape (..., n) with n ≥ 2; leading axes are separate experiments.
    alternative
        ``"two-sided"``, ``"less"`` (a − b is below 0) or ``"greater"``.

    Returns
    -------
    StudentResult
        All differences 0: statistic 0 and p = 1. All the same but not 0: statistic ±inf and p = 0 with a
        `DegenerateVariance` warning.

    Notes
    -----
    :math:`t = \bar x\sqrt n / \sqrt{\sum_i (x_i-\bar x)^2/(n-1)}` is referred to Student's distribution with
    n − 1 degrees of freedom [1]_.

    References
    ----------
    .. [1] Dietterich (1998), Approximate statistical tests for comparing supervised classification learning
       algorithms, Neural Computation 10, section 3.3.

    Examples
    --------
    >>> result = resampled_t([0.02, 0.05, -0.01, 0.04])
    >>> float(round(result.statistic, 3)), float(round(result.pvalue, 4))
    (1.89, 0.1552)
    """
    m = moments(samples(x))
    return student_result(m.mean, np.sqrt(m.variance / m.n), m.n - 1, alternative)
