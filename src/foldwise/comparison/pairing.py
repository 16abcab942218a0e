"""Items of several models joined by key: what is missing on them, and whether the questions were the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from foldwise.core import errors
from foldwise.core.categories import Categories, in_order
from foldwise.core.errors import InvalidInput
from foldwise.core.labels import plain_label
from foldwise.core.metric import RepeatedRuns, resolve_direction
from foldwise.core.roles import NO_COLUMN, normalised
from foldwise.core.types import Array, Flags, Integers
from foldwise.designs.human_labels import people_agree
from foldwise.evidence.mark_input import GivenMarks
from foldwise.evidence.missing import MissingRule, MissingValues
from foldwise.evidence.trials import MarkRows, average_rows
from foldwise.reading.series import ItemRows, Series

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
    disputed: int = 0  #: Answers of which several people say different things, whose mean that is
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
    joined = _Joined.of(series)
    columns, names = joined.columns, tuple(joined.columns if models is None else models)
    _check_contents(joined)
    given = _laid_out([columns.get(name) for name in names], len(joined))
    first = series[0]
    higher, _ = resolve_direction(
        first.metric, next((s.higher_is_better for s in series if s.higher_is_better is not None), None)
    )
    rule = replace(rule or MissingRule(policy="drop"), metric=first.metric, higher_is_better=higher)
    rows = average_rows(
        dict(zip(names, given, strict=True)),
        joined.keys,
        None,
        rule,
        place=lambda name, where: (
            f"item {joined.keys[int(where[0])]!r} of {name!r}{f' on {first.task}' if first.task else ''}"
        ),
        time=_times(series, joined),
        runs=runs,
    )
    if rule.policy == "drop" and not inner:
        _check_share(names, given, first.task)
    noun = next((one.rows.noun for one in series if isinstance(one.rows, ItemRows)), "item")
    found = Paired(task=first.task, models=names, rows=rows, runs=runs, noun=noun)
    by_model = {one.model: one for one in series}
    if any(one.human is not None for one in series):
        human, disputed = _beside({m: one.human for m, one in by_model.items()}, joined, found)
        found = replace(found, human=human, disputed=disputed)
        found = replace(found, judges=_judges(by_model, joined, found))
    if all(one.forecasts is not None for one in series):
        found = replace(found, forecasts=_beside({m: one.forecasts for m, one in by_model.items()}, joined, found)[0])
    if any(one.condition is not None for one in series):
        known, _ = _beside({m: one.condition for m, one in by_model.items()}, joined, found)
        found = replace(found, condition=known[0])
    if sliced is not None:
        found = replace(found, slices=_clusters(series, joined, sliced, found))
    taken = _taken_group(series, groups)
    if taken is None:
        return found
    together = _clusters(series, joined, taken, found)
    alone = groups is None and len(set(together)) == 1  # a single series is no cluster among others
    return found if alone else replace(found, groups=together)


def _beside(column: Mapping[str, Array | None], joined: _Joined, found: Paired) -> tuple[Array, int]:
    """What stands beside the values of each model and item, its mean over trials and columns; NaN without any.

    Then how many of these are means of different values.
    """
    kept = found.rows.kept
    assert kept is not None
    place = np.full(len(joined), -1, dtype=np.int64)
    place[kept] = np.arange(len(kept))
    out, differ = np.full((len(found.models), len(kept)), np.nan), 0
    for row, model in enumerate(found.models):
        given = column.get(model)
        if given is None:
            continue
        at = np.repeat(place[joined.key_of_row[model]], given.size // len(given))
        out[row], more = people_agree(at, given.ravel(), len(kept))
        differ += more
    return out, differ


def _judges(series: Mapping[str, Series], joined: _Joined, found: Paired) -> dict[str, Array]:
    """What each of several judges says of each model and item."""
    rated = {model: np.array(one.rows.trials) for model, one in series.items()
             if isinstance(one.rows, ItemRows) and one.rows.raters and one.rows.trials is not None}  # fmt: skip
    raters = list(dict.fromkeys(rater for trials in rated.values() for rater in trials.tolist()))
    if len(raters) < 2:
        return {}
    return {
        rater: _beside(
            {model: np.where(trials == rater, series[model].values, np.nan) for model, trials in rated.items()},
            joined, found,
        )[0]
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
    """One model's items: where each of all models' keys is among them, in which row it is first, and its trials."""

    name: str
    place: Integers  #: By the number of the key; -1 where the model lacks it
    first: NDArray[np.int64]
    trials: Array
    there: Flags
    labels: tuple[str, ...]
    contents: Sequence[str] | None

    @classmethod
    def of(cls, series: Series, codes: Integers, keys: Categories) -> _Column:
        rows, n = series.rows, len(codes)
        assert isinstance(rows, ItemRows)
        place = np.full(len(keys), -1, dtype=np.int64)
        place[codes] = np.arange(n)
        once = int(np.count_nonzero(place >= 0)) == n
        if once and (rows.trials is None or len(set(rows.trials)) == 1):  # every item once
            return cls(
                name=series.model, place=place, first=np.arange(n), trials=series.values[:, None],
                there=np.ones((n, 1), dtype=np.bool_),
                labels=("",) if rows.trials is None else (rows.trials[0],), contents=rows.contents,
            )  # fmt: skip
        own = in_order(codes, len(keys))
        place[own] = np.arange(len(own))
        index = place[codes]
        if rows.trials is None:
            twice = keys[int(codes[np.argmax(index != np.arange(n))])]
            raise InvalidInput(
                f"{series.source}: item {twice!r} is there twice for {series.model!r} with {series.measure}; repeated "
                f"items must be declared as trials ({errors.column('trial', 'NAME')}), or belong to tasks "
                f"({errors.column('task', 'NAME')})"
            )
        order = np.argsort(index, kind="stable")
        counts = np.bincount(index, minlength=len(own))
        starts = np.cumsum(counts) - counts
        labels, trial = _trial_columns(rows.trials, index, int(counts.max()))
        if not labels:  # labels that name no trial: the first, the second … of the item
            trial = np.empty(len(index), dtype=np.int64)
            trial[order] = np.arange(len(index)) - starts[index[order]]
            labels = tuple(f"#{number}" for number in range(int(counts.max())))
        trials, there = np.full((len(own), len(labels)), np.nan), np.zeros((len(own), len(labels)), dtype=np.bool_)
        trials[index, trial], there[index, trial] = series.values, True
        return cls(
            name=series.model, place=place, first=order[starts], trials=trials, there=there, labels=labels,
            contents=rows.contents,
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Joined:
    """The items of several models, by numbers of their keys in the order in which these first occur."""

    keys: Categories  #: Every key once
    key_of_row: dict[str, Integers]  #: By model the number of each row's key
    columns: dict[str, _Column]

    @classmethod
    def of(cls, series: Sequence[Series]) -> _Joined:
        labels, codes = _shared([one.rows.keys for one in series if isinstance(one.rows, ItemRows)])
        number = np.full(len(labels), -1, dtype=np.int64)
        known, count = list[Integers](), 0
        for each in codes:
            new = in_order(each[number[each] < 0], len(labels))
            number[new] = np.arange(count, count + len(new))
            known.append(new)
            count += len(new)
        every = np.concatenate(known)
        same = len(every) == len(labels) and bool((every == np.arange(len(every))).all())
        named = tuple(labels) if same else tuple([labels[code] for code in every.tolist()])
        keys = Categories(np.arange(count, dtype=np.int32), named)
        rows = {one.model: number[each] for one, each in zip(series, codes, strict=True)}
        return cls(
            keys=keys, key_of_row=rows, columns={one.model: _Column.of(one, rows[one.model], keys) for one in series}
        )

    def __len__(self) -> int:
        return len(self.keys)


def _shared(columns: Sequence[Sequence[str] | Categories]) -> tuple[Sequence[str], list[Integers]]:
    """The labels of several columns, and each column as numbers of them; parts of one column share theirs."""
    coded = [column if isinstance(column, Categories) else Categories.of(column) for column in columns]
    if all(column.labels is coded[0].labels for column in coded):
        return coded[0].labels, [column.codes.astype(np.int64) for column in coded]
    number: dict[str, int] = {}
    places = [[number.setdefault(label, len(number)) for label in column.labels] for column in coded]
    own = (np.array(place, dtype=np.int64)[column.codes] for place, column in zip(places, coded, strict=True))
    return tuple(number), list(own)


def _trial_columns(trials: Sequence[str], index: Integers, most: int) -> tuple[tuple[str, ...], Integers]:
    """The labels of trials and the place of each row's among them; no labels where they do not tell trials apart."""
    known: dict[str, int] = {}
    trial = np.array([known.setdefault(label, len(known)) for label in trials], dtype=np.int64)
    apart = len(np.unique(index * len(known) + trial)) == len(trial)
    return (tuple(known), trial) if apart and len(known) <= 4 * most else ((), trial)


