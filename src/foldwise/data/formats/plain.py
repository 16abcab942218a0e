"""Plain delimited text: every line has as many cells as the first, and no quote needs thought.

Almost every file is like that, and its cells are found by looking for separators and line ends all at once. Of anything
else there is no result, and the reader of records is asked; where there is one, it is what that reader gives.
"""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foldwise.core.categories import Categories
from foldwise.core.types import Array, Flags, Integers
from foldwise.data.sheet import Row

# ---- Decimal numbers of up to 15 digits, read from many places of a text at once.
#
# A whole number below 10¹⁵ and a power of ten up to 10²² are exact in float64, and division rounds correctly,
# so that the
# quotient is the number nearest to what is written (Clinger 1990, How to read floating point numbers
# accurately): what
# Python reads, to the bit.

DIGITS = 15  # Digits, leading zeros among them, with which a number is surely exact.

PIECE = 1 << 14  # Numbers that are read together: what is computed of them stays in the processor's cache.

_TENS = 10.0 ** np.arange(DIGITS + 1)
_POINT, _MINUS, _ZERO = (np.uint8(ord(sign)) for sign in ".-0")


def read_decimals(raw: NDArray[np.uint8], start: Integers, stop: Integers) -> tuple[Array, Flags]:
    """The numbers between places, and which were read: those written with digits, a minus and a point only.

    >>> raw = np.frombuffer(b"-1.25;1e5;7", np.uint8)
    >>> read_decimals(raw, np.array([0, 6, 10]), np.array([5, 9, 11]))
    (array([-1.25,  0.  ,  7.  ]), array([ True, False,  True]))
    """
    if (stop - start == 1).all():  # a digit each, as classes are
        digit = raw[start] - _ZERO
        return np.where(digit < 10, digit, 0).astype(np.float64), digit < 10
    values, read = np.zeros(len(start)), np.zeros(len(start), np.bool_)
    for first in range(0, len(start), PIECE):
        part = slice(first, first + PIECE)
        length = stop[part] - start[part]
        short = first + np.flatnonzero((length > 0) & (length <= DIGITS + 2))
        values[short], read[short] = _read_short(raw, start[short], stop[short])
    return values, read


def _read_short(raw: NDArray[np.uint8], start: Integers, stop: Integers) -> tuple[Array, Flags]:
    """The same for places that are not empty and not too far from each other."""
    negative = raw[start] == _MINUS
    first = start + negative
    width = (stop - first).astype(np.uint8)
    read, after = np.ones(len(start), np.bool_), np.zeros(len(start), np.bool_)
    points, broken = np.zeros(len(start), np.uint8), np.zeros(len(start), np.uint8)
    whole = np.zeros(len(start), np.int64)
    for at in range(int(width.max(initial=0))):
        byte = raw[np.minimum(first + at, len(raw) - 1)]
        here, digits, point = width > at, byte - _ZERO, byte == _POINT  # below "0" digits are 200 and more
        digit = here & (digits < 10)
        point &= here
        read &= digit | point | ~here
        whole = np.where(digit, whole * 10 + digits, whole)
        broken += digit & after
        after |= point
        points += point
    read &= (points <= 1) & (width > points) & (width - points <= DIGITS)
    values = np.where(read, whole, 0) / _TENS[np.where(read, broken, 0)]
    return np.where(negative, -values, values), read


def _digits(values: Array) -> Integers:
    """How many digits whole numbers have."""
    return np.searchsorted(_TENS[1:], values, side="right") + 1


# ---- The cells of plain delimited text: the bytes as they are, and where each cell ends.
#
# A column becomes text, or numbers of its different labels, when it is asked for. Up to 64 bytes of a cell are
# compared
# eight at a time as whole numbers, so that ten million labels take a third of a second and 40 MB.

PADDING = 8  # Zero bytes after the text, so that eight bytes can be taken from where any cell begins.

BLOCK = 1 << 18  # Cells that are compared at a time.

WIDEST = 64  # Bytes of the longest cell that is compared as numbers.

_FIRST_BYTES = np.array([(1 << 8 * width) - 1 for width in range(9)], dtype=np.uint64)


Places = NDArray[np.unsignedinteger]  # Places in a text, in as few bytes as its length allows.


@dataclass(frozen=True, slots=True, eq=False)
class MarkedText:
    """A text whose bytes can be looked at."""

    raw: NDArray[np.uint8]  #: The text in UTF-8, and zeros after it, so that eight bytes can be taken from any place
    content: str | bytes  #: What is cut into cells: the text where every character is one byte, else those bytes

    @classmethod
    def of(cls, text: str) -> MarkedText:
        encoded = (text + "\0" * PADDING).encode("utf-8", "surrogatepass")
        return cls(np.frombuffer(encoded, np.uint8), text if text.isascii() else encoded)

    def cells(self, start: Integers | Places, stop: Integers | Places) -> list[str]:
        spans, content = zip(start.tolist(), stop.tolist(), strict=True), self.content
        if isinstance(content, str):
            return [content[i:j].strip() for i, j in spans]
        return [content[i:j].decode("utf-8", "surrogatepass").strip() for i, j in spans]

    def words(self, start: Integers, width: Integers, widest: int) -> Iterator[NDArray[np.uint64]]:
        eights = np.ndarray((len(self.raw) - PADDING + 1,), "<u8", self.raw.data, strides=(1,))
        for at in range(0, max(widest, 1), 8):
            found = eights[np.minimum(start + at, len(eights) - 1)] if at else eights[start]
            yield found & _FIRST_BYTES[np.clip(width - at, 0, 8)]


