"""A metric of several models on one test set, in the form that resampling and exchanging need."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from foldwise.core.types import Array, Flags, Integers
from foldwise.metrics.metric import Needs, Output, SumMetric, Truth

MOST_NUMBERS = 4_000_000  # Numbers of an array that are held at once: 32 MB.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Exchanged:
    """What exchanging the first two models' outputs gives, draw by draw."""

    differences: Array  #: The metric of the first minus that of the second
    #: As each exchanged set of outputs shows it itself; None where it can't be told at a bearable cost
    standard_errors: Array | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Statistic(ABC):
    """A metric of M models as a function of how often each unit counts.

    A unit is an item, or a cluster of items. Units that are alike in all that matters are one kind of unit, so that
    a million items of a few sorts cost no more than these few.
    """

    #: Kinds of unit, and units that carry the variance, from which the difference is as good as normally distributed:
    #: a p of .05 is .046 to .055 among 20,000 exchanges then; the 1,000 to 10,000 we could bear tell it to .002–.007
    many: ClassVar[tuple[int, int]] = 500, 100

    counts: Array  #: Number of units of each kind
    values: Array  #: The metric of each model on all items, of shape (M,)
    #: The effect of one unit of each kind on it (the derivative by its weight), of shape (M, kinds); its sum over all
    #: units is 0
    effects: Array
    sizes: Array | None  #: Number of items of each unit, where units are clusters; None for single items
    differ: Flags  #: The kinds of unit whose outputs the first two models do not share
    draws: int  #: How often to resample or exchange by default: as often as is bearable

    @property
    def units(self) -> int:
        return round(float(self.counts.sum()))

    @property
    def width(self) -> int:
        return len(self.counts)

    @property
    def settled(self) -> bool:
        """Whether the first two models' difference has reached its normal limit, so that no draws are needed."""
        return self.carried_by(*self.many)

    def carried_by(self, kinds: int, units: int) -> bool:
        """Whether there are so many kinds of unit, and so many units that carry the variance of the difference.

        Many units would take long to draw, and show nothing new unless a few of them carry the variance: the number
        that do is Σl²·Σl²/Σl⁴ for effects l.
        """
        if len(self.counts) < kinds:
            return False
        squares = (self.effects[0] - self.effects[1 % len(self.effects)]) ** 2
        fourth = float((self.counts * squares**2).sum())
        return fourth > 0 and float((self.counts * squares).sum()) ** 2 / fourth >= units

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


# ---- Metrics of sums, resampled by their sums: a million items of a few kinds cost no more than those few kinds.

MOST_DRAWS, LEAST_DRAWS, MOST_WORK = 10_000, 1_000, 50_000_000
"""Draws by default, and what they may cost together: draws × kinds of unit."""

FEW_CODES = 1 << 16  # Codes that a sort by digits takes.

MOST_CODES = 1 << 22  # Numbers of different cells up to which they are counted in an array.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SumStatistic(Statistic):
    """A metric of sums, of M models."""

    #: metric, truth: What is computed, and what the classes are
    metric: SumMetric
    truth: Truth
    x: tuple[Array, ...]  #: Per model what one unit of each kind adds to the sums, (kinds, k)

    @property
    def width(self) -> int:
        return max(len(self.counts), *(len(self.x) * int(x.shape[1]) for x in self.x))

    def weighted(self, counts: Array) -> Array:
        return np.stack([self.metric.of_sums(counts @ x, self.truth) for x in self.x], axis=-1)

    def left_out(self) -> Array:
        totals = [self.counts @ x for x in self.x]
        parts = [
            np.stack([self._without(total, x[part]) for total, x in zip(totals, self.x, strict=True)], axis=-1)
            for part in blocks(len(self.counts), self.width)
        ]
        return jackknifed(np.concatenate(parts), self.counts)

    def _without(self, total: Array, x: Array) -> Array:
        dense = x.toarray() if hasattr(x, "toarray") else x  # sums of many classes are sparse
        return np.asarray(self.metric.of_sums(total - dense, self.truth))

    def with_supposed(self) -> tuple[Array, Array] | None:
        """For labels: of each class an item on which only the first model is right, and one on which the second is."""
        if self.metric.needs is not Needs.LABELS or len(self.x) != 2 or len(self.truth.classes) < 2:
            return None
        truth = np.arange(len(self.truth.classes))
        other = (truth + 1) % len(truth)
        if self.metric.one_class:  # what other classes there are does not matter to it
            positive = self.truth.positive_code
            truth = np.array([positive, (positive + 1) % len(truth)])
            other = truth[::-1]
        items = replace(self.truth, values=np.concatenate([truth, truth]))
        said = np.concatenate([truth, other]), np.concatenate([other, truth])
        weights = np.full(len(items), 1 / len(truth))  # two items in all
        effects = []
        for x, output in zip(self.x, said, strict=True):
            supposed = self.metric.contributions(items, output)
            gradient = self.metric.gradient(self.counts @ x + weights @ supposed, self.truth)
            effects.append(np.concatenate([x @ gradient, supposed @ gradient]))
        return np.array(effects), np.concatenate([self.counts, weights])

    def exchanged(self, swaps: Array) -> Exchanged:
        """From the sums of each draw, and from its own effects of the units as they are now."""
        parts = [self._exchanged(swaps[part]) for part in blocks(len(swaps), self.width)]
        differences, errors = (np.concatenate(column) for column in zip(*parts, strict=True))
        return Exchanged(differences=differences, standard_errors=errors)

    def _exchanged(self, swaps: Array) -> tuple[Array, Array]:
        a, b = self.x[:2]
        kept = self.counts - swaps
        sums = kept @ a + swaps @ b, kept @ b + swaps @ a
        first, second = (self.metric.of_sums(part, self.truth) for part in sums)
        by_first, by_second = (self.metric.gradient(part, self.truth) for part in sums)
        # each of the four products is of shape (draws, kinds)
        as_is = by_first @ a.T - by_second @ b.T
        turned = by_first @ b.T - by_second @ a.T
        squares = (kept * as_is**2 + swaps * turned**2).sum(axis=-1)
        return first - second, np.sqrt(squares * self.units / (self.units - 1))


