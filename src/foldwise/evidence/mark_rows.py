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
    counts
        How many of each model.
    items
        Items that were left out because a model has no mark on them.
    """

    policy: Policy
    counts: tuple[int, ...]
    items: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MarkRows:
    """The marks of two or more models by item, on the items that all of them have.

    Attributes
    ----------
    models
        Of each model.
    items
        What the items are called; None where they have no names.
    groups
        Index of the cluster of each item; None where there are none.
    missing
        What was missing; None where nothing was.
    """

    models: tuple[ItemMarks, ...]
    items: Labels | None
    groups: Integers | None
    missing: MissingMarks | None


def read_rows(
    models: Mapping[str, ArrayLike | MarksByItem],
    *,
    items: ArrayLike | None,
    groups: ArrayLike | Mapping[Any, Any] | None,
    missing: Policy,
) -> MarkRows:
    """Check the marks, do about missing ones what was asked for, and average the trials of each item.

    Parameters
    ----------
    models
        The marks of each model, by the name that messages give them.
    items, groups
        The item and the cluster of each row.
    missing
        What to do about missing marks.

    Examples
    --------
    >>> rows = read_rows({"a": [1, 0, 3], "b": [2, 2, 2]}, items=["p", "q", "p"], groups=None, missing="refuse")
    >>> rows.items.tolist(), [model.mean.tolist() for model in rows.models]
    (['p', 'q'], [[2.0, 0.0], [2.0, 2.0]])
    """
    one_of(missing, "missing", MISSING_POLICIES)
    mapped = {name: marks for name, marks in models.items() if isinstance(marks, Mapping)}
    if len(mapped) == len(models):
        if items is not None:
            raise InvalidInput("items must not be given where marks are mappings, which name the items themselves")
        items, given = paired_by_item(mapped)
        groups = None if groups is None else _groups_of(items, groups)
    elif mapped or isinstance(groups, Mapping):
        raise InvalidInput(f"{', '.join(models)} and groups must all be mappings from items, or none of them")
    else:
        given = {name: given_marks(marks, name) for name, marks in models.items() if not isinstance(marks, Mapping)}
    return _by_item(given, items, groups, missing)


def _by_item(
    given: Mapping[str, GivenMarks], items: ArrayLike | None, groups: ArrayLike | None, missing: Policy
) -> MarkRows:
    (first, marks), *others = given.items()
    rows = len(marks.values)
    for name, other in others:
        if len(other.values) != rows:
            raise InvalidInput(f"{name} must have as many rows as {first} ({rows}), got {len(other.values)}")
    names, index = _item_index(items, rows)
    count = rows if names is None else len(names)
    found = [_averaged(one, index, count, names is None, missing) for one in given.values()]
    clusters = None if groups is None else _clusters(groups, index, count)
    kept = np.flatnonzero(np.all([one.count > 0 for one in found], axis=0))
    if not len(kept):
        every = "both" if len(found) == 2 else "all"
        raise InvalidInput(
            f"{', '.join(list(given)[:-1])} and {list(given)[-1]} must have items in common, but no item has a mark of "
            f"{every}"
        )
    absent = count_missing({name: one.gone for name, one in given.items()}, missing)
    return MarkRows(
        models=tuple(one.of(kept) for one in found),
        items=None if names is None else names[kept],
        groups=None if clusters is None else group_index(clusters[kept]),
        missing=None if absent is None else replace(absent, items=count - len(kept)),
    )


def count_missing(gone: Mapping[str, Flags], policy: Policy) -> MissingMarks | None:
    """How many marks of each model are missing, where they may be; None where none is.

    Parameters
    ----------
    gone
        Where marks are missing, by the name that messages give the model's marks.
    policy
        What to do about them.
    """
    counts = {name: int(flags.sum()) for name, flags in gone.items()}
    if not any(counts.values()):
        return None
    if policy == "refuse":
        name = next(name for name, count in counts.items() if count)
        where = marks_place(name, np.argwhere(gone[name])[0][: 1 if gone[name].shape[1] == 1 else 2])
        (first, number), *others = counts.items()
        told = ", ".join([f"{number} of {first} are", *(f"{count} of {other}" for other, count in others)])
        raise InvalidInput(
            f"{name} must not have missing marks unless missing is 'drop' or 'zero', but {where} is missing ({told})"
        )
    return MissingMarks(policy=policy, counts=tuple(counts.values()))


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
