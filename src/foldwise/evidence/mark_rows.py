"""Marks by item: what is missing is treated as asked for, the trials of each item are averaged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Flags, Integers, Labels
from foldwise.core.validation import one_of
from foldwise.evidence.labels import group_index, labels
from foldwise.evidence.mark_input import GivenMarks, MarksByItem, given_marks, marks_place, paired_by_item
from foldwise.evidence.trials import ItemMarks, item_marks, tried_once

__all__ = ["MISSING_POLICIES", "MarkRows", "MissingMarks", "Policy", "count_missing", "read_rows"]

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
    marks_a: ArrayLike | MarksByItem,
    marks_b: ArrayLike | MarksByItem,
    *,
    items: ArrayLike | None,
    groups: ArrayLike | Mapping[Any, Any] | None,
    missing: Policy,
) -> MarkRows:
    """Check the marks, do about missing ones what was asked for, and average the trials of each item.

    Examples
    --------
    >>> rows = read_rows([1, 0, 3], [2, 2, 2], items=["p", "q", "p"], groups=None, missing="refuse")
    >>> rows.items.tolist(), rows.a.mean.tolist(), rows.b.count.tolist()
    (['p', 'q'], [2.0, 0.0], [2, 1])
    """
    one_of(missing, "missing", MISSING_POLICIES)
    if isinstance(marks_a, Mapping) and isinstance(marks_b, Mapping):
        if items is not None:
            raise InvalidInput("items must not be given where marks are mappings, which name the items themselves")
        items, a, b = paired_by_item(marks_a, marks_b)
        groups = None if groups is None else _groups_of(items, groups)
    elif isinstance(marks_a, Mapping) or isinstance(marks_b, Mapping) or isinstance(groups, Mapping):
        raise InvalidInput("marks_a, marks_b and groups must all be mappings from items, or none of them")
    else:
        a, b = given_marks(marks_a, "marks_a"), given_marks(marks_b, "marks_b")
    return _by_item(a, b, items, groups, missing)


def _by_item(
    a: GivenMarks, b: GivenMarks, items: ArrayLike | None, groups: ArrayLike | None, missing: Policy
) -> MarkRows:
    rows = len(a.values)
    if rows != len(b.values):
        raise InvalidInput(f"marks_b must have as many rows as marks_a ({rows}), got {len(b.values)}")
    absent = count_missing(a.gone, b.gone, missing)
    names, index = _item_index(items, rows)
    count = rows if names is None else len(names)
    first, second = (_averaged(one, index, count, names is None, missing) for one in (a, b))
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


def count_missing(gone_a: Flags, gone_b: Flags, policy: Policy) -> MissingMarks | None:
    """How many marks are missing, where they may be; None where none is."""
    counts = [int(gone.sum()) for gone in (gone_a, gone_b)]
    if not any(counts):
        return None
    if policy == "refuse":
        name, gone = ("marks_a", gone_a) if counts[0] else ("marks_b", gone_b)
        where = marks_place(name, np.argwhere(gone)[0][: 1 if gone.shape[1] == 1 else 2])
        raise InvalidInput(
            f"{name} must not have missing marks unless missing is 'drop' or 'zero', but {where} is missing "
            f"({counts[0]} of marks_a are, {counts[1]} of marks_b)"
        )
    return MissingMarks(policy=policy, a=counts[0], b=counts[1])


def _averaged(marks: GivenMarks, index: Integers, count: int, once: bool, missing: Policy) -> ItemMarks:
    values: Array = np.where(marks.gone, 0.0, marks.values) if missing == "zero" else marks.values
    trials = values.shape[1]
    if once and trials == 1 and not np.isnan(values).any():
        return tried_once(values[:, 0])
    return item_marks(values.ravel(), np.repeat(index, trials), count)


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


def _groups_of(items: list[Any], groups: ArrayLike | Mapping[Any, Any]) -> list[Any]:
    if not isinstance(groups, Mapping):
        raise InvalidInput("groups must be a mapping from items to clusters where marks are mappings")
    lost = next((item for item in items if item not in groups), None)
    if lost is not None:
        raise InvalidInput(f"groups must name the cluster of each item, but {lost!r} has none")
    return [groups[item] for item in items]


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
