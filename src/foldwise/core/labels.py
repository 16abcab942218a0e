"""Labels as people give them: checked, so that nothing else is taken for them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foldwise.core.categories import RIGHT, WRONG, Categories
from foldwise.core.decimals import without_thousands
from foldwise.core.decisions import Decision
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Integers, Labels
from foldwise.core.validation import unmasked

WIDE = 1_000_000  # Span of whole numbers up to which labels are counted in an array.


def categories(values: ArrayLike | Categories, name: str) -> Labels | Categories:
    """As `labels`, but labels that are numbers of the different ones already stay so."""
    return values if isinstance(values, Categories) and len(values) else labels(values, name)


def labels(values: ArrayLike | Categories, name: str) -> Labels:
    """One label per example; missing ones, also those under a mask, are refused.

    >>> labels(["yes", "no"], "truth").tolist()
    ['yes', 'no']
    """
    if isinstance(values, list) and set(map(type, values)) == {str}:
        return np.array(values, dtype=object)  # the texts as they are: copies of millions take gigabytes
    unmasked(values, name)
    array = np.asarray(values)
    if array.ndim == 2 and array.shape[1] > 1 and array.dtype.kind == "f":
        raise InvalidInput(
            f"{name} must be one label per example, got shape {array.shape}: of probabilities take the most probable "
            "class (argmax) first"
        )
    if array.ndim != 1 or array.size == 0:
        raise InvalidInput(f"{name} must be a non-empty list of labels, got shape {array.shape}")
    missing = np.array([] if array.dtype.kind in "USbiu" else list(map(is_none, array.tolist())))
    if missing.any():
        raise InvalidInput(f"{name} must not have missing labels, but {name}[{int(np.argmax(missing))}] is missing")
    return array


def coded(*columns: Labels | Categories) -> tuple[list[Any], list[NDArray[np.int32]]]:
    """The different labels of all columns, and each column as numbers of them: equal labels have equal numbers.

    Equality is Python's, by value; text and numbers never match, which NumPy alone would decide by dtype.

    >>> distinct, (a, b) = coded(np.array([1, 2]), np.array(["1", 2.0], dtype=object))
    >>> len(distinct), (a == b).tolist()
    (3, [False, True])
    """
    parts = [distinct_labels(column) for column in columns]
    distinct = list(set().union(*(labels for labels, _ in parts)))
    number = {label: i for i, label in enumerate(distinct)}
    places = [np.fromiter(map(number.__getitem__, labels), np.int32, len(labels)) for labels, _ in parts]
    return distinct, [place[codes] for place, (_, codes) in zip(places, parts, strict=True)]


def distinct_labels(column: Labels | Categories) -> tuple[Sequence[Any], Integers]:
    """The different labels of one column, and for each example the number of its label.

    >>> distinct_labels(np.array([7, 5, 7]))
    ([5, 7], array([1, 0, 1]))
    """
    if isinstance(column, Categories):
        return column.labels, column.codes.astype(np.int64, copy=False)
    if column.dtype.kind in "iu" and len(column) and int(column.max()) - int(column.min()) < WIDE:
        # whole numbers close to each other are counted, not looked up one by one
        offset = column.astype(np.int64) - int(column.min())
        there = np.flatnonzero(np.bincount(offset))
        place = np.empty(int(offset.max()) + 1, dtype=np.int64)
        place[there] = np.arange(len(there))
        return (there + int(column.min())).tolist(), place[offset]
    values = column.tolist()
    labels = list(dict.fromkeys(values))
    number = {label: i for i, label in enumerate(labels)}
    return labels, np.fromiter(map(number.__getitem__, values), np.int64, len(values))


def group_index(groups: Labels | Categories) -> Integers:
    """The cluster of each example or item as a number, at least two clusters.

    >>> group_index(np.array(["p", "q", "p"])).tolist()
    [0, 1, 0]
    """
    if isinstance(groups, Categories):
        index = groups.index()
    else:
        index = np.unique(groups, return_inverse=True)[1].astype(np.int64)
    if index.max() == 0:
        raise InvalidInput("groups must name at least two clusters, got one: nothing is known about how clusters vary")
    return index


def check_alike(n: int, known: set[Any], predicted: Mapping[str, set[Any]]) -> None:
    """Refuse what is no prediction of these labels: numbers, probabilities, another coding, marks.

    `predicted` has the labels of each classifier by the name that messages give it.
    """
    broken = [label for label in known if _broken(label)]
    # open answers may be numbers too, most of them whole
    if len(known) > max(2, n / 2) and len(broken) > len(known) / 2:
        raise InvalidInput(
            f"truth must be class labels, but holds {len(known)} different numbers such as {broken[0]}: compare "
            "numeric predictions by a metric of numbers (metric='rmse', --metric rmse)"
        )
    for name, distinct in predicted.items():
        _refuse_numbers(name, distinct, known)
        refuse_other_coding(n, name, distinct, known)
    said: set[object] = set().union(*predicted.values())
    words, true_words = ({str(label).lower() for label in part} for part in (said, known))
    if len(known) == 1 and true_words <= RIGHT and words <= RIGHT | WRONG and words & WRONG:
        raise InvalidInput(
            f"truth is {next(iter(known))} for every example, so that the predictions ({_some(said)}) look like "
            "marks for right and wrong, not like labels: give them to compare_predictions(None, …) (foldwise "
            "predictions --truth none)"
        )


def _refuse_numbers(name: str, distinct: set[object], known: set[object]) -> None:
    strange = sorted(filter(_broken, distinct - known), key=str)
    values = [number_of(label) for label in distinct]
    numeric = [value for value in values if value is not None]
    if not strange or len(numeric) < len(values):
        return
    # one odd number among many labels is a wrong answer; probabilities of 0 and 1 are no labels whatever else there is
    if len(strange) > len(distinct) / 2 or all(0 <= value <= 1 for value in numeric):
        raise InvalidInput(
            f"{name} must be predicted labels, but holds numbers such as {strange[0]} that never occur in truth: turn "
            "probabilities into labels first (the most probable class, or a threshold: --threshold 0.5), or compare "
            "them by a metric of scores (metric='roc_auc', --metric roc_auc)"
        )


def refuse_other_coding(n: int, name: str, distinct: set[Any], known: set[Any]) -> None:
    """Refuse labels that are the classes of the truth written in another way: ``yes`` for ``Yes``, 0 for 1."""
    strange = distinct - known
    written = Counter(map(plain_label, known))
    alike = {plain_label(label): label for label in known if written[plain_label(label)] == 1}
    twin = next((label for label in sorted(strange, key=str) if plain_label(label) in alike), None)
    if twin is not None:
        raise InvalidInput(
            f"{name} must be labels written as in truth, but holds {twin!r} where truth has "
            f"{alike[plain_label(twin)]!r}: write them alike, or, if it is a wrong answer, give marks of right and "
            "wrong (--truth none)"
        )
    numbers, true_numbers = ({number_of(label) for label in part} for part in (distinct, known))
    of_numbers = None not in numbers | true_numbers
    few = 1 < len(known) <= n / 4 and len(distinct) > 1
    shifted = (
        of_numbers and len(numbers) == len(true_numbers) and len(known) < n / 2 and _shifted(numbers, true_numbers)
    )
    halved = of_numbers and few and len(known) == 2 and 0 < len(strange) == len(distinct) / 2
    disjoint = len(strange) == len(distinct) and (few or None in numbers ^ true_numbers)
    if strange and (disjoint or shifted or halved):
        share = "none of its labels" if disjoint else "its labels"
        raise InvalidInput(
            f"{name} must be labels written as in truth ({_some(known)}), but {share} ({_some(distinct)}) "
            f"{'is one of them' if disjoint else 'are others'}"
        )


def plain_label(label: object) -> str:
    """A label without case, blanks around it and the way in which a number is written.

    >>> plain_label("Q1"), plain_label(" 1.0 ")
    ('q1', '1')
    """
    number = number_of(label)
    return f"{number:.15g}" if number is not None else " ".join(str(label).split()).casefold()


def _shifted(numbers: set[Any], others: set[Any]) -> bool:
    """Whether the one are the others and a number, the same for all: classes counted from 0 and from 1."""
    return len({a - b for a, b in zip(sorted(numbers), sorted(others), strict=True)}) == 1


MANY = 20  # Different numbers from which on a truth may be ages or counts, not classes.

MIRRORED = 4  # Standard errors below what chance gives, from which on two labels may be exchanged.


def numbers_or_labels(truth: Labels | Categories, said: Mapping[str, Labels | Categories]) -> Decision | None:
    """What numbers of many values are where nobody named a metric: labels, if a model mostly says one of them.

    Numbers such as ages, which models miss by a little, are refused. Class numbers and answers that are numbers are
    mostly met by a good model: then they are labels, which the answer prints as assumed.
    """
    known, _ = distinct_labels(truth)
    if len(known) <= MANY or any(number_of(label) is None for label in known):
        return None
    distinct, (true, *codes) = coded(truth, *said.values())
    if all(np.isin(column, true).all() for column in codes):
        return None
    if max(float((column == true).mean()) for column in codes) <= 0.5:
        raise InvalidInput(
            f"truth has {len(known)} different numbers such as {distinct[int(true[0])]}, and predictions mostly "
            "miss them: say metric='rmse' (--metric rmse) if they are numbers, metric='accuracy' (--metric accuracy) "
            "if they are labels"
        )
    return Decision(
        what="labels", value="numbers are labels, right or wrong", how="assumed",
        change="metric='rmse' (--metric rmse)",
    )  # fmt: skip


def exchanged(truth: Labels | Categories, said: Mapping[str, Labels | Categories]) -> list[str]:
    """Sentences on models whose two labels look exchanged: they are right far less often than by chance."""
    known, _ = distinct_labels(truth)
    if len(known) != 2:
        return []
    _, (true, *codes) = coded(truth, *said.values())
    notes = []
    for name, column in zip(said, codes, strict=True):
        right, share = (column == true).mean(), (true == true[0]).mean()
        said_first = (column == true[0]).mean()
        chance = share * said_first + (1 - share) * (1 - said_first)
        beyond = chance - right > MIRRORED * math.sqrt(chance * (1 - chance) / len(true))
        if right <= 0.25 and beyond and np.isin(column, true).all():
            notes.append(
                f"{name} has the true label in {100 * right:.1f} % of the items, far less than by chance: "
                "its two labels may be exchanged"
            )
    return notes


def is_none(value: object) -> bool:
    """Whether a value is None, NaN, or pandas' NA or NaT."""
    gap = value is None or type(value).__name__ in ("NAType", "NaTType")
    return gap or (isinstance(value, float) and value != value)


def number_of(label: Any) -> float | None:
    """The number that a label is or is written as; None where it is none.

    >>> number_of("1.0"), number_of("1,234.5"), number_of("one"), number_of(True)
    (1.0, 1234.5, None, None)
    """
    if isinstance(label, bool) or (isinstance(label, str) and "_" in label):
        return None
    try:
        value = float(without_thousands(label) if isinstance(label, str) else label)
    except (TypeError, ValueError):
        return None
    return value if math.isfinite(value) else None


def _broken(label: object) -> bool:
    """Whether the label is a number that is not whole."""
    value = number_of(label)
    return value is not None and value != int(value)


def _some(distinct: set[object]) -> str:
    names = sorted(map(str, distinct))
    return ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
