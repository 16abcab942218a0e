"""Metrics of a confusion matrix: F1, precision, recall, Jaccard, balanced accuracy, specificity, MCC, Cohen's κ.

All of them depend on the matrix through its diagonal and its margins: for each class how often it was right, true, and
predicted. That is 3K sums over items.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from foldwise.core.types import Array, Flags
from foldwise.metrics.metric import STEP, Inexact, Metric, Needs, Output, SumMetric, Truth, complex_step, ratio

Average = Literal["binary", "macro", "weighted", "true"]

MANY = 30  # Classes from which the indicators are kept as a sparse array, being nearly all 0.


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion(SumMetric):
    """A function of how often each class was right, true and predicted."""

    def contributions(self, truth: Truth, output: Output) -> Array:
        """Three indicators per class, side by side: right, true, predicted."""
        classes, n, true = len(truth.classes), len(truth), truth.codes
        hits = np.flatnonzero(true == output)
        rows = np.concatenate([hits, np.arange(n), np.arange(n)])
        columns = np.concatenate([true[hits], classes + true, 2 * classes + output])
        found: Array
        if classes > MANY:
            from scipy import sparse  # loads linear algebra of a fifth of a second, for few

            found = sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape=(n, 3 * classes)).tocsr()
            return found
        found = np.zeros((n, 3 * classes))
        found[rows, columns] = 1.0
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassRate(Confusion):
    """A rate of each class, averaged over classes."""

    #: From how often each class was right, true and predicted, and the number of items; element by element
    rate: Callable[[Inexact, Inexact, Inexact, Inexact], Inexact]
    #: "binary": the positive class; "macro": all classes that are true or predicted; "true": all that are true;
    #: "weighted": by how often they are true
    average: Average

    def of_sums(self, sums: Inexact, truth: Truth) -> Inexact:
        right, true, predicted, total = _parts(sums)
        weights = self._weights(true, predicted, truth)
        return np.asarray((weights * self.rate(right, true, predicted, total)).sum(axis=-1))

    def gradient(self, sums: Array, truth: Truth) -> Array:
        """By the sums of one class each; its rate depends on those alone, and on the number of items."""
        parts = _parts(sums)
        weights = self._weights(parts[1], parts[2], truth)
        # derivatives to the last digit by a complex step: Im f(x + ih)/h subtracts nothing
        by_right, by_true, by_predicted, by_total = (
            weights * complex_step(self.rate(*_stepped(parts, place))) for place in range(4)
        )
        by_true = by_true + by_total.sum(axis=-1, keepdims=True)
        if self.average == "weighted":
            rates = self.rate(*parts)
            mean = (weights * rates).sum(axis=-1, keepdims=True)
            by_true = by_true + (rates - mean) / parts[3]
        return np.concatenate([by_right, by_true, by_predicted], axis=-1)

    def decisive(self, truth: Truth) -> Flags | None:
        """The positive items for recall, the others for specificity."""
        if self.average != "binary" or self.rate not in (_recall, _specificity):
            return None
        return truth.is_positive if self.rate is _recall else ~truth.is_positive

    def _weights(self, true: Inexact, predicted: Inexact, truth: Truth) -> Inexact:
        if self.average == "binary":
            return np.asarray(np.arange(true.shape[-1]) == truth.positive_code, dtype=np.float64)
        if self.average == "weighted":
            return np.asarray(true / true.sum(axis=-1, keepdims=True))
        counted = true.real if self.average == "true" else true.real + predicted.real
        there = (counted > 0).astype(np.float64)
        return np.asarray(there / there.sum(axis=-1, keepdims=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pooled(Confusion):
    """A function of what the whole matrix has in common."""

    #: From Σ right, Σ true·predicted, Σ true², Σ predicted² over the classes, and the number of items
    of_pooled: Callable[[Inexact, Inexact, Inexact, Inexact, Inexact], Inexact]

    def of_sums(self, sums: Inexact, truth: Truth) -> Inexact:
        return np.asarray(self.of_pooled(*_pooled(*_parts(sums))))

    def gradient(self, sums: Array, truth: Truth) -> Array:
        parts = _parts(sums)
        pooled = _pooled(*parts)
        by = [complex_step(self.of_pooled(*_stepped(pooled, place)))[..., None] for place in range(5)]
        _, true, predicted, _ = parts
        by_right = np.broadcast_to(by[0], true.shape)
        by_true = by[1] * predicted + 2 * by[2] * true + by[4]
        by_predicted = by[1] * true + 2 * by[3] * predicted
        return np.concatenate([by_right, by_true, by_predicted], axis=-1)


def _parts(sums: Inexact) -> tuple[Inexact, Inexact, Inexact, Inexact]:
    """Right, true and predicted by class, and the number of items."""
    right, true, predicted = np.split(sums, 3, axis=-1)
    return right, true, predicted, true.sum(axis=-1, keepdims=True)


def _pooled(right: Inexact, true: Inexact, predicted: Inexact, total: Inexact) -> tuple[Inexact, ...]:
    over = [part.sum(axis=-1) for part in (right, true * predicted, true**2, predicted**2)]
    return (*over, total[..., 0])


def _stepped(parts: tuple[Inexact, ...], place: int) -> list[Inexact]:
    return [part + 1j * STEP if i == place else part for i, part in enumerate(parts)]


def _precision(right: Inexact, true: Inexact, predicted: Inexact, total: Inexact) -> Inexact:
    return ratio(right, predicted)


def _recall(right: Inexact, true: Inexact, predicted: Inexact, total: Inexact) -> Inexact:
    return ratio(right, true)


def _f1(right: Inexact, true: Inexact, predicted: Inexact, total: Inexact) -> Inexact:
    return ratio(2 * right, true + predicted)


def _jaccard(right: Inexact, true: Inexact, predicted: Inexact, total: Inexact) -> Inexact:
    return ratio(right, true + predicted - right)


def _specificity(right: Inexact, true: Inexact, predicted: Inexact, total: Inexact) -> Inexact:
    return ratio(total - true - predicted + right, total - true)


def _youden(right: Inexact, true: Inexact, predicted: Inexact, total: Inexact) -> Inexact:
    return _recall(right, true, predicted, total) + _specificity(right, true, predicted, total) - 1


def _mcc(right: Inexact, both: Inexact, true2: Inexact, predicted2: Inexact, total: Inexact) -> Inexact:
    """Gorodkin's correlation of K classes, Matthews' for two."""
    spread = (total**2 - true2) * (total**2 - predicted2)
    return ratio(right * total - both, np.sqrt(np.where(spread.real > 0, spread, 0)))


def _kappa(right: Inexact, both: Inexact, true2: Inexact, predicted2: Inexact, total: Inexact) -> Inexact:
    """Agreement beyond that of the margins; 0 where both always say the same one class."""
    return ratio(right * total - both, total**2 - both)


def _jaccard_micro(right: Inexact, both: Inexact, true2: Inexact, predicted2: Inexact, total: Inexact) -> Inexact:
    return ratio(right, 2 * total - right)


def _rates() -> dict[Metric, tuple[str, ...]]:
    found: dict[Metric, tuple[str, ...]] = {}
    for name, rate in (("f1", _f1), ("precision", _precision), ("recall", _recall), ("jaccard", _jaccard)):
        binary = ClassRate(name=name, needs=Needs.LABELS, rate=rate, average="binary", one_class=True)
        found[binary] = ("sensitivity", "tpr") if name == "recall" else ()
        for average in ("macro", "weighted"):
            found[ClassRate(name=f"{name}_{average}", needs=Needs.LABELS, rate=rate, average=average)] = ()
    return found


METRICS: dict[Metric, tuple[str, ...]] = {
    ClassRate(name="balanced_accuracy", needs=Needs.LABELS, rate=_recall, average="true"): (),
    **_rates(),
    ClassRate(name="specificity", needs=Needs.LABELS, rate=_specificity, average="binary", one_class=True): ("tnr",),
    Pooled(name="matthews_corrcoef", needs=Needs.LABELS, of_pooled=_mcc, bounds=(-1.0, 1.0)): ("mcc",),
    Pooled(name="cohen_kappa", needs=Needs.LABELS, of_pooled=_kappa, bounds=(-1.0, 1.0)): (
        "kappa", "cohen_kappa_score",
    ),
    Pooled(name="jaccard_micro", needs=Needs.LABELS, of_pooled=_jaccard_micro): (),
}  # fmt: skip
"""Each metric with the other names that it goes by."""

YOUDEN = ClassRate(
    name="youden", needs=Needs.LABELS, rate=_youden, average="binary", one_class=True, bounds=(-1.0, 1.0)
)