def _laid_out(columns: Sequence[_Column | None], keys: int) -> list[GivenMarks]:
    """The trials of every model on all items, and which of them are missing."""
    labels = {label: i for i, label in enumerate(dict.fromkeys(b for c in columns if c is not None for b in c.labels))}
    shape = (len(columns), keys, len(labels))
    values, there, uses = np.full(shape, np.nan), np.zeros(shape, dtype=np.bool_), np.zeros(shape[::2], dtype=np.bool_)
    for model, column in enumerate(columns):
        if column is None:
            continue
        at = column.place
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


def _spelt_apart(joined: _Joined) -> str:
    """That two models have an item under keys that differ only in case, blanks or how a number is written."""
    columns = list(joined.columns.values())
    first = columns[0]
    second = next((one for one in columns if ((one.place >= 0) != (first.place >= 0)).any()), first)
    theirs = [[joined.keys[at] for at in np.flatnonzero(one.place >= 0).tolist()] for one in (first, second)]
    spelt = {plain_label(key): key for key in theirs[0]}
    twin = next(((spelt[plain], key) for key in theirs[1] if (plain := plain_label(key)) in spelt), None)
    if twin is None:
        return ""
    return f": the same item is {twin[0]!r} for {first.name} and {twin[1]!r} for {second.name}; write keys alike"