def sum_statistic(metric: SumMetric, truth: Truth, outputs: Sequence[Output], groups: Integers | None) -> SumStatistic:
    """The metric of the models' outputs, over items or over clusters of items."""
    labels = metric.needs is Needs.LABELS
    cells = _cells(truth, outputs) if labels else _Kinds.single(len(truth))
    x = [metric.contributions(truth.take(cells.example), output[cells.example]) for output in outputs]
    counts, sizes = cells.counts, None
    if groups is not None:
        x, counts, sizes = _clustered(x, cells.kind, groups)
    elif not labels:
        # items in an order of their own, so that the order in which they came changes nothing
        order = lexical_order([column for part in x for column in part.T])
        x = [part.T[:, order].T for part in x]
    weights = counts.astype(np.float64)
    sums = [weights @ part for part in x]
    effects = [part @ metric.gradient(total, truth) for part, total in zip(x, sums, strict=True)]
    return SumStatistic(
        metric=metric, truth=truth, x=tuple(x), counts=weights,
        values=np.array([metric.of_sums(total, truth) for total in sums], dtype=np.float64),
        effects=np.array(effects), sizes=sizes, differ=np.asarray(abs(x[0] - x[1 % len(x)]).sum(axis=1) > 0),
        draws=int(np.clip(MOST_WORK // len(weights), LEAST_DRAWS, MOST_DRAWS)),
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class _Kinds:
    """Items that are alike: one example of each kind, the kind of each item, and how many there are of each."""

    example: Integers
    kind: Integers
    counts: Integers

    @classmethod
    def single(cls, n: int) -> _Kinds:
        """Each item of its own kind."""
        return cls(np.arange(n), np.arange(n), np.ones(n, dtype=np.int64))

    @classmethod
    def of(cls, codes: Integers, size: int) -> _Kinds:
        """Items with the same number, which is below `size`, are alike."""
        if size > MOST_CODES:
            found = np.unique(codes, return_index=True, return_inverse=True, return_counts=True)
            return cls(*found[1:])
        counts = np.bincount(codes, minlength=size)
        there = np.flatnonzero(counts)
        example, kind = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
        example[codes] = np.arange(len(codes))
        kind[there] = np.arange(len(there))
        return cls(example[there], kind[codes], counts[there])


def _cells(truth: Truth, outputs: Sequence[Output]) -> _Kinds:
    """Items with the same truth and the same outputs are alike; kinds are in the order of the labels."""
    classes, codes, size = len(truth.classes), truth.codes, len(truth.classes)
    for output in outputs:
        if size * classes > MOST_CODES:
            known, codes = np.unique(codes, return_inverse=True)
            size = len(known)
        codes, size = codes * classes + output, size * classes
    return _Kinds.of(codes, size)


def _clustered(x: list[Array], kind: Integers, groups: Integers) -> tuple[list[Array], Integers, Array]:
    """What each cluster adds to the sums; clusters that add the same are of one kind."""
    from scipy import sparse  # loads linear algebra of a fifth of a second, for few

    clusters = int(groups.max()) + 1
    members = sparse.coo_array((np.ones(len(groups)), (groups, kind)), shape=(clusters, x[0].shape[0])).tocsr()
    sizes = np.bincount(groups, minlength=clusters).astype(np.float64)
    sums = [members @ part for part in x]
    if sparse.issparse(sums[0]):
        return sums, np.ones(clusters, dtype=np.int64), sizes
    distinct, counts = np.unique(np.column_stack([sizes, *sums]), axis=0, return_counts=True)
    return list(np.split(distinct[:, 1:], len(x), axis=1)), counts, distinct[:, 0]


def lexical_order(keys: Sequence[Array | Integers]) -> Integers:
    """The order of `numpy.lexsort` (the last key first) but for rows that are equal in all keys, and soon.

    Scores of items are rarely equal: one sort by the first key that varies does nearly all, in a fifth of the time, and
    only rows that are equal in it are sorted by all.

    >>> lexical_order([np.array([2, 1, 0]), np.array([5.0, 5.0, 4.0])]).tolist()
    [2, 1, 0]
    """
    varying = [key for key in keys if key.min() != key.max()]
    if not varying:
        return np.arange(len(keys[0]))
    last = [varying.pop()]
    order = np.argsort(last[0])
    if last[0].dtype.kind in "iu" and varying:  # codes of few classes: their items are sorted by the key before
        last.append(varying.pop())
        order = np.argsort(last[1])
        codes = last[0][order]
        few = codes.min() >= 0 and codes.max() < FEW_CODES
        order = order[np.argsort(codes.astype(np.uint16) if few else codes, kind="stable")]
    if varying:
        found = [key[order] for key in last]
        equal = np.logical_and.reduce([key[1:] == key[:-1] for key in found])
        tied = np.flatnonzero(np.append(equal, False) | np.append(False, equal))
        rows = order[tied]
        order[tied] = rows[np.lexsort([key[rows] for key in (*varying, *reversed(last))])]
    return order
