"""Metrics of ordered items, resampled by the items' weights: the items are sorted once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from foldwise.core.types import Array, Integers
from foldwise.metrics.metric import Output, Truth
from foldwise.metrics.statistic import MOST_NUMBERS, Exchanged, Statistic, blocks, jackknifed, spread
from foldwise.metrics.weighable import Weighable, WeightMetric

__all__ = ["WeightStatistic", "canonical_order", "weight_statistic"]

MOST_DRAWS, LEAST_DRAWS, MOST_WORK = 10_000, 1_000, 5_000_000
"""Draws by default, and what they may cost together: draws × items."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WeightStatistic(Statistic):
    """A metric of M models' outputs, which weights of the items change.

    Attributes
    ----------
    models
        Per model the metric as a function of weights.
    pooled
        The same for the outputs of the first two models side by side: an item that is exchanged counts in the other's.
    unit
        The unit of each item.
    """

    models: tuple[Weighable, ...]
    pooled: Weighable
    unit: Integers

    @property
    def width(self) -> int:
        """Numbers that one draw takes."""
        return 8 * len(self.unit)

    def weighted(self, counts: Array) -> Array:
        """From the weights of the items."""
        weights = counts[:, self.unit]
        return np.stack([model.values(weights) for model in self.models], axis=-1)

    def left_out(self) -> Array:
        """From weights of 0 for one unit at a time; of many units the derivative, which is nearly the same."""
        units = len(self.counts)
        if units * len(self.unit) > MOST_NUMBERS:
            return self.effects
        all_but_one = 1 - np.eye(units)
        return jackknifed(
            np.concatenate([self.weighted(all_but_one[part]) for part in blocks(units, self.width)]), self.counts
        )

    def exchanged(self, swaps: Array) -> Exchanged:
        """From weights of 1 and 0: which of an item's two outputs is now the first model's."""
        parts = [self._exchanged(swaps[part]) for part in blocks(len(swaps), 2 * self.width)]
        differences, errors = (np.concatenate(column) for column in zip(*parts, strict=True))
        return Exchanged(differences=differences, standard_errors=errors)

    def _exchanged(self, swaps: Array) -> tuple[Array, Array]:
        turned = swaps[:, self.unit]
        first = np.concatenate([1 - turned, turned], axis=1)
        differences = self.pooled.values(first) - self.pooled.values(1 - first)
        effects = first * self.pooled.effects(first) - (1 - first) * self.pooled.effects(1 - first)
        of_item = effects[:, : len(self.unit)] + effects[:, len(self.unit) :]
        return differences, spread(_by_unit(of_item, self.unit, len(self.counts)), self.counts)


def weight_statistic(
    metric: WeightMetric, truth: Truth, outputs: Sequence[Output], groups: Integers | None
) -> WeightStatistic:
    """The metric of the models' outputs, over items or over clusters of items.

    Parameters
    ----------
    metric, truth, outputs
        What is computed of which outputs.
    groups
        Number of the cluster of each item, from 0 on; None where items are independent.
    """
    n = len(truth)
    order = canonical_order(truth, outputs, groups)
    truth, outputs = truth.take(order), [output[order] for output in outputs]
    unit = np.arange(n) if groups is None else groups[order]
    units = int(unit.max()) + 1
    models = tuple(metric.weighable(truth, output) for output in outputs)
    ones = np.ones((1, n))
    second = outputs[1 % len(outputs)]
    differs = (outputs[0] != second).reshape(n, -1).any(axis=1)
    return WeightStatistic(
        models=models,
        pooled=metric.weighable(truth.twice(), np.concatenate([outputs[0], second])),
        unit=unit,
        counts=np.ones(units),
        values=np.array([model.values(ones)[0] for model in models]),
        effects=np.array([_by_unit(model.effects(ones), unit, units)[0] for model in models]),
        sizes=None if groups is None else np.bincount(unit, minlength=units).astype(np.float64),
        differ=np.bincount(unit, weights=differs, minlength=units) > 0,
        draws=int(np.clip(MOST_WORK // n, LEAST_DRAWS, MOST_DRAWS)),
    )


def canonical_order(truth: Truth, outputs: Sequence[Output], groups: Integers | None) -> Integers:
    """An order of the items that does not depend on the one in which they came."""
    columns = [column for output in outputs for column in output.reshape(len(truth), -1).T]
    return np.asarray(np.lexsort([*columns, truth.values] if groups is None else [*columns, truth.values, groups]))


def _by_unit(of_item: Array, unit: Integers, units: int) -> Array:
    """Sums over the items of each unit; items are in the order of their units where these are clusters."""
    if units == len(unit):
        return of_item
    starts = np.searchsorted(unit, np.arange(units))
    return np.asarray(np.add.reduceat(of_item, starts, axis=1))
