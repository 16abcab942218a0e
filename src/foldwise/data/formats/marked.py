"""The cells of plain delimited text: the bytes as they are, and where each cell ends.

A column becomes text, or numbers of its different labels, when it is asked for. Up to 64 bytes of a cell are compared
eight at a time as whole numbers, so that ten million labels take a third of a second and 40 MB.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foldwise.core.categories import Categories
from foldwise.core.types import Array, Flags, Integers
from foldwise.data.cells import Row
from foldwise.data.formats.decimals import read_decimals

__all__ = ["MarkedCells", "MarkedText", "Places"]

PADDING = 8
"""Zero bytes after the text, so that eight bytes can be taken from where any cell begins."""

BLOCK = 1 << 18
"""Cells that are compared at a time."""

WIDEST = 64
"""Bytes of the longest cell that is compared as numbers."""

_FIRST_BYTES = np.array([(1 << 8 * width) - 1 for width in range(9)], dtype=np.uint64)


Places = NDArray[np.unsignedinteger]
"""Places in a text, in as few bytes as its length allows."""


@dataclass(frozen=True, slots=True, eq=False)
class MarkedText:
    """A text whose bytes can be looked at.

    Attributes
    ----------
    raw
        The text in UTF-8, and zeros after it, so that eight bytes can be taken from any place.
    content
        What is cut into cells: the text where every character is one byte, else those bytes.
    """

    raw: NDArray[np.uint8]
    content: str | bytes

    @classmethod
    def of(cls, text: str) -> MarkedText:
        """Encode a text."""
        encoded = (text + "\0" * PADDING).encode("utf-8", "surrogatepass")
        return cls(np.frombuffer(encoded, np.uint8), text if text.isascii() else encoded)

    def cells(self, start: Integers | Places, stop: Integers | Places) -> list[str]:
        """The text between places, without blanks around it."""
        spans, content = zip(start.tolist(), stop.tolist(), strict=True), self.content
        if isinstance(content, str):
            return [content[i:j].strip() for i, j in spans]
        return [content[i:j].decode("utf-8", "surrogatepass").strip() for i, j in spans]

    def words(self, start: Integers, width: Integers, widest: int) -> Iterator[NDArray[np.uint64]]:
        """The bytes between places, eight in a number."""
        eights = np.ndarray((len(self.raw) - PADDING + 1,), "<u8", self.raw.data, strides=(1,))
        for at in range(0, max(widest, 1), 8):
            found = eights[np.minimum(start + at, len(eights) - 1)] if at else eights[start]
            yield found & _FIRST_BYTES[np.clip(width - at, 0, 8)]


@dataclass(frozen=True, slots=True, eq=False)
class MarkedCells:
    """Cells as places in a text.

    Attributes
    ----------
    text
        The text.
    starts
        Where each row starts.
    ends
        Where each cell ends, of shape (rows, columns); the next one starts after one byte.
    quoted
        Whether a cell may be in quotes; then it begins with one, ends with one and has no others.
    """

    text: MarkedText
    starts: Places
    ends: Places
    quoted: bool

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def width(self) -> int:
        """Number of columns."""
        return int(self.ends.shape[1])

    def only(self, rows: slice | Flags) -> MarkedCells:
        """The cells of some rows."""
        return MarkedCells(self.text, self.starts[rows], self.ends[rows], self.quoted)

    def rows(self, most: int) -> tuple[Row, ...]:
        """The first rows."""
        return tuple(self.row(row) for row in range(min(most, len(self))))

    def row(self, number: int) -> Row:
        """The cells of one row."""
        stop = self.ends[number].astype(np.int64)
        start = np.concatenate([[int(self.starts[number])], stop[:-1] + 1])
        return tuple(self.text.cells(*self._within(start, stop)))

    def texts(self, where: int, rows: Integers | None = None) -> list[str]:
        """The cells of one column, of some rows or of all."""
        return list(self._texts(where, self._blocks() if rows is None else [rows]))

    def decimals(self, where: int) -> tuple[Array, Integers]:
        """The cells of one column as numbers, and the rows whose text must be read to know."""
        values, read = np.empty(len(self)), np.empty(len(self), np.bool_)
        for rows in self._blocks():
            values[rows], read[rows] = read_decimals(self.text.raw, *self._places(where, rows))
        return values, np.flatnonzero(~read)

    def categories(self, where: int) -> Categories:
        """The cells of one column, each different one kept once."""
        found = self._compared(where)
        return Categories.of(self._texts(where, self._blocks())) if found is None else found

    def any_solid(self, delimiter: str) -> Flags:
        """Per row, whether some cell isn't blank."""
        solid = np.empty(len(self), np.bool_)
        for rows in self._blocks():
            start, stop = self._places(0, rows)
            solid[rows] = (stop > start) & _solid(self.text.raw[start])
        doubtful = np.flatnonzero(~solid)
        lines = self.text.cells(self.starts[doubtful], self.ends[doubtful, -1])
        solid[doubtful] = [bool(line.replace(delimiter, "").replace('"', "").strip()) for line in lines]
        return solid

    def _places(self, where: int, rows: slice | Integers) -> tuple[Integers, Integers]:
        """Where cells of one column start and end."""
        before = self.starts[rows] if where == 0 else self.ends[rows, where - 1]
        start, stop = before.astype(np.int64), self.ends[rows, where].astype(np.int64)
        return self._within(start + (where > 0), stop)

    def _within(self, start: Integers, stop: Integers) -> tuple[Integers, Integers]:
        """The places without quotes."""
        if self.quoted:
            within = (self.text.raw[start] == ord('"')) & (stop > start)
            start, stop = start + within, stop - within
        return start, stop

    def _texts(self, where: int, parts: Iterable[slice | Integers]) -> Iterator[str]:
        """Some at a time, because the places as Python's numbers take more than the texts."""
        return itertools.chain.from_iterable(self.text.cells(*self._places(where, rows)) for rows in parts)

    def _blocks(self) -> Iterator[slice]:
        return (slice(first, first + BLOCK) for first in range(0, len(self), BLOCK))

    def _compared(self, where: int) -> Categories | None:
        """By comparing bytes; None where cells are too long for it."""
        widest = max((self._widest(where, rows) for rows in self._blocks()), default=0)
        if widest > WIDEST:
            return None
        known, codes, first = _Words(widest), np.empty(len(self), np.int32), np.empty(0, np.int64)
        done = 0
        while done < len(self):
            rows = slice(done, done + max(BLOCK, len(first)))  # what is known is copied once for every block
            start, stop = self._places(where, rows)
            codes[rows], new = known.number(self.text.words(start, stop - start, widest))
            first = np.concatenate([first, new + done])
            done = rows.stop
        cells = self.text.cells(*self._places(where, first))
        return Categories(codes, tuple(cells)).renamed(cells)

    def _widest(self, where: int, rows: slice) -> int:
        start, stop = self._places(where, rows)
        return int((stop - start).max())


