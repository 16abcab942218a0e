r"""JSON tables: a list of objects (``to_json(orient="records")``), or columns and data apart (``orient="split"``).

Keys that some objects leave out are empty cells there, as pandas reads them; what is no object, and nested values, are
refused.
"""

from __future__ import annotations

import json
import re

from foldwise.core.errors import InvalidInput
from foldwise.data.formats.format import Format
from foldwise.data.sheet import RowCells, Sheet
from foldwise.data.text import Content

__all__ = ["FORMAT"]

_RECORDS = re.compile(r"\s*\[\s*\{")
_SPLIT = re.compile(r"\s*\{\s*\"(columns|index|data)\"\s*:\s*\[")
_WORDS = {True: "true", False: "false", None: ""}
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
MOST_CELLS = 50_000_000
"""Cells of a table: rows × all keys ever seen can be far more than the text."""


def _read(content: Content) -> Sheet:
    try:
        found = _DECODER.decode(content.text)
    except json.JSONDecodeError as error:
        where = f"{content.source}, line {error.lineno}"
        raise InvalidInput(f"{where} must be whole JSON, but it is damaged: {error.msg}") from None
    except RecursionError:
        raise InvalidInput(f"{content.source} must be whole JSON, but it is nested too deeply") from None
    header, rows = _split(found, content.source) if isinstance(found, dict) else _records(found, content.source)
    if not rows:
        raise InvalidInput(f"{content.source} has columns but no rows")
    return Sheet(
        source=content.source,
        header=tuple(header),
        cells=RowCells(rows),
        lines=range(1, len(rows) + 1),
        layout="keys of JSON objects",
        decimal_comma=False,
    )


def _records(found: list[object], source: str) -> tuple[list[str], list[tuple[str, ...]]]:
    names: dict[str, None] = {}
    for number, record in enumerate(found, start=1):
        if not isinstance(record, dict):
            raise InvalidInput(f"{source}, record {number} must be an object, got {type(record).__name__}")
        names.update(dict.fromkeys(record))
    if len(names) * len(found) > MOST_CELLS:
        raise InvalidInput(f"{source} must have at most {MOST_CELLS:,} cells, got {len(found):,} × {len(names):,}")
    rows = [
        tuple(_cell(record.get(name), f"{source}, record {number}, key {name!r}") for name in names)
        for number, record in enumerate(found, start=1)
        if isinstance(record, dict)
    ]
    return list(names), rows


def _split(found: dict[str, object], source: str) -> tuple[list[str], list[tuple[str, ...]]]:
    columns, data = found.get("columns"), found.get("data")
    if not isinstance(columns, list) or not isinstance(data, list):
        raise InvalidInput(f"{source} must have the lists columns and data, or be a list of objects")
    rows = []
    for number, row in enumerate(data, start=1):
        if not isinstance(row, list) or len(row) != len(columns):
            raise InvalidInput(f"{source}, row {number} must have {len(columns)} cells, as there are columns")
        rows.append(tuple(_cell(cell, f"{source}, row {number}") for cell in row))
    names = [str(name) for name in columns]
    if len(set(names)) < len(names):
        raise InvalidInput(f"{source} must have different names for its columns")
    return names, rows


def _cell(value: object, where: str) -> str:
    if isinstance(value, str):
        return value.strip()
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    # a nested value can't be compared; it may still stand beside what can be
    return json.dumps(value) if isinstance(value, list | dict) else _refuse(value, where)


def _refuse(value: object, where: str) -> str:
    raise InvalidInput(f"{where} must hold text, a number, true, false or null, got {type(value).__name__}")


def _first_names(text: str) -> list[str]:
    """Keys of the first record; the text may be cut off behind it."""
    try:
        if _SPLIT.match(text):
            start = text.index("[", text.index('"columns"'))
            found, _ = _DECODER.raw_decode(text, start)
            return [str(name) for name in found]
        found, _ = _DECODER.raw_decode(text, text.index("{"))
        return [str(name) for name in found]
    except (ValueError, RecursionError, TypeError):
        return []


FORMAT = Format(
    name="JSON",
    suffixes=(".json",),
    media_types=("application/json",),
    begins=lambda text: _RECORDS.match(text) is not None or _SPLIT.match(text) is not None,
    first_names=_first_names,
    read=_read,
)
"""A list of objects, or columns and data."""
