"""Result tables: data sets × learners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from foldwise.core.advice import column, parameter
from foldwise.core.decisions import Decision
from foldwise.core.errors import InvalidInput
from foldwise.core.replicates import FOR_SPLITS, refuse_replicate_column
from foldwise.core.roles import Columns, Roles, assign_roles, role_of
from foldwise.core.types import Array
from foldwise.data.formats import read_sheet
from foldwise.data.sheet import Sheet, some_names
from foldwise.data.text import Readable

__all__ = ["ResultTable", "Rows", "read_table"]

Rows = Literal["tasks", "models"]
"""What the rows of a table are: data sets, or models."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultTable:
    """One score per data set and learner.

    Attributes
    ----------
    datasets
        Names of the rows.
    names
        Names of the columns: the learners.
    values
        Scores of shape (data sets, learners); NaN where the file has none.
    missing
        The (data set, learner) pairs without a score.
    source
        What messages call the file.
    decisions
        How columns came to their roles.
    """

    datasets: tuple[str, ...]
    names: tuple[str, ...]
    values: Array
    missing: tuple[tuple[str, str], ...]
    source: str
    decisions: tuple[Decision, ...] = ()


def read_table(path_or_text: Readable, *, columns: Columns | None = None, rows: Rows | None = None) -> ResultTable:
    r"""Read a table with a column of data sets, whose other columns hold one learner's scores each.

    Parameters
    ----------
    path_or_text
        A file, ``"-"`` for standard input, or the text itself.
    columns
        By role, columns: ``{"task": "data", "model": ["nb", "c45"]}``. Without them the data sets are a column called
        so, or the first one, and every other column of numbers is a learner.
    rows
        ``"models"``: models are in rows, and data sets in columns.

    Returns
    -------
    ResultTable
        A cell that is empty, ?, NA, NaN, none or null is missing; what to do about it is the caller's choice.

    Examples
    --------
    >>> table = read_table("data,nb,c45\niris,0.95,0.94\nwine,0.97,\n")
    >>> table.names, table.missing
    (('nb', 'c45'), (('wine', 'c45'),))
    >>> read_table("model,iris,wine\nnb,0.95,0.97\nc45,0.94,0.9\n", rows="models").names
    ('nb', 'c45')
    """
    sheet = read_sheet(path_or_text)
    roles = assign_roles(sheet.header, columns, source=sheet.source, only=("task", "model", "index"))
    if rows == "models":
        return _transposed(sheet, roles)
    first = roles.get("task") or _first(sheet, roles)
    declared = list(roles.all("model")) if "model" in roles.declared else []
    rest = [name for name in sheet.header[1:] if name not in roles.all("index") or not name]
    learners = declared or [name for name in dict.fromkeys([*_only(sheet.header[0], roles), *rest]) if name != first]
    if not learners:
        raise InvalidInput(f"{sheet.source} needs a column of data-set names and at least one learner, has 1 column")
    if roles.get("task") is None:
        _refuse_models_in_rows(sheet, first)
    _check_learner_names(sheet, learners)
    if "task" not in roles.declared:
        refuse_replicate_column(first, sheet.source)
    datasets = _unique_labels(sheet, first)
    values = np.column_stack([sheet.numbers(name, allow_missing=True) for name in learners])
    gaps = tuple((datasets[i], learners[j]) for i, j in np.argwhere(np.isnan(values)).tolist())
    return ResultTable(
        datasets=datasets,
        names=tuple(learners),
        values=values,
        missing=gaps,
        source=sheet.source,
        decisions=(*(one for one in roles.decisions if one.what in ("task", "model")), *sheet.written(learners)),
    )


def _only(first: str, roles: Roles) -> list[str]:
    """The first column, unless it numbers rows."""
    return [] if first in roles.all("index") else [first]


def _first(sheet: Sheet, roles: Roles) -> str:
    """The column of data sets by its place: the first, but a column without a name only if there is no other text."""
    first = sheet.header[0]
    if first in roles.all("index"):
        texts = [name for name in sheet.header[1:] if name and not sheet.is_numeric(name, allow_missing=True)]
        return texts[0] if len(texts) == 1 else first
    return first


def _refuse_models_in_rows(sheet: Sheet, first: str) -> None:
    if role_of(first) == "model":
        raise InvalidInput(
            f"{sheet.source}: column {first!r} names models, so that data sets are the columns "
            f"({some_names(sheet.header[1:])}).\nRead it so with {parameter('rows', 'models')}; if its rows are data "
            f"sets all the same, say {column('task', first)}"
        )


def _transposed(sheet: Sheet, roles: Roles) -> ResultTable:
    """A table whose rows are models, and whose columns are data sets."""
    first = roles.get("model") or sheet.header[0]
    datasets = tuple(name for name in sheet.header if name != first and name not in roles.all("index"))
    names = _unique_labels(sheet, first, what="model")
    values = np.column_stack([sheet.numbers(name, allow_missing=True) for name in datasets]).T
    gaps = tuple((datasets[i], names[j]) for i, j in np.argwhere(np.isnan(values)).tolist())
    told = Decision(what="rows", value="rows are models, and columns data sets", how="declared")
    return ResultTable(
        datasets=datasets,
        names=names,
        values=values,
        missing=gaps,
        source=sheet.source,
        decisions=(told, *sheet.written(datasets)),
    )


def _check_learner_names(sheet: Sheet, learners: list[str]) -> None:
    if "" in learners:
        where = sheet.header.index("") + 1
        raise InvalidInput(f"{sheet.source}: column {where} must have a learner's name, but its header is empty")


def _unique_labels(sheet: Sheet, name: str, what: str = "data set") -> tuple[str, ...]:
    seen: dict[str, int] = {}
    for label, line in zip(sheet.labels(name), sheet.lines, strict=True):
        if label in seen:
            again = f"{sheet.source}, line {line} names {what} {label!r} again (first on line {seen[label]})"
            raise InvalidInput(f"{again}: {FOR_SPLITS}")
        seen[label] = line
    return tuple(seen)
