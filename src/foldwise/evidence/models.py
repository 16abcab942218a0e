"""What several models did on the same items: right or wrong, or a number for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.categories import Categories
from foldwise.core.digest import digest
from foldwise.core.errors import InvalidInput
from foldwise.core.formatting import number_text
from foldwise.core.metric import Unit, check_unit, metric_words, resolve_direction, unit_of
from foldwise.core.types import Array, Integers, Labels
from foldwise.evidence.evidence import EvidenceTable
from foldwise.evidence.in_time import in_time, period_words
from foldwise.evidence.labels import check_alike, coded, group_index, labels
from foldwise.evidence.mark_input import MarksByItem, says_right
from foldwise.evidence.mark_rows import MarkRows, read_rows
from foldwise.evidence.missing import MissingRule, MissingValues, Policy
from foldwise.evidence.outcomes import right_wrong_scale
from foldwise.evidence.tasks import task_means

__all__ = ["UNNAMED_MARK", "ModelValues", "check_names", "named_models"]

UNNAMED_MARK = "mark"
"""What marks are called whose metric was not named."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelValues:
    """A number for each of several models on each item: right or wrong as 1 and 0, marks, losses.

    Attributes
    ----------
    names
        What the models are called.
    values
        Models × items.
    right_wrong
        Whether the numbers say who was right and who was wrong, in whatever coding.
    metric
        What they measure, for people to read.
    higher_is_better
        False for losses.
    direction_assumed
        Whether that is only assumed, because neither the metric's name nor anybody said so.
    declared_unit
        The unit, where somebody or the file says it.
    groups
        Index of the cluster that each item belongs to, or None when the items are independent.
    missing
        What was missing, and what was done about it; None where nothing was.
    tasks
        Index of the task of each item, where the mean of tasks counts, each task once; `groups` may cross tasks.
    trials
        How often each item was tried, in words; empty where it was tried once.
    unseen
        Of each model, how many predictions are labels that never occur in the truth (they count as errors).
    majority
        Share of the most frequent label of the truth: the accuracy of always answering it; None where it is not known.
    times, averaged
        As those of `Marks`.

    Examples
    --------
    >>> models = ModelValues.from_predictions([0, 1, 1], {"a": [0, 1, 0], "b": [0, 0, 0], "c": [0, 1, 1]})
    >>> models.means.round(2).tolist(), models.design
    ([0.67, 0.33, 1.0], '3 test examples')
    """

    names: tuple[str, ...]
    values: Array
    right_wrong: bool
    metric: str
    higher_is_better: bool
    direction_assumed: bool = False
    declared_unit: Unit | None = None
    groups: Integers | None = None
    missing: MissingValues | None = None
    tasks: Integers | None = None
    trials: str = ""
    unseen: tuple[int, ...] = ()
    majority: float | None = None
    times: Labels | None = None
    averaged: int = 0

    @classmethod
    def from_predictions(
        cls, y_true: ArrayLike, models: Mapping[str, ArrayLike], *, groups: ArrayLike | None = None
    ) -> ModelValues:
        """Compare each model's predictions with the truth, item by item."""
        names = named_models(models)
        truth = labels(y_true, "y_true")
        columns = [labels(column, called(name)) for name, column in zip(names, models.values(), strict=True)]
        _same_length(names, columns, len(truth), "y_true")
        distinct, (true, *codes) = coded(truth, *columns)
        counts, *found = (np.bincount(column, minlength=len(distinct)) for column in (true, *codes))
        known, *said = ({distinct[i] for i in np.flatnonzero(count)} for count in (counts, *found))
        check_alike(len(truth), known, dict(zip(map(called, names), said, strict=True)))
        return cls(
            names=names,
            values=np.array([column == true for column in codes], dtype=np.float64),
            right_wrong=True,
            metric="accuracy",
            higher_is_better=True,
            groups=None if groups is None else groups_of(groups, len(truth)),
            unseen=tuple(int(count[counts == 0].sum()) for count in found),
            majority=int(counts.max()) / len(truth),
        )

    @classmethod
    def from_marks(
        cls,
        models: Mapping[str, ArrayLike | MarksByItem],
        *,
        items: ArrayLike | None = None,
        groups: ArrayLike | Mapping[Any, Any] | None = None,
        metric: str = UNNAMED_MARK,
        higher_is_better: bool | None = None,
        unit: Unit | None = None,
        missing: Policy = "refuse",
        bounds: tuple[float, float] | None = None,
        time: ArrayLike | Mapping[Any, Any] | None = None,
    ) -> ModelValues:
        """From marks of shape (items,) or (items, trials), rows of trials whose item `items` names, or mappings.

        Marks of 1 and 0 on items that were tried once are right and wrong answers.
        """
        names = named_models(models)
        given = dict(zip(map(called, names), models.values(), strict=True))
        higher, assumed = resolve_direction(metric, higher_is_better)
        assumed = assumed and not all(map(says_right, models.values()))
        rule = MissingRule(policy=missing, metric=metric, higher_is_better=higher, bounds=bounds)
        rows = read_rows(given, items=items, groups=groups, missing=rule, time=time)
        return cls.of(rows, names, metric=metric, higher_is_better=higher, direction_assumed=assumed, unit=unit)

    @classmethod
    def of(
        cls,
        rows: MarkRows,
        names: tuple[str, ...],
        *,
        metric: str,
        higher_is_better: bool,
        direction_assumed: bool = False,
        unit: Unit | None = None,
    ) -> ModelValues:
        """From the marks of the models by item."""
        least = min(int(model.count.min()) for model in rows.models)
        most = max(int(model.count.max()) for model in rows.models)
        values = np.array([model.mean for model in rows.models])
        right_wrong = most == 1 and right_wrong_scale(values) is not None
        found = cls(
            names=names,
            values=values,
            right_wrong=right_wrong,
            metric=("accuracy" if higher_is_better else "error") if right_wrong and metric == UNNAMED_MARK else metric,
            higher_is_better=higher_is_better,
            direction_assumed=direction_assumed,
            declared_unit=check_unit(unit),
            groups=rows.groups,
            missing=rows.missing,
            trials="" if most == 1 else f"{most} trials" if least == most else f"{least} to {most} trials",
        )
        return found if rows.times is None else found.in_time(rows.times)

    def in_time(self, time: ArrayLike | Categories) -> ModelValues:
        """The same in order of time; values of one time are averaged."""
        found = in_time(self.values, time)
        return replace(
            self,
            values=found.values,
            right_wrong=self.right_wrong and right_wrong_scale(found.values) is not None,
            trials="",
            times=found.times,
            averaged=found.averaged,
            # the share of a label over items says nothing of a mean over periods
            majority=None if found.averaged else self.majority,
        )

    @property
    def n(self) -> int:
        """Number of items."""
        return int(self.values.shape[1])

    @property
    def unit(self) -> Unit:
        """Fractions, percentages, or the metric's own unit."""
        if self.right_wrong:
            return "fraction" if self.scale == 1 else "percent"
        return unit_of(self.metric, self.values, self.declared_unit)

    @property
    def scale(self) -> float:
        """What a right answer, or an error, counts."""
        return right_wrong_scale(self.values) or 1.0

    @property
    def right(self) -> Array:
        """1 where a model is right and 0 where it is wrong, whatever the coding."""
        share = self.values / self.scale
        return share if self.higher_is_better else 1 - share

    @property
    def factor(self) -> float:
        """From a difference of right answers to one in the metric's own unit and direction."""
        return self.scale if self.higher_is_better else -self.scale

    @property
    def means(self) -> Array:
        """Mean of each model; over tasks of their means, where they count."""
        values = self.values if self.tasks is None else task_means(self.values, self.tasks)
        return np.asarray(values.mean(axis=1))

    @property
    def design(self) -> str:
        """The items in words."""
        if self.times is not None:
            return period_words(self.n, self.averaged)
        clusters = "" if self.groups is None else f" in {int(self.groups.max()) + 1} clusters"
        trials = f", {self.trials} each" if self.trials else ""
        clusters = ("" if self.tasks is None else f" in {int(self.tasks.max()) + 1} tasks") + clusters
        return (
            f"{self.n} {'test example' if self.right_wrong else 'item'}{'' if self.n == 1 else 's'}{clusters}{trials}"
        )

    @property
    def digest(self) -> str:
        """Equal exactly when the values and clusters are."""
        return digest([self.values, self.groups, *(x for x in (self.tasks, self.times) if x is not None)])

    def columns(self) -> dict[str, Labels]:
        """One row per item."""
        columns: dict[str, Labels] = dict(zip(self.names, self.values, strict=True))
        columns |= {} if self.times is None else {"time": self.times}
        return columns if self.groups is None else columns | {"group": self.groups}

    def table(self) -> EvidenceTable:
        """What a person wants to see of it."""
        return _right_table(self) if self.right_wrong else _spread_table(self)


