r"""Delimited text: CSV, and the same with tabs or semicolons.

The separator is the one among tab, semicolon and comma that splits the header into most columns. Where columns are
not separated by commas, ``0,5`` is a number. Before the header may stand ``sep=;``, as spreadsheets write it, and
comments that begin with ``#``.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence

from foldwise.core.errors import InvalidInput
from foldwise.data.formats.plain import read_plain
from foldwise.data.sheet import Cells, Format, Row, RowCells, Sheet, checked_header, parse_number
from foldwise.data.text import Content

_DELIMITERS = {"\t": "tab", ";": "semicolon", ",": "comma"}

HEADER = 1 << 16  # Characters of comments before the header, and after them, among which it is looked for.


def _read(content: Content) -> Sheet:
    text, source = _from_header(content.text), content.source
    delimiter = _split_first_line(text)[0]
    header, lines, cells = read_plain(text, delimiter) or _read_records(text, delimiter, source)
    checked_header(header, source)
    if not len(cells):
        raise InvalidInput(f"{source} has a header line but no rows")
    return Sheet(
        source=source, header=header, cells=cells, lines=lines, layout=f"separated by {_DELIMITERS[delimiter]}",
        decimal_comma=delimiter != ",",
    )  # fmt: skip


def _first_names(text: str) -> list[str]:
    return _split_first_line(_from_header(text))[1]


_SEPARATOR = re.compile(r"\s*+\"?sep=[;,\t]\"?[ \t]*+(?:\r\n|\n|\r)")


def _from_header(text: str) -> str:
    """The text with what stands before its header made blank lines, so that lines keep their numbers.

    A line that begins with ``#`` and has as many cells as the first one that does not is the header, such as
    ``#,model,score``, unless that one names the columns of numbers below it.
    """
    found = _SEPARATOR.match(text)
    place = found.end() if found else 0
    comments = []
    while text.startswith("#", place) and place < HEADER:
        end = text.find("\n", place) + 1 or len(text)
        comments.append((place, text[place:end].strip()))
        place = end
    if comments:
        after = text[place : place + HEADER]
        delimiter, cells = _split_first_line(after)
        if not any(cells):
            return text
        below = _cells(after.strip().partition("\n")[2].lstrip().partition("\n")[0], delimiter)
        if _has_number(cells) or not _has_number(below):
            place = next((at for at, line in comments if len(_cells(line, delimiter)) == len(cells)), place)
    return re.sub(r"[^\r\n]++", "", text[:place]) + text[place:] if place else text


def _has_number(cells: Sequence[str]) -> bool:
    return any(parse_number(cell.strip(), decimal_comma=True) is not None for cell in cells)


def _split_first_line(text: str) -> tuple[str, list[str]]:
    """The separator that splits the first line into most columns, and those."""
    found = re.search(r"\S", text)
    place = found.start() if found else len(text)
    start = max(text.rfind(end, 0, place) for end in "\r\n") + 1
    stop = min((at for end in "\r\n" if (at := text.find(end, place)) >= 0), default=len(text))
    first = text[start:stop]
    split = {delimiter: _cells(first, delimiter) for delimiter in _DELIMITERS}
    return max(split.items(), key=lambda item: len(item[1]))


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:  # whoever reads all lines says what is wrong, and where
        return [line]


def _read_records(text: str, delimiter: str, source: str) -> tuple[Row, Sequence[int], Cells]:
    """The first row that isn't blank, the line on which each other one starts, and their cells."""
    records = _records(text, delimiter, source)
    first = next(records, None)
    if first is None:
        raise InvalidInput(f"{source} is empty: a header line and at least one row are needed")
    header = checked_header(first[1], source)
    lines, rows = list[int](), list[Row]()
    for line, cells in records:
        if len(cells) != len(header):
            raise InvalidInput(f"{source}, line {line} has {len(cells)} cells where the header has {len(header)}")
        lines.append(line)
        rows.append(cells)
    return header, tuple(lines), RowCells(rows)


def _records(text: str, delimiter: str, source: str) -> Iterator[tuple[int, Row]]:
    """Every row that isn't blank, with the number of the line it starts on."""
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=delimiter != "\t", strict=True
    )
    line = 1
    try:
        for cells in reader:
            stripped = tuple(cell.strip() for cell in cells)
            if any(stripped):
                yield line, stripped
            line = reader.line_num + 1
    except csv.Error as error:
        raise InvalidInput(f"{source}, line {line} is not well-formed: {error}") from error


FORMAT = Format(
    name="CSV",
    suffixes=(".csv", ".tsv"),
    media_types=("text/csv", "text/tab-separated-values", "text/plain"),
    begins=lambda text: False,  # anything may be delimited text, so it is what no other format knows
    first_names=_first_names,
    read=_read,
)
"""Delimited text with a header line."""
