"""Random draws of units: resampled with replacement, or with their two models' outputs exchanged."""

from __future__ import annotations

import numpy as np

from foldwise.core.types import Array, Flags

__all__ = ["all_swaps", "resampled_counts", "swapped_counts"]


def resampled_counts(counts: Array, draws: int, rng: np.random.Generator) -> Array:
    """How often each kind of unit occurs when as many units as there are are drawn with replacement.

    Parameters
    ----------
    counts
        Number of units of each kind.
    draws
        Number of resamples.
    rng
        Source of randomness.

    Examples
    --------
    >>> resampled_counts(np.array([3.0, 1.0]), 2, np.random.default_rng(0)).sum(axis=1).tolist()
    [4.0, 4.0]
    """
    units, kinds = round(float(counts.sum())), len(counts)
    if kinds < units / 2:
        return rng.multinomial(units, counts / counts.sum(), size=draws).astype(np.float64)
    # nearly every unit is of its own kind: drawing units one by one is faster than binomials kind by kind
    kind_of = np.repeat(np.arange(kinds), counts.astype(np.int64))
    found = np.empty((draws, kinds))
    for row in found:
        row[:] = np.bincount(kind_of[rng.integers(0, units, units)], minlength=kinds)
    return found


def swapped_counts(counts: Array, draws: int, rng: np.random.Generator) -> Array:
    """In how many units of each kind the outputs are exchanged, each with probability one half.

    Examples
    --------
    >>> swaps = swapped_counts(np.array([1.0, 5.0]), 100, np.random.default_rng(0))
    >>> swaps.shape, bool((swaps <= [1, 5]).all())
    ((100, 2), True)
    """
    whole = counts.astype(np.int64)
    if (whole == 1).all():
        return rng.integers(0, 2, size=(draws, len(whole)), dtype=np.int8).astype(np.float64)
    return rng.binomial(whole, 0.5, size=(draws, len(whole))).astype(np.float64)


def all_swaps(counts: Array, differ: Flags) -> Array:
    """Every way to exchange outputs in the units where they differ, as numbers of exchanged units of each kind.

    All ways are equally probable, so that ways that give the same numbers occur as often as there are.

    Examples
    --------
    >>> all_swaps(np.array([1.0, 7.0, 2.0]), np.array([True, False, True])).tolist()[:3]
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    kinds = np.repeat(np.flatnonzero(differ), counts[differ].astype(np.int64))
    ways = np.arange(1 << len(kinds))
    swaps = np.zeros((len(ways), len(counts)))
    for bit, kind in enumerate(kinds):
        swaps[:, kind] += (ways >> bit) & 1
    return swaps
