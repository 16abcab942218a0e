"""How well scores rank the positives: area under the ROC curve or a part of it, average precision."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Literal

import numpy as np

from foldwise.core.types import Array, Flags, Integers
from foldwise.metrics.metric import Metric, Needs, Output, Truth, ratio
from foldwise.metrics.weighable import Order, Weighable, WeightMetric, ascending

# ---- Areas under ROC curves: of two classes, each class against the rest, and all pairs of classes (Hand & Till).

Scheme = Literal["binary", "ovr", "ovo"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Versus:
    """One class against one or more others: the area is how often its items have the higher score for it."""

    #: Whose scores are compared: a column of the scores by class, or None where there is one score only
    column: int | None
    #: positive, negative: The items of the class, and those of the others
    positive: Flags
    negative: Flags
    counted: Flags  #: The items whose share of all is the contest's weight in a weighted mean

    def scores(self, output: Output) -> Array:
        """What is compared."""
        return np.asarray(output if self.column is None else output[:, self.column], dtype=np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Auc(WeightMetric):
    """The area under the ROC curve, or the mean of several."""

    #: "binary": the positive class; "ovr": each class against the rest; "ovo": each class against each other one, by
    #: the scores of both (Hand & Till 2001)
    scheme: Scheme
    #: Whether areas count by the share of the items of their class, or pair of classes, and not alike
    weighted: bool = False

    def contests(self, truth: Truth) -> list[Versus]:
        if self.scheme == "binary":
            positive = truth.is_positive
            return [Versus(column=None, positive=positive, negative=~positive, counted=np.ones_like(positive))]
        of_class = [truth.values == code for code in range(len(truth.classes))]
        if self.scheme == "ovr":
            return [Versus(column=c, positive=its, negative=~its, counted=its) for c, its in enumerate(of_class)]
        pairs = permutations(enumerate(of_class), 2)
        return [Versus(column=c, positive=one, negative=other, counted=one | other) for (c, one), (_, other) in pairs]

    def value(self, truth: Truth, output: Output) -> float:
        """Of one area by counts of pairs, whole numbers to the end."""
        if self.scheme != "binary":
            return WeightMetric.value(self, truth, output)
        order, greater = ascending(np.asarray(output, dtype=np.float64))
        starts = np.flatnonzero(greater)
        up = np.add.reduceat(truth.is_positive[order].astype(np.int64), starts)
        down = np.diff(np.append(starts, len(order))) - up
        twice, pairs = int((up * (2 * np.cumsum(down) - down)).sum()), int(up.sum()) * int(down.sum())
        return twice / 2 / pairs if pairs else 0.0

    def weighable(self, truth: Truth, output: Output) -> Weighable:
        areas = [_Area.of(contest, output) for contest in self.contests(truth)]
        return _Mean(areas, self.weighted)


@dataclass(frozen=True, slots=True, eq=False)
class _Area(Weighable):
    """The area of one contest."""

    order: Order
    positive: Array
    negative: Array
    counted: Array

    @classmethod
    def of(cls, contest: Versus, output: Output) -> _Area:
        masks = (contest.positive, contest.negative, contest.counted)
        return cls(Order.of(contest.scores(output)), *(mask.astype(np.float64) for mask in masks))

    def values(self, weights: Array) -> Array:
        """Share of the pairs of a positive and a negative item whose scores are in order; ties count half."""
        up, down = weights * self.positive, weights * self.negative
        return self._area(up, down, self.order.middle(down))

    @staticmethod
    def _area(up: Array, down: Array, below: Array) -> Array:
        return np.asarray(ratio((up * below).sum(axis=1), up.sum(axis=1) * down.sum(axis=1)))

    def effects(self, weights: Array) -> Array:
        """The placement of each item among those of the other side, less the area."""
        up, down = weights * self.positive, weights * self.negative
        ups, downs = up.sum(axis=1, keepdims=True), down.sum(axis=1, keepdims=True)
        below = self.order.middle(down)
        area = self._area(up, down, below)[:, None]
        # the derivative of Σ up·below / (Σ up · Σ down) by each weight
        of_up = ratio(ratio(below, downs) - area, ups)
        of_down = ratio(1 - ratio(self.order.middle(up), ups) - area, downs)
        return np.asarray(self.positive * of_up + self.negative * of_down)


@dataclass(frozen=True, slots=True, eq=False)
class _Mean(Weighable):
    """The mean of several areas."""

    areas: list[_Area]
    weighted: bool

    def values(self, weights: Array) -> Array:
        shares = self._shares(weights)
        return np.asarray(sum(share * area.values(weights) for share, area in zip(shares, self.areas, strict=True)))

    def effects(self, weights: Array) -> Array:
        """Of the areas, and where they are weighted by class, of the weights too."""
        shares, total = self._shares(weights), self._total(weights)[:, None]
        mean = self.values(weights)[:, None] if self.weighted else None
        effect = np.zeros(weights.shape)
        for share, area in zip(shares, self.areas, strict=True):
            effect += share[:, None] * area.effects(weights)
            if mean is not None:
                effect += ratio(area.counted * (area.values(weights)[:, None] - mean), total)
        return effect

    def _total(self, weights: Array) -> Array:
        return np.asarray(sum((weights * area.counted).sum(axis=1) for area in self.areas))

    def _shares(self, weights: Array) -> list[Array]:
        """What each area counts: alike, or by its share of the items; one without a side counts nothing."""
        there = [((weights * a.positive).sum(1) > 0) & ((weights * a.negative).sum(1) > 0) for a in self.areas]
        if self.weighted:
            total = self._total(weights)
            return [ratio((weights * area.counted).sum(axis=1), total) for area in self.areas]
        return [ratio(found.astype(np.float64), np.sum(there, axis=0).astype(np.float64)) for found in there]


# ---- A part of the area: false positive rates up to a limit.


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialAuc(WeightMetric):
    r"""Area under the ROC curve for false positive rates up to a limit, standardised after McClish.

    With the area A up to the limit f it is :math:`\tfrac12(1+(A-f^2/2)/(f-f^2/2))`: 1 for a perfect order, a half for
    chance, as scikit-learn's ``roc_auc_score(max_fpr=f)`` and pROC's ``partial.auc.correct`` have it. Equal scores are
    joined by a straight line.
    """

    most: float  #: The largest false positive rate

    def weighable(self, truth: Truth, output: Output) -> Weighable:
        positive = truth.is_positive
        return _Part(Order.of(output), positive.astype(np.float64), (~positive).astype(np.float64), self.most)


@dataclass(frozen=True, slots=True, eq=False)
class _Part(Weighable):
    """The part of the curve of one model; every item knows where its scores begin and end on the curve."""

    order: Order
    positive: Array
    negative: Array
    most: float

    def values(self, weights: Array) -> Array:
        return np.asarray((1 + (self._area(weights)[0] - self.most**2 / 2) / self._span) / 2)

    @property
    def _span(self) -> float:
        return self.most - self.most**2 / 2

    def _area(self, weights: Array) -> tuple[Array, Array, tuple[Array, Array], tuple[Array, Array]]:
        """The area, what of the range lies behind each item's place on average, and both rates there and before."""
        up, down = weights * self.positive, weights * self.negative
        ups, downs = up.sum(axis=1, keepdims=True), down.sum(axis=1, keepdims=True)
        false = 1 - ratio(self.order.up_to(down), downs), 1 - ratio(self.order.below(down), downs)
        true = 1 - ratio(self.order.up_to(up), ups), 1 - ratio(self.order.below(up), ups)
        begin, end = np.minimum(false[0], self.most), np.minimum(false[1], self.most)
        # a positive item counts from its place on; where negative ones score the same, in proportion to those passed
        behind = self.most - end + (end - begin) * ratio(end - begin, false[1] - false[0]) / 2
        return ratio((up * behind).sum(axis=1), ups[:, 0]), behind, false, true

    def effects(self, weights: Array) -> Array:
        """Of positive items their place less the mean; of negative ones how far they push the curve to the right."""
        area, behind, false, true = self._area(weights)
        area = area[:, None]
        up, down = weights * self.positive, weights * self.negative
        ups, downs = up.sum(axis=1, keepdims=True), down.sum(axis=1, keepdims=True)
        # the scores at which the limit is reached: their rise, and the share of them below the limit
        limit = np.argmax((false[0] < self.most) & (false[1] >= self.most) & (down > 0), axis=1)[:, None]
        f0, f1, t0, t1 = (np.take_along_axis(one, limit, axis=1) for one in (*false, *true))
        rest = self.most - f0
        slope = ratio(t1 - t0, f1 - f0)
        height, bent = t0 + rest * slope, rest**2 * slope / 2
        before = area - rest * t0 - bent  # the area up to these scores
        # an item below the limit adds its own height and takes room from the range; one beyond it gives room
        adds = np.where(
            false[1] <= f0 + 1e-12,
            (true[0] + true[1]) / 2 - before - (1 - f0) * height + bent,
            f0 * height - before + bent - np.where(false[0] < f0 + 1e-12, bent * ratio(np.ones_like(f0), f1 - f0), 0.0),
        )
        found = self.positive * ratio(behind - area, ups) + self.negative * ratio(adds, downs)
        return np.asarray(found / self._span / 2)


