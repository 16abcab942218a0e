"""The classes of the truth, their order, and the positive one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.categories import Categories
from foldwise.core.errors import InvalidInput
from foldwise.evidence.labels import categories, distinct_labels, number_of
from foldwise.metrics.metric import POSITIVE, Truth

__all__ = ["in_order", "read_classes", "some"]


def read_classes(
    y_true: ArrayLike | Categories, *, positive: object = None, classes: Sequence[Any] | None = None
) -> Truth:
    """The class of each item, as a number of the classes in order.

    Parameters
    ----------
    y_true
        True labels.
    positive
        The positive class; without it the one of two that is called 1, true, yes or positive.
    classes
        The classes in another order than their own, perhaps with some that never occur.

    Examples
    --------
    >>> truth = read_classes(["yes", "no", "yes"])
    >>> truth.classes, truth.codes.tolist(), truth.positive
    (('no', 'yes'), [1, 0, 1], 1)
    """
    distinct, codes = distinct_labels(categories(y_true, "y_true"))
    ordered = in_order(distinct) if classes is None else _given_classes(classes, frozenset(distinct))
    place = {label: i for i, label in enumerate(ordered)}
    values = np.array([place[label] for label in distinct])[codes]
    return Truth(values=values, classes=tuple(ordered), positive=_positive(positive, distinct, place))


def in_order(labels: Sequence[Any]) -> list[Any]:
    """Labels as they sort, or as their text sorts where they do not.

    Examples
    --------
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
        raise InvalidInput(f"classes must name every class of y_true, {rule}; got {some(named)}")
    return named


def _positive(positive: object, distinct: Sequence[Any], place: Mapping[Any, int]) -> int | None:
    """Number of the positive class: the one that is named, or the one whose name says so."""
    if positive is not None:
        if positive not in distinct:
            known = some(in_order(distinct))
            raise InvalidInput(f"positive must be a class that occurs in y_true ({known}), got {positive!r}")
        return place[positive]
    words = {_word(label): label for label in place}
    told = next((pair[1] for pair in POSITIVE if set(pair) == set(words)), None)
    return None if told is None or words[told] not in distinct else place[words[told]]


def _word(label: object) -> str:
    value = number_of(label)
    return str(int(value)) if value is not None and value == int(value) else str(label).strip().lower()


def some(labels: Sequence[Any]) -> str:
    """The first labels, for a message.

    Examples
    --------
    >>> some(["a", 1])
    "'a', 1"
    """
    return ", ".join(map(repr, labels[:4])) + (" …" if len(labels) > 4 else "")
