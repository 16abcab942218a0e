"""Marks as people give them: rows of numbers, some of them missing, each an item or a trial of one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Flags, Integers, Labels
from foldwise.core.validation import floats, missing_as_nan, moderate, one_of
from foldwise.evidence.labels import group_index, labels
from foldwise.evidence.trials import ItemMarks, item_marks

__all__ = ["MISSING_POLICIES", "MarkRows", "MissingMarks", "Policy", "read_rows"]

Policy = Literal["refuse", "drop", "zero"]
"""What to do about marks that are missing: say so and stop, leave them out, or count them as 0."""

MISSING_POLICIES: tuple[Policy, ...] = ("refuse", "drop", "zero")


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingMarks:
    """Marks that were not there.

    Attributes
    ----------
    policy
        What was done about them: "drop" or "zero".
    a, b
        How many of each model.
    items
        Items that were left out because a model has no mark on them.
    """

    policy: Policy
    a: int
    b: int
    items: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MarkRows:
    """The marks of both models by item, on the items that both have.

    Attributes
    ----------
    a, b
        Of each model.
    items
        What the items are called; None where they have no names.
    groups
        Index of the cluster of each item; None where there are none.
    missing
        What was missing; None where nothing was.
    """

    a: ItemMarks
    b: ItemMarks
    items: Labels | None
    groups: Integers | None
    missing: MissingMarks | None


def read_rows(
    marks_a: ArrayLike, marks_b: ArrayLike, *, items: ArrayLike | None, groups: ArrayLike | None, missing: Policy
) -> MarkRows:
    """Check the marks, do about missing ones what was asked for, and average the trials of each item.

    Examples
    --------
    >>> rows = read_rows([1, 0, 3], [2, 2, 2], items=["p", "q", "p"], groups=None, missing="refuse")
    >>> rows.items.tolist(), rows.a.mean.tolist(), rows.b.count.tolist()
    (['p', 'q'], [2.0, 0.0], [2, 1])
    """
    one_of(missing, "missing", MISSING_POLICIES)
    a, b = _rows(marks_a, "marks_a"), _rows(marks_b, "marks_b")
    if len(a) != len(b):
        raise InvalidInput(f"marks_b must have as many rows as marks_a ({len(a)}), got {len(b)}")
    a, b, absent = _treated(a, b, missing)
    names, index = _item_index(items, len(a))
    count = len(a) if names is None else len(names)
    first, second = (item_marks(part.ravel(), np.repeat(index, part.shape[1]), count) for part in (a, b))
    clusters = None if groups is None else _clusters(groups, index, count)
    kept = np.flatnonzero((first.count > 0) & (second.count > 0))
    if not len(kept):
        raise InvalidInput("marks_a and marks_b must have items in common, but no item has a mark of both")
    return MarkRows(
        a=first.of(kept),
        b=second.of(kept),
        items=None if names is None else names[kept],
        groups=None if clusters is None else group_index(clusters[kept]),
        missing=None if absent is None else replace(absent, items=count - len(kept)),
    )


def _rows(values: ArrayLike, name: str) -> Array:
    """One row per item or trial, one column per trial that stands in the row; NaN is missing."""
    array = floats(missing_as_nan(values), name)
    if array.ndim not in (1, 2) or 0 in array.shape:
        raise InvalidInput(f"{name} must have shape (items,) or (items, trials), got {array.shape}")
    if np.isinf(array).any():
        where = np.argwhere(np.isinf(array))[0]
        raise InvalidInput(f"{name} must be finite, but {_place(name, where)} is {array[tuple(where)]:g}")
    moderate(array, name)
    return array[:, None] if array.ndim == 1 else array


def _place(name: str, where: Integers) -> str:
    return f"{name}[{', '.join(str(int(i)) for i in where)}]"


def _treated(a: Array, b: Array, policy: Policy) -> tuple[Array, Array, MissingMarks | None]:
    """The marks with the missing ones as the policy wants them, and how many there were."""
    gone = {"marks_a": np.isnan(a), "marks_b": np.isnan(b)}
    counts = [int(part.sum()) for part in gone.values()]
    if not any(counts):
        return a, b, None
    if policy == "refuse":
        name, part = next((name, part) for name, part in gone.items() if part.any())
        where = np.argwhere(part)[0]
        raise InvalidInput(
            f"{name} must not have missing marks unless missing is 'drop' or 'zero', but "
            f"{_place(name, where[: 1 if part.shape[1] == 1 else 2])} is missing ({sum(counts)} marks are)"
        )
    absent = MissingMarks(policy=policy, a=counts[0], b=counts[1])
    return (np.nan_to_num(a), np.nan_to_num(b), absent) if policy == "zero" else (a, b, absent)


def _item_index(items: ArrayLike | None, rows: int) -> tuple[Labels | None, Integers]:
    """The names of the items in the order in which they come, and the item of each row."""
    if items is None:
        return None, np.arange(rows)
    given = labels(items, "items")
    if len(given) != rows:
        raise InvalidInput(f"items must name the item of each row ({rows}), got {len(given)}")
    place = {name: i for i, name in enumerate(dict.fromkeys(given.tolist()))}
    names = np.empty(len(place), dtype=object)
    names[:] = list(place)
    return names, np.fromiter(map(place.__getitem__, given.tolist()), np.int64, rows)


def _clusters(groups: ArrayLike, index: Integers, items: int) -> Labels:
    """The cluster of each item."""
    given = labels(groups, "groups")
    if len(given) != len(index):
        raise InvalidInput(f"groups must name the cluster of each row ({len(index)}), got {len(given)}")
    row = np.zeros(items, dtype=np.int64)
    row[index[::-1]] = np.arange(len(index))[::-1]
    clusters = given[row]
    astray: Flags = clusters[index] != given
    if astray.any():
        where = int(np.argmax(astray))
        raise InvalidInput(
            "groups must put all trials of an item into one cluster, but one item is in "
            f"{clusters[index[where]]} and in {given[where]}"
        )
    return clusters
