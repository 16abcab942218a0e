"""Items of several models joined by key: what is missing on them, and whether the questions were the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from foldwise.core import errors
from foldwise.core.errors import InvalidInput
from foldwise.core.labels import plain_label
from foldwise.core.metric import RepeatedRuns, resolve_direction
from foldwise.core.roles import NO_COLUMN, normalised
from foldwise.core.types import Array, Flags, Integers
from foldwise.evidence.mark_input import GivenMarks
from foldwise.evidence.missing import MissingRule, MissingValues
from foldwise.evidence.trials import MarkRows, average_rows
from foldwise.reading.series import Items, Series

LEAST_COMMON = 0.9
"""Share of its values that every model must have, unless somebody says that items may be left out all the same."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Paired:
    """Models on the items of one task."""

    task: str  #: Its name
    models: tuple[str, ...]  #: Their names
    rows: MarkRows  #: What each model has on the items that count, trials averaged, and what was missing
    groups: tuple[str, ...] | None = None  #: The cluster of every item, or None
    runs: RepeatedRuns | None = None  #: What stands there instead of the mean of an item's trials
    #: Of shape (models, items): the mean label of people, NaN where there is none; None where nobody labelled
    human: Array | None = None
    #: Where several judges scored the items beside people: by name what each says, (models, items), NaN where it said
    #: nothing
    judges: Mapping[str, Array] = field(default_factory=dict)
    counts: Array | None = None  #: Of a metric of counts those of each model, (models, items, counts)
    slices: tuple[str, ...] | None = None  #: The slice of every item, where they were asked for
    forecasts: Array | None = None  #: Of squared errors what each model forecast, (models, items)
    condition: Array | None = None  #: What was known of each item beforehand, where a column says it
    noun: str = "item"  #: What people call an item

    @property
    def keys(self) -> tuple[str, ...]:
        """The items that count, in the order of the first model's file."""
        assert self.rows.items is not None
        return tuple(self.rows.items.tolist())

    @property
    def values(self) -> Array:
        """Mean over the trials, of shape (models, items)."""
        return np.array([model.mean for model in self.rows.models])

    @property
    def missing(self) -> MissingValues | None:
        """What was missing, and what was done about it."""
        return self.rows.missing


def pair_items(
    series: Sequence[Series], *, groups: str | None = None, rule: MissingRule | None = None, inner: bool = False,
    models: Sequence[str] | None = None, runs: RepeatedRuns | None = None, sliced: str | None = None,
) -> Paired:  # fmt: skip
    """Join the items of models on one task.

    An item that a model lacks and another has, a value that is NaN and a trial that a model lacks of those that it has
    elsewhere and another model has there, are missing alike. Without a `rule` such items are left out for all; with
    `inner` those that are left are enough however few they are. `groups` is which of the offered clusters to take, None
    those that the table itself calls so; `models` are all models, where some may lack the task as a whole; `runs` what
    is asked of an item's trials instead of their mean.
    """
    if series[0].parts:
        return _pair_counts(series, groups=groups, rule=rule, inner=inner, models=models, sliced=sliced)
    columns = {one.model: _Column.of(one) for one in series}
    names = tuple(columns if models is None else models)
    keys = list(dict.fromkeys(key for column in columns.values() for key in column.place))
    _check_contents(list(columns.values()))
    given = _laid_out([columns.get(name) for name in names], keys)
    first = series[0]
    higher, _ = resolve_direction(
        first.metric, next((s.higher_is_better for s in series if s.higher_is_better is not None), None)
    )
    rule = replace(rule or MissingRule(policy="drop"), metric=first.metric, higher_is_better=higher)
    rows = average_rows(
        dict(zip(names, given, strict=True)),
        keys,
        None,
        rule,
        place=lambda name, where: (
            f"item {keys[int(where[0])]!r} of {name!r}{f' on {first.task}' if first.task else ''}"
        ),
        time=_times(series, keys),
        runs=runs,
    )
    if rule.policy == "drop" and not inner:
        _check_share(names, given, first.task)
    noun = next((one.rows.noun for one in series if isinstance(one.rows, Items)), "item")
    found = Paired(task=first.task, models=names, rows=rows, runs=runs, noun=noun)
    by_model = {one.model: one for one in series}
    if any(one.human is not None for one in series):
        found = replace(found, human=_beside({m: one.human for m, one in by_model.items()}, by_model, found))
        found = replace(found, judges=_judges(by_model, found))
    if all(one.forecasts is not None for one in series):
        found = replace(found, forecasts=_beside({m: one.forecasts for m, one in by_model.items()}, by_model, found))
    if any(one.condition is not None for one in series):
        known = _beside({m: one.condition for m, one in by_model.items()}, by_model, found)
        found = replace(found, condition=known[0])
    if sliced is not None:
        found = replace(found, slices=_clusters(series, columns, sliced, found.keys))
    taken = _taken_group(series, groups)
    if taken is None:
        return found
    together = _clusters(series, columns, taken, found.keys)
    alone = groups is None and len(set(together)) == 1  # a single series is no cluster among others
    return found if alone else replace(found, groups=together)