@dataclass(frozen=True, slots=True, eq=False)
class MarkedCells:
    """Cells as places in a text."""

    text: MarkedText  #: The text
    starts: Places  #: Where each row starts
    ends: Places  #: Where each cell ends, of shape (rows, columns); the next one starts after one byte
    quoted: bool  #: Whether a cell may be in quotes; then it begins with one, ends with one and has no others

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def width(self) -> int:
        return int(self.ends.shape[1])

    def only(self, rows: slice | Flags) -> MarkedCells:
        return MarkedCells(self.text, self.starts[rows], self.ends[rows], self.quoted)

    def rows(self, most: int) -> tuple[Row, ...]:
        return tuple(self.row(row) for row in range(min(most, len(self))))

    def row(self, number: int) -> Row:
        stop = self.ends[number].astype(np.int64)
        start = np.concatenate([[int(self.starts[number])], stop[:-1] + 1])
        return tuple(self.text.cells(*self._within(start, stop)))

    def texts(self, where: int, rows: Integers | None = None) -> list[str]:
        return list(self._texts(where, self._blocks() if rows is None else [rows]))

    def decimals(self, where: int) -> tuple[Array, Integers]:
        values, read = np.empty(len(self)), np.empty(len(self), np.bool_)
        for rows in self._blocks():
            values[rows], read[rows] = read_decimals(self.text.raw, *self._places(where, rows))
        return values, np.flatnonzero(~read)

    def categories(self, where: int) -> Categories:
        found = self._whole(where) or self._compared(where)
        return Categories.of(self._texts(where, self._blocks())) if found is None else found

    def _whole(self, where: int) -> Categories | None:
        """By their numbers where all are whole ones without a sign, written in as few digits as they have."""
        numbers = np.empty(len(self), np.int64)
        for rows in self._blocks():
            start, stop = self._places(where, rows)
            values, read = read_decimals(self.text.raw, start, stop)
            if not (read & (self.text.raw[start] != _MINUS) & (_digits(values) == stop - start)).all():
                return None
            numbers[rows] = values
        return Categories.of_whole(numbers)

    def bare(self, where: int) -> Iterator[str]:
        """The cells of a column that stand in no quotes, as they are, but for plain decimals of up to 15 digits."""
        raw, content = self.text.raw, self.text.content
        for rows in self._blocks():
            start, stop = self._places(where, rows)
            quoted = (raw[np.maximum(start - 1, 0)] == _QUOTE) & (raw[stop] == _QUOTE)
            first = start + (raw[start] == _MINUS)
            zero = (raw[first] == _ZERO) & (raw[np.minimum(first + 1, stop)] - _ZERO < 10)
            plain = read_decimals(raw, start, stop)[1] & ~zero & (raw[first] != _POINT) & (raw[stop - 1] != _POINT)
            left = np.flatnonzero(~quoted & ~plain)
            for begin, end in zip(start[left].tolist(), stop[left].tolist(), strict=True):
                cell = content[begin:end]
                yield cell if isinstance(cell, str) else cell.decode("utf-8", "surrogatepass")

    def any_solid(self, delimiter: str) -> Flags:
        """Per row, whether some cell isn't blank."""
        solid = np.empty(len(self), np.bool_)
        for rows in self._blocks():
            start, stop = self._places(0, rows)
            byte = self.text.raw[start]  # characters of one byte that are no blanks; those of several may be
            solid[rows] = (stop > start) & (byte > ord(" ")) & (byte < 128)
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


PLAIN_PIECE = 1 << 20  # Bytes or cells that are looked at at a time.

_NEWLINE, _QUOTE = ord("\n"), ord('"')


class PlainText(NamedTuple):
    """The first line, and of all others that aren't blank their numbers and their cells."""

    header: Row
    lines: Sequence[int]
    cells: MarkedCells


def read_plain(text: str, delimiter: str) -> PlainText | None:
    r"""Read text in which cells end where a separator or a line ends; None where the reader of records must be asked.

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
    pieces = (ends[first : first + PLAIN_PIECE + 1] for first in range(0, len(ends), PLAIN_PIECE))
    longest = max(int(ends[0]), *(int(np.diff(piece).max(initial=1)) - 1 for piece in pieces))
    if longest > csv.field_size_limit() or (quoted and not _quotes_in_pairs(marked.raw, ends)):
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
    for first in range(0, len(raw), PLAIN_PIECE):
        piece = raw[first : first + PLAIN_PIECE]
        pieces.append((np.flatnonzero((piece == delimiter) | (piece == _NEWLINE)) + first).astype(kind))
    return np.concatenate(pieces)


def _quotes_in_pairs(raw: NDArray[np.uint8], ends: Places) -> bool:
    """Whether all quotes stand in pairs around whole cells."""
    around = 0
    for first in range(0, len(ends), PLAIN_PIECE):
        stop = ends[first : first + PLAIN_PIECE].astype(np.int64)
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
