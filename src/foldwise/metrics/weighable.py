"""Metrics whose items may be weighted: what they have in common, their order, and how they are resampled."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from foldwise.core.types import Array, Flags, Integers
from foldwise.metrics.metric import Metric, Output, Truth, pseudo_values
from foldwise.metrics.statistic import MOST_NUMBERS, Exchanged, Statistic, blocks, jackknifed, lexical_order, spread

# ---- The order of many numbers, faster than by `numpy.argsort`.

MANY = 5_000  # Numbers from which it is worth the trouble.

ROUNDS = 20  # How often neighbours are put right before the whole is sorted in the usual way.

CHUNK = 16_384  # Numbers that are worked on at a time, so that they stay near the processor.

SIGN = -(1 << 63)


def ascending(numbers: Array) -> tuple[Integers, Flags]:
    """Places of the numbers in ascending order, and whether each is greater than the one before, as the first is.

    A number's bits, turned so that they sort as the number does, and its place share 64 bits, which NumPy sorts several
    times as fast as it finds an order. The place takes the lowest bits, so that neighbours that differ only there may
    have to be put right, and only those have to be looked at again.

    >>> order, greater = ascending(np.array([3.0, 1.0, 1.0]))
    >>> int(order[2]), greater.tolist()
    (0, [True, False, True])
    """
    if len(numbers) >= MANY:
        order, greater = _by_highest_bits(numbers)
        if _put_right(numbers, order, greater):
            return order, greater
    order = np.argsort(numbers)
    ordered = numbers[order]
    return order, np.concatenate([[True], ordered[1:] != ordered[:-1]])


def _by_highest_bits(numbers: Array) -> tuple[Integers, Flags]:
    """The order by all bits but the lowest, and whether each has others than the one before."""
    place = (1 << (len(numbers) - 1).bit_length()) - 1
    key = np.empty(len(numbers), dtype=np.uint64)
    for start in range(0, len(numbers), CHUNK):
        part = (numbers[start : start + CHUNK] + 0.0).view(np.int64)  # zero without a sign
        part ^= (part >> 63) | SIGN  # negative numbers sort backwards, and before the others
        part &= ~place
        part |= np.arange(start, start + len(part))
        key[start : start + CHUNK] = part.view(np.uint64)
    key.sort()
    greater = np.ones(len(key), dtype=bool)
    for start in range(1, len(key), CHUNK):
        now, before = key[start : start + CHUNK], key[start - 1 : start - 1 + CHUNK]
        np.greater(now ^ before[: len(now)], np.uint64(place), out=greater[start : start + CHUNK])
    key &= np.uint64(place)
    return key.view(np.int64), greater


def _put_right(numbers: Array, order: Integers, greater: Flags) -> bool:
    """Sort neighbours with the same highest bits, in place; whether that was done."""
    alike = np.flatnonzero(~greater)
    for _ in range(ROUNDS):
        before, after = numbers[order[alike - 1]], numbers[order[alike]]
        wrong = alike[after < before]
        if not len(wrong):
            greater[alike] = before != after
            return True
        wrong = wrong[np.append(True, np.diff(wrong) > 1)]
        order[wrong - 1], order[wrong] = order[wrong], order[wrong - 1]
    return False


# ---- Metrics that depend on the order of items: ranks and cumulative sums, for any weights of the items.
#
# The order is found once; resampling items, or exchanging them between models, only changes their weights.


class Weighable(ABC):
    """A metric of one model on certain items, as a function of the items' weights."""

    @abstractmethod
    def values(self, weights: Array) -> Array:
        """The metric for weights of shape (batch, items)."""

    @abstractmethod
    def effects(self, weights: Array) -> Array:
        """Its derivative by each weight, of shape (batch, items); their weighted sum is 0."""

    def left_out(self, n: int) -> Array:
        """The metric of n items that all count once, without each of them."""
        return np.concatenate([self.values((np.arange(n) != np.arange(n)[part, None]) * 1.0) for part in parts(n, n)])

    def exchanged(self, turned: Array) -> tuple[Array, Array]:
        """Of two models' outputs side by side, once some items' are exchanged: the difference, and each item's effect.

        `turned` is 1 where an item's outputs are exchanged and 0 elsewhere, (draws, items).
        """
        first = np.concatenate([1 - turned, turned], axis=1)
        differences = self.values(first) - self.values(1 - first)
        effects = first * self.effects(first) - (1 - first) * self.effects(1 - first)
        return differences, effects[:, : turned.shape[1]] + effects[:, turned.shape[1] :]


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightMetric(Metric):
    """A metric whose value follows from the order of the items and their weights."""

    @abstractmethod
    def weighable(self, truth: Truth, output: Output) -> Weighable:
        """The metric of these outputs as a function of weights."""

    def value(self, truth: Truth, output: Output) -> float:
        return float(self.weighable(truth, output).values(np.ones((1, len(truth))))[0])

    def by_item(self, truth: Truth, output: Output) -> Array | None:
        n, weighable = len(truth), self.weighable(truth, output)
        once = np.ones((1, n))
        whole = float(weighable.values(once)[0])
        if n > MANY_ITEMS:
            return np.asarray(whole + n * weighable.effects(once)[0])
        return pseudo_values(whole, weighable.left_out(n), truth)


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """Items in ascending order of a number, equal ones together.

    >>> order = Order.of(np.array([3.0, 1.0, 1.0]))
    >>> order.middle(np.ones((1, 3))).tolist()
    [[2.5, 1.0, 1.0]]
    """

    order: Integers  #: The items in this order
    #: starts, ends: Per item, in the items' own order, where those equal to it start in that order, and where they have
    #: ended
    starts: Integers
    ends: Integers

    @classmethod
    def of(cls, numbers: Array) -> Order:
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
        return np.asarray(self.doubled(weights) / 2)

    def doubled(self, weights: Array | Integers) -> Array:
        """Twice that, which is whole where weights are."""
        if self._as_given:
            return to_middle(weights)
        cumulated = self._cumulated(weights)
        return np.asarray(cumulated[:, self.starts] + cumulated[:, self.ends])

    @property
    def _as_given(self) -> bool:
        """Whether the items came in this order, and no two are equal."""
        places = np.arange(len(self.order))
        return bool((self.starts == places).all() and (self.ends == places + 1).all())

    def _cumulated(self, weights: Array | Integers) -> Array:
        cumulated = np.zeros((len(weights), weights.shape[1] + 1), dtype=weights.dtype)
        np.cumsum(weights[:, self.order], axis=1, out=cumulated[:, 1:])
        return cumulated


