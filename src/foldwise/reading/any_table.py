"""Tables of any kind, in files and frames: long, or wide; what their columns are follows from their roles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from foldwise.core.decisions import Decision
from foldwise.core.errors import FoldwiseError
from foldwise.core.roles import Columns, assign_roles, role_of
from foldwise.data.column_meaning import people_column
from foldwise.data.long_rows import holds_outputs, spread_models
from foldwise.data.score_files import names_models
from foldwise.data.sheet import Sheet
from foldwise.metrics.counts import counted_metrics
from foldwise.reading.long_table import layout_of, models_in_rows, series_of, transposed_series
from foldwise.reading.reader import Reader
from foldwise.reading.series import Series
from foldwise.reading.source import SourceFile, read_beginning, read_source, told_apart, without_ending
from foldwise.reading.wide_table import (
    MODEL,
    as_long,
    one_model,
    one_model_series,
    wide_models,
    wide_roles,
    wide_series,
)

_LONG = (
    "model", "item", "task", "trial", "run", "seed", "fold", "metric", "score", "group", "rater", "human", "slice",
    "time", "n_train", "n_test", "index", "truth", "origin", "horizon", "limit", "condition",
)  # fmt: skip
"""Roles that a column of a long table can have."""


def table_series(
    sheet: Sheet, left_out: list[str], *, columns: Columns | None = None, name: str = ""
) -> tuple[str, Iterator[Series]]:
    """What a table is, and its series; `columns` were declared, and the file's `name` may be a metric's."""
    called = LONG.name
    if not is_long(sheet, columns):
        roles, called = wide_roles(sheet, columns), WIDE.name
        long = as_long(sheet, roles)
        if long is None:
            return called, wide_series(sheet, roles, left_out, name=name)
        sheet, columns = long, {**(columns or {}), "model": MODEL}
        labels = [role for role in ("task", "item", "fold", "run", "index") if roles.get(role) is not None]
        if labels == ["index"]:  # what is measured by several metrics is a task
            columns["task"] = roles.all("index")[0]
    roles = assign_roles(
        sheet.header, columns, source=sheet.source, only=_LONG, by_name=[one for one in _LONG if one != "rater"]
    )
    if holds_outputs(sheet, roles):
        wide, columns, told = spread_models(sheet, columns or {}, None)
        said = wide_roles(wide, columns)
        alone = one_model(wide, said)
        series = (
            one_model_series(wide, said, left_out, label=alone[0]) if len(alone) == 1
            else wide_series(wide, said, left_out, name=name)
        )  # fmt: skip
        return called, (replace(one, decisions=(*told, *one.decisions)) for one in series)
    layout = layout_of(sheet, roles)
    return called, (transposed_series if models_in_rows(sheet, layout) else series_of)(sheet, layout)


def is_long(sheet: Sheet, columns: Columns | None) -> bool:
    """Whether a column names the model of each row."""
    declared = (columns or {}).get("model")
    if declared is None:
        return assign_roles(sheet.header, source=sheet.source).get("model") is not None
    names = [declared] if isinstance(declared, str) else list(declared)
    return names_models(sheet, [name for name in names if name in sheet.positions])


def holds_one_model(source: SourceFile, columns: Columns | None) -> bool:
    """Whether a file is a table of one model, as far as its beginning tells."""
    try:
        sheet = read_beginning(source)
        return not is_long(sheet, columns) and bool(one_model(sheet, wide_roles(sheet, columns)))
    except FoldwiseError:
        return False


def tells_of_one(source: SourceFile, columns: Columns | None) -> bool:
    """Whether a table of one model is nothing else: it has the truth, or the counts of a metric."""
    if not holds_one_model(source, columns):
        return False
    sheet = read_beginning(source)
    roles = wide_roles(sheet, columns)
    if people_column(sheet, roles) is not None:
        return False
    found = one_model(sheet, roles)
    return any(roles.get(role) is not None for role in ("truth", "event")) or bool(counted_metrics(found))


def one_each(sources: Sequence[SourceFile], left_out: list[str], columns: Columns | None) -> Iterator[Series]:
    """The series of files with one model each; in folders with files of the same names these are tasks.

    A single one is called as its column of outputs, if it has one.
    """
    labels = told_apart([source.path.resolve() for source in sources])
    tasks, told = [""] * len(labels), list[Decision]()
    if any("/" in label for label in labels):
        labels, tasks = _models_and_tasks(sources)
        told = [_FOLDERS]
    for source, label, task in zip(sources, labels, tasks, strict=True):
        sheet = read_source(source)
        roles = wide_roles(sheet, columns)
        found = one_model(sheet, roles)
        own = found[0] if len(sources) == len(found) == 1 else label
        for one in one_model_series(sheet, roles, left_out, label=own):
            yield replace(one, task=one.task or task, decisions=(*one.decisions, *told)) if task else one


def _models_and_tasks(sources: Sequence[SourceFile]) -> tuple[list[str], list[str]]:
    """Of files whose names alone tell nothing apart the folder, which is the model, and the file in it, the task.

    Folders that were given are the models; below one that was given those that lie nearest to the files are.
    """
    given = [Path(source.given) for source in sources]
    folders = given if len(set(given)) > 1 and not set(given) & {source.path for source in sources} else None
    models = [path.resolve() for path in folders or (source.path.parent for source in sources)]
    names = dict(zip(dict.fromkeys(models), told_apart([model / "-" for model in dict.fromkeys(models)]), strict=True))
    return [names[model] for model in models], [without_ending(source.path) for source in sources]


_FOLDERS = Decision(what="task", value="each folder is a model, and each file in it a task", how="assumed")


def _is_long(source: SourceFile) -> bool:
    """A table, one of whose columns is called like a column of models."""
    return any(role_of(name) == "model" for name in source.columns) and (
        assign_roles(source.columns, source=source.name).get("model") is not None
    )


def _is_wide(source: SourceFile) -> bool:
    """At least two columns that may be models, as far as the first rows tell."""
    if len(source.columns) < 2:
        return False
    try:
        sheet = read_beginning(source)
        roles = wide_roles(sheet)
        return roles.get("human") is not None or len(wide_models(sheet, roles)) > 1
    except FoldwiseError:
        return False


def _table(source: SourceFile, left_out: list[str]) -> Iterator[Series]:
    return table_series(read_source(source), left_out, name=source.path.stem)[1]


LONG = Reader(
    "long table",
    "CSV, TSV, JSON, JSON Lines, Parquet or Excel with a column of models, and items, runs and folds, or data sets",
    _is_long,
    _table,
)
WIDE = Reader(
    "wide table",
    "any such table with a row per data set, item or fold and a column per model, or with the truth and predictions",
    _is_wide,
    _table,
)
ONE_EACH = Reader(
    "one model per file",
    "tables with the same items, folds or data sets, each with the outputs or scores of one model",
    lambda source: len(source.columns) > 1 and holds_one_model(source, None),
    read_together=lambda sources, left_out, metric: one_each(sources, left_out, None),
)