def _right_table(models: ModelValues) -> EvidenceTable:
    """How many items each model got right, and on how many it stands alone."""
    right = models.right.astype(bool)
    by_item, k = right.sum(axis=0), len(right)
    alone, odd = right & (by_item == 1), ~right & (by_item == k - 1)
    counts = np.stack([right.sum(axis=1), (~right).sum(axis=1), alone.sum(axis=1), odd.sum(axis=1)], axis=1)
    return EvidenceTable(
        columns=("model", "right", "wrong", "right where no other is", "wrong where all others are right"),
        rows=tuple((name, *map(str, row)) for name, row in zip(models.names, counts.tolist(), strict=True)),
        caption=f"{models.design}: all models are right on {int((by_item == k).sum())}, none on "
        f"{int((by_item == 0).sum())}",
    )


def _spread_table(models: ModelValues) -> EvidenceTable:
    """How the numbers of each model are spread."""
    spread = np.quantile(models.values, (0, 0.25, 0.5, 0.75, 1), axis=1).T
    rows = np.column_stack([models.means, spread])
    return EvidenceTable(
        columns=("model", "mean", "least", "lower quarter", "median", "upper quarter", "largest"),
        rows=tuple(
            (name, *(number_text(float(value), 4) for value in row))
            for name, row in zip(models.names, rows.tolist(), strict=True)
        ),
        caption=f"{metric_words(models.metric)} on {models.design}",
    )


