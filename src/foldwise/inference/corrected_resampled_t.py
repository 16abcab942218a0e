"""Nadeau and Bengio's corrected resampled t test for random splits."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.types import Alternative
from foldwise.inference.moments import moments, ratios, samples
from foldwise.inference.student import StudentResult, student_result

__all__ = ["corrected_resampled_t"]


def corrected_resampled_t(
    x: ArrayLike, *, test_train_ratio: ArrayLike, alternative: Alternative = "two-sided"
) -> StudentResult:
    r"""Test whether two learners differ, from the differences of n random splits of one data set.

    Parameters
    ----------
    x
        Differences a − b, shape (..., n) with n ≥ 2; leading axes are separate experiments.
    test_train_ratio
        Size of a test set divided by the size of a training set, above 0 (1/9 for 90 % training). There is no
        default: without the ratio there is no correction. An array must fit the leading axes of `x`.
    alternative
        ``"two-sided"``, ``"less"`` (a − b is below 0) or ``"greater"``.

    Returns
    -------
    StudentResult
        All differences 0: statistic 0 and p = 1. All the same but not 0: statistic ±inf and p = 0 with a
        `DegenerateVariance` warning.

    Notes
    -----
    :math:`t = \bar x / \sqrt{(1/n + n_2/n_1)\,\hat\sigma^2}` is referred to Student's distribution with n − 1
    degrees of freedom; :math:`\hat\sigma^2` is the unbiased variance of the n differences, n₁ and n₂ are the
    sizes of a training and a test set. The second term stands for the correlation n₂/(n₁+n₂) that overlapping
    training sets are taken to cause [1]_ [2]_.

    References
    ----------
    .. [1] Nadeau & Bengio (2003), Inference for the generalization error, Machine Learning 52.
    .. [2] Bouckaert & Frank (2004), Evaluating the replicability of significance tests for comparing learning
       algorithms, PAKDD, section 3.2.

    Examples
    --------
    >>> result = corrected_resampled_t([0.02, 0.05, -0.01, 0.04], test_train_ratio=1 / 9)
    >>> float(round(result.statistic, 3)), float(round(result.pvalue, 4))
    (1.572, 0.2139)
    """
    ratio = ratios(test_train_ratio)
    m = moments(samples(x))
    return student_result(m.mean, np.sqrt((1 / m.n + ratio) * m.variance), m.n - 1, alternative)
