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

_BLOCK = 64
_INFINITY = np.float32(np.inf).view(np.int32)


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
    slack = np.sqrt(weights.sum()) * _OFF
    shrink = 1.0 - (len(weights) + 2) * _OFF
    complete = numeric & ~np.isnan(scaled).any(axis=0)
    plain = np.ascontiguousarray((scaled[:, complete] * np.sqrt(weights[complete])).T, dtype=np.float32)
    rest = np.ascontiguousarray(scaled[:, ~complete].T, dtype=np.float32)
    return _list(plain, rest, numeric[~complete], weights[~complete].astype(np.float32), wanted, slack, shrink)


@kernel
def _list(plain: Any, rest: Any, numeric: Any, weights: Any, wanted: int, slack: float, shrink: float) -> Any:
    n = plain.shape[1]
    candidates = np.empty(n * min(wanted + 1, n), np.int32)
    bounds = np.empty(candidates.shape[0])
    start = np.zeros(n + 1, np.int64)
    distance = np.empty(n, np.float32)
    found = np.empty(n + 1, np.int32)
    found_bits = np.empty(n + 1, np.int32)
    for i in range(n):
        _add_plain(plain, i, distance)
        for a in range(rest.shape[0]):
            _add(rest[a], i, numeric[a], weights[a], distance)
        distance[i] = np.inf
        length = _smallest(distance.view(np.int32), wanted, found, found_bits)
        start[i + 1] = start[i] + length
        if start[i + 1] > candidates.shape[0]:
            candidates = np.append(candidates, np.empty(start[i + 1], np.int32))
            bounds = np.append(bounds, np.empty(start[i + 1]))
        for t in range(length):
            root = max(0.0, np.sqrt(distance[found[t]]) - slack)
            candidates[start[i] + t] = found[t]
            bounds[start[i] + t] = root * root * shrink
    return candidates, bounds, start


@kernel
def _add_plain(columns: Any, i: int, distance: Any) -> None:
    """Squared distances over numeric attributes without missing values, four attributes at a time."""
    p, n = columns.shape
    distance[:] = 0
    whole = p - p % 4
    for a in range(0, whole, 4):
        c0, c1, c2, c3 = columns[a], columns[a + 1], columns[a + 2], columns[a + 3]
        x0, x1, x2, x3 = c0[i], c1[i], c2[i], c3[i]
        for j in range(n):
            d0 = c0[j] - x0
            d1 = c1[j] - x1
            d2 = c2[j] - x2
            d3 = c3[j] - x3
            distance[j] += (d0 * d0 + d1 * d1) + (d2 * d2 + d3 * d3)
    for a in range(whole, p):
        column = columns[a]
        x = column[i]
        for j in range(n):
            d = column[j] - x
            distance[j] += d * d


@kernel
def _add(column: Any, i: int, numeric: bool, weight: Any, distance: Any) -> None:
    x = column[i]
    quarter = np.float32(0.25) * weight
    nothing = np.float32(0.0)
    if not numeric:
        for j in range(column.shape[0]):
            distance[j] += nothing if x == column[j] else weight
    elif np.isnan(x):
        for j in range(column.shape[0]):
            distance[j] += weight if np.isnan(column[j]) else quarter
    else:
        for j in range(column.shape[0]):
            d = x - column[j]
            distance[j] += quarter if np.isnan(d) else weight * d * d


@kernel
def _smallest(bits: Any, wanted: int, found: Any, found_bits: Any) -> int:
    """List the `wanted` smallest distances, and all that tie with the last, in ascending order; return how many.

    The distances come as the integers that have the same bits: for numbers of at least 0 their order is the same, and
    the smallest integer of a block is found by vector instructions. Infinity is never listed.
    """
    used = 0
    limit = _INFINITY - np.int32(1)
    for begin in range(0, bits.shape[0], _BLOCK):
        block = bits[begin : begin + _BLOCK]
        least = block[0]
        for j in range(block.shape[0]):
            least = block[j] if block[j] < least else least
        if least > limit:
            continue
        for j in range(block.shape[0]):
            if block[j] <= limit:
                t = used
                while t > 0 and found_bits[t - 1] > block[j]:
                    found_bits[t] = found_bits[t - 1]
                    found[t] = found[t - 1]
                    t -= 1
                found_bits[t] = block[j]
                found[t] = begin + j
                used += 1
                if used >= wanted:
                    limit = found_bits[wanted - 1]
                    while found_bits[used - 1] > limit:
                        used -= 1
    return used
