"""The t test over the folds of one cross-validation."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.types import Alternative
from foldwise.inference.moments import moments, samples
from foldwise.inference.student import StudentResult, student_result

__all__ = ["kfold_cv_t"]


def kfold_cv_t(x: ArrayLike, *, alternative: Alternative = "two-sided") -> StudentResult:
    r"""Student's t test over the k folds of one cross-validation.

    The test sets are disjoint but the training sets overlap, so the Type I error is somewhat elevated [1]_.

    Parameters
    ----------
    x
        Differences a − b, shape (..., k) with k ≥ 2 folds; leading axes are separate experiments.
    alternative
        ``"two-sided"``, ``"less"`` (a − b is below 0) or ``"greater"``.

    Returns
    -------
    StudentResult
        All differences 0: statistic 0 and p = 1. All the same but not 0: statistic ±inf and p = 0 with a
        `DegenerateVariance` warning.

    Notes
    -----
    :math:`t = \bar x\sqrt k / \sqrt{\sum_i (x_i-\bar x)^2/(k-1)}` is referred to Student's distribution with
    k − 1 degrees of freedom.

    References
    ----------
    .. [1] Dietterich (1998), Approximate statistical tests for comparing supervised classification learning
       algorithms, Neural Computation 10, section 3.4.

    Examples
    --------
    >>> result = kfold_cv_t([0.03, 0.01, 0.04, 0.00, 0.02])
    >>> interval = result.confidence_interval(0.95)
    >>> float(round(interval.low, 4)), float(round(interval.high, 4))
    (0.0004, 0.0396)
    """
    m = moments(samples(x))
    return student_result(m.mean, np.sqrt(m.variance / m.n), m.n - 1, alternative)
