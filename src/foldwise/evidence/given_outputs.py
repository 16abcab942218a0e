"""What is true of each item and what models said of it, read as people give it, in the form that each metric needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.categories import Categories
from foldwise.core.errors import InvalidInput
from foldwise.core.labels import categories, check_alike, distinct_labels, number_of
from foldwise.core.types import Array, Integers, Labels
from foldwise.core.validation import moderate, numbers, unmasked
from foldwise.metrics.function import FunctionMetric
from foldwise.metrics.metric import POSITIVE, Metric, Needs, Output, Truth
from foldwise.metrics.ranking import Auc

UNTOLD = 0.5  # The probability from which an item is taken for positive, where no other is given.
NEARLY = 0.01  # By how much probabilities may miss a sum of 1: they are often written with two digits.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GivenOutputs:
    """The truth, and what each model said.

    >>> given = GivenOutputs.of_classes(["no", "yes"], {"pred_a": [0.2, 0.9], "pred_b": [0.6, 0.7]})
    >>> [output.tolist() for output in given.labels()]
    [[0, 1], [1, 1]]
    """

    #: What is true of each item; its classes are those of the truth, in order, and then others that a model says
    truth: Truth
    columns: tuple[Column, ...]  #: One per model
    #: The score from which an item is taken for positive, where labels are asked of scores; None where nobody said
    threshold: float | None = None
    true_classes: int = 0  #: How many of the classes occur in the truth, or have a column of their own

    @classmethod
    def of_classes(
        cls, truth: ArrayLike | Categories, outputs: Mapping[str, ArrayLike | Categories], *, positive: object = None,
        classes: Sequence[Any] | None = None, threshold: float | None = None,
    ) -> GivenOutputs:  # fmt: skip
        """Read the outputs of classifiers, by the names that messages give them.

        An output is labels, a score of the positive class, or a score of each class; `classes` says which class each
        column is about (in order without it), and from `threshold` on a score is taken for positive. Without `positive`
        it is the class that is called 1, true, yes or positive.
        """
        given = read_classes(truth, positive=positive, classes=classes)
        known = frozenset(given.classes)
        columns = tuple(read_column(values, name, known) for name, values in outputs.items())
        for column in columns:
            if len(column) != len(given):
                raise InvalidInput(f"{column.name} must be as long as truth ({len(given)}), got {len(column)}")
        cut = None if threshold is None else float(numbers(threshold, "threshold"))
        return cls(truth=given, columns=columns, threshold=cut, true_classes=len(given.classes))

    @classmethod
    def of_numbers(
        cls, truth: ArrayLike | Categories, outputs: Mapping[str, ArrayLike | Categories], *,
        levels: Sequence[Any] | None = None,
    ) -> GivenOutputs:  # fmt: skip
        """Read the outputs of regression models, by the names that messages give them; `levels` of quantiles."""
        numbers = read_column(truth, "truth", frozenset()).matrix
        columns = tuple(read_column(values, name, frozenset()) for name, values in outputs.items())
        of = _levels(levels or ())
        shapes = (numbers.shape, (len(numbers), len(of))) if of else (numbers.shape,)
        for column in columns:
            if column.matrix.shape not in shapes:
                rule = f"or {len(of)}, one for each level of classes, " if of else ""
                raise InvalidInput(
                    f"{column.name} must be one number per item, {rule}shape {numbers.shape}, got {column.matrix.shape}"
                )
        return cls(truth=Truth(values=numbers, levels=of), columns=columns)

    def suited(self, metric: Metric) -> tuple[Metric, Truth, list[Output]]:
        """The metric, the truth and the outputs in the form that it needs."""
        self._check_classes(metric)
        if metric.needs is Needs.ANY:
            return self._as_given(metric)
        if metric.needs is Needs.LABELS:
            outputs: list[Output] = self.labels(metric.name)
            return metric, self._with_strangers(), outputs
        return metric, self.truth, [self._numbers(column, metric) for column in self.columns]

    def labels(self, metric: str = "accuracy") -> list[Integers]:
        """The label of each item as a number of its class, model by model."""
        said = {column.name: set(column.labels or ()) for column in self.columns if self._as_labels(column)}
        check_alike(len(self.truth), set(self.truth.classes[: self.true_classes]), said)
        return [self._labels(column, metric) for column in self.columns]

    @property
    def scored(self) -> bool:
        """Whether labels are made of scores by a threshold."""
        by_class = self.threshold is None or self.true_classes != 2
        return any(not self._as_labels(column) and not (column.by_class and by_class) for column in self.columns)

    def unseen(self) -> tuple[int, ...]:
        """Of each model, how many labels never occur in the truth; none where it gives scores."""
        return tuple(
            int((self._codes(column) >= self.true_classes).sum()) if self._as_labels(column) else 0
            for column in self.columns
        )

    # labels

    def _as_labels(self, column: Column) -> bool:
        return column.labels is not None and (self.threshold is None or column.numbers is None)

    def _labels(self, column: Column, metric: str) -> Integers:
        if self._as_labels(column):
            return self._codes(column)
        if column.by_class and (self.threshold is None or self.true_classes != 2):
            return np.asarray(self._by_class(column, metric).argmax(axis=1))
        if self.true_classes != 2:
            raise InvalidInput(
                f"{column.name} must be labels, or have a number for each class, where truth has {self.true_classes} "
                "classes, got one number per item"
            )
        scores, positive = self._score(column, metric), self._positive_code(metric)
        if self.threshold is None and (scores.min() < 0 or scores.max() > 1):
            raise InvalidInput(
                f"threshold (--threshold) must say from which score on an item is positive, because {column.name} "
                f"holds no probabilities: it goes from {scores.min():g} to {scores.max():g}"
            )
        return np.where(scores >= (UNTOLD if self.threshold is None else self.threshold), positive, 1 - positive)

    def _codes(self, column: Column) -> Integers:
        place = {label: i for i, label in enumerate(self._with_strangers().classes)}
        of_label = np.array([place[label] for label in column.labels or ()], dtype=np.int64)
        return np.asarray(of_label[column.codes])

    def _with_strangers(self) -> Truth:
        """The truth with the labels among its classes that only a model says."""
        said = [set(column.labels or ()) for column in self.columns if self._as_labels(column)]
        strange = set().union(*said) - set(self.truth.classes)
        return replace(self.truth, classes=(*self.truth.classes, *in_order(list(strange))))

    # scores

    def _numbers(self, column: Column, metric: Metric) -> Array:
        if metric.needs is Needs.SCORES:
            return self._score(column, metric.name)
        if metric.needs is Needs.PROBABILITIES:
            return self._probabilities(column, metric.name)
        if metric.needs is Needs.CLASS_SCORES:
            return self._class_scores(column, metric.name)
        return self._quantiles(column, metric)

    def _quantiles(self, column: Column, metric: Metric) -> Array:
        """Forecasts of all quantiles; of a metric of one number the median among them."""
        levels, found = self.truth.levels, column.matrix
        if metric.needs is Needs.QUANTILES and found.ndim == 1:
            raise InvalidInput(
                f"{column.name} must be forecasts of quantiles for metric {metric.name!r}: columns model:0.1, "
                "model:0.5 …, or an array (items, levels) with options=fw.Options(classes=[0.1, 0.5, …])"
            )
        if metric.needs is Needs.QUANTILES or found.ndim == 1:
            return found
        if 0.5 not in levels:
            raise InvalidInput(
                f"{column.name} must have the median among its quantiles for metric {metric.name!r}, got levels "
                f"{', '.join(f'{level:g}' for level in levels)}"
            )
        return np.asarray(found[:, levels.index(0.5)])

    def _score(self, column: Column, metric: str) -> Array:
        positive = self._positive_code(metric)
        return self._by_class(column, metric)[:, positive] if column.by_class else _told(column, metric)

    def _probabilities(self, column: Column, metric: str) -> Array:
        if column.by_class:
            found = self._by_class(column, metric)
        else:
            score = self._score(column, metric)
            self._two_classes(column, metric)
            _within(column, score[:, None])
            found = np.stack([1 - score, score][:: 1 if self._positive_code(metric) == 1 else -1], axis=1)
        _within(column, found)
        sums = found.sum(axis=1)
        if (np.abs(sums - 1) > NEARLY).any():
            row = int(np.argmax(np.abs(sums - 1)))
            raise InvalidInput(
                f"{column.name} must be probabilities that sum to 1 over the classes, but those of item {row} sum to "
                f"{sums[row]:g}"
            )
        return found

    def _class_scores(self, column: Column, metric: str) -> Array:
        if column.by_class:
            return self._by_class(column, metric)
        score = self._score(column, metric)
        self._two_classes(column, metric)
        return np.stack([-score, score][:: 1 if self._positive_code(metric) == 1 else -1], axis=1)

    def _by_class(self, column: Column, metric: str) -> Array:
        k = len(self.truth.classes)
        if column.matrix.shape[1] != k:
            raise InvalidInput(
                f"{column.name} must have one column for each of the {k} classes ({some(self.truth.classes)}) for "
                f"metric {metric!r}, got {column.matrix.shape[1]}: name the columns by classes"
            )
        return column.matrix

    def _two_classes(self, column: Column, metric: str) -> None:
        if len(self.truth.classes) != 2:
            raise InvalidInput(
                f"{column.name} must have one column for each of the {len(self.truth.classes)} classes for metric "
                f"{metric!r}, got one number per item"
            )

    def _as_given(self, metric: Metric) -> tuple[Metric, Truth, list[Output]]:
        """Numbers where all models have them and they are no labels, else labels."""
        if all(column.labels is None or not self.truth.classes for column in self.columns):
            return metric, self.truth, [column.matrix for column in self.columns]
        told = replace(metric, labels=True) if isinstance(metric, FunctionMetric) else metric
        outputs: list[Output] = self.labels(metric.name)
        return told, self._with_strangers(), outputs

    # the truth

    def _check_classes(self, metric: Metric) -> None:
        if not self.truth.classes:
            return
        counts = np.bincount(self.truth.codes, minlength=len(self.truth.classes))
        by_order = isinstance(metric, Auc) or metric.needs is Needs.SCORES
        if by_order and (len(self.truth.classes) < 2 or (counts == len(self.truth)).any()):
            only = self.truth.classes[int(np.argmax(counts))]
            raise InvalidInput(f"truth must hold at least two classes for metric {metric.name!r}, but all are {only!r}")
        if metric.one_class:
            self._positive_code(metric.name)
        if isinstance(metric, Auc) and metric.scheme != "binary" and not counts.all():
            absent = self.truth.classes[int(np.argmin(counts))]
            raise InvalidInput(f"truth must hold every class for metric {metric.name!r}, but {absent!r} never occurs")

    def _positive_code(self, metric: str) -> int:
        if self.truth.positive is None:
            raise InvalidInput(
                f"positive (--positive) must name the class that metric {metric!r} is about, one of "
                f"{some(self.truth.classes)}"
            )
        return self.truth.positive


def _levels(given: Sequence[Any]) -> tuple[float, ...]:
    levels = tuple(float(numbers(one, "classes")) for one in given)
    if any(not 0 < level < 1 for level in levels) or len(set(levels)) < len(levels):
        raise InvalidInput(f"classes must be the levels of the quantiles, different ones between 0 and 1, got {given}")
    return levels


def _within(column: Column, found: Array) -> None:
    outside = (found < 0) | (found > 1)
    if outside.any():
        row = int(np.argmax(outside.any(axis=1)))
        value = found[row][outside[row]][0]
        raise InvalidInput(f"{column.name} must be probabilities from 0 to 1, but holds {value:g} for item {row}")


def _told(column: Column, metric: str) -> Array:
    if column.numbers is None:
        raise InvalidInput(
            f"{column.name} must be scores or probabilities for metric {metric!r}, but holds labels such as "
            f"{column.shown}"
        )
    return column.numbers


# ---- Columns as people give them: labels, or numbers, perhaps by class.


def read_classes(
    truth: ArrayLike | Categories, *, positive: object = None, classes: Sequence[Any] | None = None
) -> Truth:
    """The class of each item, as a number of the classes in order.

    Without `positive` it is the one of two that is called 1, true, yes or positive; `classes` gives another order.

    >>> truth = read_classes(["yes", "no", "yes"])
    >>> truth.classes, truth.codes.tolist(), truth.positive
    (('no', 'yes'), [1, 0, 1], 1)
    """
    distinct, codes = distinct_labels(categories(truth, "truth"))
    ordered = in_order(distinct) if classes is None else _given_classes(classes, frozenset(distinct))
    place = {label: i for i, label in enumerate(ordered)}
    values = np.array([place[label] for label in distinct])[codes]
    return Truth(values=values, classes=tuple(ordered), positive=_positive(positive, distinct, place))


def in_order(labels: Sequence[Any]) -> list[Any]:
    """Labels as they sort, or as their text sorts where they do not.

    >>> in_order(["b", "a"]), in_order([2, "a"])
    (['a', 'b'], [2, 'a'])
    """
    try:
        return sorted(labels)
    except TypeError:
        return sorted(labels, key=str)


def _given_classes(classes: Sequence[Any], known: frozenset[Any]) -> list[Any]:
    named = list(classes)
    missing = sorted(map(str, known - set(named)))
    if missing or len(set(named)) < len(named):
        rule = f"but {missing[0]!r} is missing" if missing else "each once"
        raise InvalidInput(f"classes must name every class of truth, {rule}; got {some(named)}")
    return named


def _positive(positive: object, distinct: Sequence[Any], place: Mapping[Any, int]) -> int | None:
    """Number of the positive class: the one that is named, or the one whose name says so."""
    if positive is not None:
        if positive not in distinct:
            known = some(in_order(distinct))
            raise InvalidInput(f"positive must be a class that occurs in truth ({known}), got {positive!r}")
        return place[positive]
    words = {_word(label): label for label in place}
    told = next((pair[1] for pair in POSITIVE if set(pair) == set(words)), None)
    return None if told is None or words[told] not in distinct else place[words[told]]


def _word(label: object) -> str:
    value = number_of(label)
    return str(int(value)) if value is not None and value == int(value) else str(label).strip().lower()


def some(labels: Sequence[Any]) -> str:
    """The first labels, for a message.

    >>> some(["a", 1])
    "'a', 1"
    """
    return ", ".join(map(repr, labels[:4])) + (" …" if len(labels) > 4 else "")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Column:
    """One model's outputs, in every form they can be taken for."""

    name: str  #: What messages call it
    numbers: Array | None  #: Its numbers, shape (items,) or (items, classes); None where it has none
    #: labels, codes: Its different labels, and per item the number of its label; None where they are numbers that can't
    #: be labels
    labels: Sequence[Any] | None = None
    codes: Integers | None = None

    def __len__(self) -> int:
        return len(self.codes) if self.codes is not None else len(self.matrix)

    @property
    def by_class(self) -> bool:
        return self.numbers is not None and self.numbers.ndim == 2

    @property
    def shown(self) -> str:
        return next((str(label) for label in self.labels or () if number_of(label) is None), "none")

    @property
    def matrix(self) -> Array:
        if self.numbers is None:
            raise InvalidInput(f"{self.name} must be numbers, but holds labels such as {self.shown}")
        return self.numbers


