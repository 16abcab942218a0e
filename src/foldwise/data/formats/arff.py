"""Weka's ARFF files, in the dialect that Weka itself reads."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.files import write_whole
from foldwise.core.types import Array
from foldwise.data.dataset import DataColumn, Dataset
from foldwise.data.sheet import Format, Sheet, coded_texts, parse_number, sheet_of_rows
from foldwise.data.text import Content

_QUOTED = r"'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\""
_ATTRIBUTE = re.compile(rf"@attribute\s++({_QUOTED}|[^\s{{]++)\s*+(.*)", re.IGNORECASE | re.DOTALL)
_CELL = re.compile(rf"\s*+(?:({_QUOTED})\s*|([^,]*))(,|$)")
_WORD = re.compile(rf"{_QUOTED}|[^\s,]+")
_COMMENT = re.compile(rf"((?:{_QUOTED}|[^%'\"]++)*+)%.*", re.DOTALL)
_BEGINS = re.compile(r"(?:\s++|%[^\n]*+(?:\n|$))*+@relation\b", re.IGNORECASE)  # possessive: nothing is tried twice
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_NUMERIC = re.compile(r"(numeric|real|integer)(\s*\[.*\])?", re.IGNORECASE)
_DATE = re.compile(rf"date(?:\s+({_QUOTED}|\S+))?", re.IGNORECASE)
_DATE_PART = re.compile(r"(([A-Za-z])\2*)|'([^']*)'|([^A-Za-z'])")
_DATE_LETTERS = {
    "y": ("%y", "%Y", 3), "M": ("%m", "%b", 3), "d": ("%d", "%d", 1), "D": ("%j", "%j", 1), "E": ("%a", "%A", 4),
    "H": ("%H", "%H", 1), "h": ("%I", "%I", 1), "a": ("%p", "%p", 1), "m": ("%M", "%M", 1), "s": ("%S", "%S", 1),
    "S": ("%f", "%f", 1), "z": ("%z", "%z", 1), "Z": ("%z", "%z", 1), "X": ("%z", "%z", 1),
}  # fmt: skip
"""Letters of Java's dates: Python's for few of them, for many, and how many are many."""
_CONTROL = {"n": "\n", "r": "\r", "t": "\t"}
_PLAIN = re.compile(r"[^\s,'\"%{}\\?]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Attribute:
    name: str
    categories: tuple[str, ...] | None
    is_text: bool = False
    date_form: str | None = None


def parse_arff(text: str, source: str) -> tuple[str, list[DataColumn]]:
    r"""Read ARFF text.

    `text`: the file's content. `source`: what messages call it.

    Returns the relation's name and the columns; a ``string`` attribute becomes nominal
    with the values that occur, and so does a ``date``, as 2024-01-31T12:00:00.

    As in Weka (Witten & Frank 2005): names and values may stand in single or double quotes with backslash escapes; an
    unquoted ``?`` is missing while a quoted one is a value; ``%`` starts a comment anywhere outside quotes; blanks
    around values don't count, and a row may be separated by blanks instead of commas; ranges after a numeric type are
    ignored. Sparse rows, instance weights and the type ``relational`` are refused.

    Witten & Frank (2005), Data Mining, section 2.4, and Weka's ArffLoader.

    >>> text = "@relation t\n@attribute size real\n@attribute c {'a b', c}\n@data\n1.5,'a b'\n?, c\n"
    >>> name, columns = parse_arff(text, "t.arff")
    >>> columns[0].values.tolist(), columns[1].categories
    ([1.5, nan], ('a b', 'c'))
    """
    relation, attributes = "", list[_Attribute]()
    lines = _lines(text)
    for number, line in lines:
        keyword = line.split(None, 1)[0].lower()
        if keyword == "@relation":
            relation = _unquote(line.split(None, 1)[1].strip()) if len(line.split(None, 1)) > 1 else ""
        elif keyword == "@attribute":
            attributes.append(_attribute(line, f"{source}, line {number}"))
        elif keyword == "@data":
            names = [attribute.name for attribute in attributes]
            if not names:
                raise InvalidInput(f"{source} declares no attributes")
            twice = _repeated(names)
            if twice is not None:
                raise InvalidInput(f"{source} declares attribute {twice!r} twice")
            return relation, _columns(attributes, lines, source)
        else:
            raise InvalidInput(f"{source}, line {number}: expected @relation, @attribute or @data, got {line[:40]!r}")
    raise InvalidInput(f"{source} is not an ARFF file: it has no @data line")


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, raw in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=1):
        line = raw
        if "%" in raw:
            comment = _COMMENT.match(raw)
            line = comment.group(1) if comment else raw
        line = line.strip()
        if line:
            yield number, line


def _attribute(line: str, place: str) -> _Attribute:
    found = _ATTRIBUTE.match(line)
    if found is None or not found.group(2):
        raise InvalidInput(f"{place}: an attribute needs a name and a type, got {line[:60]!r}")
    name, kind = _unquote(found.group(1)), found.group(2).strip()
    if kind.startswith("{"):
        return _Attribute(name=name, categories=_categories(kind, f"{place}: attribute {name!r}"))
    if _NUMERIC.fullmatch(kind):
        return _Attribute(name=name, categories=None)
    if kind.lower() == "string":
        return _Attribute(name=name, categories=None, is_text=True)
    if (date := _DATE.fullmatch(kind)) is not None:
        form = _date_form(_unquote(date.group(1) or "yyyy-MM-dd'T'HH:mm:ss"))
        if form is None:
            raise InvalidInput(f"{place}: attribute {name!r} has dates in a form that is not known, {kind[:40]!r}")
        return _Attribute(name=name, categories=None, date_form=form)
    raise InvalidInput(f"{place}: attribute {name!r} must be numeric, nominal, string or date, got type {kind[:40]!r}")


def _date_form(java: str) -> str | None:
    """Java's pattern of a date, in which Weka writes it, as Python's; None where it has a letter of its own.

    >>> _date_form("dd.MM.yyyy'T'HH:mm"), _date_form("qqq")
    ('%d.%m.%YT%H:%M', None)
    """
    parts = list[str]()
    for found in _DATE_PART.finditer(java):
        letters, quoted, other = found.group(1, 3, 4)
        if letters is None:
            parts.append((quoted or "'" if other is None else other).replace("%", "%%"))
        elif letters[0] in _DATE_LETTERS:
            short, long, from_count = _DATE_LETTERS[letters[0]]
            parts.append(long if len(letters) >= from_count else short)
        else:
            return None
    return "".join(parts)


def _categories(kind: str, place: str) -> tuple[str, ...]:
    if not kind.endswith("}"):
        raise InvalidInput(f"{place}: the list of values must end with '}}' on the same line")
    values = tuple(_unquote(word) for word in _WORD.findall(kind[1:-1]))
    twice = _repeated(values)
    if twice is not None:
        raise InvalidInput(f"{place}: value {twice!r} is declared twice")
    return values


def _repeated(words: Sequence[str]) -> str | None:
    """The first word that comes again later, or None."""
    counts = Counter(words)
    return next((word for word in words if counts[word] > 1), None)


def _columns(attributes: Sequence[_Attribute], lines: Iterator[tuple[int, str]], source: str) -> list[DataColumn]:
    numbers, rows = list[int](), list[list[str | None]]()
    for number, line in lines:
        rows.append(_row(line, len(attributes), f"{source}, line {number}"))
        numbers.append(number)
    if not rows:
        raise InvalidInput(f"{source} has no rows after @data")
    return [
        _column(attribute, cells, numbers, source)
        for attribute, cells in zip(attributes, zip(*rows, strict=True), strict=True)
    ]


def _row(line: str, width: int, place: str) -> list[str | None]:
    if line.startswith("{"):
        raise InvalidInput(f"{place}: sparse rows {{index value, …}} are not supported; write every value out")
    split = _split_quoted if "'" in line or '"' in line else _split_plain
    cells = split(line, width)
    if len(cells) == width + 1 and (cells[-1] or "").startswith("{"):
        raise InvalidInput(f"{place}: instance weights ({cells[-1]}) are not supported")
    if len(cells) != width:
        raise InvalidInput(f"{place} has {len(cells)} values where {width} attributes are declared")
    return cells


def _split_plain(line: str, width: int) -> list[str | None]:
    words = line.split(",") if line.count(",") == width - 1 else line.replace(",", " ").split()
    return [None if word == "?" else word for word in map(str.strip, words)]


def _split_quoted(line: str, width: int) -> list[str | None]:
    words = list[str]()
    for found in _CELL.finditer(line):
        words.append(found[1] if found[1] is not None else found[2].strip())
        if not found[3]:
            break
    if len(words) != width:
        words = _WORD.findall(line)
    return [None if word == "?" else _unquote(word) for word in words]


def _column(attribute: _Attribute, cells: Sequence[str | None], numbers: Sequence[int], source: str) -> DataColumn:
    if attribute.date_form is not None:
        cells = [
            None if cell is None else _date(cell, attribute, f"{source}, line {number}")
            for cell, number in zip(cells, numbers, strict=True)
        ]
    if attribute.is_text or attribute.date_form is not None:
        return DataColumn.nominal(attribute.name, cells)
    if attribute.categories is None:
        return DataColumn(name=attribute.name, values=_floats(attribute, cells, numbers, source), declared=True)
    try:
        return replace(DataColumn.nominal(attribute.name, cells, attribute.categories), declared=True)
    except KeyError as error:
        bad = error.args[0]
        place = f"{source}, line {numbers[list(cells).index(bad)]}"
        raise InvalidInput(f"{place}: {bad!r} is not a declared value of attribute {attribute.name!r}") from None


def _date(cell: str, attribute: _Attribute, place: str) -> str:
    try:
        return datetime.strptime(cell, str(attribute.date_form)).isoformat()
    except ValueError:
        raise InvalidInput(f"{place}: {cell!r} is no date in the form of attribute {attribute.name!r}") from None


def _floats(attribute: _Attribute, cells: Sequence[str | None], numbers: Sequence[int], source: str) -> Array:
    values = np.array([np.nan if cell is None else _number(cell) for cell in cells])
    bad = np.flatnonzero(np.isinf(values))
    if bad.size:
        place = f"{source}, line {numbers[bad[0]]}"
        raise InvalidInput(f"{place}: attribute {attribute.name!r} must hold finite numbers, got {cells[bad[0]]!r}")
    return values


def _number(cell: str) -> float:
    value = parse_number(cell)
    return math.inf if value is None or math.isnan(value) else value


def _unquote(word: str) -> str:
    if len(word) >= 2 and word[0] == word[-1] and word[0] in "'\"":
        return _ESCAPED.sub(lambda found: _CONTROL.get(found.group(1), found.group(1)), word[1:-1])
    return word


def quote(word: str) -> str:
    """`word` as ARFF writes it: in quotes unless it is plain."""
    if _PLAIN.fullmatch(word):
        return word
    escaped = re.sub(r"(['\\])", r"\\\1", word)
    for letter, control in _CONTROL.items():
        escaped = escaped.replace(control, "\\" + letter)
    return f"'{escaped}'"


def to_arff(relation: str, columns: Sequence[DataColumn]) -> str:
    """ARFF text that `parse_arff` reads back as the same columns."""
    lines = [f"@relation {quote(relation)}"]
    for column in columns:
        kind = "numeric" if column.categories is None else "{" + ",".join(map(quote, column.categories)) + "}"
        lines.append(f"@attribute {quote(column.name)} {kind}")
    written = [_written(column) for column in columns]
    return "\n".join([*lines, "@data", *(",".join(row) for row in zip(*written, strict=True)), ""])


def _written(column: DataColumn) -> list[str]:
    if column.categories is None:
        return ["?" if np.isnan(value) else repr(value) for value in column.values.tolist()]
    words = [quote(category) for category in column.categories]
    return ["?" if np.isnan(value) else words[int(value)] for value in column.values.tolist()]


# ---- Write a data set as an ARFF file.


def save_arff(dataset: Dataset, path: str | Path) -> Path:
    """Write `dataset` as ARFF, the target last; the file appears whole or not at all.

    Parameters
    ----------
    dataset
        The data set; `load` reads it back with the same hash.
    path
        The file; one that is there is replaced.
    """
    table = dataset.X
    columns = [
        DataColumn(name=name, values=table.values[:, j], categories=table.categories[j])
        for j, name in enumerate(table.names)
    ]
    if dataset.classes is None:
        goal = DataColumn(name=dataset.target, values=np.asarray(dataset.y, dtype=np.float64))
    else:
        goal = DataColumn.nominal(dataset.target, dataset.y.tolist(), dataset.classes)
    text = to_arff(dataset.name, [*columns, goal])
    return write_whole(path, text, what="the data set")


# ---- ARFF as a table: results of Weka's Experimenter and predictions of OpenML come so.


def _read(content: Content) -> Sheet:
    columns = parse_arff(content.text, content.source)[1]
    rows = list(zip(*(coded_texts(column.values, column.categories) for column in columns), strict=True))
    if not rows:
        raise InvalidInput(f"{content.source} has attributes but no instances")
    return sheet_of_rows(content.source, [column.name for column in columns], rows, "attributes of ARFF")


def _first_names(text: str) -> list[str]:
    names = list[str]()
    for _, line in _lines(text):
        if line.lower().startswith("@data"):
            break
        if (found := _ATTRIBUTE.match(line)) is not None:
            names.append(_unquote(found.group(1)))
    return names


FORMAT = Format(
    name="ARFF", suffixes=(".arff",), media_types=("text/x-arff",),
    begins=lambda text: _BEGINS.match(text) is not None, first_names=_first_names, read=_read,
)  # fmt: skip
"""Weka's format."""
