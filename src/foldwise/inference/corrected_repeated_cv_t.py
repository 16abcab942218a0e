"""The corrected repeated k-fold cross-validation t test: the default for repeated cross-validation."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Alternative, Array
from foldwise.inference.moments import matrices, moments, ratios
from foldwise.inference.student import StudentResult, student_result

__all__ = ["corrected_repeated_cv_t"]


def corrected_repeated_cv_t(
    x: ArrayLike, *, test_train_ratio: ArrayLike | None = None, alternative: Alternative = "two-sided"
) -> StudentResult:
    r"""Test whether two learners differ, from the differences of r runs of k-fold cross-validation.

    Parameters
    ----------
    x
        Differences a − b, shape (..., runs, folds); leading axes are separate experiments. The order of the
        values within an experiment does not matter.
    test_train_ratio
        Size of a test set divided by the size of a training set; 1/(folds − 1) when not given.
    alternative
        ``"two-sided"``, ``"less"`` (a − b is below 0) or ``"greater"``.

    Returns
    -------
    StudentResult
        All differences 0: statistic 0 and p = 1. All the same but not 0: statistic ±inf and p = 0 with a
        `DegenerateVariance` warning.

    Notes
    -----
    :math:`t = \bar x / \sqrt{(1/(kr) + n_2/n_1)\,\hat\sigma^2}` over all kr differences is referred to Student's
    distribution with kr − 1 degrees of freedom; with n₂/n₁ = 1/(k − 1) in k-fold cross-validation [1]_.

    References
    ----------
    .. [1] Bouckaert & Frank (2004), Evaluating the replicability of significance tests for comparing learning
       algorithms, PAKDD, section 3.3.

    Examples
    --------
    >>> x = [[0.02, 0.05, -0.01], [0.04, 0.01, 0.03]]
    >>> result = corrected_repeated_cv_t(x)
    >>> float(round(result.statistic, 3)), float(result.df), float(round(result.pvalue, 4))
    (1.323, 5.0, 0.2431)
    """
    array = matrices(x)
    ratio = _ratio(array, test_train_ratio)
    runs, folds = array.shape[-2:]
    m = moments(array.reshape(*array.shape[:-2], runs * folds), given=array)
    return student_result(m.mean, np.sqrt((1 / m.n + ratio) * m.variance), m.n - 1, alternative)


def _ratio(x: Array, given: ArrayLike | None) -> Array:
    if given is not None:
        return ratios(given)
    folds = x.shape[-1]
    if folds < 2:
        raise InvalidInput(f"x must have at least 2 folds unless test_train_ratio is given, got shape {x.shape}")
    return np.asarray(1 / (folds - 1))