def _beside(column: Mapping[str, Array | None], series: Mapping[str, Series], found: Paired) -> Array:
    """What stands beside the values of each model and item, its mean over the trials that have it; NaN without."""
    place = {key: at for at, key in enumerate(found.keys)}
    out = np.full((len(found.models), len(place)), np.nan)
    for row, model in enumerate(found.models):
        given = column.get(model)
        if given is None:
            continue
        rows = series[model].rows
        assert isinstance(rows, Items)
        at = np.array([place.get(key, -1) for key in rows.keys], dtype=np.int64)
        known = (at >= 0) & np.isfinite(given)
        count = np.bincount(at[known], minlength=len(place))
        total = np.bincount(at[known], weights=given[known], minlength=len(place))
        out[row, count > 0] = total[count > 0] / count[count > 0]
    return out


def _judges(series: Mapping[str, Series], found: Paired) -> dict[str, Array]:
    """What each of several judges says of each model and item."""
    rated = {model: np.array(one.rows.trials) for model, one in series.items()
             if isinstance(one.rows, Items) and one.rows.raters and one.rows.trials is not None}  # fmt: skip
    raters = list(dict.fromkeys(rater for trials in rated.values() for rater in trials.tolist()))
    if len(raters) < 2:
        return {}
    return {
        rater: _beside(
            {model: np.where(trials == rater, series[model].values, np.nan) for model, trials in rated.items()},
            series, found,
        )
        for rater in raters
    }  # fmt: skip


def _pair_counts(
    series: Sequence[Series], *, rule: MissingRule | None, inner: bool, models: Sequence[str] | None,
    groups: str | None, sliced: str | None,
) -> Paired:  # fmt: skip
    """Each count joined by itself: all are missing on the same rows, so that the same items are left."""
    if rule is not None and rule.policy == "worst":
        raise InvalidInput(
            f"missing='worst' needs a worst possible value, and counts behind {series[0].metric} have none: leave "
            "items out with missing='drop' (--missing drop)"
        )
    found = [
        pair_items(
            [replace(one, values=one.parts[place], parts=()) for one in series],
            groups=groups, rule=rule, inner=inner, models=models, sliced=sliced,
        )
        for place in range(len(series[0].parts))
    ]  # fmt: skip
    return replace(found[0], counts=np.stack([one.values for one in found], axis=-1))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Column:
    """One model's items: where each key is among them, in which row it is first, and its trials side by side."""

    name: str
    place: dict[str, int]
    first: NDArray[np.int64]
    trials: Array
    there: Flags
    labels: tuple[str, ...]
    contents: Sequence[str] | None

    @classmethod
    def of(cls, series: Series) -> _Column:
        rows = series.rows
        assert isinstance(rows, Items)
        place = dict(zip(rows.keys, range(rows.count), strict=True))
        if len(place) == rows.count and (rows.trials is None or len(set(rows.trials)) == 1):  # every item once
            return cls(
                name=series.model, place=place, first=np.arange(rows.count), trials=series.values[:, None],
                there=np.ones((rows.count, 1), dtype=np.bool_),
                labels=("",) if rows.trials is None else (rows.trials[0],), contents=rows.contents,
            )  # fmt: skip
        place = {}
        index = np.array([place.setdefault(key, len(place)) for key in rows.keys], dtype=np.int64)
        if rows.trials is None:
            twice = next(key for i, key in enumerate(rows.keys) if index[i] != i)
            raise InvalidInput(
                f"{series.source}: item {twice!r} is there twice for {series.model!r} with {series.measure}; repeated "
                f"items must be declared as trials ({errors.column('trial', 'NAME')}), or belong to tasks "
                f"({errors.column('task', 'NAME')})"
            )
        order = np.argsort(index, kind="stable")
        counts = np.bincount(index, minlength=len(place))
        starts = np.cumsum(counts) - counts
        labels, trial = _trial_columns(rows.trials, index, int(counts.max()))
        if not labels:  # labels that name no trial: the first, the second … of the item
            trial = np.empty(len(index), dtype=np.int64)
            trial[order] = np.arange(len(index)) - starts[index[order]]
            labels = tuple(f"#{number}" for number in range(int(counts.max())))
        trials, there = np.full((len(place), len(labels)), np.nan), np.zeros((len(place), len(labels)), dtype=np.bool_)
        trials[index, trial], there[index, trial] = series.values, True
        return cls(
            name=series.model, place=place, first=order[starts], trials=trials, there=there, labels=labels,
            contents=rows.contents,
        )  # fmt: skip


def _trial_columns(trials: Sequence[str], index: Integers, most: int) -> tuple[tuple[str, ...], Integers]:
    """The labels of trials and the place of each row's among them; no labels where they do not tell trials apart."""
    known: dict[str, int] = {}
    trial = np.array([known.setdefault(label, len(known)) for label in trials], dtype=np.int64)
    apart = len(np.unique(index * len(known) + trial)) == len(trial)
    return (tuple(known), trial) if apart and len(known) <= 4 * most else ((), trial)