def _solid(byte: NDArray[np.uint8]) -> Flags:
    """Characters of one byte that are no blanks; those of several may be."""
    return (byte > ord(" ")) & (byte < 128)


class _Words:
    """Numbers for cells, which are given as words of eight bytes."""

    def __init__(self, widest: int) -> None:
        more = range(8, widest, 8)
        self._first, self._later = _Numbers(), [(_Numbers(), _Numbers()) for _ in more]

    def number(self, words: Iterator[NDArray[np.uint64]]) -> tuple[Integers, Integers]:
        """The number of each cell, and where those that are new first occur, in the order of their numbers."""
        codes, new = self._first.number(next(words))
        for (word, pair), found in zip(self._later, words, strict=True):
            both = (codes.astype(np.uint64) << np.uint64(32)) | word.number(found)[0].astype(np.uint64)
            codes, new = pair.number(both)
        return codes, new


class _Numbers:
    """Numbers for different keys, in the order in which they come, block by block."""

    def __init__(self) -> None:
        self._keys, self._numbers = np.empty(0, np.uint64), np.empty(0, np.int64)

    def number(self, keys: NDArray[np.uint64]) -> tuple[Integers, Integers]:
        """The number of each key, and where those that are new first occur, in the order of their numbers."""
        places = self._places(keys)
        unknown = np.flatnonzero(self._keys[places] != keys) if len(self._keys) else np.arange(len(keys))
        if not len(unknown):
            return self._numbers[places], unknown
        found, first = np.unique(keys[unknown], return_index=True)
        number = np.empty(len(found), np.int64)
        number[np.argsort(first)] = np.arange(len(found)) + len(self._keys)
        where = np.searchsorted(self._keys, found)
        self._keys, self._numbers = np.insert(self._keys, where, found), np.insert(self._numbers, where, number)
        return self._numbers[self._places(keys)], unknown[np.sort(first)]

    def _places(self, keys: NDArray[np.uint64]) -> Integers:
        return np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
