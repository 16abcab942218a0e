r"""Tables in JSON: Lines, a list of objects (``orient="records"``), or columns and data apart (``orient="split"``).

JSON Lines have one object per line, as pandas writes with ``to_json(orient="records", lines=True)``. Every line has the
keys of the first, in any order: a key that is sometimes left out could as well be misspelt, and rows × all keys ever
seen can be far more than the text. A value that is not there is written null. In a list of objects a key that is left
out is an empty cell, as pandas reads it.

Numbers are kept as they are written; NaN and Infinity, which Python writes although JSON has none, are cells like any
other.
"""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from collections.abc import Iterator

from foldwise.core.errors import InvalidInput
from foldwise.data.formats.plain import MarkedCells, read_plain
from foldwise.data.sheet import Format, Sheet, sheet_of_rows
from foldwise.data.text import NO_TEXT, Content

_HALF = re.compile("[\ud800-\udfff]")
_WORDS = {True: "true", False: "false", None: ""}

# ---- JSON Lines.

_LINES_BEGIN = re.compile(r"\s*+\{\s*+[\"}]")
_SHOWN = 40  # Characters of a bad line in a message.


class _Object(tuple[tuple[str, object], ...]):
    """An object's keys and values as they stand, so that a key that is there twice is not lost."""

    __slots__ = ()


_LINE_DECODER = json.JSONDecoder(object_pairs_hook=_Object, parse_int=str, parse_float=str, parse_constant=str)


def _read_lines(content: Content) -> Sheet:
    return _read_alike(content) or _read_each(content)


# Almost every file has lines that are alike but for their values: without the keys they are delimited text, which is
# read in a tenth of the time. What is not surely so (an escape, another order of keys, a list) is read line by line.

_PLAIN_KEY = re.compile(r"[\w.-]+(?: [\w.-]+)*", re.ASCII)
_ENDS = bytes(code for code in range(1, 32) if code not in b"\t\n\r\x1f")
"""Bytes that are part of no text, one for each key but the first; `_END` is what becomes of all of them."""
_END = "\x1f"
_NO_MARK = bytes(set(range(256)) - set(_ENDS) - {ord("\n")})
_NULL = re.compile(rb"(?<=[\x1f\n])null(?=[\x1f\n])")
_NUMBERS = re.compile(
    r"(?:(?:-?(?:0|[1-9]\d*+)(?:\.\d++)?(?:[eE][+-]?\d++)?|true|false|NaN|-?Infinity)?\n)*+", re.ASCII
)


def _read_alike(content: Content) -> Sheet | None:
    """The table where all lines have the same keys in the same order, written alike, and no escapes."""
    text = content.text
    if "\\" in text or "\t" in text or "\r" in text or NO_TEXT.search(text[:_FIRST]):
        return None
    first = text[: text.find("\n") + 1]
    try:
        keys, _ = _row(_object(first, ""), "")
    except InvalidInput:
        return None
    if len(keys) > len(_ENDS) or not all(map(_PLAIN_KEY.fullmatch, keys)):
        return None
    colon = '": ' if first.startswith(f'{{"{keys[0]}": ') else '":'
    comma = ", " if len(keys) > 1 and f', "{keys[1]}{colon}' in first else ","
    raw, count = f"\n{text}{'' if text.endswith(chr(10)) else chr(10)}".encode(), text.rstrip("\n").count("\n") + 1
    if raw.translate(None, _NO_MARK) != b"\n" * (count + 1):
        return None  # blank lines, or what is no text
    words = [f'\n{{"{keys[0]}{colon}', *(f'{comma}"{key}{colon}' for key in keys[1:]), "}\n"]
    marks = [b"\n", *(_ENDS[at : at + 1] for at in range(len(keys) - 1)), b"\n"]
    for word, mark in zip(words, marks, strict=True):
        if raw.count(word.encode()) != count:
            return None
        raw = raw.replace(word.encode(), mark)
    if raw.translate(None, _NO_MARK) != b"\n" + (b"".join(marks[1:-1]) + b"\n") * count:
        return None
    raw = raw.translate(bytes.maketrans(_ENDS, _END.encode() * len(_ENDS)))
    if any(nothing in raw for nothing in (b"\x1f\x1f", b"\n\x1f", b"\x1f\n", b"\n\n")):
        return None
    raw = _NULL.sub(b"", raw) if b"null" in raw else raw
    found = read_plain(_END.join(keys) + raw.decode(), _END)
    if found is None or len(found.cells) != count or not all(_are_values(found.cells, at) for at in range(len(keys))):
        return None
    return Sheet(
        source=content.source, header=keys, cells=found.cells, lines=range(1, count + 1), layout=_BY_LINE,
        decimal_comma=False,
    )  # fmt: skip


def _are_values(cells: MarkedCells, where: int) -> bool:
    """Whether all cells of a column without quotes are numbers and words that JSON knows."""
    return _NUMBERS.fullmatch("".join([f"{cell}\n" for cell in cells.bare(where)])) is not None


_FIRST = 1 << 16  # Characters in which a character that is part of no text is looked for first.
_BY_LINE = "keys of one JSON object per line"


