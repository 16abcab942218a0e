"""Plain delimited text: every line has as many cells as the first, and no quote needs thought.

Almost every file is like that, and its cells are found by looking for separators and line ends all at once. Of anything
else there is no result, and the reader of records is asked; where there is one, it is what that reader gives.
"""

from __future__ import annotations

import csv
import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foldwise.core.types import Flags
from foldwise.data.cells import Row
from foldwise.data.formats.marked import MarkedCells, MarkedText, Places

__all__ = ["PlainText", "read_plain"]

PIECE = 1 << 20
"""Bytes or cells that are looked at at a time."""

_NEWLINE, _QUOTE = ord("\n"), ord('"')


class PlainText(NamedTuple):
    """The first line, and of all others that aren't blank their numbers and their cells."""

    header: Row
    lines: Sequence[int]
    cells: MarkedCells


def read_plain(text: str, delimiter: str) -> PlainText | None:
    r"""Read text in which cells end where a separator or a line ends; None where the reader of records must be asked.

    Examples
    --------
    >>> header, lines, cells = read_plain("a,b\n\n1,2\n", ",")
    >>> header, list(lines), cells.rows(1)
    (('a', 'b'), [3], (('1', '2'),))
    >>> read_plain('a,b\n"1\n",2\n', ",") is None
    True
    """
    if "\0" in text:
        return None
    marked = MarkedText.of(_with_newlines(text))
    ends = _ends(marked.raw, ord(delimiter))
    quoted = '"' in text
    if _longest(ends) > csv.field_size_limit() or (quoted and not _quotes_in_pairs(marked.raw, ends)):
        return None
    at_newline = marked.raw[ends] == _NEWLINE
    starts, lines, kept = _lines(ends, at_newline)
    if kept is not None:
        ends, at_newline = ends[kept], at_newline[kept]
    if not len(starts):
        return None
    width = int(np.argmax(at_newline)) + 1
    if len(ends) != len(starts) * width or not at_newline[width - 1 :: width].all():
        return None
    cells = MarkedCells(marked, starts, ends.reshape(-1, width), quoted)
    return _without_blank(cells, lines, delimiter)


def _with_newlines(text: str) -> str:
    """The text with a line feed at the end of every line."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if text.endswith("\n") else text + "\n"


def _ends(raw: NDArray[np.uint8], delimiter: int) -> Places:
    """Where cells end: at separators and line feeds."""
    kind = np.uint32 if len(raw) < 2**32 else np.uint64
    pieces = []
    for first in range(0, len(raw), PIECE):
        piece = raw[first : first + PIECE]
        pieces.append((np.flatnonzero((piece == delimiter) | (piece == _NEWLINE)) + first).astype(kind))
    return np.concatenate(pieces)


def _longest(ends: Places) -> int:
    """Bytes of the longest cell."""
    pieces = (ends[first : first + PIECE + 1] for first in range(0, len(ends), PIECE))
    return max(int(ends[0]), *(int(np.diff(piece).max(initial=1)) - 1 for piece in pieces))


def _quotes_in_pairs(raw: NDArray[np.uint8], ends: Places) -> bool:
    """Whether all quotes stand in pairs around whole cells."""
    around = 0
    for first in range(0, len(ends), PIECE):
        stop = ends[first : first + PIECE].astype(np.int64)
        start = np.concatenate([[int(ends[first - 1]) + 1 if first else 0], stop[:-1] + 1])
        around += int(np.count_nonzero((stop - start >= 2) & (raw[start] == _QUOTE) & (raw[stop - 1] == _QUOTE)))
    return int(np.count_nonzero(raw == _QUOTE)) == 2 * around


def _lines(ends: Places, at_newline: Flags) -> tuple[Places, Sequence[int], Flags | None]:
    """Where lines that aren't empty start, their numbers, and which ends are theirs (None: all)."""
    newlines = ends[at_newline]
    starts = np.empty_like(newlines)
    starts[:1] = 0
    np.add(newlines[:-1], 1, out=starts[1:])
    filled = newlines > starts
    if filled.all():
        return starts, range(1, len(starts) + 1), None
    kept = np.ones(len(ends), np.bool_)
    kept[at_newline] = filled
    return starts[filled], _numbers(filled), kept


def _numbers(kept: Flags) -> Sequence[int]:
    return tuple((np.flatnonzero(kept) + 1).tolist())


def _without_blank(cells: MarkedCells, lines: Sequence[int], delimiter: str) -> PlainText | None:
    """All rows but those whose cells are all blank, the first of which is the header."""
    kept = cells.any_solid(delimiter)
    if not kept.all():
        cells, lines = cells.only(kept), tuple(itertools.compress(lines, kept.tolist()))
    if not len(cells):
        return None
    return PlainText(cells.row(0), lines[1:], cells.only(slice(1, None)))
