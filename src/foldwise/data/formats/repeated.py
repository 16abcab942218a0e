"""Delimited text of millions of lines, most of which occur again and again: each is taken apart once.

Files of predictions are like that: with three classes and two classifiers there are 27 different lines. The result is
what the reader of records gives; where a line can't be understood alone (a quoted cell goes on in the next line, an
error), or most lines differ, there is none, and that reader is asked.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

__all__ = ["Cells", "read_repeated", "row_reader", "strip_cells"]

Cells = tuple[str, ...]

PIECE = 1_000_000
"""Characters that are split into lines at a time."""

MOST_DIFFERENT = 0.5
"""Share of different lines, in the first piece or later, above which remembering them does not pay."""

FEW = 1000
"""Lines that are always worth a try."""


def row_reader(lines: Iterable[str], delimiter: str) -> Any:
    """Python's reader of delimited text with our rules; the type is private to the module `csv`."""
    return csv.reader(lines, delimiter=delimiter, skipinitialspace=delimiter != "\t", strict=True)


def strip_cells(cells: Sequence[str]) -> Cells | None:
    """The cells without blanks around them; None for a row that is blank."""
    stripped = tuple(cell.strip() for cell in cells)
    return stripped if any(stripped) else None


def read_repeated(text: str, delimiter: str) -> tuple[Sequence[int], Sequence[Cells]] | None:
    r"""The number of each line that isn't blank, and its cells; None where the reader of records must be asked.

    Examples
    --------
    >>> read_repeated("a,b\n\n1,2\n", ",")
    ((1, 3), (('a', 'b'), ('1', '2')))
    >>> read_repeated('a,b\n"1\n",2\n', ",") is None
    True
    """
    known, rows = _Known(delimiter), list[Cells | None]()
    try:
        for lines in _pieces(text):
            rows.extend(map(known.__getitem__, lines))
            if len(known) > max(FEW, MOST_DIFFERENT * len(rows)):
                return None
    except csv.Error:
        return None
    numbers: Sequence[int] = range(1, len(rows) + 1)
    if None in known.values():
        numbers = tuple(number for number, row in zip(numbers, rows, strict=True) if row is not None)
    return numbers, tuple(row for row in rows if row is not None)


class _Known(dict[str, Cells | None]):
    """The cells of each different line."""

    def __init__(self, delimiter: str) -> None:
        super().__init__()
        self._delimiter = delimiter

    def __missing__(self, line: str) -> Cells | None:
        cells = self[line] = strip_cells(next(row_reader([line], self._delimiter)))
        return cells


def _pieces(text: str) -> Iterator[list[str]]:
    """The lines, as Python's files see them, some at a time."""
    start = 0
    while start < len(text):
        stop = text.find("\n", start + PIECE) + 1 or len(text)
        piece = text[start:stop]
        if "\r" in piece:
            piece = piece.replace("\r\n", "\n").replace("\r", "\n")
        lines = piece.split("\n")
        if not lines[-1]:
            lines.pop()  # after the last line end there is no line
        yield lines
        start = stop
