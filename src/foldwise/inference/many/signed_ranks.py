"""The exact null distribution of a sum of randomly signed ranks, by dynamic programming."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from scipy import special

from foldwise.core.types import Array

__all__ = ["interval_index", "pair_means", "rejection_depth", "upper_tail"]

EXACT_UP_TO = 200
"""Differences up to which the law is added up, in time that grows with their cube; beyond, it is normal enough."""


def upper_tail(ranks: Array, excess: Array) -> Array:
    """P[T⁺ − E T⁺ ≥ excess] where each rank counts with probability ½.

    Parameters
    ----------
    ranks
        Shape (batch, n): whole or half numbers; 0 for a place that does not take part.
    excess
        Shape (batch,).

    Examples
    --------
    >>> upper_tail(np.array([[1.0, 2.0, 3.0]]), np.array([3.0]))
    array([0.125])
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
    """How many of the smallest pair means of n differences lie outside an interval with this tail probability.

    Examples
    --------
    >>> interval_index(10, 0.025)
    9
    """
    if n > EXACT_UP_TO:
        mean, deviation = n * (n + 1) / 4, math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        return max(0, math.floor(mean + deviation * float(special.ndtri(tail)) + 0.5))
    # depth k is allowed when P[T ≤ k − 1], by symmetry P[T ≥ n(n+1)/2 − k + 1], is at most the tail
    return int(np.count_nonzero(_survival_of_ranks(n) <= tail))


def pair_means(differences: Array) -> Array:
    """The means of all pairs of differences along the last axis, each with itself too.

    Examples
    --------
    >>> pair_means(np.array([1.0, 3.0]))
    array([1., 2., 3.])
    """
    i, j = np.triu_indices(differences.shape[-1])
    return np.asarray((differences[..., i] + differences[..., j]) / 2)


def rejection_depth(n: int, alpha: float) -> int:
    """How many values of the smaller of the two rank sums, 0, 1, …, have a two-sided p-value below alpha.

    Examples
    --------
    >>> rejection_depth(10, 0.05), rejection_depth(5, 0.0625)
    (9, 0)
    """
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
    for weight in weights:
        shifted = mass[: reached + 1] / 2
        mass[: reached + 1] = shifted
        mass[weight : weight + reached + 1] += shifted
        reached += int(weight)
    survival = np.cumsum(mass[::-1])[::-1]
    survival.setflags(write=False)
    return survival