def to_middle(values: Array | Integers) -> Array:
    """Twice the sum up to the middle of each value."""
    found: Array = np.cumsum(values, axis=1)
    found *= 2
    np.subtract(found, values, out=found)
    return found


def parts(rows: int, items: int) -> Iterator[slice]:
    """Weights of items in parts that stay near the processor: larger ones take three times as long."""
    return blocks(rows, MOST_NUMBERS // (2 * CHUNK) * items)


# ---- Metrics of ordered items, resampled by the items' weights: the items are sorted once.

MANY_ITEMS = 300
"""Items from which leaving one out is as good as the derivative by its weight, and much dearer."""

MOST_DRAWS, LEAST_DRAWS, MOST_WORK = 10_000, 1_000, 5_000_000
"""Draws by default, and what they may cost together: draws × items."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WeightStatistic(Statistic):
    """A metric of M models' outputs, which weights of the items change."""

    models: tuple[Weighable, ...]  #: Per model the metric as a function of weights
    #: The same for the outputs of the first two models side by side, made when it is asked for: an item that is
    #: exchanged counts in the other's
    pooled: Callable[[], Weighable]
    unit: Integers  #: The unit of each item

    @property
    def width(self) -> int:
        return 8 * len(self.unit)

    def weighted(self, counts: Array) -> Array:
        weights = counts[:, self.unit]
        return np.stack([model.values(weights) for model in self.models], axis=-1)

    def left_out(self) -> Array:
        """From weights of 0 for one unit at a time; of many units the derivative, which is nearly the same."""
        units, n = len(self.counts), len(self.unit)
        if units * n > MOST_NUMBERS:
            return self.effects
        if units == n:
            return jackknifed(np.stack([model.left_out(n) for model in self.models], axis=-1), self.counts)
        all_but_one = 1 - np.eye(units)
        return jackknifed(np.concatenate([self.weighted(all_but_one[part]) for part in parts(units, n)]), self.counts)

    def exchanged(self, swaps: Array) -> Exchanged:
        """From weights of 1 and 0: which of an item's two outputs is now the first model's."""
        found = [self._exchanged(swaps[part]) for part in parts(len(swaps), len(self.unit))]
        differences, errors = (np.concatenate(column) for column in zip(*found, strict=True))
        return Exchanged(differences=differences, standard_errors=errors)

    def _exchanged(self, swaps: Array) -> tuple[Array, Array]:
        turned = swaps if len(self.counts) == len(self.unit) else swaps[:, self.unit]
        differences, of_item = self.pooled().exchanged(turned)
        return differences, spread(_by_unit(of_item, self.unit, len(self.counts)), self.counts)


def weight_statistic(
    metric: WeightMetric, truth: Truth, outputs: Sequence[Output], groups: Integers | None
) -> WeightStatistic:
    """The metric of the models' outputs, over items or over clusters of items."""
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
        models=models, pooled=cache(lambda: metric.weighable(truth.twice(), np.concatenate([outputs[0], second]))),
        unit=unit, counts=np.ones(units), values=np.array([model.values(ones)[0] for model in models]),
        effects=np.array([_by_unit(model.effects(ones), unit, units)[0] for model in models]),
        sizes=None if groups is None else np.bincount(unit, minlength=units).astype(np.float64),
        differ=np.bincount(unit, weights=differs, minlength=units) > 0,
        draws=int(np.clip(MOST_WORK // n, LEAST_DRAWS, MOST_DRAWS)),
    )  # fmt: skip


def canonical_order(truth: Truth, outputs: Sequence[Output], groups: Integers | None) -> Integers:
    """An order of the items that does not depend on the one in which they came."""
    columns = [column for output in outputs for column in output.reshape(len(truth), -1).T]
    return lexical_order([*columns, truth.values] if groups is None else [*columns, truth.values, groups])


def _by_unit(of_item: Array, unit: Integers, units: int) -> Array:
    """Sums over the items of each unit; items are in the order of their units where these are clusters."""
    if units == len(unit):
        return of_item
    starts = np.searchsorted(unit, np.arange(units))
    return np.asarray(np.add.reduceat(of_item, starts, axis=1))
