"""A metric of several models on one test set, in the form that resampling and exchanging need."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from foldwise.core.types import Array, Flags

__all__ = ["Exchanged", "Statistic", "blocks", "jackknifed", "spread"]

MANY_KINDS, MANY_UNITS = 5_000, 1_000
"""Kinds of unit, and units that carry the variance, from which the difference is as good as normally distributed."""

MOST_NUMBERS = 4_000_000
"""Numbers of an array that are held at once: 32 MB."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Exchanged:
    """What exchanging the first two models' outputs gives, draw by draw.

    Attributes
    ----------
    differences
        The metric of the first minus that of the second.
    standard_errors
        As each exchanged set of outputs shows it itself; None where it can't be told at a bearable cost.
    """

    differences: Array
    standard_errors: Array | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Statistic(ABC):
    """A metric of M models as a function of how often each unit counts.

    A unit is an item, or a cluster of items. Units that are alike in all that matters are one kind of unit, so that
    a million items of a few sorts cost no more than these few.

    Attributes
    ----------
    counts
        Number of units of each kind.
    values
        The metric of each model on all items, of shape (M,).
    effects
        The effect of one unit of each kind on it (the derivative by its weight), of shape (M, kinds); its sum over
        all units is 0.
    sizes
        Number of items of each unit, where units are clusters; None for single items.
    differ
        The kinds of unit whose outputs the first two models do not share.
    draws
        How often to resample or exchange by default: as often as is bearable.
    """

    counts: Array
    values: Array
    effects: Array
    sizes: Array | None
    differ: Flags
    draws: int

    @property
    def units(self) -> int:
        """Number of independent units."""
        return round(float(self.counts.sum()))

    @property
    def width(self) -> int:
        """Numbers that one draw takes."""
        return len(self.counts)

    @property
    def settled(self) -> bool:
        """Whether the first two models' difference has reached its normal limit, so that no draws are needed.

        So many units of as many kinds would take long to draw, and show nothing new unless a few of them carry the
        variance: the number that do is Σl²·Σl²/Σl⁴ for effects l.
        """
        if len(self.counts) < MANY_KINDS:
            return False
        squares = (self.effects[0] - self.effects[1 % len(self.effects)]) ** 2
        fourth = float((self.counts * squares**2).sum())
        return fourth > 0 and float((self.counts * squares).sum()) ** 2 / fourth >= MANY_UNITS

    @abstractmethod
    def weighted(self, counts: Array) -> Array:
        """The metric of each model, of shape (draws, M), when units of each kind count so often, (draws, kinds)."""

    def left_out(self) -> Array:
        """The effect of one unit of each kind on each model's metric, as `effects`, from leaving it out."""
        return self.effects

    def with_supposed(self) -> tuple[Array, Array] | None:
        """Effects and counts of the units and of two supposed items, on which only one model is right.

        None where nobody knows what an item can do that was not seen.
        """
        return None

    @abstractmethod
    def exchanged(self, swaps: Array) -> Exchanged:
        """When in so many units of each kind, (draws, kinds), the first two models' outputs are exchanged."""


def blocks(rows: int, columns: int) -> Iterator[slice]:
    """The rows of a large array in parts that fit into memory.

    Examples
    --------
    >>> [part.stop - part.start for part in blocks(5, MOST_NUMBERS // 2)]
    [2, 2, 1]
    """
    size = max(1, MOST_NUMBERS // max(columns, 1))
    for start in range(0, rows, size):
        yield slice(start, min(start + size, rows))


def jackknifed(without: Array, counts: Array) -> Array:
    """Effects of units from a metric without one unit of each kind, (kinds, M); of shape (M, kinds)."""
    units = counts.sum()
    return np.asarray(-(units - 1) / units * (without - counts @ without / units).T)


def spread(effects: Array, counts: Array) -> Array:
    """Standard error from the effects of units of each kind on the last axis, for independent units."""
    units = counts.sum(axis=-1)
    return np.asarray(np.sqrt((counts * effects**2).sum(axis=-1) * units / (units - 1)))
