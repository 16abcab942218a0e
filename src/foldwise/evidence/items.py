"""What each of two or more models did on the same items: right or wrong, or a number, tried once or several times."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.categories import Categories
from foldwise.core.decisions import How
from foldwise.core.digest import digest
from foldwise.core.errors import InvalidInput
from foldwise.core.formatting import number_text
from foldwise.core.labels import categories, check_alike, coded, group_index
from foldwise.core.metric import (
    UNNAMED,
    UNNAMED_MARK,
    RepeatedRuns,
    Unit,
    check_scales,
    check_unit,
    measured_by,
    metric_words,
    repeated_runs,
    resolve_direction,
)
from foldwise.core.types import Array, Flags, Integers, Labels
from foldwise.evidence.evidence import Evidence, EvidenceTable, as_argument, item_differences, named_models
from foldwise.evidence.mark_input import MarksByItem, right_wrong_scale, says_right
from foldwise.evidence.missing import MissingRule, Policy
from foldwise.evidence.sequence import in_time, period_words
from foldwise.evidence.trials import MarkRows, Trials, read_rows


def task_means(values: Array, tasks: Integers) -> Array:
    """The mean over the items of each task, on the last axis.

    >>> task_means(np.array([1.0, 0.0, 3.0]), np.array([0, 0, 1])).tolist()
    [0.5, 3.0]
    """
    sizes = np.bincount(tasks)
    order = np.argsort(tasks, kind="stable")
    starts = np.cumsum(sizes) - sizes
    return np.asarray(np.add.reduceat(values[..., order], starts, axis=-1) / sizes)


def said_of(noun: str, text: str) -> str:
    """A text about items with what they are called.

    >>> said_of("query", "50 items, 1 item"), said_of("item", "50 items")
    ('50 queries, 1 query', '50 items')
    """
    if noun == "item":
        return text
    several = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return re.sub(r"\bitem(s?)\b", lambda found: several if found[1] else noun, text)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Items(Evidence):
    """A number for each model on each item: right or wrong as 1 and 0, graded answers, losses.

    >>> items = Items.from_predictions([0, 1, 1], {"a": [0, 1, 0], "b": [0, 0, 0], "c": [0, 1, 1]})
    >>> items.means.round(2).tolist(), items.design, items.pair(0, 1).cells
    ([0.67, 0.33, 1.0], '3 test examples', (1, 0, 1, 1))
    >>> marks = Items.from_marks({"a": [[1.0, 0.5], [0.0, 0.0]], "b": [[0.5, 0.5], [0.0, 1.0]]})
    >>> marks.differences.tolist(), marks.design
    ([0.25, -0.5], '2 items, 2 trials each')
    """

    values: Array  #: Models × items; the mean over its trials where an item was tried several times
    right_wrong: bool  #: Whether the numbers say who was right and who was wrong, in whatever coding and direction
    #: Index of the cluster that each item belongs to, or None when the items are independent
    groups: Integers | None = None
    items: Labels | None = None  #: What the items are called, where that was said
    trials: Trials | None = None  #: The trials behind the means; None where every item was tried once
    #: Index of the task of each item, where the mean of tasks counts, each task once; `groups` may cross tasks
    tasks: Integers | None = None
    #: Where the values are in order of time, the time of each period; None where items have no order
    times: Labels | None = None
    averaged: int = 0  #: Of values in order of time, how many items were averaged where several have one time
    #: Of values in order of time, in how many splits they were tested, by models trained anew; 0 for fixed models
    splits: int = 0
    #: Of each model, how many predictions are labels that never occur in the truth (they count as errors)
    unseen: tuple[int, ...] = ()
    noun: str = "item"  #: What people call an item: a query
    #: Of values in order of time, whether they are what each period adds to a metric of all items together
    whole: bool = False
    #: Whether values average marks that all say right or wrong, over trials, judges or the items of a time
    shares: bool = False

    @classmethod
    def from_predictions(
        cls, truth: ArrayLike | Categories, models: Mapping[str, ArrayLike | Categories], *,
        groups: ArrayLike | Categories | None = None, called: Callable[[str], str] = as_argument,
    ) -> Items:  # fmt: skip
        """Compare each model's predictions with the truth, item by item; `called` is how messages name a model's."""
        names = named_models(models)
        true_labels = categories(truth, "truth")
        columns = [categories(column, called(name)) for name, column in zip(names, models.values(), strict=True)]
        for name, column in zip(names, columns, strict=True):
            if len(column) != len(true_labels):
                raise InvalidInput(f"{called(name)} must be as long as truth ({len(true_labels)}), got {len(column)}")
        distinct, (true, *codes) = coded(true_labels, *columns)
        counts, *found = (np.bincount(column, minlength=len(distinct)) for column in (true, *codes))
        known, *said = ({distinct[i] for i in np.flatnonzero(count)} for count in (counts, *found))
        check_alike(len(true_labels), known, dict(zip(map(called, names), said, strict=True)))
        return cls.from_right(
            names,
            [column == true for column in codes],
            groups=None if groups is None else groups_of(groups, len(true_labels)),
            unseen=tuple(int(count[counts == 0].sum()) for count in found),
            majority=int(counts.max()) / len(true_labels),
        )

    @classmethod
    def from_right(
        cls, names: Sequence[str], right: Sequence[Flags], *, metric: str = "accuracy", groups: Integers | None = None,
        unseen: tuple[int, ...] = (), majority: float | None = None,
    ) -> Items:  # fmt: skip
        return cls(
            names=tuple(names), values=np.array(right, dtype=np.float64), right_wrong=True, metric=metric,
            higher_is_better=True, groups=groups, unseen=unseen, majority=majority,
        )  # fmt: skip

    @classmethod
    def from_marks(
        cls, models: Mapping[str, ArrayLike | MarksByItem], *, items: ArrayLike | None = None,
        groups: ArrayLike | Mapping[Any, Any] | None = None, metric: str = UNNAMED_MARK,
        higher_is_better: bool | None = None, unit: Unit | None = None, missing: Policy = "refuse",
        bounds: tuple[float, float] | None = None, time: ArrayLike | Mapping[Any, Any] | None = None,
        called: Callable[[str], str] = as_argument, noun: str = "item",
    ) -> Items:  # fmt: skip
        """Check marks of shape (items,) or (items, trials), or rows of trials whose item `items` names.

        Marks of 1 and 0 (or 100 and 0) on items that were tried once are right and wrong answers.

        Marks are numbers, or the words right and wrong, pass and fail … for 1 and 0; NaN is a missing mark. A row of
        all models is one item, or a trial of the item that `items` names; or each model is a mapping from items to
        marks, and `groups` one from items to clusters. `missing` is ``"refuse"``, ``"drop"`` (the item, for all) or
        ``"worst"`` (the worst mark the metric or `bounds` allow). By `time`, the same for all rows of an item, marks
        are sorted, and those of one time averaged.
        """
        names = named_models(models)
        given = dict(zip(map(called, names), models.values(), strict=True))
        metric = measured_by(metric, names)
        higher, direction = resolve_direction(metric, higher_is_better)
        if direction == "assumed" and all(map(says_right, models.values())):
            direction = "from the file"
        rule = MissingRule(policy=missing, metric=metric, higher_is_better=higher, bounds=bounds, unit=unit)
        runs = repeated_runs(metric)
        if runs is not None and runs.right_wrong and not higher:
            raise InvalidInput(f"higher_is_better must not be False for {metric}, which counts runs that are right")
        rows = read_rows(given, items=items, groups=groups, missing=rule, time=time, runs=runs)
        words: dict[str, Any] = {"metric": metric, "higher_is_better": higher, "direction": direction}
        return cls.of(rows, names, unit=unit, runs=runs, noun=noun, **words)

    @classmethod
    def of(
        cls, rows: MarkRows, names: tuple[str, ...], *, metric: str, higher_is_better: bool,
        direction: How = "by its name", unit: Unit | None = None, runs: RepeatedRuns | None = None, noun: str = "item",
    ) -> Items:  # fmt: skip
        """From the marks of the models by item; `runs` says what stands there instead of the mean of trials."""
        trials = Trials(
            counts=tuple(model.count for model in rows.models), variances=tuple(model.variance for model in rows.models)
        )
        values = np.array([model.mean for model in rows.models])
        once = trials.most == 1 or (runs is not None and trials.least == trials.most == runs.k)
        right_wrong, nameless = once and right_wrong_scale(values) is not None, (UNNAMED, UNNAMED_MARK)
        check_scales(metric, {} if right_wrong else dict(zip(names, values, strict=True)))
        found = cls(
            names=names,
            values=values,
            right_wrong=right_wrong,
            metric=("accuracy" if higher_is_better else "error") if right_wrong and metric in nameless else metric,
            higher_is_better=higher_is_better,
            direction=direction,
            declared_unit=check_unit(unit),
            groups=rows.groups,
            items=rows.items,
            trials=None if trials.most == 1 else trials,
            missing=rows.missing,
            noun=noun,
            shares=not right_wrong and rows.right_wrong,
        )
        return found if rows.times is None else found.in_time(rows.times)

    def in_time(self, time: ArrayLike | Categories) -> Items:
        """The same in order of time; values of one time are averaged."""
        found = in_time(self.values, time)
        return replace(
            self,
            values=found.values,
            right_wrong=self.right_wrong and right_wrong_scale(found.values) is not None,
            shares=self.shares or self.right_wrong,
            items=None,
            trials=None,
            times=found.times,
            averaged=found.averaged,
            # the share of a label over items says nothing of a mean over periods
            majority=None if found.averaged else self.majority,
        )

    def pair(self, i: int, j: int) -> Items:
        return replace(
            self,
            names=(self.names[i], self.names[j]),
            values=self.values[[i, j]],
            trials=self.trials and self.trials.pair(i, j),
            unseen=(self.unseen[i], self.unseen[j]) if self.unseen else (),
            missing=self.missing_of(i, j),
        )

    @property
    def numbers(self) -> Array:
        return self.values

    @property
    def n(self) -> int:
        return int(self.values.shape[1])

    @property
    def differences(self) -> Array:
        """Of two models, a − b on every item; what rounding alone tells apart is the same."""
        return item_differences(self.a, self.b)

    @property
    def scale(self) -> float:
        return self.once("scale", lambda: right_wrong_scale(self.values) or 1.0)

    @property
    def factor(self) -> float:
        """From a difference of right answers to one in the metric's own unit and direction."""
        return self.scale if self.higher_is_better else -self.scale

    @property
    def right(self) -> Array:
        """1 where a model is right and 0 where it is wrong, whatever the coding."""
        share = self.values / self.scale
        return share if self.higher_is_better else 1 - share

    @property
    def cells(self) -> tuple[int, int, int, int]:
        """Of two models n00, n01, n10, n11: both wrong, only the first wrong, only the second wrong, both right."""
        a, b = self.right.astype(bool)
        n11, of_a, of_b = (int(np.count_nonzero(found)) for found in (a & b, a, b))
        return self.n - of_a - of_b + n11, of_b - n11, of_a - n11, n11

    @property
    def unit(self) -> Unit:
        if self.shares and self.declared_unit is None:
            return "fraction" if self.values.max() < 1.5 else "percent"  # of 0 and 1, up to rounding, or of 0 and 100
        if self.right_wrong or (self.tasks is not None and right_wrong_scale(self.values) is not None):
            return "fraction" if self.scale == 1 else "percent"
        return super(Items, self).unit  # a class with slots is made anew: super() alone would miss it

    @property
    def coding(self) -> str:
        return f"{self.scale:g} is right and 0 is wrong" if self.direction == "assumed" and self.right_wrong else ""

    @property
    def means(self) -> Array:
        """Mean of each model over the items, however often each was tried; of tasks the mean of their means."""

        def mean() -> Array:
            values = self.values if self.tasks is None else task_means(self.values, self.tasks)
            return np.asarray(values.mean(axis=1))

        return self.once("means", mean)

    @property
    def design(self) -> str:
        if self.times is not None:
            if self.splits:
                return ("" if self.splits == self.n else f"{self.n} periods in ") + f"{self.splits} time-ordered splits"
            return period_words(self.n, self.averaged, together=self.whole)
        tasks = "" if self.tasks is None else f" in {int(self.tasks.max()) + 1} tasks"
        clusters = "" if self.groups is None else f" in {int(self.groups.max()) + 1} clusters"
        trials = "" if self.trials is None else f", {self.trials.words} each"
        item = "test example" if self.right_wrong and self.noun == "item" else "item"
        return self.said(f"{self.n} {item}{'' if self.n == 1 else 's'}{tasks}{clusters}{trials}")

    def said(self, text: str) -> str:
        return said_of(self.noun, text)

    @property
    def digest(self) -> str:
        trials = [] if self.trials is None else [*self.trials.counts, *self.trials.variances]
        placed = [where for where in (self.tasks, self.times) if where is not None]
        return digest([self.values, self.groups, *trials, *placed])

    def columns(self) -> dict[str, Labels]:
        columns: dict[str, Labels] = {} if self.items is None else {"item": self.items}
        columns |= {} if self.times is None else {"time": self.times}
        right = self.right_wrong and self.times is None
        columns |= dict(zip(self.names, self.right.astype(bool) if right else self.values, strict=True))
        if len(self.names) == 2 and not right:
            columns["difference"] = self.differences
        columns |= {} if self.groups is None else {"group": self.groups}
        counts = () if self.trials is None else zip(self.names, self.trials.counts, strict=True)
        return columns | {f"trials of {name}": count for name, count in counts}

    def table(self) -> EvidenceTable:
        """Who was right on how many items, or how the numbers are spread: the rows themselves may be millions."""
        if not self.right_wrong or self.times is not None:
            return _spread(self)
        return _two_by_two(self) if len(self.names) == 2 else _right(self)


