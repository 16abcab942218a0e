"""Long tables: one row per model and item, split or task, with the names that people give columns.

AMLB's ``results.csv``, TabArena's and bencheval's frames, skore's summaries and most tables that people keep are such.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foldwise.core.errors import InvalidInput
from foldwise.core.replicates import FOLD_NAMES, RUN_NAMES
from foldwise.core.types import Array
from foldwise.data.sheet import Sheet
from foldwise.reading.reader import Reader
from foldwise.reading.series import Items, Rows, Series, Splits, Whole
from foldwise.reading.source import Source
from foldwise.reading.tables import read_source

__all__ = ["CLUSTERS", "ITEMS", "MODELS", "READER", "TASKS", "Layout", "layout_of", "series_of"]

MODELS = ("model", "learner", "algorithm", "classifier", "estimator", "method", "framework", "system", "model_name")
TASKS = ("dataset", "data_set", "data set", "task", "problem", "benchmark", "task_name", "dataset_name")
ITEMS = ("item", "item_id", "example", "example_id", "question_id", "doc_id", "sample_id", "instance_id", "row_id")
_TRIALS = ("trial", "epoch", "sample", "attempt")
_METRICS = ("metric", "measure", "metric_name", "scorer")
_VALUES = (
    "score",
    "value",
    "result",
    "metric_error",
    "test_score",
    "metric_value",
    "accuracy",
    "acc",
    "correct",
    "mark",
)
_ERROR = "metric_error"
CLUSTERS = ("group", "groups", "cluster", "passage", "subject", "patient", "document", "category")


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Which column is what in a long table.

    Attributes
    ----------
    model
        The models' column.
    values
        Columns with numbers: one metric each, or with `metric` one column for all metrics.
    task, item, trial, run, fold, metric
        What else is known of a row.
    clusters
        Columns that say which items belong together.
    n_train, n_test
        Columns with the sizes of a split.
    """

    model: str
    values: tuple[str, ...]
    task: str | None = None
    item: str | None = None
    trial: str | None = None
    run: str | None = None
    fold: str | None = None
    metric: str | None = None
    clusters: tuple[str, ...] = ()
    n_train: str | None = None
    n_test: str | None = None


class LongTable(Reader):
    """A table with a column of models."""

    name = "long table"
    says = (
        "CSV, TSV, JSON, JSON Lines, Parquet or Excel with a column of models, and items, runs and folds, or data sets"
    )

    def recognises(self, source: Source) -> bool:
        """A table, one of whose columns is called like a column of models."""
        return bool({name.strip().lower() for name in source.columns} & set(MODELS))

    def read(self, sources: Sequence[Source], left_out: list[str]) -> Iterator[Series]:
        """Every metric of every model and task."""
        for source in sources:
            sheet = read_source(source)
            yield from series_of(sheet, layout_of(sheet))


READER = LongTable()


def series_of(sheet: Sheet, layout: Layout) -> Iterator[Series]:
    """The series in a long table: rows of one model, task and metric belong together."""
    keys = [name for name in (layout.model, layout.task, layout.metric) if name is not None]
    parts = list(_groups([sheet.categories(name).codes.astype(np.int64) for name in keys], len(sheet)))
    labels = {name: sheet.column(name) for name in _label_columns(layout)}
    numbers = {name: sheet.numbers(name, allow_missing=True) for name in layout.values}
    sizes = {name: sheet.numbers(name) for name in (layout.n_train, layout.n_test) if name is not None}
    for rows in parts:
        first = int(rows[0])
        for column, values in numbers.items():
            chosen = values[rows]
            yield Series(
                model=labels[layout.model][first],
                task="" if layout.task is None else labels[layout.task][first],
                metric=_metric(column, None if layout.metric is None else labels[layout.metric][first]),
                rows=_rows(layout, labels, sizes, rows, sheet.source),
                values=chosen,
                higher_is_better=False if column == _ERROR else None,
                missing={"empty": int(np.isnan(chosen).sum())} if np.isnan(chosen).any() else {},
                source=sheet.source,
            )


