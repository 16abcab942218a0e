"""Nearest neighbours in NumPy, for few examples; the votes are the kernel's."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from foldwise.core.types import Array, Flags, Integers

__all__ = ["vote"]


def vote(
    examples: Array, tests: Array, numeric: Flags, weights: Array, codes: Integers, k: int, widen: bool, votes: Integers
) -> None:
    """Count the votes of each test row's neighbours; `examples` is (attributes, examples).

    An attribute's range depends on that attribute alone: the test rows are taken attribute by attribute, those with
    the same range together, and each distance is the same sum in the same order as the kernel's.
    """
    distance = np.zeros((len(tests), examples.shape[1]))
    with np.errstate(all="ignore"):  # numbers may be as far apart as numbers can be
        for column, values, is_numeric, weight in zip(examples, tests.T, numeric, weights, strict=True):
            if is_numeric:
                _add_numeric(values, column, weight, widen, distance)
            else:
                distance += np.where((column != values[:, None]) | np.isnan(values)[:, None], weight, 0.0)
    limit = np.partition(distance, k - 1, axis=1)[:, k - 1 : k]  # NaN is last, and nobody's neighbour
    near = distance <= np.where(np.isnan(limit), np.inf, limit)
    row, example = np.nonzero(near)
    np.add.at(votes, (row, codes[example]), 1)


def _add_numeric(values: Array, column: Array, weight: float, widen: bool, distance: Array) -> None:
    low, high = np.fmin.reduce(column, initial=np.inf), np.fmax.reduce(column, initial=-np.inf)
    if not widen:
        _add_in_range(values, column, low, high, weight, distance)
        return
    lows = np.fmin.accumulate(np.append(low, values))[1:]
    highs = np.fmax.accumulate(np.append(high, values))[1:]
    changes = np.flatnonzero((np.diff(lows) != 0) | (np.diff(highs) != 0)) + 1
    bounds = [0, *changes.tolist(), len(values)]
    for first, last in pairwise(bounds):
        _add_in_range(values[first:last], column, lows[first], highs[first], weight, distance[first:last])


def _add_in_range(values: Array, column: Array, low: float, high: float, weight: float, distance: Array) -> None:
    x, z = _normalised(values, low, high)[:, None], _normalised(column, low, high)
    d = x - z
    if np.isnan(d).any():
        no_x, no_z = np.isnan(x), np.isnan(z)
        d = np.where(no_z & ~no_x, np.where(1.0 - x > x, 1.0 - x, x), d)
        d = np.where(no_x & ~no_z, np.where(1.0 - z > z, 1.0 - z, z), d)
        d = np.where(no_x & no_z, 1.0, d)
    distance += weight * (d * d)


def _normalised(values: Array, low: float, high: float) -> Array:
    """The place of each value in the range, as `distances.normalise`."""
    if high > low:
        return (values - low) / (high - low)
    return np.where(np.isnan(values), values, 0.0)
