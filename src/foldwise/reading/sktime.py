"""sktime: tables of `ForecastingBenchmark`, a row per task and model, and of `evaluate`, one model each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.table import frame_columns, is_frame
from foldwise.core.types import Array
from foldwise.reading.reader import Reader, columns_by_fold
from foldwise.reading.series import ItemRows, Series, gaps
from foldwise.reading.source import SourceFile, read_source, told_apart

__all__ = ["READER", "evaluations", "evaluations_of"]

_FOLD = re.compile(r"folds\.(?P<fold>\d+)\.scores\.(?P<metric>.+)|(?P<metric_old>.+)_fold_(?P<fold_old>\d+)_test")
_TIMES = re.compile(r"(fit|pred|inference)_time|runtime.*", re.IGNORECASE)
_TESTED = "test_"


def _recognises(source: SourceFile) -> bool:
    """Columns of folds beside model and task, or the cutoff and the tested metrics of one model."""
    names = source.columns
    benchmark = {"validation_id", "model_id"} <= set(names) and any(_FOLD.fullmatch(name) for name in names)
    return benchmark or _is_evaluation(names)


def _read(sources: Sequence[SourceFile], left_out: list[str], metric: str | None) -> Iterator[Series]:
    """Every metric of every model and task, its folds in order of time."""
    single = [source for source in sources if _is_evaluation(source.columns)]
    names = told_apart([source.path.resolve() for source in single]) if single else []
    for source, name in zip(single, names, strict=True):
        sheet = read_source(source)
        columns = [column for column in sheet.header if column.startswith(_TESTED)]
        tested = {column: sheet.numbers(column, allow_missing=True) for column in columns}
        yield from _evaluation(name, sheet.column("cutoff"), tested, source.name)
    for source in sources:
        if source not in single:
            yield from _benchmark(source)


READER = Reader(
    "sktime", "ForecastingBenchmark's table (validation_id, model_id, metrics by fold), or evaluate's of each model",
    _recognises, read_together=_read,
)  # fmt: skip


def _is_evaluation(columns: Sequence[str]) -> bool:
    """Whether columns are those of the frame that `evaluate` gives."""
    return {"cutoff", "len_train_window"} <= set(columns) and any(name.startswith(_TESTED) for name in columns)


def evaluations_of(given: Any) -> dict[str, Any] | None:
    """By model its frame of `evaluate`; None where something else was given."""
    if not isinstance(given, Mapping) or len(given) < 2 or not all(map(is_frame, given.values())):
        return None
    frames = {str(name): frame for name, frame in given.items()}
    return frames if all(_is_evaluation(list(map(str, frame.columns))) for frame in frames.values()) else None


def evaluations(frames: Mapping[str, Any], where: str) -> Iterator[Series]:
    """The series of frames that `evaluate` gave, one for each model."""
    for name, frame in frames.items():
        scores = frame[[column for column in frame.columns if str(column).startswith(_TESTED)]]
        tested = {column: np.asarray(values, dtype=np.float64) for column, (values, _) in frame_columns(scores)}
        yield from _evaluation(name, [str(one) for one in frame["cutoff"]], tested, where)


def _evaluation(model: str, cutoffs: Sequence[str], tested: Mapping[str, Array], where: str) -> Iterator[Series]:
    if len(set(cutoffs)) < len(cutoffs):
        raise InvalidInput(f"{where}: every fold must have a cutoff of its own, but some of {model!r} are there twice")
    for column, values in tested.items():
        yield _series(model, "", column.removeprefix(_TESTED), list(cutoffs), values, where)


def _benchmark(source: SourceFile) -> Iterator[Series]:
    sheet = read_source(source)
    for metric, columns in columns_by_fold(sheet.header, _FOLD).items():
        if _TIMES.fullmatch(metric):
            continue
        try:
            values = np.array([sheet.numbers(name, allow_missing=True) for _, name in columns])
        except InvalidInput:
            continue  # the forecasts themselves, which a benchmark may keep beside its scores
        for row, (model, task) in enumerate(zip(sheet.column("model_id"), sheet.column("validation_id"), strict=True)):
            of_model = values[:, row]
            there = ~np.isnan(of_model)  # tasks may have different numbers of folds
            keys = [str(fold + 1) for (fold, _), known in zip(columns, there.tolist(), strict=True) if known]
            yield _series(model, task, metric, keys, of_model[there], source.name)


def _series(model: str, task: str, metric: str, keys: list[str], values: Array, source: str) -> Series:
    rows, missing = ItemRows(keys=keys, times=keys, noun="split"), gaps(values)
    return Series(model=model, task=task, metric=metric, rows=rows, values=values, missing=missing, source=source)