PARTIAL = ("partial_auc", "partial_roc_auc", "pauc", "p_auc")
_PARTIAL = re.compile(rf"(?:{'|'.join(PARTIAL)}|roc_auc)@(?P<most>0?\.\d+)")


def partial_auc(name: str) -> PartialAuc | None:
    """The area for false positive rates up to a limit, ``partial_auc@0.1``; None for other names.

    >>> partial_auc("partial_auc@0.1").most, partial_auc("roc_auc")
    (0.1, None)
    """
    found = _PARTIAL.fullmatch(name)
    if found is None or not 0 < float(found["most"]) < 1:
        return None
    most = float(found["most"])
    return PartialAuc(name=f"partial_auc@{most:g}", needs=Needs.SCORES, one_class=True, most=most)


# ---- Average precision: the precision at every positive item, averaged.


@dataclass(frozen=True, slots=True, kw_only=True)
class AveragePrecision(WeightMetric):
    r"""Area under the steps of the precision–recall curve.

    :math:`\sum_{i\,\mathrm{positive}} w_i T_i/N_i\,/\,P`, where :math:`N_i` is the weight of all items scored as high
    as i or higher, :math:`T_i` that of the positive ones among them, and P the weight of all positive ones.
    """

    def weighable(self, truth: Truth, output: Output) -> Weighable:
        return _Steps(Order.of(output), truth.is_positive.astype(np.float64))


