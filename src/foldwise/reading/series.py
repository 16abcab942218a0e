"""What every reader of existing results gives: the values of one model on one task by one metric, with their keys.

A file of a harness, a tracker or an experimenter holds such series; which door they go through follows from what
their rows are: items, splits, or the task as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, TypeAlias

import numpy as np

from foldwise.core.categories import Categories
from foldwise.core.decisions import Decision
from foldwise.core.types import Array, Integers

READINGS = {
    "tasks": "data sets", "items": "test items", "splits": "splits of one data set",
    "last": "steps of one training, whose last value counts", "models": "models, with data sets in columns",
}  # fmt: skip
"""What rows may be of which the file does not tell, by the name that ``--rows`` takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemRows:
    """Rows that are test items."""

    #: The key of each row's item: series are joined by it, never by the order of rows
    keys: Sequence[str] | Categories
    #: Which trial (epoch, sample, seed) of its item a row is; None where every item is there once. A key that is there
    #: twice without trials is an error
    trials: Sequence[str] | None = None
    raters: bool = False  #: Whether these are scores of several judges
    #: What must be the same under one key for the question to be the same (a hash of the question or of the target);
    #: None where the file does not tell
    contents: Sequence[str] | None = None
    #: Columns that say which items belong together, by name: offers, of which one may be chosen
    clusters: Mapping[str, Sequence[str] | Categories] = field(default_factory=dict)
    #: The one of them that is taken unless somebody chooses another or none: it was declared, or is called so
    group: str = ""
    times: Sequence[str] | None = None  #: When each row was, where a column says it
    noun: str = "item"  #: What people call such an item

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.keys)

    @property
    def distinct(self) -> int:
        """Number of different items."""
        keys = self.keys
        return int(np.count_nonzero(keys.counts())) if isinstance(keys, Categories) else len(set(keys))

    def taking(self, places: Integers) -> ItemRows:
        """The rows at these places."""

        def cells(column: Sequence[str]) -> list[str]:
            return [column[place] for place in places.tolist()]

        def coded(column: Sequence[str] | Categories) -> Sequence[str] | Categories:
            return column.at(places) if isinstance(column, Categories) else cells(column)

        return replace(
            self, keys=coded(self.keys), trials=self.trials and cells(self.trials),
            contents=self.contents and cells(self.contents),
            clusters={name: coded(column) for name, column in self.clusters.items()},
            times=self.times and cells(self.times),
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitRows:
    """Rows that are splits of a resampling."""

    #: folds, runs: Labels of each row; without runs the splits are one cross-validation or random splits
    folds: Sequence[str]
    runs: Sequence[str] | None = None
    #: n_train, n_test: Mean sizes of a split, where the file tells
    n_train: float | None = None
    n_test: float | None = None
    #: Whether they differ by their seeds alone: trainings whose test sets overlap in an unknown way
    seeds: bool = False
    #: Whether a column called fold numbers them, so that they are the folds of a cross-validation
    numbered: bool = False

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.folds)


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeTask:
    """One row: the task as a whole."""

    count: ClassVar[int] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledRows:
    """Rows that have labels, and may be several things."""

    labels: Sequence[str]  #: The label of each row
    readings: tuple[str, ...]  #: What rows may be, of `READINGS`; a person decides where there are several
    #: clusters, group, times: As those of items
    clusters: Mapping[str, Sequence[str] | Categories] = field(default_factory=dict)
    group: str = ""
    times: Sequence[str] | None = None

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.labels)


Rows: TypeAlias = ItemRows | SplitRows | WholeTask | LabelledRows


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Series:
    """The values of one model on one task by one metric."""

    model: str  #: As people call it
    task: str = ""  #: As people call it; empty where the file knows of one only
    metric: str  #: As people call it
    rows: Rows  #: What each value belongs to
    values: Array  #: One number per row; NaN where an item was not scored or ended in an error: missing, never wrong
    #: The filter, scorer or reducer behind the metric, where the format has several ("strict-match")
    variant: str = ""
    #: What the file says of the direction; None where it does not, so that the metric's name tells
    higher_is_better: bool | None = None
    missing: Mapping[str, int] = field(default_factory=dict)  #: How many values are NaN, by reason
    #: What the file says of how it was made (few-shot, temperature, version …): told where models differ in it
    settings: Mapping[str, str] = field(default_factory=dict)
    source: str = ""  #: What messages call the file
    decisions: tuple[Decision, ...] = ()  #: How columns came to their roles, where the file is a table
    #: What people say of each row, on the scale of the values; NaN where they said nothing, None where no column is
    human: Array | None = None
    forecasts: Array | None = None  #: Of squared errors what was forecast, which a test of nested models needs
    condition: Array | None = None  #: What was known of each row beforehand
    #: Of a metric of counts the counts of each row; its `values` then say only which rows have them
    parts: tuple[Array, ...] = ()
    #: Mean seconds of a fit and of its scoring, by "fit" and "score", where they are known
    times: Mapping[str, float] = field(default_factory=dict)

    @property
    def measure(self) -> str:
        """Metric and variant, as one types them: ``exact_match,strict-match``."""
        return f"{self.metric},{self.variant}" if self.variant else self.metric


def gaps(values: Array, reason: str = "empty") -> dict[str, int]:
    """How many values are NaN, by the reason of all of them."""
    count = int(np.isnan(values).sum())
    return {reason: count} if count else {}
