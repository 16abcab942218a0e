"""Marks by item: what is missing is treated as asked for, and the trials of each item are averaged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.categories import Categories
from foldwise.core.errors import InvalidInput
from foldwise.core.labels import group_index, labels
from foldwise.core.metric import RepeatedRuns
from foldwise.core.types import Array, Flags, Integers, Labels
from foldwise.core.validation import not_vanishing
from foldwise.evidence.mark_input import (
    GivenMarks,
    MarksByItem,
    given_marks,
    marks_place,
    paired_by_item,
    right_wrong_scale,
)
from foldwise.evidence.missing import MissingRule, MissingValues, settle_missing
from foldwise.metrics.repeated_runs import of_k_runs, variance_over_runs


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ItemMarks:
    mean: Array  #: Mean over the trials of each item; NaN for an item without a mark
    variance: Array  #: Unbiased variance over its trials; NaN where there are fewer than two
    count: Integers  #: Its number of trials
    right_wrong: bool = False  #: Whether every single mark says right or wrong, as 1 or 100 and 0

    def of(self, kept: Integers) -> ItemMarks:
        if len(kept) == len(self.mean):
            return self
        return replace(self, mean=self.mean[kept], variance=self.variance[kept], count=self.count[kept])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trials:
    """How often each model tried each item, and how its marks varied within the items."""

    counts: tuple[Integers, ...]  #: Of each model, the number of trials of each item
    #: Of each model, the variance of the marks within each item; NaN where it was tried once
    variances: tuple[Array, ...]

    def pair(self, i: int, j: int) -> Trials:
        return Trials(counts=(self.counts[i], self.counts[j]), variances=(self.variances[i], self.variances[j]))

    @property
    def equal(self) -> bool:
        """Whether all models tried all items equally often."""
        return self.least == self.most

    @property
    def least(self) -> int:
        return min(int(count.min()) for count in self.counts)

    @property
    def most(self) -> int:
        return max(int(count.max()) for count in self.counts)

    @property
    def words(self) -> str:
        return f"{self.most} trials" if self.equal else f"{self.least} to {self.most} trials"

    @property
    def pooled(self) -> tuple[float, ...]:
        """Of each model the variance within items, each weighted by its trials less one; NaN if none has two."""
        return tuple(_pooled(variance, count) for variance, count in zip(self.variances, self.counts, strict=True))

    @property
    def share(self) -> float:
        """What the trials alone add to the variance of an item's difference of two: Var(a)/K of a plus Var(b)/K of b.

        With unequal K the mean of 1/K over the items is taken.
        """
        parts = zip(self.pooled, self.counts, strict=True)
        return sum(variance * float((1 / count).mean()) for variance, count in parts)


def item_marks(marks: Array, index: Integers, items: int) -> ItemMarks:
    """Mean, variance and number of the marks of each item; NaN is no mark.

    `index` is the item of each row.

    >>> found = item_marks(np.array([1.0, 0.0, 0.5, np.nan]), np.array([0, 0, 1, 1]), 2)
    >>> found.mean, found.variance, found.count
    (array([0.5, 0.5]), array([0.5, nan]), array([2, 1]))
    """
    there = ~np.isnan(marks)
    index, marks = index[there], marks[there]
    count = np.bincount(index, minlength=items)
    # sums of deviations from one of the item's marks: equal marks have their own value for mean, and no variance
    first = np.full(items, np.nan)
    first[index] = marks
    deviation = marks - first[index]
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = first + np.bincount(index, weights=deviation, minlength=items) / count
        squares = np.bincount(index, weights=(marks - mean[index]) ** 2, minlength=items)
        variance = np.where(count > 1, squares / (count - 1), np.nan)
    right_wrong = right_wrong_scale(marks) is not None
    return ItemMarks(mean=mean, variance=variance, count=count, right_wrong=right_wrong)


def tried_once(marks: Array) -> ItemMarks:
    once = np.ones(len(marks), dtype=np.int64)
    right_wrong = right_wrong_scale(marks) is not None
    return ItemMarks(mean=marks, variance=np.full(len(marks), np.nan), count=once, right_wrong=right_wrong)


def _pooled(variance: Array, count: Integers) -> float:
    known = count > 1
    weight = count[known] - 1
    return float((variance[known] * weight).sum() / weight.sum()) if known.any() else float("nan")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MarkRows:
    """The marks of two or more models by item, on the items that all of them have."""

    models: tuple[ItemMarks, ...]  #: Of each model
    items: Labels | None  #: What the items are called; None where they have no names
    groups: Integers | None  #: Index of the cluster of each item; None where there are none
    missing: MissingValues | None  #: What was missing; None where nothing was
    times: Labels | None = None  #: When each item was; None where nobody said
    kept: Integers | None = None  #: Which they are of all items that were given

    @property
    def right_wrong(self) -> bool:
        return all(model.right_wrong for model in self.models)


def read_rows(
    models: Mapping[str, ArrayLike | MarksByItem], *, items: ArrayLike | None,
    groups: ArrayLike | Mapping[Any, Any] | None, missing: MissingRule,
    time: ArrayLike | Mapping[Any, Any] | None = None, runs: RepeatedRuns | None = None,
) -> MarkRows:  # fmt: skip
    """Check the marks, do about missing ones what was asked for, and average the trials of each item.

    `runs` is what is asked of the trials of an item instead of their mean.

    >>> rows = read_rows({"a": [1, 0, 3], "b": [2, 2, 2]}, items=["p", "q", "p"], groups=None, missing=MissingRule())
    >>> rows.items.tolist(), [model.mean.tolist() for model in rows.models]
    (['p', 'q'], [[2.0, 0.0], [2.0, 2.0]])
    """
    mapped = {name: marks for name, marks in models.items() if isinstance(marks, Mapping)}
    if len(mapped) == len(models):
        if items is not None:
            raise InvalidInput("items must not be given where marks are mappings, which name the items themselves")
        items, given = paired_by_item(mapped)
        groups = None if groups is None else _groups_of(items, groups)
        time = None if time is None else _groups_of(items, time, "time")
    elif mapped or isinstance(groups, Mapping) or isinstance(time, Mapping):
        raise InvalidInput(f"{', '.join(models)}, groups and time must all be mappings from items, or none of them")
    else:
        given = {name: given_marks(marks, name) for name, marks in models.items() if not isinstance(marks, Mapping)}
    return average_rows(given, items, groups, missing, time=time, runs=runs)


def average_rows(
    given: Mapping[str, GivenMarks], items: ArrayLike | Categories | None, groups: ArrayLike | None,
    missing: MissingRule, place: Callable[[str, Integers], str] | None = None, time: ArrayLike | None = None,
    runs: RepeatedRuns | None = None,
) -> MarkRows:  # fmt: skip
    """The marks of each item, once missing ones are settled."""
    not_vanishing(*(marks.values for marks in given.values()), name="marks")
    (first, marks), *others = given.items()
    rows = len(marks.values)
    for name, other in others:
        if len(other.values) != rows:
            raise InvalidInput(f"{name} must have as many rows as {first} ({rows}), got {len(other.values)}")
    names, index = _item_index(items, rows)
    count = rows if names is None else len(names)
    there = [_has(one.values, index, count) for one in given.values()]
    if not np.all([has for has in there if has.any() or missing.policy != "worst"], axis=0).any():
        every = "both" if len(given) == 2 else "all"
        raise InvalidInput(
            f"{', '.join(list(given)[:-1])} and {list(given)[-1]} must have items in common, but no item has a mark of "
            f"{every}"
        )
    gone = {name: one.gone for name, one in given.items()}
    if runs is not None:
        gone = _too_few_runs(given, index, count, runs, missing, names)
    settled = settle_missing(
        {name: one.values for name, one in given.items()},
        missing,
        gone=gone,
        unit_of_row=index,
        place=place or (lambda name, where: marks_place(name, where[: min(2, given[name].values.shape[1])])),
    )
    found = [
        _averaged(values, index, count, count == rows)
        if runs is None
        else _over_runs(values, index, count, settled.kept, runs, missing.higher_is_better)
        for values in settled.values
    ]
    clusters = None if groups is None else _clusters(groups, index, count)
    times = None if time is None else _clusters(time, index, count, "time")
    kept = np.flatnonzero(np.all([settled.kept, *(one.count > 0 for one in found)], axis=0))
    if not len(kept):
        raise InvalidInput("no item has all values of all models: missing='drop' leaves nothing to compare")
    return MarkRows(
        models=tuple(one.of(kept) for one in found),
        items=names if names is None or len(kept) == len(names) else names[kept],
        groups=None if clusters is None else group_index(clusters[kept]),
        missing=settled.missing,
        times=None if times is None else times[kept],
        kept=kept,
    )


def _has(values: Array, index: Integers, count: int) -> Flags:
    has = np.zeros(count, dtype=np.bool_)
    has[index[~np.isnan(values).all(axis=1)]] = True
    return has


def _averaged(values: Array, index: Integers, count: int, once: bool) -> ItemMarks:
    trials = values.shape[1]
    if once and trials == 1 and not np.isnan(values).any():
        return tried_once(values[:, 0])
    return item_marks(values.ravel(), np.repeat(index, trials), count)


def _too_few_runs(
    given: Mapping[str, GivenMarks], index: Integers, items: int, runs: RepeatedRuns, missing: MissingRule,
    names: Labels | None,
) -> dict[str, Flags]:  # fmt: skip
    """What is missing; items with too few runs too where they are to be left out, else they are refused by name."""
    gone = {}
    for name, one in given.items():
        there = ~np.isnan(one.values) | (one.gone & (missing.policy == "worst"))
        made = np.bincount(index, weights=there.sum(axis=1), minlength=items)
        few = (made > 0) & (made < runs.k)
        gone[name] = one.gone | few[index][:, None]
        if few.any() and not (missing.policy == "drop" and missing.how == "declared"):
            called = np.arange(1, items + 1) if names is None else names
            listed = ", ".join(f"{called[i]} ({made[i]:g})" for i in np.flatnonzero(few)[:3])
            raise InvalidInput(
                f"{runs.name} needs at least {runs.k} runs of every item, but {name} has fewer on {few.sum():,} of "
                f"{items:,}: {listed}{' …' if few.sum() > 3 else ''}. Ask for fewer runs, or leave such items out with "
                "missing='drop' (--missing drop)"
            )
    return gone


def _over_runs(
    values: Array, index: Integers, items: int, kept: Flags, runs: RepeatedRuns, higher_is_better: bool
) -> ItemMarks:
    """The best or the worst of k runs of each item that is kept, and what its runs add to the variance."""
    marks, rows = values.ravel(), np.repeat(index, values.shape[1])
    there = ~np.isnan(marks) & kept[rows]
    marks, rows = marks[there], rows[there]
    if runs.right_wrong:
        scale = 100.0 if marks.size and marks.max() == 100 else 1.0
        strange = marks[(marks != 0) & (marks != scale)]
        if len(strange):
            raise InvalidInput(
                f"{runs.name} is about runs that are right (1) or wrong (0), got {strange[0]:g}: best@{runs.k} and "
                f"worst@{runs.k} take any marks"
            )
        marks, higher_is_better = marks / scale, True
    # one row per item, its runs side by side, NaN where it has fewer
    order = np.argsort(rows, kind="stable")
    count = np.bincount(rows, minlength=items)
    table = np.full((items, int(count.max(initial=1))), np.nan)
    table[rows[order], np.arange(len(rows)) - (np.cumsum(count) - count)[rows[order]]] = marks[order]
    mean, variance = np.full(items, np.nan), np.full(items, np.nan)
    take: Literal["best", "worst"] = runs.take if higher_is_better else "worst" if runs.take == "best" else "best"
    mean[kept], variance[kept] = (
        of_k_runs(table[kept], runs.k, take=take),
        variance_over_runs(table[kept], runs.k, take=take),
    )
    right_wrong = right_wrong_scale(marks) is not None
    return ItemMarks(mean=mean, variance=variance, count=count, right_wrong=right_wrong)


def _item_index(items: ArrayLike | Categories | None, rows: int) -> tuple[Labels | None, Integers]:
    """The names of the items in the order in which they come, and the item of each row."""
    if items is None:
        return None, np.arange(rows)
    if isinstance(items, Categories) and len(items.labels) == len(items) == rows:  # each is there once
        return np.array(items.labels, dtype=object)[items.codes], np.arange(rows)
    given = labels(items, "items")
    if len(given) != rows:
        raise InvalidInput(f"items must name the item of each row ({rows}), got {len(given)}")
    place = {name: i for i, name in enumerate(dict.fromkeys(given.tolist()))}
    names = np.empty(len(place), dtype=object)
    names[:] = list(place)
    return names, np.fromiter(map(place.__getitem__, given.tolist()), np.int64, rows)


def _groups_of(items: list[Any], groups: ArrayLike | Mapping[Any, Any], name: str = "groups") -> list[Any]:
    if not isinstance(groups, Mapping):
        raise InvalidInput(f"{name} must be a mapping from items to {_SAID[name]} where marks are mappings")
    lost = next((item for item in items if item not in groups), None)
    if lost is not None:
        raise InvalidInput(f"{name} must name the {_SAID[name][:-1]} of each item, but {lost!r} has none")
    return [groups[item] for item in items]


_SAID = {"groups": "clusters", "time": "times"}


def _clusters(groups: ArrayLike, index: Integers, items: int, name: str = "groups") -> Labels:
    given = labels(groups, name)
    if len(given) != len(index):
        raise InvalidInput(f"{name} must name the {_SAID[name][:-1]} of each row ({len(index)}), got {len(given)}")
    row = np.zeros(items, dtype=np.int64)
    row[index[::-1]] = np.arange(len(index))[::-1]
    clusters = given[row]
    astray: Flags = clusters[index] != given
    if astray.any():
        where = int(np.argmax(astray))
        raise InvalidInput(
            f"{name} must put all trials of an item into one {_SAID[name][:-1]}, but one item is in "
            f"{clusters[index[where]]} and in {given[where]}"
        )
    return clusters
