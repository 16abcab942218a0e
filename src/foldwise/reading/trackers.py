"""Exports of experiment trackers: MLflow's ``search_runs`` and downloads, Weights & Biases' tables.

Folds are logged in many ways: in a column of their own (a run per fold, often a child of the model's run), in the
names of metrics (``auc_fold0``, ``fold_0_auc``, ``cv_0/auc``), as steps (a chart's download), or not at all, which says
nothing about the spread of a model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.roles import ROLES
from foldwise.core.types import Array
from foldwise.data.sheet import RowCells, Sheet
from foldwise.reading.long_table import Layout, has_numbers, series_of
from foldwise.reading.reader import Reader, columns_by_fold
from foldwise.reading.series import LabelledRows, Series, SplitRows, WholeTask
from foldwise.reading.source import read_source

_PREFIX = re.compile(r"^(metrics|params|tags\.mlflow|config|summary)\.", re.IGNORECASE)
_FOLDS = (
    re.compile(r"(?P<metric>.+?)[_/.-]?fold[_-]?(?P<fold>\d+)", re.IGNORECASE),
    re.compile(r"(?:fold|cv)[_-]?(?P<fold>\d+)[_/.-](?P<metric>.+)", re.IGNORECASE),
)
_MODELS = (
    "model", "learner", "algorithm", "estimator", "classifier", "model_name", "model_type", "runname", "name",
    "run name",
)  # fmt: skip
_NO_METRICS = (
    "run_id", "run id", "experiment_id", "start_time", "start time", "end_time", "duration", "runtime", "created",
    "step", "seed", "random_state",
)  # fmt: skip
_MLFLOW, _WANDB = {"run id", "status"}, {"name", "state", "runtime"}
_CHART = {"run id", "metric", "step", "value"}
_NAMES = ("name", "runname", "run name", "run")


def is_export(columns: Iterable[str]) -> bool:
    """Whether these are the columns of a tracker's export, which it adds itself."""
    names = {name.strip().lower() for name in columns}
    return {"run_id", "experiment_id"} <= names or any(names >= own for own in (_MLFLOW, _WANDB, _CHART))


def tracked(sheet: Sheet, left_out: list[str]) -> Iterator[Series]:
    """The series in a tracker's export."""
    if {name.lower() for name in sheet.header} >= _CHART:
        return _steps(sheet)
    # without the prefixes that tell metrics from parameters; a name that then clashes keeps its own
    short = [_PREFIX.sub("", name) for name in sheet.header]
    header = tuple(name if short.count(new) > 1 else new for name, new in zip(sheet.header, short, strict=True))
    return _series(_by_parent(replace(sheet, header=header), left_out))


READER = Reader(
    "experiment tracker", "MLflow's search_runs or downloaded CSV, tables of Weights & Biases",
    lambda source: is_export(source.columns), lambda source, left_out: tracked(read_source(source), left_out),
)  # fmt: skip


def _steps(sheet: Sheet) -> Iterator[Series]:
    """A chart's download: the steps of a metric may be folds, or those of one training."""
    names, metrics = sheet.guess(("run", "group", "run id")), sheet.guess(("metric",))
    steps, values = sheet.guess(("step",)), sheet.guess(("value",))
    assert names is not None and metrics is not None and steps is not None and values is not None  # noqa: PT018
    numbers = sheet.numbers(values, allow_missing=True)
    together: dict[tuple[str, str], list[int]] = {}
    for row, key in enumerate(zip(sheet.column(names), sheet.column(metrics), strict=True)):
        together.setdefault(key, []).append(row)
    labels = sheet.column(steps)
    for (model, metric), rows in together.items():
        yield stepped(model, metric, [labels[row] for row in rows], numbers[rows], source=sheet.source)


def stepped(model: str, metric: str, steps: list[str], values: Array, *, source: str) -> Series:
    """The history of a metric: one value, or steps that may be folds."""
    rows = WholeTask() if len(steps) == 1 else LabelledRows(labels=steps, readings=("splits", "last"))
    return Series(model=model, metric=metric, rows=rows, values=values, source=source)


def _by_parent(sheet: Sheet, left_out: list[str]) -> Sheet:
    """Child runs under the name of their parent; the parents' own rows are left out where they have children."""
    parent, name, key = sheet.guess(("parentrunid",)), sheet.guess(_NAMES), sheet.guess(("run_id", "run id"))
    if parent is None or key is None or not any(sheet.column(parent)):
        return sheet
    parents = sheet.column(parent)
    names = dict(zip(sheet.column(key), sheet.column(name or key), strict=True))
    header, place = (sheet.header, sheet.positions[name]) if name is not None else ((*sheet.header, "name"), None)
    rows = []
    for row, above, own in zip(sheet.rows, parents, sheet.column(key), strict=True):
        if own in parents:
            continue
        label = names.get(above, above) or (names[own])
        rows.append((*row, label) if place is None else (*row[:place], label, *row[place + 1 :]))
    if len(rows) < len(sheet):
        left_out.append(
            f"{sheet.source}: {len(sheet) - len(rows)} runs that are the parents of others, which are taken"
        )
    return replace(sheet, header=header, cells=RowCells(rows), lines=range(1, len(rows) + 1))


def _series(sheet: Sheet) -> Iterator[Series]:
    model = sheet.guess(_MODELS)
    if model is None:
        raise InvalidInput(f"{sheet.source} has no column that names the models; it has {sheet.describe_columns()}")
    by_name = _folds_in_names(sheet)
    if by_name:
        for row, name in enumerate(sheet.column(model)):
            for metric, columns in by_name.items():
                values = np.array([sheet.numbers(column, allow_missing=True)[row] for _, column in columns])
                rows = SplitRows(folds=[str(fold) for fold, _ in columns])
                yield Series(model=name, metric=metric, rows=rows, values=values, source=sheet.source)
        return
    fold = sheet.guess(ROLES["fold"].names)
    run = sheet.guess((*ROLES["run"].names, *ROLES["seed"].names))
    metrics = tuple(name for name in sheet.header if _is_metric(sheet, name, {model, fold, run}))
    if not metrics:
        raise InvalidInput(f"{sheet.source} has no column with a metric; it has {sheet.describe_columns()}")
    yield from series_of(_without_fold(sheet, model, fold), Layout(model=model, values=metrics, fold=fold, run=run))


def _folds_in_names(sheet: Sheet) -> dict[str, list[tuple[int, str]]]:
    """By metric, the folds and the columns that hold them."""
    found = columns_by_fold((name for name in sheet.header if _is_metric(sheet, name, set())), *_FOLDS)
    return {metric: columns for metric, columns in found.items() if len(columns) > 1}


def _is_metric(sheet: Sheet, name: str, taken: set[str | None]) -> bool:
    return bool(name) and name not in taken and name.lower() not in _NO_METRICS and has_numbers(sheet, name)


def _without_fold(sheet: Sheet, model: str, fold: str | None) -> Sheet:
    """The sheet with the fold's number taken off the names of runs: ``rf-0``, ``rf-1`` are one model."""
    if fold is None or model.lower() not in _NAMES:
        return sheet
    place = sheet.positions[model]
    rows = [
        (
            *row[:place],
            re.sub(rf"[\s_-]*(fold)?[\s_-]*{re.escape(number)}$", "", row[place]) or row[place],
            *row[place + 1 :],
        )
        for row, number in zip(sheet.rows, sheet.column(fold), strict=True)
    ]
    return replace(sheet, cells=RowCells(rows))
