"""Result tables: data sets × learners."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.replicates import FOR_SPLITS, refuse_replicate_column
from foldwise.core.types import Array
from foldwise.data.formats import read_sheet
from foldwise.data.sheet import Sheet
from foldwise.data.text import Readable

__all__ = ["ResultTable", "read_table"]


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
    """

    datasets: tuple[str, ...]
    names: tuple[str, ...]
    values: Array
    missing: tuple[tuple[str, str], ...]
    source: str


def read_table(path_or_text: Readable) -> ResultTable:
    r"""Read a table whose first column names data sets and whose others hold one learner's scores each.

    Parameters
    ----------
    path_or_text
        A file, ``"-"`` for standard input, or the text itself.

    Returns
    -------
    ResultTable
        A cell that is empty, ?, NA, NaN, none or null is missing; what to do about it is the caller's choice.

    Examples
    --------
    >>> table = read_table("data,nb,c45\niris,0.95,0.94\nwine,0.97,\n")
    >>> table.names, table.missing
    (('nb', 'c45'), (('wine', 'c45'),))
    """
    sheet = read_sheet(path_or_text)
    first, *learners = sheet.header
    if not learners:
        raise InvalidInput(f"{sheet.source} needs a column of data-set names and at least one learner, has 1 column")
    _check_learner_names(sheet, learners)
    refuse_replicate_column(first, sheet.source)
    datasets = _unique_labels(sheet, first)
    values = np.column_stack([sheet.numbers(name, allow_missing=True) for name in learners])
    gaps = tuple((datasets[i], learners[j]) for i, j in np.argwhere(np.isnan(values)).tolist())
    return ResultTable(datasets=datasets, names=tuple(learners), values=values, missing=gaps, source=sheet.source)


def _check_learner_names(sheet: Sheet, learners: list[str]) -> None:
    if "" in learners:
        where = sheet.header.index("", 1) + 1
        raise InvalidInput(f"{sheet.source}: column {where} must have a learner's name, but its header is empty")


def _unique_labels(sheet: Sheet, name: str) -> tuple[str, ...]:
    seen: dict[str, int] = {}
    for label, line in zip(sheet.labels(name), sheet.lines, strict=True):
        if label in seen:
            again = f"{sheet.source}, line {line} names data set {label!r} again (first on line {seen[label]})"
            raise InvalidInput(f"{again}: {FOR_SPLITS}")
        seen[label] = line
    return tuple(seen)