def _read_each(content: Content) -> Sheet:
    rows: list[tuple[str, ...]] = []
    lines: list[int] = []
    header: tuple[str, ...] = ()
    order: dict[str, int] = {}
    for line, text in _lines(content.text):
        where = f"{content.source}, line {line}"
        keys, cells = _row(_object(text, where), where)
        if not rows:
            header, order = keys, {key: i for i, key in enumerate(keys)}
        elif keys != header:
            _check_same(keys, order, where)
            cells = tuple(cell for _, cell in sorted(zip(map(order.__getitem__, keys), cells, strict=True)))
        rows.append(cells)
        lines.append(line)
    if not rows:
        raise InvalidInput(f"{content.source} is empty: at least one line with a JSON object is needed")
    return sheet_of_rows(content.source, header, rows, _BY_LINE, tuple(lines))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not blank; str.splitlines would end them at characters that may stand in a JSON text."""
    for line, found in enumerate(io.StringIO(text, newline=None), start=1):
        if found.strip():
            yield line, found.strip()


def _object(text: str, where: str) -> _Object:
    try:
        found = _LINE_DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "it is nested too deeply"
        rule = "must be one JSON object, complete on its line"
        raise InvalidInput(f"{where} {rule}, got {_short(text)}: {reason}") from None
    if not isinstance(found, _Object):
        raise InvalidInput(f"{where} must be a JSON object with the columns' names as keys, got {_short(text)}")
    return found


def _row(found: _Object, where: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The keys, which must differ, and their cells."""
    keys = tuple(key.strip() for key, _ in found)
    if not keys:
        raise InvalidInput(f"{where} must have at least one key, got {{}}")
    if len(set(keys)) < len(keys):
        twice, count = Counter(keys).most_common(1)[0]
        raise InvalidInput(f"{where} has the key {twice!r} {count} times; keys must differ")
    cells = tuple(_line_cell(value, key, where) for key, (_, value) in zip(keys, found, strict=True))
    # refuse what only an escape such as \u0000 or half a surrogate pair can bring into a JSON text
    joined = "".join((*keys, *cells))
    if NO_TEXT.search(joined) or _HALF.search(joined):
        raise InvalidInput(f"{where} must hold text, but an escape in it stands for a character that is none")
    return keys, cells


def _line_cell(value: object, key: str, where: str) -> str:
    if isinstance(value, str):
        return value.strip()
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    kind = "an object" if isinstance(value, _Object) else "a list"
    raise InvalidInput(f"{where}: key {key!r} must hold a text, a number, true, false or null, got {kind}")


def _check_same(keys: tuple[str, ...], order: dict[str, int], where: str) -> None:
    strange = next((key for key in keys if key not in order), None)
    if strange is not None:
        raise InvalidInput(f"{where} has the key {strange!r}, which the first line has not; write null for no value")
    if len(keys) < len(order):
        here = set(keys)
        lacking = next(key for key in order if key not in here)
        raise InvalidInput(f"{where} lacks the key {lacking!r}, which the first line has; write null for no value")


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")


def _names_of_line(text: str) -> list[str]:
    first = next((line for _, line in _lines(text)), "")
    try:
        return [key for key, _ in _object(first, "line 1")]
    except InvalidInput:  # whoever reads all lines says what is wrong, and where
        return []


LINES = Format(
    name="JSON Lines", suffixes=(".jsonl", ".ndjson"), media_types=("application/jsonl", "application/x-ndjson"),
    begins=lambda text: _LINES_BEGIN.match(text) is not None, first_names=_names_of_line, read=_read_lines,
)  # fmt: skip
"""One JSON object per line."""


# ---- A list of objects, or columns and data.

_LIST_BEGINS = re.compile(r"\s*+\[\s*+\{")
_SPLIT_BEGINS = re.compile(r"\s*+\{\s*+\"(columns|index|data)\"\s*+:\s*+\[")
_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
MOST_CELLS = 50_000_000  # Cells of a table: rows × all keys ever seen can be far more than the text.


def _read_records(content: Content) -> Sheet:
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
    return sheet_of_rows(content.source, header, rows, "keys of JSON objects")


def _records(found: object, source: str) -> tuple[list[str], list[tuple[str, ...]]]:
    names: dict[str, None] = {}
    if not isinstance(found, list):
        raise InvalidInput(f"{source} must be a list of JSON objects, got {found}")
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


def _names_of_records(text: str) -> list[str]:
    """Keys of the first record; the text may be cut off behind it."""
    try:
        if _SPLIT_BEGINS.match(text):
            start = text.index("[", text.index('"columns"'))
            found, _ = _DECODER.raw_decode(text, start)
            return [str(name) for name in found]
        found, _ = _DECODER.raw_decode(text, text.index("{"))
        return [str(name) for name in found]
    except (ValueError, RecursionError, TypeError):
        return []


RECORDS = Format(
    name="JSON", suffixes=(".json",), media_types=("application/json",),
    begins=lambda text: _LIST_BEGINS.match(text) is not None or _SPLIT_BEGINS.match(text) is not None,
    first_names=_names_of_records, read=_read_records,
)  # fmt: skip
"""A list of objects, or columns and data."""
