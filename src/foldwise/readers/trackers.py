"""Exports of experiment trackers: MLflow's ``search_runs`` and downloads, Weights & Biases' tables, Optuna's trials.

Folds are logged in three ways: in a column of their own (a run per fold), in the names of metrics (``auc_fold0``,
``fold_0_auc``, ``cv_0/auc``), or not at all; the last says nothing about the spread of a model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.replicates import FOLD_NAMES, RUN_NAMES
from foldwise.data.cells import RowCells
from foldwise.data.sheet import Sheet
from foldwise.readers.long_table import Layout, series_of
from foldwise.readers.reader import Reader
from foldwise.readers.series import Series, Splits
from foldwise.readers.source import Source
from foldwise.readers.tables import is_table, read_source

__all__ = ["READER"]

_PREFIX = re.compile(r"^(metrics|params|tags\.mlflow|config|summary)\.", re.IGNORECASE)
_FOLDS = (
    re.compile(r"(?P<metric>.+?)[_/.-]?fold[_-]?(?P<fold>\d+)", re.IGNORECASE),
    re.compile(r"(?:fold|cv)[_-]?(?P<fold>\d+)[_/.-](?P<metric>.+)", re.IGNORECASE),
)
_MODELS = (
    "model",
    "learner",
    "algorithm",
    "estimator",
    "classifier",
    "model_name",
    "model_type",
    "runname",
    "name",
    "run name",
)
_NO_METRICS = frozenset(
    (
        "run_id",
        "run id",
        "experiment_id",
        "start_time",
        "start time",
        "end_time",
        "duration",
        "runtime",
        "created",
        "step",
    )
) | {"seed", "random_state"}
_MLFLOW, _WANDB, _OPTUNA = {"run id", "status"}, {"name", "state", "runtime"}, {"number", "state", "datetime_start"}


class Trackers(Reader):
    """MLflow, Weights & Biases, Optuna."""

    name = "experiment tracker"
    says = "MLflow's search_runs or downloaded CSV, tables of Weights & Biases"

    def recognises(self, source: Source) -> bool:
        """The columns that the trackers themselves add."""
        names = {name.strip().lower() for name in is_table(source)}
        mlflow = {"run_id", "experiment_id"} <= names or names >= _MLFLOW
        return mlflow or names >= _WANDB or names >= _OPTUNA

    def read(self, sources: Sequence[Source], left_out: list[str]) -> Iterator[Series]:
        """Metrics by run and fold."""
        for source in sources:
            sheet = read_source(source)
            if {name.lower() for name in sheet.header} >= _OPTUNA:
                raise InvalidInput(
                    f"{sheet.source} holds trials of one Optuna study, which adapt to each other and can't be compared "
                    "as if drawn apart: compare studies with several seeds, or score the winners on new splits"
                )
            yield from _series(_renamed(sheet))


READER = Trackers()


def _renamed(sheet: Sheet) -> Sheet:
    """The sheet without the prefixes that tell metrics from parameters; a name that then clashes keeps its own."""
    short = [_PREFIX.sub("", name) for name in sheet.header]
    header = tuple(name if short.count(new) > 1 else new for name, new in zip(sheet.header, short, strict=True))
    return replace(sheet, header=header)


def _series(sheet: Sheet) -> Iterator[Series]:
    model = sheet.guess(_MODELS)
    if model is None:
        raise InvalidInput(f"{sheet.source} has no column that names the models; it has {sheet.describe_columns()}")
    by_name = _folds_in_names(sheet)
    if by_name:
        for row, name in enumerate(sheet.column(model)):
            for metric, columns in by_name.items():
                values = np.array([sheet.numbers(column, allow_missing=True)[row] for _, column in columns])
                folds = [fold for fold, _ in columns]
                yield Series(
                    model=name, task="", metric=metric, rows=Splits(folds=folds), values=values, source=sheet.source
                )
        return
    fold, run = sheet.guess(FOLD_NAMES), sheet.guess(RUN_NAMES)
    metrics = tuple(name for name in sheet.header if _is_metric(sheet, name, {model, fold, run}))
    if not metrics:
        raise InvalidInput(f"{sheet.source} has no column with a metric; it has {sheet.describe_columns()}")
    yield from series_of(_without_fold(sheet, model, fold), Layout(model=model, values=metrics, fold=fold, run=run))


def _folds_in_names(sheet: Sheet) -> dict[str, list[tuple[str, str]]]:
    """By metric, the folds and the columns that hold them."""
    found: dict[str, list[tuple[str, str]]] = {}
    for name in sheet.header:
        match = next((hit for pattern in _FOLDS if (hit := pattern.fullmatch(name))), None)
        if match is not None and _is_metric(sheet, name, set()):
            found.setdefault(match["metric"], []).append((match["fold"], name))
    return {
        metric: sorted(columns, key=lambda one: int(one[0])) for metric, columns in found.items() if len(columns) > 1
    }


def _is_metric(sheet: Sheet, name: str, taken: set[str | None]) -> bool:
    if not name or name in taken or name.lower() in _NO_METRICS:
        return False
    try:
        values = sheet.numbers(name, allow_missing=True)
    except InvalidInput:
        return False
    return not bool(np.isnan(values).all())


def _without_fold(sheet: Sheet, model: str, fold: str | None) -> Sheet:
    """The sheet with the fold's number taken off the names of runs: ``rf-0``, ``rf-1`` are one model."""
    if fold is None or model.lower() not in ("name", "runname", "run name"):
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
