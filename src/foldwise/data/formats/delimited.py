r"""Delimited text: CSV, and the same with tabs or semicolons.

The separator is the one among tab, semicolon and comma that splits the header into most columns. Where columns are
not separated by commas, ``0,5`` is a number.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator

from foldwise.core.errors import InvalidInput
from foldwise.data.formats.format import Format
from foldwise.data.sheet import Sheet, parse_number
from foldwise.data.text import Content

__all__ = ["FORMAT"]

_DELIMITERS = {"\t": "tab", ";": "semicolon", ",": "comma"}


def _read(content: Content) -> Sheet:
    text, source = content.text, content.source
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
        layout=f"separated by {_DELIMITERS[delimiter]}",
        decimal_comma=delimiter != ",",
    )


def _first_names(text: str) -> list[str]:
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


FORMAT = Format(
    name="CSV",
    suffixes=(".csv", ".tsv"),
    media_types=("text/csv", "text/tab-separated-values", "text/plain"),
    begins=lambda text: False,  # anything may be delimited text, so it is what no other format knows
    first_names=_first_names,
    read=_read,
)
"""Delimited text with a header line."""