def _laid_out(columns: Sequence[_Column | None], keys: Sequence[str]) -> list[GivenMarks]:
    """The trials of every model on all items, and which of them are missing."""
    labels = {label: i for i, label in enumerate(dict.fromkeys(b for c in columns if c is not None for b in c.labels))}
    shape = (len(columns), len(keys), len(labels))
    values, there, uses = np.full(shape, np.nan), np.zeros(shape, dtype=np.bool_), np.zeros(shape[::2], dtype=np.bool_)
    for model, column in enumerate(columns):
        if column is None:
            continue
        at = np.fromiter((column.place.get(key, -1) for key in keys), dtype=np.int64, count=len(keys))
        has = np.flatnonzero(at >= 0)
        own = [labels[label] for label in column.labels]
        values[model, has[:, None], own] = column.trials[at[has]]
        there[model, has[:, None], own] = column.there[at[has]]
        uses[model, own] = True
    expected = uses[:, None, :] & there.any(axis=0)
    gone = expected & np.isnan(values)
    gone[:, :, 0] |= ~(there | expected).any(axis=2)  # nothing of the item, and no trial that it should have
    return [GivenMarks(values=part, gone=lost) for part, lost in zip(values, gone, strict=True)]


def _check_share(models: Sequence[str], given: Sequence[GivenMarks], task: str) -> None:
    """Refuse to leave out so much that what is left may be another question."""
    for name, one in zip(models, given, strict=True):
        lost, whole = int(one.gone.sum()), int((one.gone | ~np.isnan(one.values)).sum())
        if lost > (1 - LEAST_COMMON) * whole + 1e-9:
            raise InvalidInput(
                f"every model must have at least {LEAST_COMMON:.0%} of its values, but {name!r} lacks {lost} of {whole}"
                f"{f' on {task}' if task else ''}: leave their items out for all models all the same with inner "
                "(--inner), or take the worst possible value with missing='worst' (--missing worst)"
            )


def _spelt_apart(columns: Sequence[_Column]) -> str:
    """That two models have an item under keys that differ only in case, blanks or how a number is written."""
    first, second = (
        columns[0],
        next((one for one in columns if columns[0].place.keys() != one.place.keys()), columns[0]),
    )
    spelt = {plain_label(key): key for key in first.place}
    twin = next(((spelt[plain], key) for key in second.place if (plain := plain_label(key)) in spelt), None)
    if twin is None:
        return ""
    return f": the same item is {twin[0]!r} for {first.name} and {twin[1]!r} for {second.name}; write keys alike"


def _check_contents(columns: Sequence[_Column]) -> None:
    """The same key must be the same question everywhere, and some key must be common."""
    common = [key for key in columns[0].place if all(key in column.place for column in columns[1:])]
    if not common:
        listed = ", ".join(f"{column.name} {len(column.place)}" for column in columns)
        raise InvalidInput(f"{listed} have no item in common{_spelt_apart(columns)}")
    told = [
        (column.name, [column.contents[int(column.first[column.place[key]])] for key in common])
        for column in columns
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
    """The clusters that were chosen, whatever the case of their name, or that the table itself calls so.

    Items of a task whose files do not tell them are independent.
    """
    rows = [one.rows for one in series if isinstance(one.rows, Items)]
    if group == NO_COLUMN:
        return None
    if group is None:
        return next((one.group for one in rows if one.group), None)
    offered = {name: None for one in rows for name in one.clusters}
    return group if group in offered else next((n for n in offered if normalised(n) == normalised(group)), None)


def _clusters(
    series: Sequence[Series], columns: dict[str, _Column], group: str, keys: Sequence[str]
) -> tuple[str, ...]:
    """The cluster of every item, from the models whose files tell; refused where they tell different ones."""
    known: dict[str, str] = {}
    for one in series:
        assert isinstance(one.rows, Items)
        if group in one.rows.clusters:
            labels, column = one.rows.clusters[group], columns[one.model]
            for key, at in column.place.items():
                label = labels[int(column.first[at])]
                before = known.setdefault(key, label)
                if not before:
                    known[key] = label
                elif label not in ("", before):
                    raise InvalidInput(
                        f"an item must have one {group}, but item {key!r} has {_short(before)} and, of {one.model}, "
                        f"{_short(label)}: name a column that says something of items"
                    )
    return tuple(known.get(key, key) for key in keys)


def _times(series: Sequence[Series], keys: Sequence[str]) -> list[str] | None:
    """When every item was; None where not all are known, or where models say different times of one item.

    Such times, unless somebody declared them, are those at which models were run.
    """
    known: dict[str, str] = {}
    for one in series:
        assert isinstance(one.rows, Items)
        declared = any(told.what == "time" and told.how == "declared" for told in one.decisions)
        for key, time in zip(one.rows.keys, one.rows.times or (), strict=one.rows.times is not None):
            if known.setdefault(key, time) != time and declared:
                raise InvalidInput(
                    f"an item must have one time, but item {key!r} has {known[key]} and {time}: name another column "
                    f"with {errors.column('time', 'NAME')}, or none"
                )
            if known[key] != time:
                return None
    return [known[key] for key in keys] if known and all(key in known for key in keys) else None


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:39] + "…")
