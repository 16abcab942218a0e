"""Marks of two models on the same items: a number for each, in whatever unit, from one trial or several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.categories import Categories
from foldwise.core.digest import digest
from foldwise.core.formatting import number_text
from foldwise.core.metric import Unit, check_unit, resolve_direction, unit_of
from foldwise.core.types import Array, Integers, Labels
from foldwise.evidence.differences import item_differences
from foldwise.evidence.evidence import EvidenceTable
from foldwise.evidence.in_time import in_time, period_words
from foldwise.evidence.mark_input import MarksByItem, says_right
from foldwise.evidence.mark_rows import MarkRows, read_rows
from foldwise.evidence.missing import MissingRule, MissingValues, Policy
from foldwise.evidence.models import UNNAMED_MARK
from foldwise.evidence.outcomes import right_wrong_scale
from foldwise.evidence.tasks import task_means
from foldwise.evidence.trials import Trials

__all__ = ["Marks"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Marks:
    """What each of two models scored on each item: graded answers, losses, any real numbers.

    Attributes
    ----------
    a, b
        One number per item; the mean over its trials where there are several.
    metric
        What the marks measure, for people to read.
    higher_is_better
        False for losses.
    direction_assumed
        Whether that is only assumed, because neither the metric's name nor anybody said so.
    declared_unit
        The unit, where somebody or the file says it.
    groups
        Index of the cluster that each item belongs to, or None when the items are independent.
    items
        What the items are called, where that was said.
    trials
        The trials behind the means; None where every item was tried once.
    missing
        What was missing, and what was done about it; None where nothing was.
    tasks
        Index of the task of each item, where the mean of tasks counts, each task once; `groups` may cross tasks.
    times
        Where the values are in order of time, the time of each period; None where items have no order.
    averaged
        Of values in order of time, how many items were averaged where several have one time.
    splits
        Of values in order of time, in how many splits they were tested, by models trained anew; 0 for fixed models.
    unseen
        Of right and wrong answers, how many predictions of A and of B are labels that never occur in the truth.
    majority
        Of right and wrong answers, share of the most frequent label of the truth; None where it is not known.

    Examples
    --------
    >>> marks = Marks.build([[1.0, 0.5], [0.0, 0.0]], [[0.5, 0.5], [0.0, 1.0]])
    >>> marks.differences.tolist(), marks.design
    ([0.25, -0.5], '2 items, 2 trials each')
    """

    a: Array
    b: Array
    metric: str
    higher_is_better: bool
    direction_assumed: bool = False
    declared_unit: Unit | None = None
    groups: Integers | None = None
    items: Labels | None = None
    trials: Trials | None = None
    missing: MissingValues | None = None
    tasks: Integers | None = None
    times: Labels | None = None
    averaged: int = 0
    splits: int = 0
    unseen: tuple[int, int] = (0, 0)
    majority: float | None = None

    @classmethod
    def build(
        cls,
        marks_a: ArrayLike | MarksByItem,
        marks_b: ArrayLike | MarksByItem,
        *,
        items: ArrayLike | None = None,
        groups: ArrayLike | Mapping[Any, Any] | None = None,
        metric: str = "mark",
        higher_is_better: bool | None = None,
        unit: Unit | None = None,
        missing: Policy = "refuse",
        bounds: tuple[float, float] | None = None,
        time: ArrayLike | Mapping[Any, Any] | None = None,
    ) -> Marks:
        """Check marks of shape (items,) or (items, trials), or rows of trials whose item `items` names.

        Parameters
        ----------
        marks_a, marks_b
            Marks of the two models: numbers, or the words right and wrong, pass and fail … for 1 and 0. A row of both
            is one item, or a trial of the item that `items` names; or each is a mapping from items to their marks. The
            models may have different numbers of trials. NaN is a missing mark.
        items
            The item of each row.
        groups
            The cluster of each row, the same for all rows of an item; with mappings a mapping from items to clusters.
        metric, higher_is_better
            What the marks measure; without a direction the name tells.
        missing
            What to do about missing marks: ``"refuse"``, ``"drop"`` (the item, for both) or ``"worst"`` (the worst
            possible mark takes their place, where the metric has one).
        bounds
            What no mark can be below or above, where the metric's name does not tell.
        time
            When each row was, the same for all rows of an item: the marks are sorted by it, and those of one time
            averaged.
        """
        given = {"marks_a": marks_a, "marks_b": marks_b}
        higher, assumed = resolve_direction(metric, higher_is_better)
        assumed = assumed and not (says_right(marks_a) and says_right(marks_b))
        rule = MissingRule(policy=missing, metric=metric, higher_is_better=higher, bounds=bounds, unit=unit)
        rows = read_rows(given, items=items, groups=groups, missing=rule, time=time)
        return cls.of(rows, metric=metric, higher_is_better=higher, direction_assumed=assumed, unit=unit)

    @classmethod
    def of(
        cls,
        rows: MarkRows,
        *,
        metric: str,
        higher_is_better: bool,
        direction_assumed: bool = False,
        unit: Unit | None = None,
    ) -> Marks:
        """From the marks of two models by item."""
        a, b = rows.models
        trials = Trials(counts=(a.count, b.count), variances=(a.variance, b.variance))
        marks = cls(
            a=a.mean,
            b=b.mean,
            metric=metric,
            higher_is_better=higher_is_better,
            direction_assumed=direction_assumed,
            declared_unit=check_unit(unit),
            groups=rows.groups,
            items=rows.items,
            trials=None if trials.most == 1 else trials,
            missing=rows.missing,
        )
        return marks if rows.times is None else marks.in_time(rows.times)

    def in_time(self, time: ArrayLike | Categories) -> Marks:
        """The same in order of time; marks of one time are averaged."""
        found = in_time(np.array([self.a, self.b]), time)
        a, b = found.values
        shares = self.right_wrong and self.metric == UNNAMED_MARK
        return replace(
            self,
            a=a,
            b=b,
            metric=("accuracy" if self.higher_is_better else "error") if shares else self.metric,
            items=None,
            trials=None,
            times=found.times,
            averaged=found.averaged,
            # the share of a label over items says nothing of a mean over periods
            majority=None if found.averaged else self.majority,
        )

    @property
    def n(self) -> int:
        """Number of items."""
        return len(self.a)

    @property
    def differences(self) -> Array:
        """A − b on every item; what rounding alone tells apart is the same."""
        return item_differences(self.a, self.b)

    @property
    def right_wrong(self) -> bool:
        """Whether marks of items that were tried once say right and wrong, in whatever coding and direction."""
        return self.trials is None and self.tasks is None and right_wrong_scale((self.a, self.b)) is not None

    @property
    def unit(self) -> Unit:
        """Fractions, percentages, or the metric's own unit."""
        if self.times is not None and self.right_wrong and self.declared_unit is None:
            return "fraction" if right_wrong_scale((self.a, self.b)) == 1 else "percent"
        return unit_of(self.metric, (self.a, self.b), self.declared_unit)

    @property
    def means(self) -> tuple[float, float]:
        """Mean over the items, of a and of b, however often each was tried; of tasks the mean of their means."""
        a, b = (part if self.tasks is None else task_means(part, self.tasks) for part in (self.a, self.b))
        return float(a.mean()), float(b.mean())

    @property
    def design(self) -> str:
        """The items in words."""
        if self.times is not None:
            if self.splits:
                return ("" if self.splits == self.n else f"{self.n} periods in ") + f"{self.splits} time-ordered splits"
            return period_words(self.n, self.averaged)
        clusters = "" if self.groups is None else f" in {int(self.groups.max()) + 1} clusters"
        trials = "" if self.trials is None else f", {self.trials.words} each"
        tasks = "" if self.tasks is None else f" in {int(self.tasks.max()) + 1} tasks"
        return f"{self.n} item{'' if self.n == 1 else 's'}{tasks}{clusters}{trials}"

    @property
    def digest(self) -> str:
        """Equal exactly when the marks, their trials and their clusters are."""
        trials = [] if self.trials is None else [*self.trials.counts, *self.trials.variances]
        placed = [where for where in (self.tasks, self.times) if where is not None]
        return digest([self.a, self.b, self.groups, *trials, *placed])

    def columns(self, names: tuple[str, str]) -> dict[str, Labels]:
        """One row per item."""
        columns: dict[str, Labels] = {} if self.items is None else {"item": self.items}
        columns |= {} if self.times is None else {"time": self.times}
        columns |= {names[0]: self.a, names[1]: self.b, "difference": self.differences}
        if self.groups is not None:
            columns["group"] = self.groups
        if self.trials is not None:
            columns |= {f"trials of {name}": count for name, count in zip(names, self.trials.counts, strict=True)}
        return columns

    def table(self, names: tuple[str, str]) -> EvidenceTable:
        """How the marks and their differences are spread: the rows themselves may be millions."""
        x = self.differences
        spread = zip(*(_spread(values) for values in (self.a, self.b, x)), strict=True)
        rows = tuple((label, *map(_cell, values)) for label, values in zip(_SPREAD, spread, strict=True))
        higher = [int((x > 0).sum()), int((x < 0).sum())]
        caption = (
            f"{self.metric} on {self.design}: {names[0]} has the higher on {higher[0]}, {names[1]} on {higher[1]}, "
            f"and they are equal on {self.n - sum(higher)}"
        )
        return EvidenceTable(columns=(self.metric, *names, "difference"), rows=rows, caption=caption)


_SPREAD = ("mean", "standard deviation", "least", "lower quarter", "median", "upper quarter", "largest")


def _spread(values: Array) -> tuple[float, ...]:
    deviation = float(values.std(ddof=1)) if len(values) > 1 else float("nan")
    return float(values.mean()), deviation, *map(float, np.quantile(values, (0, 0.25, 0.5, 0.75, 1)))


def _cell(value: float) -> str:
    return number_text(value, 4)