def named_models(models: object, kind: str = "models") -> tuple[str, ...]:
    """The names of a mapping of models, at least two and all different.

    Examples
    --------
    >>> named_models({"a": [1], "b": [0]})
    ('a', 'b')
    """
    if not isinstance(models, Mapping):
        given = type(models).__name__
        raise InvalidInput(f"{kind} must map names to what each of them is, as in {{'a': …, 'b': …}}, got {given}")
    names = tuple(str(name) for name in models)
    if len(names) < 2:
        raise InvalidInput(f"{kind} must have at least two entries, got {len(names)}")
    check_names(names, kind)
    return names


def check_names(names: Sequence[str], kind: str = "models") -> None:
    """Refuse names that are empty or occur twice."""
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise InvalidInput(f"{kind} must have different names, but {twice[0]!r} occurs more than once")
    if "" in names:
        raise InvalidInput(f"{kind} must all have a name, but number {names.index('') + 1} has none")


def groups_of(groups: ArrayLike, n: int) -> Integers:
    """Index of the cluster of each of n items."""
    given = labels(groups, "groups")
    if len(given) != n:
        raise InvalidInput(f"groups must name the cluster of each item ({n}), got {len(given)}")
    return group_index(given)


def called(name: str) -> str:
    """What messages call the predictions of a model."""
    return f"models[{name!r}]"


def _same_length(names: Sequence[str], columns: Sequence[Labels], n: int, like: str) -> None:
    for name, column in zip(names, columns, strict=True):
        if len(column) != n:
            raise InvalidInput(f"{called(name)} must be as long as {like} ({n}), got {len(column)}")
