"""Frames (pandas, polars, pyarrow) and Parquet files, through narwhals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from foldwise.core.errors import InvalidInput, MissingDependency
from foldwise.core.imported import reason
from foldwise.core.table import Table
from foldwise.core.tables import frame_columns, is_frame
from foldwise.data.dataset import Column, Dataset, Task, assemble

__all__ = ["dataset_from_frame", "read_parquet", "to_pandas"]

MOST_CELLS = 200_000_000
"""Cells of a Parquet file: a few kilobytes can stand for any number of equal ones."""


def dataset_from_frame(
    frame: Any, *, target: str | None = None, name: str = "frame", task: Task | None = None
) -> Dataset:
    """Turn a frame into a data set; `target` and `task` as in `load`."""
    columns = _columns(frame)
    kind = type(frame).__module__.split(".")[0]
    provenance = f"a {kind} frame of {frame.shape[0]} rows"
    return assemble(columns, target=target, name=name, provenance=provenance, task=task, guess_task=True)


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


def read_parquet(path: Path) -> list[Column]:
    """The columns of a Parquet file."""
    try:
        import pyarrow as pa
    except ImportError as error:
        raise MissingDependency("reading Parquet files", "data") from error
    before = pa.default_memory_pool()
    pa.set_memory_pool(pa.system_memory_pool())  # the others keep for the next file what this one took
    try:
        return _columns(_parquet_table(path))
    finally:
        pa.set_memory_pool(before)


def _parquet_table(path: Path) -> Any:
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            cells = file.metadata.num_rows * file.metadata.num_columns
            table = file.read() if cells <= MOST_CELLS else None
    except Exception as error:  # a damaged file ends in any of a dozen errors, as it happens
        raise InvalidInput(f"{path.name} is not a Parquet file, or damaged: {reason(error)}") from error
    if table is None:
        raise InvalidInput(f"{path.name} must hold at most {MOST_CELLS:,} cells, but says that it has {cells:,}")
    return table


def _columns(frame: Any) -> list[Column]:
    if not is_frame(frame):
        kind = type(frame).__name__
        raise InvalidInput(f"frame must be a pandas, polars or pyarrow data frame, got {kind}")
    if 0 in frame.shape:
        raise InvalidInput(f"frame must have rows and columns, got shape {frame.shape}")
    columns = frame_columns(frame)
    return [Column(name=name, values=values, categories=categories) for name, (values, categories) in columns]
