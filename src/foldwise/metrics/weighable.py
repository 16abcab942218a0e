"""Metrics that depend on the order of items: ranks and cumulative sums, for any weights of the items.

The order is found once; resampling items, or exchanging them between models, only changes their weights.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from foldwise.core.types import Array, Integers
from foldwise.metrics.metric import Metric, Output, Truth
from foldwise.metrics.sorting import ascending

__all__ = ["Order", "Weighable", "WeightMetric"]


class Weighable(ABC):
    """A metric of one model on certain items, as a function of the items' weights."""

    @abstractmethod
    def values(self, weights: Array) -> Array:
        """The metric for weights of shape (batch, items)."""

    @abstractmethod
    def effects(self, weights: Array) -> Array:
        """Its derivative by each weight, of shape (batch, items); their weighted sum is 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightMetric(Metric):
    """A metric whose value follows from the order of the items and their weights."""

    @abstractmethod
    def weighable(self, truth: Truth, output: Output) -> Weighable:
        """The metric of these outputs as a function of weights."""

    def value(self, truth: Truth, output: Output) -> float:
        """The metric of one model on all items."""
        return float(self.weighable(truth, output).values(np.ones((1, len(truth))))[0])


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """Items in ascending order of a number, equal ones together.

    Attributes
    ----------
    order
        The items in this order.
    starts, ends
        Per item, in the items' own order, where those equal to it start in that order, and where they have ended.

    Examples
    --------
    >>> order = Order.of(np.array([3.0, 1.0, 1.0]))
    >>> order.middle(np.ones((1, 3))).tolist()
    [[2.5, 1.0, 1.0]]
    """

    order: Integers
    starts: Integers
    ends: Integers

    @classmethod
    def of(cls, numbers: Array) -> Order:
        """Sort the items."""
        order, greater = ascending(numbers)
        first = np.flatnonzero(greater)
        sizes = np.diff(np.append(first, len(order)))
        starts, ends = np.empty_like(order), np.empty_like(order)
        starts[order] = np.repeat(first, sizes)
        ends[order] = np.repeat(first + sizes, sizes)
        return cls(order, starts, ends)

    def below(self, weights: Array) -> Array:
        """Per item the weight of all that are less."""
        return np.asarray(self._cumulated(weights)[:, self.starts])

    def up_to(self, weights: Array) -> Array:
        """Per item the weight of all that are less or equal, itself among them."""
        return np.asarray(self._cumulated(weights)[:, self.ends])

    def middle(self, weights: Array) -> Array:
        """Per item the weight of all that are less, and half of those that are equal."""
        cumulated = self._cumulated(weights)
        return np.asarray((cumulated[:, self.starts] + cumulated[:, self.ends]) / 2)

    def _cumulated(self, weights: Array) -> Array:
        cumulated = np.zeros((len(weights), weights.shape[1] + 1))
        np.cumsum(weights[:, self.order], axis=1, out=cumulated[:, 1:])
        return cumulated