def _two_by_two(items: Items) -> EvidenceTable:
    """The four counts of two models with their sums."""
    a, b = items.names
    n00, n01, n10, n11 = items.cells
    rows = (
        (f"{a} right", str(n11), str(n10), str(n11 + n10)),
        (f"{a} wrong", str(n01), str(n00), str(n01 + n00)),
        ("all", str(n11 + n01), str(n10 + n00), str(items.n)),
    )
    return EvidenceTable(columns=("test examples", f"{b} right", f"{b} wrong", "all"), rows=rows)


def _right(items: Items) -> EvidenceTable:
    """How many items each model got right, and on how many it stands alone."""
    right = items.right.astype(bool)
    by_item, k = right.sum(axis=0), len(right)
    alone, odd = right & (by_item == 1), ~right & (by_item == k - 1)
    counts = np.stack([right.sum(axis=1), (~right).sum(axis=1), alone.sum(axis=1), odd.sum(axis=1)], axis=1)
    return EvidenceTable(
        columns=("model", "right", "wrong", "right where no other is", "wrong where all others are right"),
        rows=tuple((name, *map(str, row)) for name, row in zip(items.names, counts.tolist(), strict=True)),
        caption=f"{items.design}: all models are right on {int((by_item == k).sum())}, none on "
        f"{int((by_item == 0).sum())}",
    )


