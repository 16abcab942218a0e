"""Lists of near examples by a lower bound of their distances."""

from __future__ import annotations

from typing import Any

import numpy as np

from foldwise.core.types import Array
from foldwise.learners.compile import kernel

__all__ = ["list_candidates"]

# Bounds are computed in single precision. A normalised value is then off by at most 2⁻²⁴, a difference by 2⁻²³, and
# a distance by that much times the root of the weights' sum; the relative error of the sum is below 2⁻²³ per term.
_OFF = 2.0**-22


def list_candidates(scaled: Array, numeric: Any, weights: Array, wanted: int) -> Any:
    """(candidates, bounds, start): example i's neighbours are candidates[start[i]:start[i + 1]], nearest bound first.

    Parameters
    ----------
    scaled
        (examples, attributes), numeric ones normalised to 0…1.
    numeric
        Which attributes are numeric.
    weights
        Factors of the squared differences; 0 leaves an attribute out of the bound.
    wanted
        How many neighbours to list; those that tie with the last are listed as well.

    Notes
    -----
    A bound is at most the squared distance under any narrower ranges, and every example that is not listed has a bound
    at least as large as the last one listed. If only one of two numeric values is known, their difference is at
    least ½ whatever the range.
    """
    columns = np.ascontiguousarray(scaled.T, dtype=np.float32)
    slack = np.sqrt(weights.sum()) * _OFF
    shrink = 1.0 - (len(weights) + 2) * _OFF
    return _list(columns, numeric, weights.astype(np.float32), wanted, slack, shrink)


@kernel
def _list(columns: Any, numeric: Any, weights: Any, wanted: int, slack: float, shrink: float) -> Any:
    n = columns.shape[1]
    candidates = np.empty(n * min(wanted + 1, n), np.int32)
    bounds = np.empty(candidates.shape[0])
    start = np.zeros(n + 1, np.int64)
    distance = np.empty(n, np.float32)
    keep = np.empty(2 * wanted, np.float32)
    for i in range(n):
        _distances(columns, i, numeric, weights, distance)
        distance[i] = np.inf
        limit = _limit(distance, wanted, keep)
        used = start[i]
        for j in range(n):
            if distance[j] <= limit and j != i:
                if used == candidates.shape[0]:
                    candidates = np.append(candidates, np.empty_like(candidates))
                    bounds = np.append(bounds, np.empty_like(bounds))
                candidates[used] = j
                bounds[used] = distance[j]
                used += 1
        start[i + 1] = used
        _sort(candidates[start[i] : used], bounds[start[i] : used])
        for t in range(start[i], used):
            root = max(0.0, np.sqrt(bounds[t]) - slack)
            bounds[t] = root * root * shrink
    return candidates, bounds, start


@kernel
def _distances(columns: Any, i: int, numeric: Any, weights: Any, distance: Any) -> None:
    distance[:] = 0
    for a in range(columns.shape[0]):
        column = columns[a]
        x = column[i]
        weight = weights[a]
        quarter = np.float32(0.25) * weight
        if not numeric[a]:
            for j in range(column.shape[0]):
                distance[j] += np.float32(0.0) if x == column[j] else weight
        elif np.isnan(x):
            for j in range(column.shape[0]):
                distance[j] += weight if np.isnan(column[j]) else quarter
        else:
            for j in range(column.shape[0]):
                d = x - column[j]
                distance[j] += quarter if np.isnan(d) else weight * d * d


@kernel
def _limit(distance: Any, wanted: int, keep: Any) -> Any:
    """The wanted-th smallest distance (infinity if there are fewer), with the scratch `keep` of twice that length."""
    if distance.shape[0] <= wanted:
        return np.float32(np.inf)
    limit = np.float32(np.inf)
    used = 0
    for j in range(distance.shape[0]):
        if distance[j] < limit:
            keep[used] = distance[j]
            used += 1
            if used == keep.shape[0]:
                keep.sort()
                used = wanted
                limit = keep[wanted - 1]
    rest = keep[:used]
    rest.sort()
    return rest[min(wanted, used) - 1]


@kernel
def _sort(candidates: Any, bounds: Any) -> None:
    """By bound, then by example: insertion sort, for lists of some twenty; longer ones by argsort."""
    if bounds.shape[0] > 64:
        order = np.argsort(bounds, kind="mergesort")
        candidates[:] = candidates[order]
        bounds[:] = bounds[order]
        return
    for s in range(1, bounds.shape[0]):
        bound = bounds[s]
        candidate = candidates[s]
        t = s
        while t > 0 and bounds[t - 1] > bound:
            bounds[t] = bounds[t - 1]
            candidates[t] = candidates[t - 1]
            t -= 1
        bounds[t] = bound
        candidates[t] = candidate
