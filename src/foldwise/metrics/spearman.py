"""Spearman's rank correlation of predicted and true numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foldwise.core.types import Array
from foldwise.metrics.metric import Metric, Needs, Output, Truth
from foldwise.metrics.sums import ratio
from foldwise.metrics.weighable import Order, Weighable, WeightMetric

__all__ = ["METRICS", "Spearman"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spearman(WeightMetric):
    """Correlation of the ranks, equal numbers having their mean rank; 0 where either does not vary."""

    def weighable(self, truth: Truth, output: Output) -> Weighable:
        """The metric of these predictions as a function of weights."""
        return _Ranks(Order.of(np.asarray(output, dtype=np.float64)), Order.of(truth.numbers))


@dataclass(frozen=True, slots=True, eq=False)
class _Ranks(Weighable):
    predicted: Order
    true: Order

    def values(self, weights: Array) -> Array:
        """Correlation of the ranks."""
        r, s = self._centred(weights)
        both, first, second = ((weights * product).sum(axis=1) for product in (r * s, r**2, s**2))
        return np.asarray(ratio(both, _root(first, second)))

    def effects(self, weights: Array) -> Array:
        """By the product rule; an item also changes the ranks of all items above it."""
        r, s = self._centred(weights)
        products = ((self.predicted, r, self.true, s), (self.predicted, r, self.predicted, r),
                    (self.true, s, self.true, s))  # fmt: skip
        both, first, second = (_moment(weights, *product) for product in products)
        root = _root(first[0], second[0])
        share = ratio(both[0], root)
        inner = ratio(first[1], first[0]) + ratio(second[1], second[0])
        return np.asarray(ratio(both[1], root) - share * inner / 2)

    def _centred(self, weights: Array) -> tuple[Array, Array]:
        """Ranks as shares of the whole weight, less one half, which is their mean."""
        total = weights.sum(axis=1, keepdims=True)
        return self.predicted.middle(weights) / total - 0.5, self.true.middle(weights) / total - 0.5


def _moment(weights: Array, x: Order, r: Array, y: Order, s: Array) -> tuple[Array, Array]:
    """Mean of the product of two centred ranks, and its derivative by each weight.

    An item's weight enters by its own product, by the ranks of what lies above it, and by the whole weight.
    """
    total = weights.sum(axis=1, keepdims=True)
    mean = (weights * r * s).sum(axis=1, keepdims=True) / total
    lifted = x.middle(weights * s) + y.middle(weights * r)
    return mean, (r * s - lifted / total - 3 * mean) / total


def _root(a: Array, b: Array) -> Array:
    return np.asarray(np.sqrt(np.maximum(a * b, 0)))


METRICS: dict[Metric, tuple[str, ...]] = {
    Spearman(name="spearman", needs=Needs.NUMBERS, bounds=(-1.0, 1.0)): ("spearmanr",),
}
"""Each metric with the other names that it goes by."""
