"""A small strict reader of delimited text whose messages say on which line a problem is."""

from __future__ import annotations

import csv
import io
import math
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from foldwise.core.errors import DataNotFound, InvalidInput
from foldwise.core.types import Array

__all__ = [
    "MISSING",
    "NO_COLUMN",
    "Sheet",
    "decode_text",
    "header_cells",
    "is_file",
    "parse_number",
    "read_bytes",
    "read_sheet",
    "read_text",
    "some_names",
]

MISSING = frozenset({"", "?", "na", "n/a", "nan", "none", "null"})
"""Cells, in lower case, that stand for "no value"."""

NO_COLUMN = "none"
"""What people say instead of a column's name where there is to be none."""

NAMED = 12
"""Names in a message."""

_DELIMITERS = ("\t", ";", ",")
_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_MAGIC = {
    b"PK\x03\x04": "an Excel workbook or another zip archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"%PDF": "a PDF document",
    b"PAR1": "a Parquet file",
    b"\x1f\x8b": "a compressed file",
}
"""How files begin that people take for tables, and what to call them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """Named columns of text cells, every row with its line number.

    Attributes
    ----------
    source
        What messages call the sheet: the file's name, "standard input" or "the text".
    header
        Names of the columns; a column without a name has the empty name.
    rows
        The cells, row by row, blanks around them removed.
    lines
        Line number of every row, counted from 1.
    delimiter
        What separates the columns: a tab, semicolon or comma.
    positions
        Where each column stands.
    """

    source: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    delimiter: str
    positions: dict[str, int]

    @property
    def decimal_comma(self) -> bool:
        """Whether ``0,5`` may be read as a number: when the columns are not separated by commas."""
        return self.delimiter != ","

    def guess(self, candidates: Iterable[str]) -> str | None:
        """The column whose name comes first among `candidates`, upper and lower case alike."""
        lowered = {name.lower(): name for name in reversed(self.header)}
        return next((lowered[name] for name in candidates if name in lowered), None)

    def pick(self, name: str | None, candidates: Iterable[str] = ()) -> str | None:
        """The column the caller named, which must be there, or else the guessed one."""
        if name is None:
            return self.guess(candidates)
        if name not in self.positions:
            raise InvalidInput(f"{self.source} has no column {name!r}; it has {self.describe_columns()}")
        return name

    def pick_any(self, name: str | None, candidates: Iterable[str]) -> str | None:
        """As `pick`, but ``"none"`` means that there is no such column, whatever would be guessed."""
        if name != NO_COLUMN:
            return self.pick(name, candidates)
        if NO_COLUMN in self.positions:
            raise InvalidInput(
                f"{self.source} has a column {NO_COLUMN!r}, so that {NO_COLUMN!r} could mean this column or no column: "
                "rename the column"
            )
        return None

    def describe_columns(self) -> str:
        """The names of the columns as they go into a message."""
        return some_names([name or "(unnamed)" for name in self.header])

    def column(self, name: str) -> list[str]:
        """The cells of one column."""
        where = self.positions[name]
        return [row[where] for row in self.rows]

    def labels(self, name: str) -> list[str]:
        """The cells of one column of labels; an empty cell, NaN or infinity is refused."""
        cells = self.column(name)
        for cell, line in zip(cells, self.lines, strict=True):
            if not cell or cell.lower().lstrip("+-") in ("nan", "inf", "infinity"):
                raise InvalidInput(f"{self.source}, line {line}: column {name!r} must hold a label, got {cell!r}")
        return cells

    def numbers(self, name: str, *, allow_missing: bool = False) -> Array:
        """One column as numbers; text and infinities are refused, missing cells too unless allowed (then NaN)."""
        cells = self.column(name)
        values = [self._number(cell, name, line, allow_missing) for cell, line in zip(cells, self.lines, strict=True)]
        return np.array(values, dtype=np.float64)

    def is_numeric(self, name: str) -> bool:
        """Whether every cell of the column is a finite number."""
        try:
            self.numbers(name)
        except InvalidInput:
            return False
        return True

    def _number(self, cell: str, name: str, line: int, allow_missing: bool) -> float:
        if allow_missing and cell.lower() in MISSING:
            return math.nan
        value = parse_number(cell, decimal_comma=self.decimal_comma)
        if value is None or not math.isfinite(value):
            rule = "must hold finite numbers" if value is not None else "must hold numbers"
            raise InvalidInput(f"{self.source}, line {line}: column {name!r} {rule}, got {cell!r}")
        return value


def some_names(names: Sequence[str]) -> str:
    """Names as they go into a message, which must not be longer than people read.

    Examples
    --------
    >>> some_names([f"c{i}" for i in range(1_000_000)])
    'c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11 … and 999,988 more'
    """
    rest = len(names) - NAMED
    return ", ".join(names) if rest <= 0 else f"{', '.join(names[:NAMED])} … and {rest:,} more"


def parse_number(cell: str, *, decimal_comma: bool = False) -> float | None:
    """`cell` as a number, or None if it is none; Python's underscores (``1_000``) are no part of a number.

    Examples
    --------
    >>> parse_number("0,5", decimal_comma=True), parse_number("1_000")
    (0.5, None)
    """
    if decimal_comma and cell.count(",") == 1 and "." not in cell:
        cell = cell.replace(",", ".")
    try:
        return float(cell) if "_" not in cell else None
    except ValueError:
        return None


def read_sheet(path_or_text: str | Path) -> Sheet:
    r"""Read delimited text with a header line.

    Parameters
    ----------
    path_or_text
        A file, ``"-"`` for standard input, or the text itself (recognised by its line breaks).

    Returns
    -------
    Sheet
        The separator is the one among tab, semicolon and comma that splits the header into most columns.

    Examples
    --------
    >>> sheet = read_sheet("truth;score\nyes;0,5\n")
    >>> sheet.header, sheet.numbers("score").tolist()
    (('truth', 'score'), [0.5])
    """
    text, source = read_text(path_or_text)
    delimiter = _split_first_line(text)[0]
    records = list(_records(text, delimiter, source))
    if not records:
        raise InvalidInput(f"{source} is empty: a header line and at least one row are needed")
    header = _checked_header(records[0][1], source)
    if len(records) == 1:
        raise InvalidInput(f"{source} has a header line but no rows")
    for line, cells in records[1:]:
        if len(cells) != len(header):
            raise InvalidInput(f"{source}, line {line} has {len(cells)} cells where the header has {len(header)}")
    return Sheet(
        source=source,
        header=header,
        rows=tuple(cells for _, cells in records[1:]),
        lines=tuple(line for line, _ in records[1:]),
        delimiter=delimiter,
        positions={name: i for i, name in enumerate(header)},
    )


def read_text(path_or_text: str | Path) -> tuple[str, str]:
    """The text of a file, of standard input ("-") or of the argument itself, and what to call it in messages."""
    if isinstance(path_or_text, str) and ("\n" in path_or_text or "\r" in path_or_text or not path_or_text):
        return path_or_text.removeprefix("\ufeff"), "the text"
    if str(path_or_text) == "-":
        return decode_text(sys.stdin.buffer.read(), "standard input"), "standard input"
    path = Path(path_or_text)
    return decode_text(read_bytes(path), path.name), path.name


def read_bytes(path: Path, *, most: int = -1) -> bytes:
    """The first `most` bytes of a file (all if negative), or one sentence on why there are none."""
    try:
        with path.open("rb") as file:
            return file.read(most)
    except FileNotFoundError:
        raise DataNotFound(f"there is no file {path}") from None
    except IsADirectoryError:
        raise InvalidInput(f"{path} is a folder, not a file") from None
    except (OSError, ValueError) as error:
        raise DataNotFound(f"{path} can't be read: {getattr(error, 'strerror', None) or error}") from error


def is_file(path: Path) -> bool:
    """Whether there is such a file; a name that no file can have (too long, say) is none.

    Examples
    --------
    >>> is_file(Path("x" * 1000))
    False
    """
    try:
        return path.is_file()
    except OSError:
        return False


def decode_text(raw: bytes, source: str) -> str:
    """Text from UTF-8, with or without a byte-order mark, from UTF-16 with one, or from Windows' western code page.

    Spreadsheets write all of these. Anything with a byte that is part of no text is refused as binary.

    Examples
    --------
    >>> decode_text("größe;1".encode("cp1252"), "sizes.csv")
    'größe;1'
    """
    kind = next((kind for start, kind in _MAGIC.items() if raw.startswith(start)), None)
    if kind is not None:
        raise InvalidInput(f"{source} is {kind}, not text: save the table as CSV and take that file")
    encodings = ("utf-16",) if raw.startswith((b"\xff\xfe", b"\xfe\xff")) else ("utf-8-sig", "cp1252")
    for encoding in encodings:
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not _NO_TEXT.search(text):
            return text
    raise InvalidInput(f"{source} is a binary file, not text in UTF-8, UTF-16 or Windows-1252")


def header_cells(text: str) -> list[str]:
    r"""The cells of the first line that isn't blank, without reading the rest.

    Examples
    --------
    >>> header_cells("truth;nb\nyes;no\n")
    ['truth', 'nb']
    """
    return _split_first_line(text)[1]


def _split_first_line(text: str) -> tuple[str, list[str]]:
    """The separator that splits the first line into most columns, and those."""
    first = next((line for line in io.StringIO(text, newline=None) if line.strip()), "")
    split = {delimiter: _cells(first, delimiter) for delimiter in _DELIMITERS}
    return max(split.items(), key=lambda item: len(item[1]))


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:  # whoever reads all lines says what is wrong, and where
        return [line]


def _records(text: str, delimiter: str, source: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Every row that isn't blank, with the number of the line it starts on."""
    lines = io.StringIO(text, newline="")
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=delimiter != "\t", strict=True)
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield line, tuple(cell.strip() for cell in cells)
            line = reader.line_num + 1
    except csv.Error as error:
        raise InvalidInput(f"{source}, line {line} is not well-formed: {error}") from error


def _checked_header(header: tuple[str, ...], source: str) -> tuple[str, ...]:
    twice, count = Counter(header).most_common(1)[0]
    if count > 1:
        raise InvalidInput(f"{source}: {count} columns have the name {twice!r}; names must differ")
    if all(parse_number(name, decimal_comma=True) is not None for name in header):
        raise InvalidInput(f"{source}: the first line must name the columns, but holds only numbers: {header[0]} …")
    return header