def read_column(values: ArrayLike | Categories | Sequence[Any], name: str, known: frozenset[Any]) -> Column:
    """The outputs of one model.

    Numbers that are not among the `known` labels of the truth, and not whole, are no labels.

    >>> column = read_column([0.2, 0.9], "pred_a", frozenset({0, 1}))
    >>> column.labels is None, column.numbers.tolist()
    (True, [0.2, 0.9])
    """
    if isinstance(values, Categories):
        return _of_text(values, name, known)
    unmasked(values, name)
    array = np.asarray(values)
    if array.ndim == 2 and array.shape[1] > 1 and array.dtype.kind in "fiu":
        return Column(name=name, numbers=_moderate(array, name))
    if array.dtype.kind in "fiub" and array.ndim == 1 and array.size:
        found = _moderate(array, name)
        whole = array.dtype.kind != "f" or bool((found == np.floor(found)).all()) or _all_known(array, known)
        return _labelled(array, name, found) if whole else Column(name=name, numbers=found)
    given = categories(values, name)
    if isinstance(given, np.ndarray) and all(isinstance(value, str) for value in given.tolist()):
        return _of_text(Categories.of(given.tolist()), name, known)
    return _labelled(given, name, None)


def _all_known(array: Labels, known: frozenset[Any]) -> bool:
    """Whether all are labels of the truth; of a million scores the first ones tell that they are not."""
    return known.issuperset(array[:1000].tolist()) and known.issuperset(array.tolist())


def _labelled(given: Labels | Categories, name: str, found: Array | None) -> Column:
    labels, codes = distinct_labels(given)
    return Column(name=name, numbers=found, labels=labels, codes=codes)


def _of_text(column: Categories, name: str, known: frozenset[Any]) -> Column:
    """Text of which all are numbers may be numbers; if one is not whole and not a label, it is nothing else."""
    values = [number_of(label) for label in column.labels]
    found = [value for value in values if value is not None]
    if len(found) < len(values):
        return _labelled(column, name, None)
    broken = any(value != int(value) for value in found) and not set(column.labels) <= known
    numeric = _moderate(np.array(found), name)[column.codes]
    return Column(name=name, numbers=numeric) if broken else _labelled(column, name, numeric)


def _moderate(array: Labels, name: str) -> Array:
    found = numbers(array, name)
    moderate(found, name)
    return found
