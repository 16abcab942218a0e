"""What every metric has, and metrics that are functions of a few sums over items, which is all they need of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from foldwise.core.errors import InvalidInput
from foldwise.core.metric import direction_words
from foldwise.core.types import Array, Flags, Integers

# ---- What is true of each item: a class, or a number.

POSITIVE = (("0", "1"), ("-1", "1"), ("false", "true"), ("no", "yes"), ("n", "y"), ("negative", "positive"),
            ("neg", "pos"), ("absent", "present"))  # fmt: skip
"""Pairs of labels of which the second is the positive one, in lower case."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Truth:
    """The truth about the items of one test set, checked and coded.

    >>> truth = Truth(values=np.array([0, 1, 1]), classes=("no", "yes"), positive=1)
    >>> truth.is_positive.tolist(), len(truth)
    ([False, True, True], 3)
    """

    values: NDArray[Any]  #: Per item the number of its class, or for regression the number itself
    #: The labels, which the numbers of classes count; empty for regression. Labels that only a model says are among
    #: them, so that their outputs have a number too
    classes: tuple[Any, ...] = ()
    levels: tuple[float, ...] = ()  #: Of forecasts of quantiles the level of each column
    positive: int | None = None  #: Number of the class that metrics of one class are about, None where there is none

    def __len__(self) -> int:
        return len(self.values)

    @property
    def codes(self) -> Integers:
        """Number of the class of each item."""
        return self.values.astype(np.int64, copy=False)

    @property
    def numbers(self) -> Array:
        return self.values.astype(np.float64, copy=False)

    @property
    def is_positive(self) -> Flags:
        return np.asarray(self.values == self.positive_code)

    @property
    def positive_code(self) -> int:
        if self.positive is None and len(self.classes) < 2:
            raise InvalidInput(f"truth must hold two classes, got only {str(self.classes[0])!r}")
        if self.positive is None:
            raise InvalidInput(
                "positive (--positive) must name the class that the metric is about, one of "
                f"{', '.join(repr(str(one)) for one in self.classes)}"
            )
        return self.positive

    def take(self, index: NDArray[Any]) -> Truth:
        """The truth about some of the items, in this order, however often each."""
        return replace(self, values=self.values[index])

    def twice(self) -> Truth:
        """The truth about all items, and about all of them once more."""
        return replace(self, values=np.concatenate([self.values] * 2))


Output = NDArray[Any]
"""What one model said of each item: numbers of classes, scores, probabilities by class, or numbers."""

Bounds = tuple[float | None, float | None]
"""The least and the greatest value there can be; None where there is no limit."""


class Needs(Enum):
    """What of a model's outputs a metric is computed from, in words for people to read."""

    LABELS = "predicted labels"
    SCORES = "scores of the positive class"
    PROBABILITIES = "probabilities of the classes"
    CLASS_SCORES = "scores of each class"
    NUMBERS = "predicted numbers"
    QUANTILES = "forecasts of quantiles, a column each"
    RISKS = "risk scores, beside the time and event of each item"
    COUNTS = "counts of each item"
    ANY = "outputs of any kind, as they are given"


NUMERIC = (Needs.NUMBERS, Needs.QUANTILES, Needs.RISKS)  # What is computed beside a truth of numbers, not classes.


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric(ABC):
    """One metric; what it is computed from decides its class, and with it how it is resampled."""

    name: str  #: As scikit-learn spells it, where scikit-learn has it; a loss goes by its own name, without ``neg_``
    needs: Needs  #: What it is computed from
    higher_is_better: bool = True  #: False for losses
    bounds: Bounds = (0.0, 1.0)  #: What it can be
    one_class: bool = False  #: Whether it is about one class, the positive one

    @abstractmethod
    def value(self, truth: Truth, output: Output) -> float:
        """The metric of one model on all items."""

    def by_item(self, truth: Truth, output: Output) -> Array | None:
        """What each item adds to the metric, to first order: their mean is the metric. None where nobody knows."""
        return None

    def parts(self, truth: Truth) -> tuple[Any, ...]:
        """What the columns of an output with several are about."""
        return truth.classes

    def decisive(self, truth: Truth) -> Flags | None:
        """The items of which the metric is the share that is told from the others rightly; None where it is no share.

        Recall is the accuracy of the positive items, specificity that of the others.
        """
        return None

    def __str__(self) -> str:
        return direction_words(self.name, self.higher_is_better)


# ---- Functions of sums over items: means, moments, the margins of a confusion matrix. However items are weighted,
# resampled or exchanged between models, such a metric needs their sums only.

Inexact: TypeAlias = NDArray[Any]  # An array of float64, or of complex128 while it is differentiated.

STEP = 1e-30  # Imaginary step of `complex_step`: nothing is subtracted, so that it can be as small as one likes.


@dataclass(frozen=True, slots=True, kw_only=True)
class SumMetric(Metric):
    """A metric that depends on the items through k sums."""

    @abstractmethod
    def contributions(self, truth: Truth, output: Output) -> Array:
        """What each item adds to the sums, of shape (items, k)."""

    @abstractmethod
    def of_sums(self, sums: Inexact, truth: Truth) -> Inexact:
        """The metric from sums of shape (…, k); of all items only `truth.classes` and `truth.positive` count.

        Twice the sums are the same metric. Real and complex sums are taken.
        """

    def gradient(self, sums: Array, truth: Truth) -> Array:
        """Derivative by each of the k sums, of shape (…, k)."""
        columns = []
        for place in range(sums.shape[-1]):
            step = np.zeros(sums.shape[-1], dtype=np.complex128)
            step[place] = 1j * STEP
            columns.append(self.of_sums(sums + step, truth).imag / STEP)
        return np.stack(columns, axis=-1)

    def by_item(self, truth: Truth, output: Output) -> Array | None:
        x = self.contributions(truth, output)
        sums = np.asarray(x.sum(axis=0))
        dense = x.toarray() if hasattr(x, "toarray") else x  # sums of many classes are sparse
        return pseudo_values(float(self.of_sums(sums, truth)), np.asarray(self.of_sums(sums - dense, truth)), truth)

    def value(self, truth: Truth, output: Output) -> float:
        return float(self.of_sums(self.contributions(truth, output).sum(axis=0), truth))


def pseudo_values(whole: float, without: Array, truth: Truth) -> Array:
    """The jackknife's pseudo-values, moved to have the metric as their mean, from the metric without each item.

    The only item of its class is no different from the mean: without it many metrics are not defined.

    >>> truth = Truth(values=np.array([0.0, 1.0, 5.0]))
    >>> pseudo_values(2.0, np.array([3.0, 2.5, 0.5]), truth).tolist()  # of the mean the items themselves
    [0.0, 1.0, 5.0]
    """
    n = len(truth)
    if truth.classes:
        without = np.where(np.bincount(truth.codes)[truth.codes] == 1, whole, without)
    return np.asarray(whole - (n - 1) * (without - without.mean()))


def ratio(above: Inexact, below: Inexact) -> Inexact:
    """Quotient, 0 where the denominator is 0: scikit-learn's value of what is undefined.

    >>> ratio(np.array([1.0, 1.0]), np.array([2.0, 0.0])).tolist()
    [0.5, 0.0]
    """
    some = below.real != 0
    return np.where(some, above / np.where(some, below, 1), 0)


def complex_step(derivative: Inexact) -> Array:
    """Derivative from a value that was computed with an imaginary step of `STEP`."""
    return np.asarray(derivative.imag / STEP)
