"""Frames (pandas, polars, pyarrow) and Parquet files, through narwhals."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from foldwise.core.decisions import Decision
from foldwise.core.errors import FoldwiseError, InvalidInput, LimitExceeded, MissingDependency
from foldwise.core.named_objects import reason
from foldwise.core.table import Coded, Table, frame_columns, is_frame
from foldwise.core.types import Array
from foldwise.data.attributes import as_numbers, choose_columns
from foldwise.data.dataset import DataColumn, Dataset, Task, assemble

# ---- Parquet files, within bounds: a few kilobytes can stand for any number of equal cells, and for any length of
# them.

MOST_CELLS = 200_000_000  # Cells of a table.

MOST_BYTES = 2 << 30  # Bytes that all cells take.

_AT_ONCE = 1 << 28
_TEXTS = ("BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY")


def parquet_table(
    given: Path | bytes, source: str, *, columns: Sequence[str] | None = None, most: int | None = None
) -> Any:
    """The table in a file, or of its columns those that are named and there.

    `given`, `source`: the file or its content, and what messages call it. `columns`: which to read; None for all.
    `most`: bytes that the cells may take when they are unpacked; None for the limit of this module.

    Raises LimitExceeded: its cells turn out to be too long. Raises InvalidInput: it is damaged, or says that it has too
    many cells.
    """
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise MissingDependency("reading Parquet files", "data") from error
    try:
        with parquet.ParquetFile(given if isinstance(given, Path) else io.BytesIO(given)) as file:
            wanted = None if columns is None else [name for name in file.schema_arrow.names if name in columns]
            return _read(file, source, wanted, min(MOST_BYTES, MOST_BYTES if most is None else most))
    except FoldwiseError:
        raise
    except Exception as error:  # a damaged file ends in any of a dozen errors, as it happens
        raise InvalidInput(f"{source} is not a Parquet file, or damaged: {reason(error)}") from error


def _read(file: Any, source: str, columns: Sequence[str] | None, most: int) -> Any:
    from pyarrow import Table

    cells = file.metadata.num_rows * file.metadata.num_columns
    if cells > MOST_CELLS:
        raise InvalidInput(f"{source} must hold at most {MOST_CELLS:,} cells, but says that it has {cells:,}")
    batches, left = [], most
    # so few that they fit, were each text as long as all that its column has: equal ones are stored once
    groups = [file.metadata.row_group(i) for i in range(file.metadata.num_row_groups)]
    found = [group.column(i) for group in groups for i in range(group.num_columns)]
    longest = max((one.total_uncompressed_size for one in found if one.physical_type in _TEXTS), default=1)
    for batch in file.iter_batches(batch_size=max(16, min(1 << 16, _AT_ONCE // max(longest, 1))), columns=columns):
        left -= sum(map(_bytes, batch.columns))
        if left < 0:
            raise LimitExceeded(f"{source} unpacks to more than {most / 1e6:,.0f} MB, the limit")
        batches.append(batch)
    return Table.from_batches(batches) if batches else file.read(columns=columns)


def _bytes(column: Any) -> int:
    """What its cells take, each counted though it be stored once."""
    return int((column.dictionary_decode() if hasattr(column, "dictionary_decode") else column).nbytes)


def dataset_from_frame(
    frame: Any, *, target: str | None = None, name: str = "frame", task: Task | None = None, drop: Sequence[str] = (),
    groups: str | None = None, keep: Sequence[str] = (),
) -> Dataset:  # fmt: skip
    """Turn a frame into a data set; all parameters as in `load`."""
    columns, read = _columns(frame, "frame")
    kind = type(frame).__module__.split(".")[0]
    provenance = f"a {kind} frame of {frame.shape[0]} rows"
    found = assemble(columns, target=target, name=name, provenance=provenance, task=task, guess_task=True)
    said = tuple(one for column, one in read.items() if column not in (found.target, groups, *drop))
    return choose_columns(replace(found, decisions=said), drop=drop, groups=groups, keep=keep, declared=())


def numbers_in_text(
    X: object, columns: Iterable[tuple[str, Coded]], skip: Collection[str] = (), source: str = "X"
) -> tuple[dict[int, Array], dict[str, Decision]]:
    """Columns of text that are numbers in another spelling (52,31), by position, and what to say of each by name.

    Text of plain numbers stays text, and so do declared categories: somebody made them so.

    `X`: a data frame, or an array of objects. `columns`: names and content of its columns. `skip`: columns that nobody
    should touch. `source`: what messages call `X`.
    """
    declared = _declared(X)
    found, said = dict[int, Array](), dict[str, Decision]()
    for j, (name, (codes, categories)) in enumerate(columns):
        odd = next((label for label in categories or () if "," in label or label.endswith("%")), None)
        if odd is None or categories is None or j in declared or name in skip:
            continue
        values = as_numbers(name, codes, categories, source=source)
        if values is not None:
            found[j] = values
            value = values[codes == categories.index(odd)][0]
            said[name] = Decision(
                what="column", value=f"column {name!r} read as numbers, {odd!r} as {value:.15g}", how="assumed",
                change="declare it as categories",
            )  # fmt: skip
    return found, said


def replace_columns(X: Any, numbers: Mapping[int, Array], out: Collection[int]) -> Any:
    """A frame or array of objects with some columns as numbers, and without some others; `X` itself stays as it is."""
    if not numbers and not out:
        return X
    if not is_frame(X):
        changed = X.astype(object)
        for j, values in numbers.items():
            changed[:, j] = values
        return np.delete(changed, sorted(out), axis=1)
    import narwhals.stable.v1 as nw

    frame = nw.from_native(X, eager_only=True)
    names = frame.columns
    series = [
        nw.new_series(names[j], values, nw.Float64, backend=frame.implementation) for j, values in numbers.items()
    ]
    return frame.with_columns(*series).drop([names[j] for j in out]).to_native()


def _declared(X: object) -> set[int]:
    """The columns of a frame that declare their categories."""
    if not is_frame(X):
        return set()
    import narwhals.stable.v1 as nw

    kinds = nw.from_native(X, eager_only=True).schema.dtypes()
    return {j for j, kind in enumerate(kinds) if type(kind).__name__ in ("Categorical", "Enum")}


def to_pandas(table: Table) -> Any:
    """The table as a pandas frame with numbers and columns of dtype category; None where there is no pandas."""
    try:
        import pandas as pd
    except ImportError:
        return None
    columns = {}
    for j, categories in enumerate(table.categories):
        values = table.values[:, j]
        if categories is not None:
            codes = np.where(np.isnan(values), -1, values).astype(np.int64)
            values = pd.Categorical.from_codes(codes, categories=list(categories))
        columns[j] = values
    frame = pd.DataFrame(columns)
    frame.columns = pd.Index(table.names)
    return frame


def read_parquet(path: Path) -> list[DataColumn]:
    """The columns of a Parquet file."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingDependency("reading Parquet files", "data") from error
    before = pa.default_memory_pool()
    pa.set_memory_pool(pa.system_memory_pool())  # the others keep for the next file what this one took
    try:
        return _columns(parquet_table(path, path.name), path.name)[0]
    finally:
        pa.set_memory_pool(before)


def _columns(frame: Any, source: str) -> tuple[list[DataColumn], dict[str, Decision]]:
    """The columns of a frame, and what to say of those that were read in another way than they are typed."""
    if not is_frame(frame):
        kind = type(frame).__name__
        raise InvalidInput(f"frame must be a pandas, polars or pyarrow data frame, got {kind}")
    if 0 in frame.shape:
        raise InvalidInput(f"frame must have rows and columns, got shape {frame.shape}")
    columns = frame_columns(frame, dates=True)
    numbers, said = numbers_in_text(frame, columns, source=source)
    coded = [(numbers[j], None) if j in numbers else column for j, (_, column) in enumerate(columns)]
    found = zip(columns, coded, strict=True)
    return [DataColumn(name=name, values=values, categories=kinds) for (name, _), (values, kinds) in found], said
