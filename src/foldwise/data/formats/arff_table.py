"""ARFF as a table: results of Weka's Experimenter and predictions of OpenML come so."""

from __future__ import annotations

import re

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.data.arff import parse_arff
from foldwise.data.dataset import Column
from foldwise.data.formats.format import Format
from foldwise.data.sheet import RowCells, Sheet
from foldwise.data.text import Content

__all__ = ["FORMAT"]

_BEGINS = re.compile(r"(\s*(%[^\n]*)?\n)*\s*@relation\b", re.IGNORECASE)
_NAME = re.compile(r"^\s*@attribute\s+('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[^\s{]+)", re.IGNORECASE | re.MULTILINE)


def _read(content: Content) -> Sheet:
    columns = parse_arff(content.text, content.source)[1]
    rows = list(zip(*map(_cells, columns), strict=True))
    if not rows:
        raise InvalidInput(f"{content.source} has attributes but no instances")
    return Sheet(
        source=content.source,
        header=tuple(column.name for column in columns),
        cells=RowCells(rows),
        lines=range(1, len(rows) + 1),
        layout="attributes of ARFF",
        decimal_comma=False,
    )


def _cells(column: Column) -> list[str]:
    """Labels as they are, numbers with every digit and no needless point, missing as nothing."""
    if column.categories is None:
        return ["" if np.isnan(value) else _number(value) for value in column.values.tolist()]
    return ["" if np.isnan(code) else column.categories[int(code)] for code in column.values.tolist()]


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _first_names(text: str) -> list[str]:
    return [name.strip("'\"") for name in _NAME.findall(text)]


FORMAT = Format(
    name="ARFF",
    suffixes=(".arff",),
    media_types=("text/x-arff",),
    begins=lambda text: _BEGINS.match(text) is not None,
    first_names=_first_names,
    read=_read,
)
"""Weka's format."""
