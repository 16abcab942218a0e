"""Items of several models joined by key: what is common, what is missing, and whether the questions were the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.roles import NO_COLUMN, normalised
from foldwise.core.types import Array, Integers
from foldwise.reading import Items, Series

__all__ = ["LEAST_COMMON", "Missing", "Paired", "pair_items"]

LEAST_COMMON = 0.9
"""Share of the items that all models must have answered, unless somebody says that the common ones are enough."""

Missing = Literal["drop", "refuse", "wrong"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Paired:
    """Models on common items of one task.

    Attributes
    ----------
    task
        Its name.
    models
        Their names.
    keys
        The items that count, in the order of the first model's file.
    trials
        Values of shape (models, items, trials), the last axis as long as the most trials that an item has; NaN where a
        trial was not scored, or an item has fewer.
    counts
        How many trials each item has, of shape (models, items).
    groups
        The cluster of every item, or None.
    only
        Items that each model has and some other has not.
    unscored
        Items that were dropped, or taken as wrong, because some model has no value there.
    """

    task: str
    models: tuple[str, ...]
    keys: tuple[str, ...]
    trials: Array
    counts: Integers
    groups: tuple[str, ...] | None = None
    only: dict[str, int]
    unscored: int = 0

    def by_item(self, model: int) -> dict[str, Array]:
        """The trials of every item for one model, as many as it has."""
        found = zip(self.keys, self.trials[model], self.counts[model].tolist(), strict=True)
        return {key: trials[:count] for key, trials, count in found}

    @property
    def values(self) -> Array:
        """Mean over the trials, of shape (models, items)."""
        scored = ~np.isnan(self.trials)
        return np.asarray(np.where(scored, self.trials, 0.0).sum(axis=2) / scored.sum(axis=2))


def pair_items(
    series: Sequence[Series], *, group: str | None = None, missing: Missing = "drop", inner: bool = False
) -> Paired:
    """Join the items of models on one task.

    Parameters
    ----------
    series
        One per model, all of one task and metric, with items as rows.
    group
        Which of the offered clusters to take; None for those that the table itself calls so, "none" for independent
        items.
    missing
        What an item becomes that some model has no value for: left out for all, an error, or a value of 0.
    inner
        Whether the common items are enough however few they are.
    """
    columns = [_Column.of(one) for one in series]
    places, common = _joined(columns)
    _check_share(columns, common, inner)
    _check_contents(columns, places, common)
    if missing == "refuse":
        _check_scored(series)
    trials = _laid_out(columns, places)
    empty = np.isnan(trials).all(axis=2).any(axis=0)
    if missing == "wrong":
        trials[:, :, 0] = np.where(np.isnan(trials).all(axis=2), 0.0, trials[:, :, 0])
    keep: NDArray[np.bool_] = np.full(len(common), True) if missing == "wrong" else np.logical_not(empty)
    if not keep.any():
        raise InvalidInput(f"no item of {series[0].task or 'the task'} has a value for all of {_names(series)}")
    keys = tuple(key for key, kept in zip(common, keep.tolist(), strict=True) if kept)
    taken = _taken_group(series, group)
    return Paired(
        task=series[0].task,
        models=tuple(one.model for one in series),
        keys=keys,
        trials=trials[:, keep],
        counts=np.array([column.counts[place] for column, place in zip(columns, places, strict=True)])[:, keep],
        groups=None if taken is None else _clusters(series, columns, taken, keys),
        only={one.model: len(column.place) - len(common) for one, column in zip(series, columns, strict=True)},
        unscored=int(empty.sum()),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Column:
    """One model's items: where each key is among them, in which row it is first, and its trials side by side."""

    name: str
    place: dict[str, int]
    first: NDArray[np.int64]
    trials: Array
    counts: Integers
    contents: Sequence[str] | None

    @classmethod
    def of(cls, series: Series) -> _Column:
        rows = series.rows
        assert isinstance(rows, Items)
        place = dict(zip(rows.keys, range(rows.count), strict=True))
        if len(place) == rows.count:  # every item once
            return cls(
                name=series.model,
                place=place,
                first=np.arange(rows.count),
                trials=series.values[:, None],
                counts=np.ones(rows.count, dtype=np.int64),
                contents=rows.contents,
            )
        place = {}
        index = np.array([place.setdefault(key, len(place)) for key in rows.keys], dtype=np.int64)
        if rows.trials is None:
            twice = next(key for i, key in enumerate(rows.keys) if index[i] != i)
            raise InvalidInput(
                f"{series.source}: item {twice!r} is there twice for {series.model!r} with {series.measure}; repeated "
                "items must be declared as trials"
            )
        order = np.argsort(index, kind="stable")
        counts = np.bincount(index, minlength=len(place))
        starts = np.cumsum(counts) - counts
        trials = np.full((len(place), int(counts.max(initial=1))), np.nan)
        trials[index[order], np.arange(len(index)) - starts[index[order]]] = series.values[order]
        return cls(
            name=series.model, place=place, first=order[starts], trials=trials, counts=counts, contents=rows.contents
        )