def _metric(column: str, named: str | None) -> str:
    """What the values measure: TabArena and bencheval keep the error that belongs to the metric that they name."""
    if named is None:
        return column
    return f"{named}_error" if column == _ERROR else named


def _label_columns(layout: Layout) -> list[str]:
    one = (layout.model, layout.task, layout.item, layout.trial, layout.run, layout.fold, layout.metric)
    return [*(name for name in one if name is not None), *layout.clusters]


def _rows(
    layout: Layout, labels: dict[str, list[str]], sizes: dict[str, Array], rows: NDArray[np.int64], source: str
) -> Rows:
    def cells(name: str) -> list[str]:
        column = labels[name]
        return [column[row] for row in rows.tolist()]

    def size(name: str | None) -> float | None:
        return None if name is None else float(sizes[name][rows].mean())

    if layout.item is not None:
        return Items(
            keys=cells(layout.item),
            trials=None if layout.trial is None else cells(layout.trial),
            clusters={name: cells(name) for name in layout.clusters},
        )
    if layout.fold is not None or layout.run is not None:
        fold, run = layout.fold or layout.run, layout.run if layout.fold is not None else None
        assert fold is not None
        return Splits(
            folds=cells(fold),
            runs=None if run is None else cells(run),
            n_train=size(layout.n_train),
            n_test=size(layout.n_test),
            seeds=fold.strip().lower() == "seed",
        )
    if len(rows) > 1:
        raise InvalidInput(
            f"{source} has {len(rows)} rows for {labels[layout.model][int(rows[0])]!r} on one task, and no column that "
            "tells them apart (item, run, fold, seed)"
        )
    return Whole()


def _groups(codes: Sequence[NDArray[np.int64]], count: int) -> Iterator[NDArray[np.int64]]:
    """The rows that agree in all keys, in the order in which the keys first occur."""
    joint = np.zeros(count, dtype=np.int64)
    for column in codes:
        joint = joint * (int(column.max(initial=0)) + 1) + column
    _, first, index = np.unique(joint, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first, kind="stable"), kind="stable")[index]
    order = np.argsort(rank, kind="stable")
    ends = np.cumsum(np.bincount(rank))
    start = 0
    for end in ends.tolist():
        yield order[start:end]
        start = end


def layout_of(sheet: Sheet) -> Layout:
    """Which column is what, by their names."""
    model = sheet.guess(MODELS)
    assert model is not None
    found = {
        "task": sheet.guess(TASKS),
        "item": sheet.guess(ITEMS),
        "trial": sheet.guess(_TRIALS),
        "run": sheet.guess(RUN_NAMES),
        "fold": sheet.guess(FOLD_NAMES),
        "metric": sheet.guess(_METRICS),
    }
    clusters = tuple(name for name in (sheet.guess([one]) for one in CLUSTERS) if name is not None)
    taken = {model, *found.values(), *clusters}
    values = _value_columns(sheet, taken, single=found["metric"] is not None)
    if not values:
        raise InvalidInput(f"{sheet.source} has no column with numbers to compare; it has {sheet.describe_columns()}")
    return Layout(model=model, values=values, clusters=clusters, **found)


def _value_columns(sheet: Sheet, taken: Iterable[str | None], *, single: bool) -> tuple[str, ...]:
    """The columns that may be metrics: the one that is called like a score first."""
    named = sheet.guess([name for name in _VALUES if name not in taken])
    if single and named is not None:
        return (named,)
    left = [name for name in sheet.header if name and name not in {*taken, named} and _is_numeric(sheet, name)]
    return tuple(([] if named is None else [named]) + left)


def _is_numeric(sheet: Sheet, name: str) -> bool:
    """Whether the column has numbers, and gaps at most."""
    try:
        values = sheet.numbers(name, allow_missing=True)
    except InvalidInput:
        return False
    return not bool(np.isnan(values).all())
