"""Metrics of sums, resampled by their sums: a million items of a few kinds cost no more than those few kinds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from foldwise.core.types import Array, Integers
from foldwise.metrics.metric import Needs, Output, Truth
from foldwise.metrics.statistic import Exchanged, Statistic, blocks, jackknifed
from foldwise.metrics.sums import SumMetric

__all__ = ["SumStatistic", "sum_statistic"]

MOST_DRAWS, LEAST_DRAWS, MOST_WORK = 10_000, 1_000, 50_000_000
"""Draws by default, and what they may cost together: draws × kinds of unit."""

MOST_CODES = 1 << 22
"""Numbers of different cells up to which they are counted in an array."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SumStatistic(Statistic):
    """A metric of sums, of M models.

    Attributes
    ----------
    metric, truth
        What is computed, and what the classes are.
    x
        Per model what one unit of each kind adds to the sums, (kinds, k).
    """

    metric: SumMetric
    truth: Truth
    x: tuple[Array, ...]

    @property
    def width(self) -> int:
        """Numbers that one draw takes."""
        return max(len(self.counts), *(len(self.x) * int(x.shape[1]) for x in self.x))

    def weighted(self, counts: Array) -> Array:
        """From the sums of each draw."""
        return np.stack([self.metric.of_sums(counts @ x, self.truth) for x in self.x], axis=-1)

    def left_out(self) -> Array:
        """From the sums without what a unit adds."""
        totals = [self.counts @ x for x in self.x]
        parts = [
            np.stack([self._without(total, x[part]) for total, x in zip(totals, self.x, strict=True)], axis=-1)
            for part in blocks(len(self.counts), self.width)
        ]
        return jackknifed(np.concatenate(parts), self.counts)

    def _without(self, total: Array, x: Array) -> Array:
        dense = sparse.coo_array(x).toarray() if sparse.issparse(x) else x
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
    """The metric of the models' outputs, over items or over clusters of items.

    Parameters
    ----------
    metric, truth, outputs
        What is computed of which outputs.
    groups
        Number of the cluster of each item, from 0 on; None where items are independent.
    """
    labels = metric.needs is Needs.LABELS
    cells = _cells(truth, outputs) if labels else _Kinds.single(len(truth))
    x = [metric.contributions(truth.take(cells.example), output[cells.example]) for output in outputs]
    counts, sizes = cells.counts, None
    if groups is not None:
        x, counts, sizes = _clustered(x, cells.kind, groups)
    elif not labels:
        x = _ordered(x)
    weights = counts.astype(np.float64)
    sums = [weights @ part for part in x]
    effects = [part @ metric.gradient(total, truth) for part, total in zip(x, sums, strict=True)]
    return SumStatistic(
        metric=metric,
        truth=truth,
        x=tuple(x),
        counts=weights,
        values=np.array([metric.of_sums(total, truth) for total in sums], dtype=np.float64),
        effects=np.array(effects),
        sizes=sizes,
        differ=np.asarray(abs(x[0] - x[1 % len(x)]).sum(axis=1) > 0),
        draws=int(np.clip(MOST_WORK // len(weights), LEAST_DRAWS, MOST_DRAWS)),
    )


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
    clusters = int(groups.max()) + 1
    members = sparse.coo_array((np.ones(len(groups)), (groups, kind)), shape=(clusters, x[0].shape[0])).tocsr()
    sizes = np.bincount(groups, minlength=clusters).astype(np.float64)
    sums = [members @ part for part in x]
    if sparse.issparse(sums[0]):
        return sums, np.ones(clusters, dtype=np.int64), sizes
    distinct, counts = np.unique(np.column_stack([sizes, *sums]), axis=0, return_counts=True)
    return list(np.split(distinct[:, 1:], len(x), axis=1)), counts, distinct[:, 0]


def _ordered(x: list[Array]) -> list[Array]:
    """Items in an order of their own, so that the order in which they came changes nothing."""
    order = np.lexsort(np.column_stack(x).T)
    return [part[order] for part in x]
