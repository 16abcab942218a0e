"""What every reader of existing results gives: the values of one model on one task by one metric, with their keys.

A file of a harness, a tracker or an experimenter holds such series; which door they go through follows from what
their rows are: items, splits, or the task as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from foldwise.core.decisions import Decision
from foldwise.core.types import Array

READINGS = {
    "tasks": "data sets",
    "items": "test items",
    "splits": "splits of one data set",
    "last": "steps of one training, whose last value counts",
    "models": "models, with data sets in columns",
}
"""What rows may be of which the file does not tell, by the name that ``--rows`` takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Items:
    """Rows that are test items.

    Attributes
    ----------
    keys
        The key of each row's item: series are joined by it, never by the order of rows.
    trials
        Which trial (epoch, sample, seed) of its item a row is; None where every item is there once. A key that is
        there twice without trials is an error.
    raters
        Whether these are scores of several judges.
    contents
        What must be the same under one key for the question to be the same (a hash of the question or of the target);
        None where the file does not tell.
    clusters
        Columns that say which items belong together, by name: offers, of which one may be chosen.
    group
        The one of them that is taken unless somebody chooses another or none: it was declared, or is called so.
    times
        When each row was, where a column says it.
    noun
        What people call such an item.
    """

    keys: Sequence[str]
    trials: Sequence[str] | None = None
    raters: bool = False
    contents: Sequence[str] | None = None
    clusters: Mapping[str, Sequence[str]] = field(default_factory=dict)
    group: str = ""
    times: Sequence[str] | None = None
    noun: str = "item"

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.keys)


@dataclass(frozen=True, slots=True, kw_only=True)
class Splits:
    """Rows that are splits of a resampling.

    Attributes
    ----------
    runs, folds
        Labels of each row's run and fold; without runs the splits are one cross-validation or random splits.
    n_train, n_test
        Mean sizes of a split, where the file tells.
    seeds
        Whether they differ by their seeds alone: trainings, of which nobody knows how their test sets overlap.
    numbered
        Whether a column called fold numbers them, so that they are the folds of a cross-validation.
    """

    folds: Sequence[str]
    runs: Sequence[str] | None = None
    n_train: float | None = None
    n_test: float | None = None
    seeds: bool = False
    numbered: bool = False

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.folds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """One row: the task as a whole."""

    @property
    def count(self) -> int:
        """One value."""
        return 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """Rows that have labels, and may be several things.

    Attributes
    ----------
    labels
        The label of each row.
    readings
        What rows may be, of `READINGS`; a person decides where there are several.
    clusters, group, times
        As those of items.
    """

    labels: Sequence[str]
    readings: tuple[str, ...]
    clusters: Mapping[str, Sequence[str]] = field(default_factory=dict)
    group: str = ""
    times: Sequence[str] | None = None

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.labels)


Rows: TypeAlias = Items | Splits | Whole | Labelled


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Series:
    """The values of one model on one task by one metric.

    Attributes
    ----------
    model, task, metric
        As people call them; `task` is empty where the file knows of one only.
    rows
        What each value belongs to.
    values
        One number per row; NaN where an item was not scored or ended in an error: missing, never wrong.
    variant
        The filter, scorer or reducer behind the metric, where the format has several ("strict-match").
    higher_is_better
        What the file says of the direction; None where it does not, so that the metric's name tells.
    missing
        How many values are NaN, by reason.
    settings
        What the file says of how it was made (few-shot, temperature, version …): told where models differ in it.
    source
        What messages call the file.
    decisions
        How columns came to their roles, where the file is a table.
    human
        What people say of each row, on the scale of the values; NaN where they said nothing, None where no column is.
    forecasts
        Of squared errors what was forecast, which a test of nested models needs.
    condition
        What was known of each row beforehand.
    parts
        Of a metric of counts the counts of each row; its `values` then say only which rows have them.
    times
        Mean seconds of a fit and of its scoring, by "fit" and "score", where they are known.
    """

    model: str
    task: str
    metric: str
    rows: Rows
    values: Array
    variant: str = ""
    higher_is_better: bool | None = None
    missing: Mapping[str, int] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    source: str = ""
    decisions: tuple[Decision, ...] = ()
    human: Array | None = None
    forecasts: Array | None = None
    condition: Array | None = None
    parts: tuple[Array, ...] = ()
    times: Mapping[str, float] = field(default_factory=dict)

    @property
    def measure(self) -> str:
        """Metric and variant, as one types them: ``exact_match,strict-match``."""
        return f"{self.metric},{self.variant}" if self.variant else self.metric
