"""Average precision: the precision at every positive item, averaged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foldwise.core.types import Array
from foldwise.metrics.metric import Metric, Needs, Output, Truth
from foldwise.metrics.sums import ratio
from foldwise.metrics.weighable import Order, Weighable, WeightMetric

__all__ = ["METRICS", "AveragePrecision"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AveragePrecision(WeightMetric):
    r"""Area under the steps of the precision–recall curve.

    Notes
    -----
    :math:`\sum_{i\,\mathrm{positive}} w_i T_i/N_i\,/\,P`, where :math:`N_i` is the weight of all items scored as high
    as i or higher, :math:`T_i` that of the positive ones among them, and P the weight of all positive ones.
    """

    def weighable(self, truth: Truth, output: Output) -> Weighable:
        """The metric of these scores as a function of weights."""
        return _Steps(Order.of(output), truth.is_positive.astype(np.float64))


@dataclass(frozen=True, slots=True, eq=False)
class _Steps(Weighable):
    order: Order
    positive: Array

    def values(self, weights: Array) -> Array:
        """Mean precision at the positive items."""
        hits = weights * self.positive
        found, seen = self._at_and_above(weights)
        return np.asarray(ratio((hits * ratio(found, seen)).sum(axis=1), hits.sum(axis=1)))

    def effects(self, weights: Array) -> Array:
        """An item changes its own term, and the precision at every item scored as high as it or lower."""
        hits = weights * self.positive
        found, seen = self._at_and_above(weights)
        precision, positives = ratio(found, seen), hits.sum(axis=1, keepdims=True)
        mean = ratio((hits * precision).sum(axis=1, keepdims=True), positives)
        gained = self.order.up_to(ratio(hits, seen))
        diluted = self.order.up_to(ratio(hits * found, seen**2))
        return np.asarray(ratio(self.positive * (precision - mean + gained) - diluted, positives))

    def _at_and_above(self, weights: Array) -> tuple[Array, Array]:
        hits = weights * self.positive
        found = hits.sum(axis=1, keepdims=True) - self.order.below(hits)
        return found, weights.sum(axis=1, keepdims=True) - self.order.below(weights)


METRICS: dict[Metric, tuple[str, ...]] = {
    AveragePrecision(name="average_precision", needs=Needs.SCORES, one_class=True): ("ap", "auprc"),
}
"""Each metric with the other names that it goes by."""
