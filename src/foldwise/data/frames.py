"""Frames (pandas, polars, pyarrow) and Parquet files, through narwhals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from foldwise.core.errors import InvalidInput, MissingDependency
from foldwise.core.table import Table
from foldwise.core.tables import frame_columns, is_frame
from foldwise.data.dataset import Column, Dataset, Task, assemble
from foldwise.data.parquet import parquet_table

__all__ = ["dataset_from_frame", "read_parquet", "to_pandas"]


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
        return _columns(parquet_table(path, path.name))
    finally:
        pa.set_memory_pool(before)


def _columns(frame: Any) -> list[Column]:
    if not is_frame(frame):
        kind = type(frame).__name__
        raise InvalidInput(f"frame must be a pandas, polars or pyarrow data frame, got {kind}")
    if 0 in frame.shape:
        raise InvalidInput(f"frame must have rows and columns, got shape {frame.shape}")
    columns = frame_columns(frame)
    return [Column(name=name, values=values, categories=categories) for name, (values, categories) in columns]
