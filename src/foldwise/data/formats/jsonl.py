r"""JSON Lines: one object per line, as pandas writes with ``to_json(orient="records", lines=True)``.

Every line has the keys of the first, in any order: a key that is sometimes left out could as well be misspelt, and
rows × all keys ever seen can be far more than the text. A value that is not there is written null. Numbers are kept
as they are written; NaN and Infinity, which Python writes although JSON has none, are cells like any other.
"""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from foldwise.core.errors import InvalidInput
from foldwise.data.formats.format import Format
from foldwise.data.sheet import RowCells, Sheet
from foldwise.data.text import NO_TEXT, Content

__all__ = ["FORMAT"]

_BEGINS = re.compile(r"\s*\{\s*[\"}]")
_HALF = re.compile("[\ud800-\udfff]")
_WORDS = {True: "true", False: "false", None: ""}
_SHOWN = 40
"""Characters of a bad line in a message."""


class _Object(tuple[tuple[str, object], ...]):
    """An object's keys and values as they stand, so that a key that is there twice is not lost."""

    __slots__ = ()


_DECODER = json.JSONDecoder(object_pairs_hook=_Object, parse_int=str, parse_float=str, parse_constant=str)


def _read(content: Content) -> Sheet:
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
    return Sheet(
        source=content.source,
        header=header,
        cells=RowCells(rows),
        lines=tuple(lines),
        layout="keys of one JSON object per line",
        decimal_comma=False,
    )


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not blank; str.splitlines would end them at characters that may stand in a JSON text."""
    for line, found in enumerate(io.StringIO(text, newline=None), start=1):
        if found.strip():
            yield line, found.strip()


def _object(text: str, where: str) -> _Object:
    try:
        found = _DECODER.decode(text)
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
    cells = tuple(_cell(value, key, where) for key, (_, value) in zip(keys, found, strict=True))
    _check_text((*keys, *cells), where)
    return keys, cells


def _cell(value: object, key: str, where: str) -> str:
    if isinstance(value, str):
        return value.strip()
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    kind = "an object" if isinstance(value, _Object) else "a list"
    raise InvalidInput(f"{where}: key {key!r} must hold a text, a number, true, false or null, got {kind}")


def _check_text(cells: Sequence[str], where: str) -> None:
    r"""Refuse what only an escape such as \u0000 or half a surrogate pair can bring into a JSON text."""
    joined = "".join(cells)
    if NO_TEXT.search(joined) or _HALF.search(joined):
        raise InvalidInput(f"{where} must hold text, but an escape in it stands for a character that is none")


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


def _first_names(text: str) -> list[str]:
    first = next((line for _, line in _lines(text)), "")
    try:
        return [key for key, _ in _object(first, "line 1")]
    except InvalidInput:  # whoever reads all lines says what is wrong, and where
        return []


FORMAT = Format(
    name="JSON Lines",
    suffixes=(".jsonl", ".ndjson"),
    media_types=("application/jsonl", "application/x-ndjson"),
    begins=lambda text: _BEGINS.match(text) is not None,
    first_names=_first_names,
    read=_read,
)
"""One JSON object per line."""
