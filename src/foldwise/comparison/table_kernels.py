"""All pairs of columns of whole numbers: the differences of each are sorted once, by their digits, for all its sums.

A kernel needs memory for one pair, and lets other threads work. All sums are whole numbers or quarters of them, and
exact, so that it does not matter in which order they are taken.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foldwise.core.compile import inner_kernel, kernel
from foldwise.core.types import Array, Integers

Keys = NDArray[np.uint32]

SIGN = np.uint32(1)  # The last bit of a key, set for positive differences; the others are the size.
LAST = np.uint32(255)  # The largest digit: keys are sorted byte by byte.


class Orders(NamedTuple):
    """One number per pair; `plus`, `lost`, `wins` and `none` as in `SignedOrder`."""

    plus: Array
    lost: Array
    wins: Integers
    none: Integers
    #: low, high: The two differences in the middle; the same one where their number is odd
    low: Integers
    high: Integers


@inner_kernel
def _signed(number: np.uint32) -> int:
    """A number that may become negative; numba's `int` of an unsigned one stays unsigned."""
    return np.int64(number)  # type: ignore[return-value]


@inner_kernel
def _sort_by_digit(keys: Keys, out: Keys, counts: Integers, place: int) -> None:
    """Put the keys into the order of one of their digits, which leaves them as they are where it is the same."""
    shift = np.uint32(8 * place)
    counts[:] = 0
    for key in keys:
        counts[(key >> shift) & LAST] += 1
    before = 0
    for digit in range(counts.shape[0]):
        before += counts[digit]
        counts[digit] = before - counts[digit]
    for key in keys:
        digit = (key >> shift) & LAST
        out[counts[digit]] = key
        counts[digit] += 1


@inner_kernel
def _middle(keys: Keys, wins: int, none: int, place: int) -> int:
    """The difference at a place of the ascending order of the differences, from the sorted keys of their sizes."""
    losses = keys.shape[0] - wins - none
    if losses <= place < losses + none:
        return 0
    positive = place >= losses
    left = place - losses - none if positive else losses - 1 - place
    for key in keys:
        if key > 0 and bool(key & SIGN) == positive:
            if left == 0:
                return _signed(key >> SIGN) if positive else -_signed(key >> SIGN)
            left -= 1
    return 0


@inner_kernel
def _ties(keys: Keys, n: int) -> tuple[float, float]:
    """What sizes that tie add to the sum of the positive ranks, and take from the sum of all squares; zeros apart."""
    added, lost, start = 0.0, 0.0, 0
    while start < n:
        size, end, positive = keys[start] >> SIGN, start + 1, 0
        if end < n and keys[end] >> SIGN == size:
            positive = _signed(keys[start] & SIGN)
            while end < n and keys[end] >> SIGN == size:
                positive += _signed(keys[end] & SIGN)
                end += 1
            t = float(end - start)
            added += positive * (positive - t) / 2
            lost += (t * t * t - t) / 12
        start = end
    return added, lost


@kernel
def order_pairs(steps: NDArray[np.int32], first: Integers, second: Integers, passes: int) -> Orders:
    """Sort the differences of each pair of columns, whose sizes with the bit for the sign have so many bytes."""
    pairs, n = first.shape[0], steps.shape[1]
    out = Orders(
        np.empty(pairs), np.empty(pairs), np.empty(pairs, np.int64), np.empty(pairs, np.int64),
        np.empty(pairs, np.int64), np.empty(pairs, np.int64),
    )  # fmt: skip
    keys, counts = np.empty((2, n), np.uint32), np.empty(256, np.int64)
    for p in range(pairs):
        a, b = steps[first[p]], steps[second[p]]
        for i in range(n):
            d = a[i] - b[i]
            keys[0, i] = (np.uint32(abs(d)) << SIGN) | np.uint32(d > 0)
        for place in range(passes):
            _sort_by_digit(keys[place % 2], keys[1 - place % 2], counts, place)
        ordered = keys[passes % 2]
        ranks, wins, none = 0, 0, 0
        for i in range(n):
            positive = _signed(ordered[i] & SIGN)
            wins += positive
            ranks += positive * (i + 1)
        while none < n and ordered[none] == 0:
            none += 1
        added, lost = _ties(ordered[none:], n - none)
        out.plus[p], out.lost[p], out.wins[p], out.none[p] = ranks + added, lost, wins, none
        out.high[p] = _middle(ordered, wins, none, n // 2)
        out.low[p] = out.high[p] if n % 2 else _middle(ordered, wins, none, n // 2 - 1)
    return out
