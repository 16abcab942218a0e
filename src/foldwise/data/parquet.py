"""Parquet files, within bounds: a few kilobytes can stand for any number of equal cells, and for any length of them."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from foldwise.core.errors import FoldwiseError, InvalidInput, LimitExceeded, MissingDependency
from foldwise.core.imported import reason

__all__ = ["parquet_table"]

MOST_CELLS = 200_000_000
"""Cells of a table."""

MOST_BYTES = 2 << 30
"""Bytes that all cells take."""

_AT_ONCE = 1 << 28
_TEXTS = ("BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY")


def parquet_table(given: Path | bytes, source: str, *, columns: Sequence[str] | None = None) -> Any:
    """The table in a file, or of its columns those that are named and there.

    Raises
    ------
    LimitExceeded
        Its cells turn out to be too long.
    InvalidInput
        It is damaged, or says that it has too many cells.
    """
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise MissingDependency("reading Parquet files", "data") from error
    try:
        with parquet.ParquetFile(given if isinstance(given, Path) else io.BytesIO(given)) as file:
            wanted = None if columns is None else [name for name in file.schema_arrow.names if name in columns]
            return _read(file, source, wanted)
    except FoldwiseError:
        raise
    except Exception as error:  # a damaged file ends in any of a dozen errors, as it happens
        raise InvalidInput(f"{source} is not a Parquet file, or damaged: {reason(error)}") from error


def _read(file: Any, source: str, columns: Sequence[str] | None) -> Any:
    from pyarrow import Table

    cells = file.metadata.num_rows * file.metadata.num_columns
    if cells > MOST_CELLS:
        raise InvalidInput(f"{source} must hold at most {MOST_CELLS:,} cells, but says that it has {cells:,}")
    batches, left = [], MOST_BYTES
    for batch in file.iter_batches(batch_size=_rows_at_once(file), columns=columns):
        left -= sum(map(_bytes, batch.columns))
        if left < 0:
            raise LimitExceeded(f"{source} unpacks to more than {MOST_BYTES >> 20:,} MB, the limit")
        batches.append(batch)
    return Table.from_batches(batches) if batches else file.read(columns=columns)


def _rows_at_once(file: Any) -> int:
    """So few that they fit, were each text as long as all that its column has: equal ones are stored once."""
    groups = [file.metadata.row_group(i) for i in range(file.metadata.num_row_groups)]
    found = [group.column(i) for group in groups for i in range(group.num_columns)]
    longest = max((one.total_uncompressed_size for one in found if one.physical_type in _TEXTS), default=1)
    return max(16, min(1 << 16, _AT_ONCE // max(longest, 1)))


def _bytes(column: Any) -> int:
    """What its cells take, each counted though it be stored once."""
    return int((column.dictionary_decode() if hasattr(column, "dictionary_decode") else column).nbytes)
