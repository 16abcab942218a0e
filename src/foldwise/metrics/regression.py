"""Metrics of predicted numbers against true ones: R² and the correlations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from foldwise.core.types import Array, Integers
from foldwise.metrics.metric import Inexact, Metric, Needs, Output, SumMetric, Truth, ratio
from foldwise.metrics.weighable import Order, Weighable, WeightMetric, parts, to_middle

# ---- Metrics of numbers that are functions of a few moments: RMSE, R², explained variance, Pearson's correlation.


@dataclass(frozen=True, slots=True, kw_only=True)
class MomentMetric(SumMetric):
    """A function of means and mean squares."""

    #: From the means of the error e = predicted − true, of the truth y, and of e², y² and e·y; y is centred
    of_moments: Callable[[Inexact, Inexact, Inexact, Inexact, Inexact], Inexact]

    def contributions(self, truth: Truth, output: Output) -> Array:
        """One, e, y, e², y² and e·y; the truth is taken from its mean, so that no digits are lost."""
        y = truth.numbers - truth.numbers.mean()
        e = output - truth.numbers
        found = np.empty((6, *np.shape(y)))  # each sum's numbers side by side, as they are added up
        for place, column in enumerate((1.0, e, y, e * e, y * y, e * y)):
            found[place] = column
        return np.moveaxis(found, 0, -1)

    def by_item(self, truth: Truth, output: Output) -> Array | None:
        """As pseudo-values; R² is a mean of squared errors over the variance of the truth, which all models share."""
        spread = float(truth.numbers.var())
        if self.of_moments is not _r2 or not spread:
            return SumMetric.by_item(self, truth, output)
        return np.asarray(1 - (output - truth.numbers) ** 2 / spread)

    def of_sums(self, sums: Inexact, truth: Truth) -> Inexact:
        return np.asarray(self.of_moments(*(sums[..., place] / sums[..., 0] for place in range(1, 6))))


def _rmse(e: Inexact, y: Inexact, ee: Inexact, yy: Inexact, ey: Inexact) -> Inexact:
    return np.asarray(np.sqrt(ee))


def _unexplained(left: Inexact, spread: Inexact) -> Inexact:
    """One minus the share that is left; 0 where the truth does not vary, so that there is nothing to explain."""
    return np.where(spread.real > 0, 1 - ratio(left, spread), 0)


def _r2(e: Inexact, y: Inexact, ee: Inexact, yy: Inexact, ey: Inexact) -> Inexact:
    return _unexplained(ee, yy - y**2)


def _explained(e: Inexact, y: Inexact, ee: Inexact, yy: Inexact, ey: Inexact) -> Inexact:
    return _unexplained(ee - e**2, yy - y**2)


def _pearson(e: Inexact, y: Inexact, ee: Inexact, yy: Inexact, ey: Inexact) -> Inexact:
    """Correlation of y and y + e."""
    of_truth, of_error, between = yy - y**2, ee - e**2, ey - e * y
    spread = of_truth * (of_truth + 2 * between + of_error)
    return ratio(of_truth + between, np.sqrt(np.where(spread.real > 0, spread, 0)))


# ---- Spearman's rank correlation of predicted and true numbers.


@dataclass(frozen=True, slots=True, kw_only=True)
class Spearman(WeightMetric):
    """Correlation of the ranks, equal numbers having their mean rank; 0 where either does not vary."""

    def weighable(self, truth: Truth, output: Output) -> Weighable:
        return _Ranks(Order.of(np.asarray(output, dtype=np.float64)), Order.of(truth.numbers))


@dataclass(frozen=True, slots=True, eq=False)
class _Ranks(Weighable):
    predicted: Order
    true: Order

    def values(self, weights: Array) -> Array:
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

    def left_out(self, n: int) -> Array:
        """Ranks, twice and centred, above that of an item that leaves go down by one, those below go up by one."""
        x, y = self.predicted, self.true
        r, s = (order.starts + order.ends - n for order in (x, y))
        places = [order.starts.astype(np.int32) for order in (x, y)]
        common = [
            np.prod([np.sign(one - one[part, None]) for one in places], axis=0).sum(axis=1) for part in parts(n, n)
        ]
        found = (
            r @ r + 2 * x.doubled(r[None])[0] + n - (x.ends - x.starts) - r * r,
            r @ s + x.doubled(s[None])[0] + y.doubled(r[None])[0] + np.concatenate(common) - r * s,
            s @ s + 2 * y.doubled(s[None])[0] + n - (y.ends - y.starts) - s * s,
        )
        first, both, second = (np.asarray(moment, dtype=np.float64) for moment in found)
        return ratio(both, _root(first, second))

    def exchanged(self, turned: Array) -> tuple[Array, Array]:
        """The same in whole numbers, ranks and sums up to the middle of each item twice: they add up much faster.

        True ranks stay as they are. Where m of n items are equal, the derivative of a squared rank, twice and centred,
        by the item's weight is n² - m² less three times the mean square, which is 0 where all differ.
        """
        n, chosen = turned.shape[1], turned > 0
        true, s, firsts, level = _levels(self)
        order, row = self.predicted.order, len(firsts) * np.arange(len(turned))[:, None]
        mean, tied = float(s @ s) / n, len(firsts) < 2 * n
        own = ratio(n**2 - (true.ends - true.starts) ** 2 - 3 * mean, np.full(n, mean))
        found = []
        for of_b in (chosen, ~chosen):  # whether an item counts with the second model's output
            there = np.concatenate([~of_b, of_b], axis=1).take(order, axis=1)
            count, lift = there.astype(np.int64), there * s[order % n]
            if tied:
                count, lift = (np.add.reduceat(part, firsts, axis=1) for part in (count, lift))
            place = np.where(of_b, level[n:], level[:n]) + row
            r = to_middle(count).take(place) - n
            product = r * s
            both, first = product.mean(axis=1, keepdims=True), (r * r).mean(axis=1, keepdims=True)
            root = _root(first, np.asarray(mean))
            share = ratio(both, root)
            product -= to_middle(lift).take(place) + true.doubled(r)
            curved = own + ratio(n**2 - count.take(place) ** 2 - 3 * first, first) if tied else own
            found.append((share[:, 0], (ratio(product - 3 * both, root) - share / 2 * curved) / n))
        (value_a, effect_a), (value_b, effect_b) = found
        return value_a - value_b, effect_a - effect_b

    def _centred(self, weights: Array) -> tuple[Array, Array]:
        """Ranks as shares of the whole weight, less one half, which is their mean."""
        total = weights.sum(axis=1, keepdims=True)
        return self.predicted.middle(weights) / total - 0.5, self.true.middle(weights) / total - 0.5


@lru_cache(maxsize=1)
def _levels(pooled: _Ranks) -> tuple[Order, Integers, Integers, Integers]:
    """The items by truth, their ranks, twice and centred; where each distinct output begins, and which an output is."""
    n = len(pooled.true.starts) // 2
    true = Order.of(pooled.true.starts[:n].astype(np.float64))
    firsts, level = np.unique(pooled.predicted.starts, return_inverse=True)
    return true, true.starts + true.ends - n, firsts, level


def _moment(weights: Array, x: Order, r: Array, y: Order, s: Array) -> tuple[Array, Array]:
    """Mean of the product of two centred ranks, and its derivative by each weight.

    An item's weight enters by its own product, by the ranks of what lies above it, and by the whole weight.
    """
    total = weights.sum(axis=1, keepdims=True)
    mean = (weights * r * s).sum(axis=1, keepdims=True) / total
    # the ranks themselves move with the weights: those of all items above by one, those of ties by a half
    lifted = x.middle(weights * s) + y.middle(weights * r)
    return mean, (r * s - lifted / total - 3 * mean) / total


def _root(a: Array, b: Array) -> Array:
    return np.asarray(np.sqrt(np.maximum(a * b, 0)))


METRICS: dict[Metric, tuple[str, ...]] = {
    MomentMetric(name="rmse", needs=Needs.NUMBERS, of_moments=_rmse, higher_is_better=False, bounds=(0.0, None)): (
        "neg_root_mean_squared_error", "root_mean_squared_error",
    ),
    MomentMetric(name="r2", needs=Needs.NUMBERS, of_moments=_r2, bounds=(None, 1.0)): ("r2_score",),
    MomentMetric(name="explained_variance", needs=Needs.NUMBERS, of_moments=_explained, bounds=(None, 1.0)): (),
    MomentMetric(name="pearson", needs=Needs.NUMBERS, of_moments=_pearson, bounds=(-1.0, 1.0)): ("pearsonr",),
    Spearman(name="spearman", needs=Needs.NUMBERS, bounds=(-1.0, 1.0)): ("spearmanr",),
}  # fmt: skip
"""Each metric with the other names that it goes by."""
