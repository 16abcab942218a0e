"""Sheets: named columns of text cells, as every reader of a file format makes them; messages say on which line."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from foldwise.core.categories import JUDGING, NO, RIGHT, WRONG, YES, Categories, failure_words, no_number
from foldwise.core.decimals import without_thousands
from foldwise.core.decisions import Decision
from foldwise.core.errors import InvalidInput
from foldwise.core.roles import normalised
from foldwise.core.types import Array, Integers
from foldwise.data.text import Content

# ---- The cells of a sheet: however a reader keeps them, they come out column by column.

Row = tuple[str, ...]  # The cells of one row.


class Cells(Protocol):
    """The cells of every row below the header, blanks around them removed."""

    def __len__(self) -> int:
        """Number of rows."""

    def rows(self, most: int) -> tuple[Row, ...]:
        """The first rows."""

    def texts(self, where: int, rows: Integers | None = None) -> list[str]:
        """The cells of one column, of some rows or of all."""

    def decimals(self, where: int) -> tuple[Array, Integers]:
        """The cells of one column as numbers, and the rows whose text must be read to know."""

    def categories(self, where: int) -> Categories:
        """The cells of one column, each different one kept once."""


@dataclass(frozen=True, slots=True)
class RowCells:
    """Cells that were read row by row.

    >>> RowCells([("a", "1"), ("b", "2")]).texts(1)
    ['1', '2']
    """

    content: Sequence[Row]

    def __len__(self) -> int:
        return len(self.content)

    def rows(self, most: int) -> tuple[Row, ...]:
        return tuple(self.content[:most])

    def texts(self, where: int, rows: Integers | None = None) -> list[str]:
        if rows is None:
            return [row[where] for row in self.content]
        return [self.content[row][where] for row in rows.tolist()]

    def decimals(self, where: int) -> tuple[Array, Integers]:
        """None of the cells is known as a number yet."""
        return np.full(len(self), np.nan), np.arange(len(self))

    def categories(self, where: int) -> Categories:
        return Categories.of(row[where] for row in self.content)


NAMED = 12  # Names in a message.


_ASKING = frozenset({"correct", "right", "pass", "passed", "solved", "resolved", "success"})
"""Names of columns that ask what yes and no answer."""

_MOST_WORDS, _MOST_OF_THEM = 5, 0.25
"""Different words, and their share of the cells, in a column of numbers: what stands where a model failed."""

AT_ONCE = 1 << 18  # Cells that are read as text at a time.


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    source: str  #: What messages call the sheet: the file's name, "standard input" or "the text"
    header: tuple[str, ...]  #: Names of the columns; a column without a name has the empty name
    cells: Cells  #: The cells, blanks around them removed
    lines: Sequence[int]  #: Line number of every row, counted from 1
    layout: str  #: How the columns are separated, for people: "separated by comma"
    decimal_comma: bool  #: Whether ``0,5`` may be read as a number
    positions: dict[str, int] = field(init=False)  #: Where each column stands
    _kept: dict[tuple[str, int], Any] = field(init=False, repr=False)  # columns that were asked for, as they came

    def __post_init__(self) -> None:
        object.__setattr__(self, "positions", {name: i for i, name in enumerate(self.header)})
        object.__setattr__(self, "_kept", {})

    def guess(self, candidates: Iterable[str]) -> str | None:
        """The column whose name comes first among `candidates`; case, blanks, ``_`` and ``-`` make no difference."""
        words = {normalised(name): name for name in reversed(self.header)}
        return next((words[word] for word in map(normalised, candidates) if word in words), None)

    def describe_columns(self) -> str:
        """The names of the columns as they go into a message."""
        return some_names([name or "(unnamed)" for name in self.header])

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def rows(self) -> tuple[Row, ...]:
        return self.cells.rows(len(self))

    def column(self, name: str) -> list[str]:
        return self.cells.texts(self.positions[name])

    def categories(self, name: str) -> Categories:
        where = self.positions[name]
        if ("labels", where) not in self._kept:
            self._kept["labels", where] = self.cells.categories(where)
        found: Categories = self._kept["labels", where]
        return found

    def _decimals(self, where: int) -> tuple[Array, Integers]:
        """Of a column the numbers, which must not be written to, and the rows whose text must be read to know."""
        if ("numbers", where) not in self._kept:
            self._kept["numbers", where] = self.cells.decimals(where)
        values, unread = self._kept["numbers", where]
        return values, unread

    def labels(self, name: str) -> Categories:
        """The cells of one column of labels; an empty cell, NaN or infinity is refused."""
        found = self.categories(name)
        bad = [code for code, cell in enumerate(found.labels) if _no_label(cell)]
        if bad:
            row = int(np.argmax(np.isin(found.codes, bad)))
            line, cell = self.lines[row], found[row]
            raise InvalidInput(f"{self.source}, line {line}: column {name!r} must hold a label, got {cell!r}")
        return found

    def labels_or_gaps(self, name: str) -> Categories:
        """The same with an empty label where there is none."""
        found = self.categories(name)
        return found.renamed(["" if _no_label(cell) else cell for cell in found.labels])

    def numbers(self, name: str, *, allow_missing: bool = False) -> Array:
        """One column as numbers; text and infinities are refused, missing cells too unless allowed (then NaN)."""
        return self.parsed(name, lambda cell, row: self._number(cell, name, row, allow_missing))

    def parsed(self, name: str, parse: Callable[[str, int], float]) -> Array:
        """One column as numbers: finite ones as Python writes them at once, other cells by `parse`, with their row."""
        where = self.positions[name]
        values, unread = self._decimals(where)
        values = values.copy()
        for first in range(0, len(unread), AT_ONCE):
            rows = unread[first : first + AT_ONCE]
            cells = self.cells.texts(where, rows)
            plain = plain_numbers(cells)
            values[rows] = list(map(parse, cells, rows.tolist())) if plain is None else plain
        return values

    def repeated(self, name: str) -> tuple[int, int] | None:
        """The first two rows with the same cell in a column, which may hold millions of different ones."""
        where = self.positions[name]
        values, unread = self._decimals(where)
        if not len(unread) and ((np.diff(values) > 0).all() or np.diff(np.sort(values)).all()):
            return None  # numbers that differ are cells that differ
        parts = (np.arange(first, min(first + AT_ONCE, len(self))) for first in range(0, len(self), AT_ONCE))
        texts = (self.cells.texts(where, rows) for rows in parts)
        hashes = np.concatenate([np.fromiter(map(hash, cells), np.int64, len(cells)) for cells in texts])
        order = np.argsort(hashes, kind="stable")
        same = np.flatnonzero(hashes[order][1:] == hashes[order][:-1])
        if not len(same):
            return None
        found = int(same[np.argmin(order[same + 1])])
        return int(order[found]), int(order[found + 1])

    def written(self, names: Iterable[str]) -> tuple[Decision, ...]:
        """What the way in which numbers are written says: that they are percentages, or have a spread beside them."""
        every = list(names)
        columns = [name for name in every if len(self._decimals(self.positions[name])[1])]
        labels = [cell for name in columns for cell in self.categories(name).labels]
        said = []
        # numbers with a percent sign are no numbers like those without
        signed = [name for name in every if any("%" in label for label in self.categories(name).labels)]
        for name in signed and every:
            plain = next((x for x in self.categories(name).labels if x and not no_number(x) and not _percent(x)), None)
            if plain is not None:
                raise InvalidInput(
                    f"{self.source}: column {signed[0]!r} has percentages, and {name!r} numbers without a percent "
                    f"sign, such as {plain}: write them alike"
                )
        self._refuse_thousands(every)
        if labels and all(_percent(cell) or no_number(cell) for cell in labels):
            said.append(Decision(what="unit", value="scores are percentages", how="from the file"))
        if any(_SPREAD.fullmatch(cell) for cell in labels):
            value = "what stands after ± or in brackets beside a score is left out"
            said.append(Decision(what="spread", value=value, how="from the file"))
        return (*said, *self.failures(columns))

    def _refuse_thousands(self, names: Sequence[str]) -> None:
        """``1.234`` beside ``987``, where a comma may be the decimal one, may be a thousand or one."""
        for name in names if self.decimal_comma else ():
            labels = self.categories(name).labels
            either = [label for label in labels if re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", label)]
            whole = [label for label in labels if re.fullmatch(r"\d{1,3}", label)]
            if either and whole and len(either) + len(whole) == len(labels):
                raise InvalidInput(
                    f"{self.source}: column {name!r} has {whole[0]} and {either[0]}, which may be a thousand times as "
                    "much: write thousands without a point, and decimals with a comma"
                )

    def failures(self, names: Iterable[str], truth: str | None = None) -> tuple[Decision, ...]:
        """That some cells say that a model failed, such as ``timeout`` where no class of the truth is called so."""
        outputs = {name: self.categories(name) for name in names}
        words = failure_words(() if truth is None else self.categories(truth), outputs.values(), empty=False)
        first = next(
            (f"{word!r} in column {name!r}" for name in outputs for word in outputs[name].labels if word in words), ""
        )
        value = f"{first} says that the model failed there"
        return (Decision(what="failed", value=value, how="by its name"),) if first else ()

    def is_numeric(self, name: str, *, allow_missing: bool = False) -> bool:
        try:
            self.numbers(name, allow_missing=allow_missing)
        except InvalidInput:
            return False
        return True

    def says_right_or_wrong(self, name: str) -> bool:
        """Whether the column says right or wrong on every row that is not empty: in words, or as 1 and 0, not in both.

        ``failed`` among 1 and 0 may be a call that failed.
        """
        words = {label.lower() for label in self.categories(name).labels if not no_number(label)}
        numbers = {word for word in words if word[0].isdigit()}
        asks = normalised(name).removeprefix("is_") in _ASKING
        known = words <= RIGHT | WRONG or (asks and words <= YES | NO)
        return bool(words) and known and numbers in (set(), words)

    def judges(self, name: str) -> bool:
        """Whether every cell that is not empty says by itself whether an answer was right: ``pass``, ``wrong``."""
        words = {label.lower() for label in self.categories(name).labels if not no_number(label)}
        return bool(words) and words <= JUDGING

    def marks(self, name: str) -> Array:
        """One column as numbers, NaN where there is none; 1 and 0 where it says right and wrong."""
        if not self.says_right_or_wrong(name):
            return self.numbers(name, allow_missing=True)
        cells = self.categories(name)
        values = [math.nan if no_number(label) else float(label.lower() in RIGHT | YES) for label in cells.labels]
        return np.array(values)[cells.codes]

    def is_mostly_numeric(self, name: str) -> bool:
        """Whether numbers fill a column but for a few cells with a word or two, such as ``timeout``."""
        cells = self.categories(name)
        there = [
            (parse_number(label, decimal_comma=self.decimal_comma) is not None, count)
            for label, count in zip(cells.labels, cells.counts().tolist(), strict=True)
            if not no_number(label)
        ]
        words = [count for number, count in there if not number]
        return len(words) <= _MOST_WORDS and sum(words) <= _MOST_OF_THEM * sum(count for _, count in there)

    def _number(self, cell: str, name: str, row: int, allow_missing: bool) -> float:
        if allow_missing and no_number(cell):
            return math.nan
        value = parse_number(cell, decimal_comma=self.decimal_comma)
        if value is None or not math.isfinite(value):
            rule = "must hold finite numbers" if value is not None else "must hold numbers"
            hint = "; leave the cell empty where there is no value" if allow_missing else ""
            raise InvalidInput(f"{self.source}, line {self.lines[row]}: column {name!r} {rule}, got {cell!r}{hint}")
        return value


def sheet_of_rows(
    source: str, header: Sequence[str], rows: Sequence[Row], layout: str, lines: Sequence[int] | None = None
) -> Sheet:
    """A sheet from its rows, which are counted from 1 where they stand on no lines."""
    counted = range(1, len(rows) + 1) if lines is None else lines
    return Sheet(
        source=source, header=tuple(header), cells=RowCells(rows), lines=counted, layout=layout, decimal_comma=False
    )


def coded_texts(values: Array, categories: Sequence[str] | None) -> list[str]:
    """Labels as they are, numbers with every digit and no needless point, missing as nothing."""
    if categories is None:
        return [
            "" if np.isnan(value) else str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
            for value in values.tolist()
        ]
    return ["" if np.isnan(code) else str(categories[int(code)]) for code in values.tolist()]


def plain_numbers(cells: list[str]) -> Array | None:
    """The cells as numbers where all are finite ones that Python reads as `parse_number` does; a fifth of the time."""
    try:
        values = np.array(list(map(float, cells)))
    except ValueError:
        return None
    return values if np.isfinite(values).all() and "_" not in "".join(cells) else None


def _no_label(cell: str) -> bool:
    return not cell or cell.lower().lstrip("+-") in ("nan", "inf", "infinity")


def some_names(names: Sequence[str]) -> str:
    """Names as they go into a message, which must not be longer than people read.

    >>> some_names([f"c{i}" for i in range(1_000_000)])
    'c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11 … and 999,988 more'
    """
    rest = len(names) - NAMED
    return ", ".join(names) if rest <= 0 else f"{', '.join(names[:NAMED])} … and {rest:,} more"


_SPREAD = re.compile(
    r"(?P<value>[^\s±(%]+)\s*(?:(?P<unit>%)\s*)?"
    r"(?:(?:±|\+/?-)\s*[\d.,]+\s*%?|\(\s*(?:±\s*)?[\d.,]+\s*(?:%\s*)?\))"
)
"""A score with its spread: ``82.1 ± 1.3``, ``82.1% (1.3)``; no two runs of blanks meet, which would take the square of
their length."""


_EMPHASIS = re.compile(r"(?P<mark>\*\*|__|\*)(?P<value>[^*_]+)(?P=mark)")
"""The best of a column as Markdown has it: ``**84.1**``."""


def _percent(cell: str) -> bool:
    found = _SPREAD.fullmatch(_plain(cell))
    return bool(found and found["unit"]) or _plain(cell).endswith("%")


def _plain(cell: str) -> str:
    """The cell without marks of emphasis around it."""
    found = _EMPHASIS.fullmatch(cell) if cell[:1] in ("*", "_") else None
    return cell if found is None else found["value"].strip()


def parse_number(cell: str, *, decimal_comma: bool = False) -> float | None:
    """`cell` as a number, or None if it is none; Python's underscores (``1_000``) are no part of a number.

    >>> parse_number("0,5", decimal_comma=True), parse_number("1_000"), parse_number("'-0.41")
    (0.5, None, -0.41)
    >>> parse_number("82.1%"), parse_number("82.1 ± 1.3"), parse_number("82.1 (1.3)")
    (82.1, 82.1, 82.1)
    >>> parse_number("1,234.5"), parse_number("1,234"), parse_number("**84.1**")
    (1234.5, None, 84.1)
    """
    cell = _plain(cell)
    if cell[:1] == "'" and cell[1:2] in "+-":
        cell = cell[1:]  # trackers quote what a spreadsheet would take for a formula: '-0.41
    if (found := _SPREAD.fullmatch(cell)) is not None:
        cell = _plain(found["value"])
    elif cell[-1:] == "%":
        cell = cell[:-1].rstrip()
    cell = without_thousands(cell)
    if decimal_comma and cell.count(",") == 1 and "." not in cell:
        cell = cell.replace(",", ".")
    try:
        return float(cell) if "_" not in cell else None
    except ValueError:
        return None


def checked_header(header: Row, source: str) -> Row:
    twice, count = Counter(header).most_common(1)[0]
    if count > 1:
        raise InvalidInput(f"{source}: {count} columns have the name {twice!r}; names must differ")
    if all(parse_number(name, decimal_comma=True) is not None for name in header):
        raise InvalidInput(f"{source}: the first line must name the columns, but holds only numbers: {header[0]} …")
    return header


# ---- What a file format must know, so that every door reads it.


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    name: str  #: What people call it
    suffixes: tuple[str, ...]  #: How names of such files end, in lower case
    media_types: tuple[str, ...]  #: What browsers call such files
    begins: Callable[[str], bool]  #: Whether a text can be nothing else, from how it begins
    #: The names of the columns as far as the first row tells, without reading the rest; bad text gives any names
    first_names: Callable[[str], list[str]]
    #: The table; bad text is refused in a sentence that says on which line. It must take time and memory in proportion
    #: to the text's length, whatever the text
    read: Callable[[Content], Sheet]
