"""Several trials of the same item: one mark for the item, and how much its marks vary from trial to trial."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foldwise.core.types import Array, Integers

__all__ = ["ItemMarks", "Trials", "item_marks", "tried_once"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ItemMarks:
    """The marks of one model by item.

    Attributes
    ----------
    mean
        Mean over the trials of each item; NaN for an item without a mark.
    variance
        Unbiased variance over its trials; NaN where there are fewer than two.
    count
        Its number of trials.
    """

    mean: Array
    variance: Array
    count: Integers

    def of(self, kept: Integers) -> ItemMarks:
        """Those of some items only."""
        return ItemMarks(mean=self.mean[kept], variance=self.variance[kept], count=self.count[kept])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trials:
    """How often each model tried each item, and how its marks varied within the items.

    Attributes
    ----------
    counts
        Of each model, the number of trials of each item.
    variances
        Of each model, the variance of the marks within each item; NaN where it was tried once.
    """

    counts: tuple[Integers, ...]
    variances: tuple[Array, ...]

    def pair(self, i: int, j: int) -> Trials:
        """Of two of the models."""
        return Trials(counts=(self.counts[i], self.counts[j]), variances=(self.variances[i], self.variances[j]))

    @property
    def equal(self) -> bool:
        """Whether all models tried all items equally often."""
        return self.least == self.most

    @property
    def least(self) -> int:
        """The fewest trials of an item."""
        return min(int(count.min()) for count in self.counts)

    @property
    def most(self) -> int:
        """The most trials of an item."""
        return max(int(count.max()) for count in self.counts)

    @property
    def words(self) -> str:
        """How many, for people."""
        return f"{self.most} trials" if self.equal else f"{self.least} to {self.most} trials"

    @property
    def pooled(self) -> tuple[float, ...]:
        """Of each model the variance within items, each weighted by its trials less one; NaN if none has two."""
        return tuple(_pooled(variance, count) for variance, count in zip(self.variances, self.counts, strict=True))

    @property
    def share(self) -> float:
        """What the trials alone add to the variance of an item's difference of two: Var(a)/K of a plus Var(b)/K of b.

        With unequal K the mean of 1/K over the items is taken.
        """
        parts = zip(self.pooled, self.counts, strict=True)
        return sum(variance * float((1 / count).mean()) for variance, count in parts)


def item_marks(marks: Array, index: Integers, items: int) -> ItemMarks:
    """Mean, variance and number of the marks of each item; NaN is no mark.

    Parameters
    ----------
    marks
        One mark per row.
    index
        The item of each row.
    items
        How many items there are.

    Examples
    --------
    >>> found = item_marks(np.array([1.0, 0.0, 0.5, np.nan]), np.array([0, 0, 1, 1]), 2)
    >>> found.mean, found.variance, found.count
    (array([0.5, 0.5]), array([0.5, nan]), array([2, 1]))
    """
    there = ~np.isnan(marks)
    index, marks = index[there], marks[there]
    count = np.bincount(index, minlength=items)
    # sums of deviations from one of the item's marks: equal marks have their own value for mean, and no variance
    first = np.full(items, np.nan)
    first[index] = marks
    deviation = marks - first[index]
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = first + np.bincount(index, weights=deviation, minlength=items) / count
        squares = np.bincount(index, weights=(marks - mean[index]) ** 2, minlength=items)
        variance = np.where(count > 1, squares / (count - 1), np.nan)
    return ItemMarks(mean=mean, variance=variance, count=count)


def tried_once(marks: Array) -> ItemMarks:
    """One mark per item, none of them missing."""
    return ItemMarks(mean=marks, variance=np.full(len(marks), np.nan), count=np.ones(len(marks), dtype=np.int64))


def _pooled(variance: Array, count: Integers) -> float:
    known = count > 1
    weight = count[known] - 1
    return float((variance[known] * weight).sum() / weight.sum()) if known.any() else float("nan")
