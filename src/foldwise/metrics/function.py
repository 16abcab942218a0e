"""Metrics that are any function of the truth and a model's outputs; and what suits each class of metrics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foldwise.core.errors import InvalidInput
from foldwise.core.random import stream
from foldwise.core.types import Array, Integers
from foldwise.metrics.metric import Metric, Output, SumMetric, Truth
from foldwise.metrics.statistic import Exchanged, Statistic, sum_statistic
from foldwise.metrics.weighable import WeightMetric, canonical_order, weight_statistic


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionMetric(Metric):
    """A function ``function(truth, outputs)`` that gives a number."""

    #: Gets the labels themselves, not their numbers; scores, probabilities and numbers as they are
    function: Callable[[NDArray[Any], NDArray[Any]], float]
    labels: bool = False  #: Whether the outputs are labels

    def value(self, truth: Truth, output: Output) -> float:
        """The function's value; an error of its own is told in a sentence."""
        try:
            found = float(self.function(_decoded(truth.values, truth), self._given(truth, output)))
        except Exception as error:  # a function of the user's can end in any error
            raise InvalidInput(f"metric {self.name!r} failed: {type(error).__name__}: {error}") from error
        if not np.isfinite(found):
            raise InvalidInput(f"metric {self.name!r} must give a finite number, got {found}")
        return found

    def _given(self, truth: Truth, output: Output) -> NDArray[Any]:
        return _decoded(output, truth) if self.labels else output


def _decoded(values: NDArray[Any], truth: Truth) -> NDArray[Any]:
    """The labels behind numbers of classes; numbers of a regression as they are."""
    if not truth.classes:
        return values
    # text stays text, whole numbers stay whole
    dtype = None if len(set(map(type, truth.classes))) == 1 else object
    found: NDArray[Any] = np.array(truth.classes, dtype=dtype)[values]
    return found


# ---- Metrics that are any function: computed anew on every resampled or exchanged set of items.

DRAWS = 1_000  # A function costs what it costs, twice in every draw.

LEFT_OUT = 200  # Units are left out one by one up to here, and in so many parts beyond.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FunctionStatistic(Statistic):
    """A function of the truth and each of M models' outputs."""

    many = 5_000, 1_000  # a function need not be smooth

    metric: FunctionMetric
    truth: Truth
    outputs: tuple[Output, ...]
    unit: Integers

    def weighted(self, counts: Array) -> Array:
        """The function on the items, each as often as it counts; NaN where it has no value for them."""
        items = np.arange(len(self.unit))
        found = [self._of_rows(np.repeat(items, row[self.unit])) for row in counts.astype(np.int64)]
        return np.broadcast_to(np.array(found), (len(found), len(self.outputs)))

    def exchanged(self, swaps: Array) -> Exchanged:
        """The function on the exchanged outputs; a standard error of each would cost a hundred times as much."""
        a, b = self.outputs[:2]
        found = []
        for row in swaps:
            turned = row[self.unit].astype(bool).reshape(-1, *[1] * (a.ndim - 1))
            first, second = np.where(turned, b, a), np.where(turned, a, b)
            found.append(self.metric.value(self.truth, first) - self.metric.value(self.truth, second))
        return Exchanged(differences=np.array(found), standard_errors=None)

    def _of_rows(self, rows: Integers) -> Array:
        truth = self.truth.take(rows)
        # of one model beside itself the function is asked once
        outputs = self.outputs if len(self.outputs) > 2 or self.differ.any() else self.outputs[:1]
        try:
            return np.array([self.metric.value(truth, output[rows]) for output in outputs])
        except InvalidInput:  # a resample without one of the classes, say
            return np.full(len(outputs), np.nan)


def function_statistic(
    metric: FunctionMetric, truth: Truth, outputs: Sequence[Output], groups: Integers | None
) -> FunctionStatistic:
    """The metric of the models' outputs, over items or over clusters of items."""
    n = len(truth)
    order = canonical_order(truth, outputs, groups)
    truth, outputs = truth.take(order), tuple(output[order] for output in outputs)
    unit = np.arange(n) if groups is None else groups[order]
    units = int(unit.max()) + 1
    values = np.array([metric.value(truth, output) for output in outputs])
    differs = (outputs[0] != outputs[1 % len(outputs)]).reshape(n, -1).any(axis=1)
    # the effect of each unit, from leaving it out; of many units, from leaving out random parts of them. Units of
    # one part share its effect alike, scaled so that the variance of the sum is that of the parts
    parts = min(units, LEFT_OUT)
    dealt = stream(0, "jackknife").permutation(np.arange(units) % parts) if parts < units else np.arange(units)
    without = np.empty((len(outputs), parts))
    for part in range(parts):
        rows = np.flatnonzero(dealt[unit] != part)
        taken = truth.take(rows)
        without[:, part] = [metric.value(taken, output[rows]) for output in outputs]
    effect = -(parts - 1) / parts * (without - without.mean(axis=1, keepdims=True))
    # a part of m units that share its effect e has m·(e/√m)² = e² in the sum of squares
    return FunctionStatistic(
        metric=metric, truth=truth, outputs=outputs, unit=unit, counts=np.ones(units), values=values,
        effects=np.asarray(effect[:, dealt] / np.sqrt(np.bincount(dealt, minlength=parts))[dealt]),
        sizes=None if groups is None else np.bincount(unit, minlength=units).astype(np.float64),
        differ=np.bincount(unit, weights=differs, minlength=units) > 0, draws=DRAWS,
    )  # fmt: skip


# ---- A metric of several models' outputs, in the form that suits its class.


def measure(metric: Metric, truth: Truth, outputs: Sequence[Output], groups: Integers | None = None) -> Statistic:
    """The metric of each model, ready to be resampled over items or clusters, and exchanged between the first two.

    `groups` numbers the cluster of each item from 0; None where items are independent.

    >>> import numpy as np
    >>> from foldwise.metrics.catalogue import known_metric
    >>> truth = Truth(values=np.array([0, 1, 1, 0]), classes=("no", "yes"), positive=1)
    >>> measure(known_metric("recall"), truth, [np.array([0, 1, 0, 0]), np.array([1, 1, 1, 1])]).values.tolist()
    [0.5, 1.0]
    """
    if isinstance(metric, SumMetric):
        return sum_statistic(metric, truth, outputs, groups)
    if isinstance(metric, WeightMetric):
        return weight_statistic(metric, truth, outputs, groups)
    if isinstance(metric, FunctionMetric):
        return function_statistic(metric, truth, outputs, groups)
    raise TypeError(f"metrics of class {type(metric).__name__} have no statistic")
