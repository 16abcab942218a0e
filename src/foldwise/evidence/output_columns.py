"""What is true of each item and what models said of it, as people give it: labels, or numbers, perhaps by class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.categories import Categories
from foldwise.core.errors import InvalidInput
from foldwise.core.labels import categories, distinct_labels, number_of
from foldwise.core.types import Array, Integers, Labels
from foldwise.core.validation import moderate, numbers, unmasked
from foldwise.metrics.metric import POSITIVE, Truth


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
