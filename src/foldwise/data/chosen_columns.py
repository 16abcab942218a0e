"""Columns of a data set that are no attributes: those to leave out, and the one that says what belongs together."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.table import Table
from foldwise.core.types import Labels
from foldwise.data.dataset import Dataset, content_hash
from foldwise.data.no_attributes import left_out

__all__ = ["choose_columns", "listed"]


def choose_columns(
    dataset: Dataset,
    *,
    drop: Sequence[str] = (),
    group: str | None = None,
    keep: Sequence[str] = (),
    declared: Collection[str] | None = None,
) -> Dataset:
    """The data set without some columns, one of which may group its rows, and without those that are no attributes.

    Parameters
    ----------
    dataset
        As it was read.
    drop
        Names of columns to leave out.
    group
        Name of the column whose values are the groups.
    keep
        Columns that stay although they look like identifiers or dates.
    declared
        The columns of which the file says what they hold; None for all.

    Examples
    --------
    >>> from foldwise.data import load
    >>> choose_columns(load("sklearn:iris"), drop=["petal width (cm)"]).X.shape
    (150, 3)
    """
    for parameter, names in (("drop", drop), ("keep", keep)):
        for name in listed(names, parameter):
            _place(dataset, name, parameter)
    if twice := set(drop) & set(keep):
        raise InvalidInput(f"drop and keep must not both name column {min(twice)!r}")
    groups = None if group is None else _groups(dataset, group)
    asked = {*drop, *([] if group is None else [group])}
    no_attributes = left_out(dataset.X, {*keep, *asked}, declared=declared)
    out = {*asked, *no_attributes}
    if not out:
        return dataset
    kept = [j for j, name in enumerate(dataset.feature_names) if name not in out]
    if not kept and no_attributes:
        raise InvalidInput(f"data set {dataset.name!r} has no attribute: {'; '.join(map(str, no_attributes.values()))}")
    if not kept:
        raise InvalidInput(f"drop and group must leave an attribute of data set {dataset.name!r}, but they leave none")
    X = dataset.X
    table = Table.build(X.values[:, kept], [X.categories[j] for j in kept], [X.names[j] for j in kept])
    gone = (*drop, *no_attributes)
    left = [f"without {', '.join(gone)}"] if gone else []
    left += [] if group is None else [f"grouped by {group}"]
    return replace(
        dataset,
        X=table,
        groups=groups,
        decisions=(*dataset.decisions, *no_attributes.values()),
        hash=content_hash(table, dataset.y, dataset.classes, groups),
        provenance=f"{dataset.provenance}; {', '.join(left)}",
    )


def listed(names: Sequence[str], parameter: str) -> Sequence[str]:
    """`names`, which must not be one text."""
    if isinstance(names, str):
        raise InvalidInput(f"{parameter} must be names of columns in a list, got the text {names!r}")
    return names


def _groups(dataset: Dataset, group: str) -> Labels:
    place = _place(dataset, group, "group")
    values, categories = dataset.X.values[:, place], dataset.X.categories[place]
    missing = int(np.isnan(values).sum())
    if missing:
        raise InvalidInput(f"group must be known for every row, but column {group!r} is empty in {missing} rows")
    return values.copy() if categories is None else np.array(categories)[values.astype(np.intp)]


def _place(dataset: Dataset, name: str, parameter: str) -> int:
    if name == dataset.target:
        raise InvalidInput(f"{parameter} can't be {name!r}, which is the target; give target (--target) another column")
    if name not in dataset.feature_names:
        known = ", ".join(dataset.feature_names[:30])
        raise InvalidInput(f"{parameter} must be a column of {dataset.name!r} ({known}), got {name!r}")
    return dataset.feature_names.index(name)
