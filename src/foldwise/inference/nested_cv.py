"""The nested cross-validation z test: how far a cross-validation is from what it estimates is itself measured."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Alternative, Array
from foldwise.core.validation import moderate, numbers
from foldwise.inference.cautious import ROUNDING, cautious_result
from foldwise.inference.student import StudentResult

__all__ = ["nested_cv"]


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