@dataclass(frozen=True, slots=True, eq=False)
class _Steps(Weighable):
    order: Order
    positive: Array

    def values(self, weights: Array) -> Array:
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

    def left_out(self, n: int) -> Array:
        """An item leaves what is scored as high as it or lower; what is scored higher stays as it is."""
        found, seen = self._at_and_above(np.ones((1, n)))
        terms = np.stack([ratio(found, seen), ratio(found, seen - 1), ratio(np.ones_like(seen), seen - 1)])[:, 0]
        before, after, once = self.order.up_to(self.positive * terms)
        of_others = after - self.positive * (once + terms[1] - terms[2])
        total = self.positive.sum()
        return np.asarray(ratio(self.positive @ terms[0] - before + of_others, total - self.positive))

    def exchanged(self, turned: Array) -> tuple[Array, Array]:
        """The same from counts between the scores of positive items alone, which are few and all that matters."""
        positive, levels, whole = _thresholds(self)
        size, row = whole.shape[1], whole.shape[1] * np.arange(len(turned))[:, None]
        first = np.where(turned > 0, levels[1], levels[0]) + row
        second = levels.sum(axis=0) + 2 * row - first
        of_positive = [places.take(positive, axis=1) for places in (first, second)]
        counts = np.stack([np.bincount(places.ravel(), minlength=size * len(turned)).reshape(-1, size)
                           for places in (first, of_positive[0])])  # fmt: skip
        found = [self._between(count, hits, len(positive)) for count, hits in (counts, whole[:, None] - counts)]
        effects = found[0][2].take(first) - found[1][2].take(second)
        effects[:, positive] = found[0][1].take(of_positive[0]) - found[1][1].take(of_positive[1])
        return found[0][0] - found[1][0], effects

    @staticmethod
    def _between(count: Integers, hits: Integers, positives: int) -> tuple[Array, Array, Array]:
        """The metric, and by place between the scores the effect of a positive and of a negative item."""
        seen, found = (np.cumsum(part[:, ::-1], axis=1)[:, ::-1] for part in (count, hits))
        seen = np.maximum(seen, 1)  # nothing is divided where nothing is seen
        precision = found / seen
        value = np.einsum("ij,ij->i", hits, precision) / positives
        both = np.empty(precision.shape, dtype=np.complex128)  # two sums take the time of one
        both.real = hits / seen
        both.imag = both.real * precision
        both = np.cumsum(both, axis=1)
        diluted = both.imag / positives
        precision += both.real
        precision -= value[:, None]
        precision /= positives
        precision -= diluted
        return value, precision, -diluted

    def _at_and_above(self, weights: Array) -> tuple[Array, Array]:
        hits = weights * self.positive
        found = hits.sum(axis=1, keepdims=True) - self.order.below(hits)
        return found, weights.sum(axis=1, keepdims=True) - self.order.below(weights)


@lru_cache(maxsize=1)
def _thresholds(pooled: _Steps) -> tuple[Integers, Integers, Integers]:
    """The positive items; of each item how many positive scores are at or below its one and its other.

    And how many items there are of each such number in both together, and how many positive ones.
    """
    n = len(pooled.positive) // 2
    starts, positive = pooled.order.starts, np.flatnonzero(pooled.positive[:n])
    cuts = np.unique(starts[pooled.positive > 0])
    levels = np.searchsorted(cuts, starts, side="right").reshape(2, n)
    parts = (levels, levels[:, positive])
    return positive, levels, np.stack([np.bincount(part.ravel(), minlength=len(cuts) + 1) for part in parts])


METRICS: dict[Metric, tuple[str, ...]] = {
    Auc(name="roc_auc", needs=Needs.SCORES, scheme="binary", one_class=True): ("auroc",),
    Auc(name="roc_auc_ovr", needs=Needs.CLASS_SCORES, scheme="ovr"): (),
    Auc(name="roc_auc_ovr_weighted", needs=Needs.CLASS_SCORES, scheme="ovr", weighted=True): (),
    Auc(name="roc_auc_ovo", needs=Needs.CLASS_SCORES, scheme="ovo"): (),
    Auc(name="roc_auc_ovo_weighted", needs=Needs.CLASS_SCORES, scheme="ovo", weighted=True): (),
    AveragePrecision(name="average_precision", needs=Needs.SCORES, one_class=True): ("ap", "auprc"),
}
"""Each metric with the other names that it goes by."""