def _joined(columns: Sequence[_Column]) -> tuple[Integers, list[str]]:
    """Where every column has the items that all of them have, of shape (columns, items), and the keys of these."""
    keys = list(columns[0].place)
    places = np.full((len(columns), len(keys)), -1)
    places[0] = np.arange(len(keys))
    for own, column in zip(places[1:], columns[1:], strict=True):
        find = columns[0].place.get
        index = np.fromiter((find(key, -1) for key in column.place), dtype=np.int64, count=len(column.place))
        known = np.flatnonzero(index >= 0)
        own[index[known]] = known
    everywhere = np.flatnonzero((places >= 0).all(axis=0))
    return places[:, everywhere], [keys[i] for i in everywhere.tolist()]


def _laid_out(columns: Sequence[_Column], places: Integers) -> Array:
    most = max(column.trials.shape[1] for column in columns)
    found = np.full((*places.shape, most), np.nan)
    for model, (column, place) in enumerate(zip(columns, places, strict=True)):
        found[model, :, : column.trials.shape[1]] = column.trials[place]
    return found


def _check_share(columns: Sequence[_Column], common: Sequence[str], inner: bool) -> None:
    largest = max(len(column.place) for column in columns)
    if not common:
        raise InvalidInput(f"{_listed(columns)} have no item in common")
    if len(common) < LEAST_COMMON * largest and not inner:
        raise InvalidInput(
            f"at least {LEAST_COMMON:.0%} of the items must be common to all models, got {len(common)} of {largest} "
            f"({_listed(columns)}): compare the common ones with inner"
        )


def _check_scored(series: Sequence[Series]) -> None:
    for one in series:
        unscored = np.flatnonzero(np.isnan(one.values))
        if len(unscored):
            assert isinstance(one.rows, Items)
            raise InvalidInput(
                f"{one.source}: {len(unscored)} of {one.rows.count} values of {one.model!r} are missing (the first: "
                f"item {one.rows.keys[int(unscored[0])]!r}): leave them out with missing 'drop', or take them as 0 "
                "with 'wrong'"
            )


def _check_contents(columns: Sequence[_Column], places: Integers, common: Sequence[str]) -> None:
    """The same key must be the same question everywhere."""
    told = [
        (column.name, [column.contents[row] for row in column.first[place].tolist()])
        for column, place in zip(columns, places, strict=True)
        if column.contents is not None
    ]
    for name, theirs in told[1:]:
        first, ours = told[0]
        if ours == theirs:
            continue
        row = next(row for row, (here, there) in enumerate(zip(ours, theirs, strict=True)) if here != there)
        raise InvalidInput(
            f"item {common[row]!r} is not the same question for {first!r} and {name!r}: its target is "
            f"{_short(ours[row])} and {_short(theirs[row])}"
        )


def _taken_group(series: Sequence[Series], group: str | None) -> str | None:
    """The clusters that were chosen, whatever the case of their name, or that the table itself calls so."""
    rows = [one.rows for one in series if isinstance(one.rows, Items)]
    if group == NO_COLUMN:
        return None
    if group is None:
        return next((one.group for one in rows if one.group), None)
    offered = {name: None for one in rows for name in one.clusters}
    found = group if group in offered else next((n for n in offered if normalised(n) == normalised(group)), None)
    if found is None:
        raise UnknownName("group", group, offered)
    return found


def _clusters(series: Sequence[Series], columns: Sequence[_Column], group: str, keys: Sequence[str]) -> tuple[str, ...]:
    """The cluster of every item, from the first model whose file tells."""
    rows, column = next(
        (one.rows, column)
        for one, column in zip(series, columns, strict=True)
        if isinstance(one.rows, Items) and group in one.rows.clusters
    )
    labels = rows.clusters[group]
    return tuple(labels[int(column.first[column.place[key]])] for key in keys)


def _listed(columns: Sequence[_Column]) -> str:
    return ", ".join(f"{column.name} {len(column.place)}" for column in columns)


def _names(series: Sequence[Series]) -> str:
    return ", ".join(one.model for one in series)


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:39] + "…")
