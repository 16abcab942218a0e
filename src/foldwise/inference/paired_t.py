"""The paired t test: two models on the same items, or two algorithms on the same independent samples."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Alternative, Array
from foldwise.core.validation import numbers
from foldwise.inference.moments import moments, samples
from foldwise.inference.student import StudentResult, student_result

__all__ = ["paired_t"]


def paired_t(a: ArrayLike, b: ArrayLike | None = None, *, alternative: Alternative = "two-sided") -> StudentResult:
    r"""Student's t test of paired values: marks of two models on the same items, errors on the same samples.

    Parameters
    ----------
    a, b
        Values of the two, paired along the last axis, of shape (..., n) with n ≥ 2; or without `b` their differences.
        Leading axes are separate experiments. Items or samples must be independent of each other: items of one
        cluster go to `clustered_t`, folds of a cross-validation to `corrected_repeated_cv_t`, and several trials of
        an item are averaged first.
    alternative
        Which side of zero the alternative hypothesis allows.

    Returns
    -------
    StudentResult
        All differences 0: statistic 0 and p = 1. All the same but not 0: statistic ±inf and p = 0 with a
        `DegenerateVariance` warning.

    Notes
    -----
    :math:`t=\bar x/(s(x)/\sqrt n)` with n − 1 degrees of freedom, where x are the differences and s² has the divisor
    n − 1 [1]_; for errors of two algorithms on independent samples see also [2]_, section 3.3.

    References
    ----------
    .. [1] Student (1908), The probable error of a mean, Biometrika 6, 1-25.
    .. [2] Martin & Hirschberg (1996), Small sample statistics for classification error rates II.

    Examples
    --------
    >>> result = paired_t([0.20, 0.25, 0.22, 0.30], [0.18, 0.20, 0.21, 0.24])
    >>> round(float(result.estimate), 4), float(result.df), round(float(result.pvalue), 4)
    (0.035, 3.0, 0.0605)
    """
    m = moments(samples(a) if b is None else _differences(a, b))
    return student_result(m.mean, np.sqrt(m.variance / m.n), m.n - 1, alternative)


def _differences(a: ArrayLike, b: ArrayLike) -> Array:
    first, second = numbers(a, "a"), numbers(b, "b")
    if first.shape != second.shape:
        raise InvalidInput(f"a and b must have the same shape, got {first.shape} and {second.shape}")
    return samples(first - second, "a and b")
