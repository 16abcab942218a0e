"""The t tests over splits: paired, resampled, k-fold, and Nadeau and Bengio's corrected forms."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Alternative, Array
from foldwise.core.validation import numbers
from foldwise.inference.student import StudentResult, matrices, moments, ratios, samples, student_result


def paired_t(a: ArrayLike, b: ArrayLike | None = None, *, alternative: Alternative = "two-sided") -> StudentResult:
    r"""Student's t test of paired values: marks of two models on the same items, errors on the same samples.

    Parameters
    ----------
    a, b
        Values of the two, paired along the last axis, of shape (..., n) with n ≥ 2; or without `b` their differences.
        Leading axes are separate experiments. Items or samples must be independent of each other: items of one
        cluster go to `clustered_t`, folds of a cross-validation to `corrected_repeated_cv_t`, and several trials of
        an item are averaged first.

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


def resampled_t(x: ArrayLike, *, alternative: Alternative = "two-sided") -> StudentResult:
    r"""Student's t test over the differences of n random splits, as if the splits were independent.

    The training sets overlap and the test sets overlap, so the variance of the mean is underestimated: with
    enough splits the test rejects almost any null hypothesis. It is here for study, never as advice.

    Parameters
    ----------
    x
        Differences a − b, shape (..., n) with n ≥ 2; leading axes are separate experiments.

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


def kfold_cv_t(x: ArrayLike, *, alternative: Alternative = "two-sided") -> StudentResult:
    r"""Student's t test over the k folds of one cross-validation.

    The test sets are disjoint but the training sets overlap, so the Type I error is somewhat elevated [1]_.

    Parameters
    ----------
    x
        Differences a − b, shape (..., k) with k ≥ 2 folds; leading axes are separate experiments.

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
