"""The exact null distribution of a sum of randomly signed ranks, by dynamic programming."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from foldwise.core.types import Array

EXACT_UP_TO = 200
"""Differences up to which the law is added up, in time that grows with their cube; beyond, it is normal enough."""


def upper_tail(ranks: Array, excess: Array) -> Array:
    """P[T⁺ − E T⁺ ≥ excess] where each rank counts with probability ½.

    `ranks` (batch, n) are whole or half numbers; 0 is a place that does not take part.
    """
    doubled = np.sort(np.rint(2 * ranks).astype(np.int64), axis=-1)
    tail = np.empty(excess.shape)
    if excess.size == 0:
        return tail
    patterns, which = np.unique(doubled, axis=0, return_inverse=True)
    members = np.argsort(which.ravel(), kind="stable")
    ends = np.cumsum(np.bincount(which.ravel(), minlength=len(patterns)))
    for pattern, rows in zip(patterns, np.split(members, ends[:-1]), strict=True):
        total = int(pattern.sum())
        # in doubled ranks T⁺ − E T⁺ ≥ excess is T ≥ total/2 + 2·excess, a whole number up to rounding
        least = np.ceil(total / 2 + 2 * excess[rows] - 1e-6).astype(np.int64)
        tail[rows] = _survival(pattern[pattern > 0].tobytes())[np.clip(least, 0, total + 1)]
    return tail


def interval_index(n: int, tail: float) -> int:
    """How many of the smallest pair means of n differences lie outside an interval with this tail probability."""
    if n > EXACT_UP_TO:
        mean, deviation = n * (n + 1) / 4, math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        return max(0, math.floor(mean + deviation * float(special.ndtri(tail)) + 0.5))
    # depth k is allowed when P[T ≤ k − 1], by symmetry P[T ≥ n(n+1)/2 − k + 1], is at most the tail
    return int(np.count_nonzero(_survival_of_ranks(n) <= tail))


def pair_means(differences: Array) -> Array:
    """The means of all pairs of differences along the last axis, each with itself too."""
    n = differences.shape[-1]
    means = np.empty((*differences.shape[:-1], n * (n + 1) // 2))
    end = 0
    for first in range(n):  # indices of all pairs would take several times the memory
        start, end = end, end + n - first
        np.add(differences[..., first:], differences[..., first, None], out=means[..., start:end])
    means /= 2
    return means


AT_ONCE = 1 << 14  # Pair means that are looked at one by one.


def ordered_pair_means(differences: Array, places: Sequence[int]) -> list[float]:
    """The pair means at these places of their ascending order, without the order of all.

    How many means lie below a number is known from a search for each difference, so that halving the range of numbers
    leaves few pairs to look at (Johnson & Mizoguchi 1978, SIAM Journal on Computing 7, 147-153).

    >>> ordered_pair_means(np.array([0.0, 4.0, 1.0]), [0, 2, 5])
    [0.0, 1.0, 4.0]
    """
    x = np.sort(differences)
    rows, slack = np.arange(len(x)), 1e-12 * float(np.abs(x).max()) + np.finfo(np.float64).tiny  # beyond rounding

    def below(number: float) -> Whole:
        """Of each difference how many from itself on have a smaller mean with it."""
        return np.asarray(np.maximum(np.searchsorted(x, 2 * number - x) - rows, 0))

    found = []
    for place in places:
        low, high, left = float(x[0]), float(x[-1]), len(x) * (len(x) + 1) // 2
        while left > AT_ONCE and low < (middle := (low + high) / 2) < high:
            low, high = (middle, high) if below(middle).sum() <= place else (low, middle)
            left = int((below(high) - below(low)).sum())
        first = below(low - slack)
        near = below(high + slack) - first
        one = np.repeat(rows, near)
        other = np.arange(len(one)) + np.repeat(rows + first - np.cumsum(near) + near, near)
        at = place - int(first.sum())
        found.append(float(np.partition((x[other] + x[one]) / 2, at)[at]))
    return found


def middle_pair_mean(differences: Array) -> float:
    """The median of the pair means, Hodges and Lehmann's estimate of the centre."""
    count = len(differences) * (len(differences) + 1) // 2
    return float(np.mean(ordered_pair_means(differences, [(count - 1) // 2, count // 2])))


def rejection_depth(n: int, alpha: float) -> int:
    """How many values of the smaller of the two rank sums, 0, 1, …, have a two-sided p-value below alpha."""
    return int(np.count_nonzero(2 * _survival_of_ranks(n) < alpha))


def _survival_of_ranks(n: int) -> Array:
    """P[T ≥ t] for t = 0, …, n(n+1)/2, for the ranks 1 to n."""
    return _survival(np.arange(1, n + 1).tobytes())[:-1]


@lru_cache(maxsize=64)
def _survival(pattern: bytes) -> Array:
    """P[T ≥ t] for t = 0, …, total + 1, T the sum of the pattern's whole numbers, each in with probability ½."""
    weights = np.frombuffer(pattern, dtype=np.int64)
    total = int(weights.sum())
    mass = np.zeros(total + 2)
    mass[0] = 1.0
    reached = 0
    # with each number the law is the mean of itself and of itself moved by that number
    for weight in weights:
        shifted = mass[: reached + 1] / 2
        mass[: reached + 1] = shifted
        mass[weight : weight + reached + 1] += shifted
        reached += int(weight)
    survival = np.cumsum(mass[::-1])[::-1]
    survival.setflags(write=False)
    return survival


# ---- Sums of signed ranks for many experiments at a time, from one sort and without the ranks themselves.

Zeros = Literal["pratt", "drop", "split"]
Whole = NDArray[np.int64]


class RankSums(NamedTuple):
    """What the signed-rank test needs to know of the ranks of |d|, one number per experiment."""

    plus: Array  #: T⁺: the sum of the ranks of the positive differences, and half of those of the zeros that take part
    #: total, squares: Sum of all ranks that take part, and of their squares
    total: Array
    squares: Array
    n: Whole  #: How many take part


class SignedOrder(NamedTuple):
    """What the order of the sizes of n differences tells, one number per experiment."""

    #: Sum of the ranks of the positive differences where zeros are ranked first; equal sizes share their mean rank
    plus: Array
    lost: Array  #: What equal sizes, zeros apart, take from the sum of the squares of the ranks
    #: wins, none: How many are positive, and zero
    wins: Array | Whole
    none: Whole

    def sums(self, n: int, zeros: Zeros) -> RankSums:
        """The sums for one way to treat zeros, as in `wilcoxon_signed_rank`."""
        plus, lost, wins, none = self
        if zeros == "split":
            return RankSums(
                plus + _ranks(none) / 2, _ranks(n), _squares(n) - lost - _lost(none), np.full(none.shape, n)
            )
        if zeros == "drop":
            return RankSums(plus - none * wins, _ranks(n - none), _squares(n - none) - lost, n - none)
        return RankSums(plus, _ranks(n) - _ranks(none), _squares(n) - _squares(none) - lost, n - none)


def signed_rank_sums(differences: Array | NDArray[np.int32], zeros: Zeros) -> RankSums:
    r"""Sums of the ranks of \|d\| along the last axis; equal sizes share their mean rank.

    Whole numbers of 32 bits, below 2³⁰ in size, take a third of the time.

    Ranks without ties are 1, 2, …, n. A tie of t keeps the sum of the ranks and lowers that of their squares by
    :math:`(t^3-t)/12`, so only the tied places need a second look. All sums are whole numbers or quarters of them, and
    exact.
    """
    shape, n = differences.shape[:-1], differences.shape[-1]
    sums = _order(differences.reshape(-1, n)).sums(n, zeros)
    plus, total, squares = (np.broadcast_to(values, sums.n.shape).reshape(shape)[()] for values in sums[:3])
    return RankSums(plus, total, squares, sums.n.reshape(shape)[()])


def _order(rows: Array | NDArray[np.int32]) -> SignedOrder:
    keys = _keys(rows)
    keys.sort(axis=-1)
    signs = (keys & keys.dtype.type(1)).astype(np.int32)
    keys >>= keys.dtype.type(1)
    shift, lost = _ties(keys, signs)
    # one product gives the rank sum and the number of the positive ones
    n = rows.shape[-1]
    plus, wins = (signs.astype(np.float64) @ np.stack([np.arange(1.0, n + 1), np.ones(n)], axis=1)).T
    none = np.array([np.count_nonzero(row) for row in rows == 0])  # with axis=-1 it takes three times as long
    return SignedOrder(plus + shift, lost - _lost(none), wins, none)


def _keys(rows: Array | NDArray[np.int32]) -> NDArray[np.uint64] | NDArray[np.uint32]:
    """The size of each difference in whole numbers that sort alike; the last bit is set for the positive ones.

    One sort then orders the sizes and, among equal ones, puts the positive differences last.
    """
    sizes = np.abs(rows)
    keys: NDArray[np.uint64] | NDArray[np.uint32]
    keys = sizes.view(np.uint64) if sizes.dtype == np.float64 else sizes.view(np.uint32)
    keys <<= keys.dtype.type(1)
    keys |= rows > 0
    return keys


def _ties(sizes: NDArray[np.uint64] | NDArray[np.uint32], signs: NDArray[np.int32]) -> tuple[Array, Array]:
    """What ties add to T⁺ and take from the sum of the squares, per row of sorted sizes."""
    count, n = sizes.shape
    same = np.zeros(sizes.shape, dtype=bool)  # as the next of its row
    np.equal(sizes[:, 1:], sizes[:, :-1], out=same[:, :-1])
    tied = np.flatnonzero(same)
    if not tied.size:
        return np.zeros(count), np.zeros(count)
    first = np.flatnonzero(np.diff(tied, prepend=-2) != 1)
    starts = tied[first]
    lengths = np.diff(first, append=tied.size)
    upto = np.cumsum(signs.ravel(), dtype=np.int32)
    p = (upto[starts + lengths] - upto[starts] + signs.ravel()[starts]).astype(np.float64)
    t = lengths + 1.0
    # the positive ones have the last p of t places; with the mean rank each of them has (t − p)/2 less
    of_row = starts // n
    shift: Array = np.bincount(of_row, p * (p - t) / 2, count).astype(np.float64)
    return shift, np.bincount(of_row, _lost(t), count).astype(np.float64)


def _lost(t: Array | Whole) -> Array:
    """What t places that tie take from the sum of the squares."""
    return np.asarray(t * 1.0 * t * t - t) / 12  # a power takes ten times as long


def _ranks(n: Whole | int) -> Array:
    """1 + 2 + … + n."""
    return np.asarray(n * (n + 1.0) / 2)


def _squares(n: Whole | int) -> Array:
    """1² + 2² + … + n²."""
    return np.asarray(n * (n + 1.0) * (2.0 * n + 1) / 6)
