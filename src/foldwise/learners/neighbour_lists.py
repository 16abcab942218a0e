"""Lists of near examples by a lower bound of their distances."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from foldwise.core.compile import ZERO, kernel, nested_kernel
from foldwise.core.types import Array, Flags, Integers

Singles = NDArray[np.float32]
# Numbers of examples, and single-precision numbers as the integers that have the same bits.
Patterns = NDArray[np.int32]
Candidates = tuple[Patterns, Array, Integers]  # What `list_candidates` returns.

# Bounds are computed in single precision. A normalised value is then off by at most 2⁻²⁴, a difference by 2⁻²³, and
# a distance by that much times the root of the weights' sum; the relative error of the sum is below 2⁻²³ per term.
_OFF = 2.0**-22

# How many neighbours are listed in all (800 MB) before long ties are cut off: then every search goes through all
# examples, which takes several times as long but no more room.
MOST_LISTED = 2**26

_INFINITY = np.int32(np.float32(np.inf).view(np.int32))
_LARGEST = np.int32(_INFINITY - 1)
_BELOW_ALL = np.int32(-1)


def list_candidates(scaled: Array, numeric: Flags, weights: Array, wanted: int) -> Candidates:
    """(candidates, bounds, start): example i's neighbours are candidates[start[i]:start[i + 1]], nearest bound first.

    The last entry of each is not a neighbour (−1); its bound is that of the nearest example that is not listed,
    infinity if all are.

    `scaled`: (examples, attributes), numeric ones normalised to 0…1. `numeric`: which attributes are numeric.
    `weights`: factors of the squared differences; 0 leaves an attribute out of the bound. `wanted`: how many neighbours
    to list; those that tie with the last are listed as well, unless they are very many.

    A bound is at most the squared distance under any narrower ranges. If only one of two numeric values is known, their
    difference is at least ½ whatever the range.
    """
    unit = weights.max() if weights.max() > 0.0 else 1.0  # else single precision would overflow
    weights = weights / unit
    slack = np.sqrt(weights.sum()) * _OFF
    shrink = (1.0 - (len(weights) + 2) * _OFF) * unit
    columns = np.ascontiguousarray(scaled.T, dtype=np.float32)
    most = max(wanted, MOST_LISTED // len(scaled))
    return _list(columns, numeric, weights.astype(np.float32), wanted, most, slack, shrink)


@kernel
def _list(
    columns: Singles, numeric: Flags, weights: Singles, wanted: int, most: int, slack: float, shrink: float
) -> Candidates:
    n = columns.shape[1]
    candidates = np.empty(n * min(wanted + 2, n), np.int32)
    bounds = np.empty(candidates.shape[0])
    start = np.zeros(n + 1, np.int64)
    distance = np.empty(n, np.float32)
    found = np.empty(n + 2, np.int32)
    found_bits = np.empty(n + 2, np.int32)
    for i in range(n):
        distance[:] = 0
        for a in range(columns.shape[0]):
            _add(columns[a], i, numeric[a], weights[a], distance)
        distance[i] = np.inf
        used = _smallest(distance.view(np.int32), wanted, found, found_bits)
        if used > most:
            used = most
        else:
            found_bits[used] = _next_larger(distance.view(np.int32), found_bits[used - 1] if used > 0 else _BELOW_ALL)
        found[used] = -1
        start[i + 1] = start[i] + used + 1
        if start[i + 1] > candidates.shape[0]:
            more = candidates.shape[0] + start[i + 1]
            candidates, bounds = _longer(candidates, more), _longer(bounds, more)
        squares = found_bits[: used + 1].view(np.float32)
        for t in range(used + 1):
            root = max(0.0, np.sqrt(np.float64(squares[t])) - slack)
            candidates[start[i] + t] = found[t]
            bounds[start[i] + t] = root * root * shrink
    return candidates, bounds, start


@nested_kernel
def _longer(array: NDArray[Any], size: int) -> NDArray[Any]:
    longer = np.empty(size, array.dtype)
    for t in range(array.shape[0]):
        longer[t] = array[t]
    return longer


@nested_kernel
def _add(column: Singles, i: int, numeric: bool, weight: np.float32, distance: Singles) -> None:
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


@nested_kernel
def _smallest(bits: Patterns, wanted: int, found: Patterns, found_bits: Patterns) -> int:
    """List the `wanted` smallest distances, and all that tie with the last, in ascending order; return how many.

    The distances come as the integers that have the same bits: for numbers of at least 0 their order is the same.
    Infinity is never listed.
    """
    used, limit = ZERO, _LARGEST
    for j in range(bits.shape[0]):
        value = bits[j]
        if value <= limit:
            t = used
            while t > 0 and found_bits[t - 1] > value:
                found_bits[t] = found_bits[t - 1]
                found[t] = found[t - 1]
                t -= 1
            found_bits[t] = value
            found[t] = j
            used += 1
            if used >= wanted:
                limit = found_bits[wanted - 1]
                while found_bits[used - 1] > limit:
                    used -= 1
    return used


@nested_kernel
def _next_larger(bits: Patterns, last: np.int32) -> np.int32:
    """The smallest value above `last`; infinity if there is none."""
    smallest = _INFINITY
    for j in range(bits.shape[0]):
        value = bits[j] if bits[j] > last else _INFINITY
        smallest = value if value < smallest else smallest
    return smallest
