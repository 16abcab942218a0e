"""Parquet as a table: columns stay as they are stored; only cells that somebody asks for become text."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from foldwise.core.categories import Categories
from foldwise.core.errors import InvalidInput
from foldwise.core.named_objects import reason
from foldwise.core.types import Array, Integers
from foldwise.data.frames import parquet_table
from foldwise.data.sheet import Row, Sheet, checked_header

MAGIC = b"PAR1"  # How such files begin.


class _Columns:
    """The cells of an Arrow table, as `foldwise.data.sheet.Cells`."""

    def __init__(self, table: Any) -> None:
        self._columns = [column.combine_chunks() for column in table.columns]
        self._length = int(table.num_rows)

    def __len__(self) -> int:
        return self._length

    def rows(self, most: int) -> tuple[Row, ...]:
        return tuple(zip(*(_texts(column[:most]) for column in self._columns), strict=True))

    def texts(self, where: int, rows: Integers | None = None) -> list[str]:
        column = self._columns[where]
        return _texts(column if rows is None else column.take(_indices(rows)))

    def decimals(self, where: int) -> tuple[Array, Integers]:
        from pyarrow import types

        column = self._columns[where]
        if not (types.is_integer(column.type) or types.is_floating(column.type)):
            return np.full(len(self), np.nan), np.arange(len(self))
        values = _plain(column).astype(np.float64)
        if column.null_count:
            values[_plain(column.is_null()) != 0] = np.nan
        return values, np.flatnonzero(~np.isfinite(values))

    def categories(self, where: int) -> Categories:
        from pyarrow import types

        column = self._columns[where]
        if not len(column):
            return Categories.of(())
        if types.is_signed_integer(column.type) and not column.null_count:
            whole = Categories.of_whole(_plain(column).astype(np.int64, copy=False))
            if whole is not None:
                return whole
        stored = hasattr(column, "dictionary")
        coded = column if stored else column.dictionary_encode(null_encoding="encode")
        codes = _plain(coded.indices).astype(np.int32)
        if coded.indices.null_count:
            codes[_plain(coded.indices.is_null()) != 0] = len(coded.dictionary)
        labels = [*_texts(coded.dictionary), ""]
        if not stored:
            found = Categories(codes, tuple(labels[:-1]))
            return found if types.is_integer(column.type) else _merged(found)
        there, first = np.unique(codes, return_index=True)
        there = there[np.argsort(first)]  # a column that was stored by codes has its labels in any order, or too many
        place = np.zeros(len(labels), np.int32)
        place[there] = np.arange(len(there))
        return _merged(Categories(place[codes], tuple(labels[code] for code in there.tolist())))


def _merged(column: Categories) -> Categories:
    """Labels that were made equal by what was stripped from them, as one."""
    return column if len(set(column.labels)) == len(column.labels) else column.renamed(column.labels)


def parquet_sheet(raw: bytes, source: str, most: int) -> Sheet:
    """The table in the content of a Parquet file; rows without any value are left out."""
    table = parquet_table(raw, source, most=most)
    try:
        table.validate(full=True)  # text that is no text, codes of no label
    except Exception as error:  # as in `parquet_table`
        raise InvalidInput(f"{source} is not a Parquet file, or damaged: {reason(error)}") from error
    names = [name.strip() for name in table.column_names]
    for name, column in zip(names, table.columns, strict=True):
        kind = column.type
        from pyarrow import types

        if types.is_dictionary(kind):
            kind = kind.value_type
        text = types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)
        number = types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind) or types.is_null(kind)
        if not (text or number or types.is_date(kind) or types.is_timestamp(kind)):
            raise InvalidInput(f"{source} must hold text and numbers, got {kind} in column {name!r}")
    kept = np.full(table.num_rows, any(not column.null_count for column in table.columns))
    for column in () if kept.all() else table.columns:
        kept |= _plain(column.is_valid().combine_chunks()) != 0
    lines = np.flatnonzero(kept) + 2 if not kept.all() else range(2, table.num_rows + 2)
    if len(lines) < table.num_rows:
        table = table.take(_indices(np.flatnonzero(kept)))
    if not table.num_rows:
        raise InvalidInput(f"{source} has columns but no rows")
    return Sheet(
        source=source, header=checked_header(tuple(names), source), cells=_Columns(table),
        lines=lines if isinstance(lines, range) else tuple(lines.tolist()), layout="columns of Parquet",
        decimal_comma=False,
    )  # fmt: skip


def _plain(column: Any) -> NDArray[Any]:
    """A column of numbers, anything in its gaps; Arrow's own `to_numpy` loads pandas, which takes half a second."""
    import pyarrow as pa

    if pa.types.is_boolean(column.type):
        column = column.cast(pa.int8())
    kind = np.dtype(column.type.to_pandas_dtype())
    return np.frombuffer(column.buffers()[1], kind)[column.offset : column.offset + len(column)]


def _indices(rows: Integers) -> Any:
    """Whole numbers for Arrow, by their bytes, for the same reason."""
    import pyarrow as pa

    return pa.Array.from_buffers(pa.int64(), len(rows), [None, pa.py_buffer(np.ascontiguousarray(rows, np.int64))])


def _texts(column: Any) -> list[str]:
    """Each cell as it would be written, numbers with every digit."""
    from pyarrow import types

    cells = column.to_pylist()
    if types.is_integer(column.type) and not column.null_count:
        return list(map(str, cells))
    return ["" if cell is None else cell.strip() if isinstance(cell, str) else _text(cell) for cell in cells]


def _text(cell: object) -> str:
    return repr(cell) if isinstance(cell, float) else str(cell)
