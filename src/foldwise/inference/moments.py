"""Mean and variance of the differences of many experiments, with constant samples recognised exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array
from foldwise.core.validation import floats, numbers

__all__ = ["Moments", "matrices", "moments", "ratios", "refuse_not_finite", "samples"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """Mean and unbiased variance over the last axis of a batch of samples.

    Attributes
    ----------
    mean, variance
        One value per sample; the variance of a constant sample is exactly 0 and its mean exactly the constant.
    n
        Size of each sample.
    """

    mean: Array
    variance: Array
    n: int


def samples(x: ArrayLike, name: str = "x") -> Array:
    """Return `x` as float64 of shape (..., n) with n ≥ 2; `moments` refuses what is not finite."""
    array = floats(x, name)
    if array.ndim < 1 or array.shape[-1] < 2:
        raise InvalidInput(
            f"{name} must have at least 2 differences on its last axis for a variance, got shape {array.shape}"
        )
    return array


def matrices(x: ArrayLike, name: str = "x", *, shape: tuple[int, int] | None = None) -> Array:
    """Return `x` as float64 of shape (..., runs, folds), of exactly `shape` on these two axes if that is given."""
    array = floats(x, name)
    if shape is not None and array.shape[-2:] != shape:
        raise InvalidInput(f"{name} must have shape (..., {shape[0]}, {shape[1]}), got shape {array.shape}")
    if array.ndim < 2:
        raise InvalidInput(f"{name} must have shape (..., runs, folds), got shape {array.shape}")
    if array.shape[-1] * array.shape[-2] < 2:
        raise InvalidInput(f"{name} must have at least 2 differences for a variance, got shape {array.shape}")
    return array


def ratios(value: ArrayLike, name: str = "test_train_ratio") -> Array:
    """Return `value` as ratios of test to training size: finite and above 0.

    Examples
    --------
    >>> ratios(0.25)
    array(0.25)
    """
    array = numbers(value, name)
    bad = array <= 0
    if bad.any():
        raise InvalidInput(f"{name} must be test size / training size, above 0, got {array[bad].flat[0]:g}")
    return array


def moments(x: Array, *, given: Array | None = None) -> Moments:
    """Mean and unbiased variance over the last axis, refusing NaN and infinities with their position.

    Sums of raw squares read the memory once; samples whose mean is so far from 0 that this would cost more than two
    digits are centred first. `given` is what the caller gave, if `x` is that reshaped: positions refer to it.

    Examples
    --------
    >>> m = moments(np.full((2, 10), 0.1))
    >>> m.mean.tolist(), m.variance.tolist()
    ([0.1, 0.1], [0.0, 0.0])
    """
    n = x.shape[-1]
    rows = x.reshape(-1, n)
    with np.errstate(over="ignore", invalid="ignore"):
        raw = np.einsum("ij,ij->i", rows, rows)
    refuse_not_finite(raw, x if given is None else given)
    mean = rows.mean(axis=1)
    squares = raw - n * mean**2
    far = np.flatnonzero(squares < 0.01 * raw)
    mean[far], squares[far] = _centred(rows[far])
    batch = x.shape[:-1]
    return Moments(mean=mean.reshape(batch), variance=(squares / (n - 1)).reshape(batch), n=n)


def refuse_not_finite(squares: Array, x: Array, name: str = "x") -> None:
    """Refuse `x`, naming the first bad position, if the sums of its `squares` are not all finite."""
    if np.isfinite(squares).all():  # any NaN or infinity in a sample would have reached its sum of squares
        return
    numbers(x, name)
    raise InvalidInput(f"{name} must be small enough to be squared, but its largest value is {np.abs(x).max():g}")


def _centred(rows: Array) -> tuple[Array, Array]:
    """Mean and sum of squared deviations; the mean of equal values is that value, without rounding error."""
    constant = rows.max(axis=1) == rows.min(axis=1)
    mean = np.where(constant, rows[:, 0], rows.mean(axis=1))
    deviations = rows - mean[:, None]
    return mean, np.einsum("ij,ij->i", deviations, deviations)
