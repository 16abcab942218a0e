"""z tests from one cross-validation: central limit, nested, and the conservative Z."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Alternative, Array
from foldwise.core.validation import moderate, numbers
from foldwise.inference.student import ROUNDING, StudentResult, cautious_result, moments, samples

__all__ = [
    "conservative_z",
    "cv_clt",
    "nested_cv",
]


# ---- The central-limit z test of one cross-validation: every example is tested once, and counts as one.


def cv_clt(d: ArrayLike, *, alternative: Alternative = "two-sided") -> StudentResult:
    r"""Test whether the models of one k-fold cross-validation differ, from the differences on its examples.

    Parameters
    ----------
    d
        Differences a − b of the two learners' losses or scores on each example, shape (..., n); each example is tested
        by the models that were trained without its fold. Leading axes are separate experiments.
    alternative
        ``"two-sided"``, ``"less"`` (a − b is below 0) or ``"greater"``.

    Returns
    -------
    StudentResult
        With infinite degrees of freedom. Without variance nothing can be told: p = 1 and an unbounded interval.

    Notes
    -----
    :math:`z = \sqrt n\,\bar d / s(d)` is referred to the normal distribution [1]_. What it is about is the mean
    difference of the k models that were fitted, for learners that are stable: as a test of the algorithms it leaves
    out what another training set would change.

    References
    ----------
    .. [1] Bayle, Bayle, Janson & Mackey (2020), Cross-validation confidence intervals for test error, NeurIPS 33.

    Examples
    --------
    >>> result = cv_clt([1, 0, 0, 1, -1, 0, 1, 1, 0, 1])
    >>> float(round(result.statistic, 3)), float(round(result.pvalue, 4))
    (1.809, 0.0704)
    """
    x = samples(d, "d")
    m = moments(x)
    return cautious_result(m.mean, np.sqrt(m.variance / m.n), np.inf, alternative, differ=np.abs(x).max(axis=-1) > 0)


# ---- The nested cross-validation z test: how far a cross-validation is from what it estimates is itself measured.


def nested_cv(
    inner: ArrayLike, outer: ArrayLike, outer_variance: ArrayLike, naive: ArrayLike,
    *, alternative: Alternative = "two-sided",
) -> StudentResult:  # fmt: skip
    r"""Test whether two learners differ, from cross-validations within the folds of a cross-validation.

    Parameters
    ----------
    inner
        Mean difference a − b of the cross-validation of all folds but one, shape (..., repetitions, folds).
    outer
        Mean difference on that fold of the learners trained on all others, of the same shape.
    outer_variance
        Variance of the differences on the fold's examples divided by their number, of the same shape.
    naive
        The naive standard error of each repetition, s(e)/√n over all differences of the inner cross-validations:
        (..., repetitions).
    alternative
        ``"two-sided"``, ``"less"`` (a − b is below 0) or ``"greater"``.

    Returns
    -------
    StudentResult
        With infinite degrees of freedom. Without variance nothing can be told: p = 1 and an unbounded interval.

    Notes
    -----
    Per outer fold a = (inner − outer)² is how far the inner cross-validation was from what it was to estimate, and b,
    the outer variance, the part of that which is the fold's own noise: mean(a − b) estimates the mean squared error of
    the cross-validation [1]_. :math:`SE = \sqrt{\frac{k-1}{k}\max(\overline{a-b}, 0)}` is kept between the naive
    standard error and √k times it; z = mean(inner)/SE. The estimate is that of training on k − 2 of k folds, without
    the paper's correction to all of them.

    References
    ----------
    .. [1] Bates, Hastie & Tibshirani (2024), Cross-validation: what does it estimate and how well does it do it?,
       Journal of the American Statistical Association 119.

    Examples
    --------
    >>> result = nested_cv([[0.1, 0.2, 0.1]], [[0.3, -0.1, 0.1]], [[0.001, 0.001, 0.001]], [0.05])
    >>> float(round(result.estimate, 4)), float(round(result.standard_error, 4))
    (0.1333, 0.0866)
    """
    folds = _folds(inner, outer, outer_variance)
    each = numbers(naive, "naive")
    k = folds.shape[-1]
    if each.shape != folds.shape[1:-1] or k < 2:
        raise InvalidInput(
            f"naive must have one standard error per repetition of at least 2 folds, got shape {each.shape} for "
            f"{folds.shape[1:]}"
        )
    first, second, noise = folds
    mse = np.mean((first - second) ** 2 - noise, axis=(-2, -1))
    least = np.sqrt(np.mean(each**2, axis=-1))
    error = np.clip(np.sqrt((k - 1) / k * np.maximum(mse, 0.0)), least, np.sqrt(k) * least)
    largest = np.abs(folds[:2]).max(axis=(0, -2, -1))
    error = np.where(error <= ROUNDING * largest, 0.0, error)
    return cautious_result(np.asarray(first.mean(axis=(-2, -1))), error, np.inf, alternative, differ=largest > 0)


def _folds(inner: ArrayLike, outer: ArrayLike, outer_variance: ArrayLike) -> Array:
    """All three as one array, checked."""
    named = {"inner": inner, "outer": outer, "outer_variance": outer_variance}
    arrays = {name: numbers(value, name, min_ndim=2) for name, value in named.items()}
    shapes = {array.shape for array in arrays.values()}
    if len(shapes) > 1:
        raise InvalidInput(f"inner, outer and outer_variance must have one shape, got {sorted(shapes)}")
    for name, array in arrays.items():
        moderate(array, name)
    return np.stack(list(arrays.values()))


# ---- The conservative Z test: the variance comes from disjoint halves of the data, which have more of it.


def conservative_z(x: ArrayLike, halves: ArrayLike, *, alternative: Alternative = "two-sided") -> StudentResult:
    r"""Test whether two learners differ, with a variance that is too large rather than too small.

    Parameters
    ----------
    x
        Differences a − b on random splits of all examples, shape (..., splits); leading axes are separate experiments.
    halves
        Differences on random splits of two disjoint halves of the examples, halved again and again: (..., halvings, 2,
        splits). The test sets are as large as those of `x`, the training sets smaller.
    alternative
        ``"two-sided"``, ``"less"`` (a − b is below 0) or ``"greater"``.

    Returns
    -------
    StudentResult
        With infinite degrees of freedom. Without variance nothing can be told: p = 1 and an unbounded interval.

    Notes
    -----
    With :math:`\hat\mu_m` and :math:`\hat\mu_m^c` the means over the splits of the two halves,
    :math:`\hat\sigma^2 = \frac{1}{2M}\sum_m (\hat\mu_m-\hat\mu_m^c)^2` is an unbiased estimate of the variance of the
    same estimate on half the data, which is larger than on all of it [1]_. :math:`z = \bar x/\hat\sigma` is referred
    to the normal distribution.

    References
    ----------
    .. [1] Nadeau & Bengio (2003), Inference for the generalization error, Machine Learning 52.

    Examples
    --------
    >>> result = conservative_z([0.1, 0.2], [[[0.1, 0.2], [0.0, 0.1]], [[0.2, 0.2], [0.1, 0.0]]])
    >>> float(round(result.estimate, 3)), float(round(result.standard_error, 4))
    (0.15, 0.0901)
    """
    splits, parts = numbers(x, "x", min_ndim=1), numbers(halves, "halves", min_ndim=3)
    if parts.shape[-2] != 2 or 0 in parts.shape or 0 in splits.shape or parts.shape[:-3] != splits.shape[:-1]:
        raise InvalidInput(
            f"halves must have shape (..., halvings, 2, splits) for x of shape (..., splits), got {parts.shape} and "
            f"{splits.shape}"
        )
    for name, values in (("x", splits), ("halves", parts)):
        moderate(values, name)
    apart = np.diff(parts.mean(axis=-1), axis=-1)[..., 0]
    error = np.sqrt(np.mean(apart**2, axis=-1) / 2)
    largest = np.maximum(np.abs(splits).max(axis=-1), np.abs(parts).max(axis=(-3, -2, -1)))
    error = np.where(error <= ROUNDING * largest, 0.0, error)
    return cautious_result(np.asarray(splits.mean(axis=-1)), error, np.inf, alternative, differ=largest > 0)
