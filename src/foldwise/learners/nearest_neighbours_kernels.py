"""Kernels of nearest neighbours: distances, and votes for one training set."""

from __future__ import annotations

import numpy as np

from foldwise.core.compile import kernel
from foldwise.core.types import Array, Flags, Integers


@kernel
def normalise(value: float, low: float, high: float) -> float:
    """The place of `value` in a range, 0…1 inside it; 0 if the range has no width; NaN stays NaN."""
    if np.isnan(value):
        return value
    return (value - low) / (high - low) if high > low else 0.0


@kernel
def widen_range(value: float, a: int, low: Array, high: Array) -> bool:
    """Extend the range of attribute `a` to `value`; whether that changed it."""
    changed = False
    if value < low[a]:
        low[a] = value
        changed = True
    if value > high[a]:
        high[a] = value
        changed = True
    return changed


@kernel
def difference(x: float, z: float, numeric: bool) -> float:
    """The difference of two normalised or nominal values, either of which may be missing (NaN)."""
    if not numeric:
        return 0.0 if x == z else 1.0
    if np.isnan(x):
        return 1.0 if np.isnan(z) else max(z, 1.0 - z)
    return max(x, 1.0 - x) if np.isnan(z) else x - z


# ---- The votes of nearest neighbours, compiled.


@kernel
def vote(
    examples: Array, tests: Array, numeric: Flags, weights: Array, codes: Integers, k: int, widen: bool, votes: Integers
) -> None:
    p, n = examples.shape
    low = np.full(p, np.inf)
    high = np.full(p, -np.inf)
    scaled = examples.copy()
    for a in range(p):
        if numeric[a]:
            for j in range(n):
                widen_range(examples[a, j], a, low, high)
            _scale(examples[a], low[a], high[a], scaled[a])
    distance = np.empty(n)
    nearest = np.empty(k)
    for i in range(tests.shape[0]):
        distance[:] = 0.0
        for a in range(p):
            if numeric[a]:
                if widen and widen_range(tests[i, a], a, low, high):
                    _scale(examples[a], low[a], high[a], scaled[a])
                _add_numeric(normalise(tests[i, a], low[a], high[a]), scaled[a], weights[a], distance)
            else:
                _add_nominal(tests[i, a], scaled[a], weights[a], distance)
        limit = _smallest(distance, nearest)
        for j in range(n):
            if distance[j] <= limit:
                votes[i, codes[j]] += 1


@kernel
def _scale(column: Array, low: float, high: float, out: Array) -> None:
    for j in range(column.shape[0]):
        out[j] = normalise(column[j], low, high)


@kernel
def _add_numeric(x: float, column: Array, weight: float, distance: Array) -> None:
    if np.isnan(x):
        for j in range(column.shape[0]):
            z = column[j]
            d = 1.0 if np.isnan(z) else max(z, 1.0 - z)
            distance[j] += weight * (d * d)
    else:
        alone = max(x, 1.0 - x)
        for j in range(column.shape[0]):
            d = alone if np.isnan(column[j]) else x - column[j]
            distance[j] += weight * (d * d)


@kernel
def _add_nominal(x: float, column: Array, weight: float, distance: Array) -> None:
    for j in range(column.shape[0]):
        distance[j] += weight if column[j] != x or np.isnan(x) else 0.0


@kernel
def _smallest(distance: Array, nearest: Array) -> float:
    """The k-th smallest distance, k being the length of the scratch `nearest`."""
    k = nearest.shape[0]
    nearest[:] = np.inf
    for j in range(distance.shape[0]):
        if distance[j] < nearest[k - 1]:
            t = k - 1
            while t > 0 and nearest[t - 1] > distance[j]:
                nearest[t] = nearest[t - 1]
                t -= 1
            nearest[t] = distance[j]
    return float(nearest[k - 1])