def _check_contents(joined: _Joined) -> None:
    """The same key must be the same question everywhere, and some key must be common."""
    columns = list(joined.columns.values())
    common = np.flatnonzero(np.logical_and.reduce([column.place >= 0 for column in columns]))
    if not len(common):
        listed = ", ".join(f"{column.name} {np.count_nonzero(column.place >= 0)}" for column in columns)
        raise InvalidInput(f"{listed} have no item in common{_spelt_apart(joined)}")
    told = [
        (column.name, [column.contents[row] for row in column.first[column.place[common]].tolist()])
        for column in columns
        if column.contents is not None
    ]
    for name, theirs in told[1:]:
        first, ours = told[0]
        if ours == theirs:
            continue
        row = next(row for row, (here, there) in enumerate(zip(ours, theirs, strict=True)) if here != there)
        raise InvalidInput(
            f"item {joined.keys[int(common[row])]!r} is not the same question for {first!r} and {name!r}: its target "
            f"is {_short(ours[row])} and {_short(theirs[row])}"
        )


def _taken_group(series: Sequence[Series], group: str | None) -> str | None:
    """The clusters that were chosen, whatever the case of their name, or that the table itself calls so.

    Items of a task whose files do not tell them are independent.
    """
    rows = [one.rows for one in series if isinstance(one.rows, ItemRows)]
    if group == NO_COLUMN:
        return None
    if group is None:
        return next((one.group for one in rows if one.group), None)
    offered = {name: None for one in rows for name in one.clusters}
    return group if group in offered else next((n for n in offered if normalised(n) == normalised(group)), None)


def _clusters(series: Sequence[Series], joined: _Joined, group: str, found: Paired) -> tuple[str, ...]:
    """The cluster of every item, from the models whose files tell; refused where they tell different ones."""
    labels, number = [""], {"": 0}
    known = np.full(len(joined), -1, dtype=np.int64)
    for one in series:
        assert isinstance(one.rows, ItemRows)
        if group not in one.rows.clusters:
            continue
        column, told = joined.columns[one.model], one.rows.clusters[group]
        told = told if isinstance(told, Categories) else Categories.of(told)
        for label in told.labels:
            if label not in number:
                number[label] = len(labels)
                labels.append(label)
        has = np.flatnonzero(column.place >= 0)
        own = np.array([number[label] for label in told.labels])[told.codes[column.first[column.place[has]]]]
        before = known[has]
        wrong = np.flatnonzero((before > 0) & (own > 0) & (own != before))
        if len(wrong):
            row = wrong[np.argmin(column.place[has[wrong]])]
            raise InvalidInput(
                f"an item must have one {group}, but item {joined.keys[int(has[row])]!r} has "
                f"{_short(labels[int(before[row])])} and, of {one.model}, {_short(labels[int(own[row])])}: name a "
                "column that says something of items"
            )
        known[has] = np.where(before > 0, before, own)
    kept = found.rows.kept
    assert kept is not None
    return tuple(
        labels[code] if code >= 0 else joined.keys[key]
        for key, code in zip(kept.tolist(), known[kept].tolist(), strict=True)
    )


def _times(series: Sequence[Series], joined: _Joined) -> list[str] | None:
    """When every item was; None where not all are known, or where models say different times of one item.

    Such times, unless somebody declared them, are those at which models were run.
    """
    labels, number = list[str](), dict[str, int]()
    known = np.full(len(joined), -1, dtype=np.int64)
    for one in series:
        assert isinstance(one.rows, ItemRows)
        if one.rows.times is None:
            continue
        declared = any(told.what == "time" and told.how == "declared" for told in one.decisions)
        told = Categories.of(one.rows.times)
        for label in told.labels:
            if label not in number:
                number[label] = len(labels)
                labels.append(label)
        times, keys = np.array([number[label] for label in told.labels])[told.codes], joined.key_of_row[one.model]
        new = np.flatnonzero(known[keys] < 0)[::-1]  # of several rows the first one counts
        known[keys[new]] = times[new]
        wrong = np.flatnonzero(known[keys] != times)
        if len(wrong) and declared:
            key, time = int(keys[wrong[0]]), int(times[wrong[0]])
            raise InvalidInput(
                f"an item must have one time, but item {joined.keys[key]!r} has {labels[int(known[key])]} and "
                f"{labels[time]}: name another column with {errors.column('time', 'NAME')}, or none"
            )
        if len(wrong):
            return None
    return [labels[code] for code in known.tolist()] if labels and (known >= 0).all() else None


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:39] + "…")