def _spread(items: Items) -> EvidenceTable:
    """How the numbers of each model are spread, and of two their differences."""
    series = dict(zip(items.names, items.values, strict=True))
    of = "what each period adds to " if items.whole else ""
    caption = f"{of}{metric_words(items.metric)} on {items.design}"
    if len(series) == 2:
        x = items.differences
        higher = [int((x > 0).sum()), int((x < 0).sum())]
        caption += f": {items.names[0]} has the higher on {higher[0]}, {items.names[1]} on {higher[1]}, and they are "
        caption += f"equal on {items.n - sum(higher)}"
        series["difference"] = x
    rows = []
    for name, values in series.items():
        deviation = float(values.std(ddof=1)) if len(values) > 1 else float("nan")
        spread = float(values.mean()), deviation, *map(float, np.quantile(values, (0, 0.25, 0.5, 0.75, 1)))
        rows.append((name, *(number_text(value, 4) for value in spread)))
    columns = ("", "mean", "standard deviation", "least", "lower quarter", "median", "upper quarter", "largest")
    return EvidenceTable(columns=columns, rows=tuple(rows), caption=caption)


def groups_of(groups: ArrayLike | Categories, n: int) -> Integers:
    given = categories(groups, "groups")
    if len(given) != n:
        raise InvalidInput(f"groups must name the cluster of each item ({n}), got {len(given)}")
    return group_index(given)
