"""Frames (pandas, polars, pyarrow) and Parquet files, through narwhals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from foldwise.core.errors import InvalidInput, MissingDependency
from foldwise.core.imported import reason
from foldwise.core.table import Table
from foldwise.data.dataset import Column, Dataset, Task, assemble

__all__ = ["dataset_from_frame", "is_frame", "read_parquet", "table_from_frame"]

MOST_CELLS = 200_000_000
"""Cells of a Parquet file: a few kilobytes can stand for any number of equal ones."""


def is_frame(value: object) -> bool:
    """Whether `value` is a pandas, polars or pyarrow frame."""
    import narwhals.stable.v1 as nw

    try:
        return isinstance(nw.from_native(value, eager_only=True, pass_through=True), nw.DataFrame)
    except nw.exceptions.DuplicateError as error:
        raise InvalidInput(f"columns of a frame must have different names: {' '.join(str(error).split())}") from error


def table_from_frame(frame: Any) -> Table:
    """Turn a pandas, polars or pyarrow frame into a table.

    Parameters
    ----------
    frame
        Numbers become numeric columns; text, categories and booleans nominal ones; null and NaN are missing.
        Categories keep their declared order; text is ordered alphabetically.

    Examples
    --------
    >>> import pandas
    >>> table = table_from_frame(pandas.DataFrame({"size": [1, 2], "colour": ["red", None]}))
    >>> table.kinds, table.values.tolist()
    (('numeric', 'nominal'), [[1.0, 0.0], [2.0, nan]])
    """
    columns = _columns(frame)
    values = np.column_stack([column.values for column in columns])
    return Table.build(values, [column.categories for column in columns], [column.name for column in columns])


def dataset_from_frame(
    frame: Any, *, target: str | None = None, name: str = "frame", task: Task | None = None
) -> Dataset:
    """Turn a frame into a data set; `target` and `task` as in `load`."""
    kind = type(frame).__module__.split(".")[0]
    provenance = f"a {kind} frame of {frame.shape[0]} rows"
    return assemble(_columns(frame), target=target, name=name, provenance=provenance, task=task, guess_task=True)


def read_parquet(path: Path) -> list[Column]:
    """The columns of a Parquet file."""
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise MissingDependency("reading Parquet files", "data") from error
    try:
        with parquet.ParquetFile(path) as file:
            cells = file.metadata.num_rows * file.metadata.num_columns
            table = file.read() if cells <= MOST_CELLS else None
    except Exception as error:  # a damaged file ends in any of a dozen errors, as it happens
        raise InvalidInput(f"{path.name} is not a Parquet file, or damaged: {reason(error)}") from error
    if table is None:
        raise InvalidInput(f"{path.name} must hold at most {MOST_CELLS:,} cells, but says that it has {cells:,}")
    return _columns(table)


def _columns(frame: Any) -> list[Column]:
    import narwhals.stable.v1 as nw

    try:
        native = nw.from_native(frame, eager_only=True)
    except TypeError as error:
        kind = type(frame).__name__
        raise InvalidInput(f"frame must be a pandas, polars or pyarrow data frame, got {kind}") from error
    if not native.columns or not len(native):
        raise InvalidInput(f"frame must have rows and columns, got shape {native.shape}")
    return [_column(str(series.name), series) for series in native.iter_columns()]


def _column(name: str, series: Any) -> Column:
    dtype = series.dtype
    if dtype.is_numeric():
        return Column(name=name, values=_numbers(name, series))
    kind = type(dtype).__name__
    # a polars Categorical shares its categories with every other frame of the process
    declared = kind == "Enum" or (kind == "Categorical" and not series.implementation.is_polars())
    if declared:
        return Column.nominal(name, _cells(series), [str(value) for value in series.cat.get_categories().to_list()])
    if kind in ("String", "Object", "Boolean", "Categorical", "Unknown"):
        return Column.nominal(name, _cells(series))
    raise InvalidInput(f"column {name!r} must hold numbers, text, categories or booleans, got {dtype}")


def _numbers(name: str, series: Any) -> Any:
    numbers = np.array([np.nan if value is None else value for value in _values(series)], dtype=np.float64)
    if np.isinf(numbers).any():
        raise InvalidInput(
            f"column {name!r} must not hold infinities, but row {int(np.isinf(numbers).argmax())} is one"
        )
    return numbers


def _cells(series: Any) -> list[str | None]:
    return [None if value is None else str(value) for value in _values(series)]


def _values(series: Any) -> list[Any]:
    """The values, with None for null and for pandas' NA and NaN among objects."""
    gaps = series.is_null().to_list()
    return [None if gap else value for value, gap in zip(series.to_list(), gaps, strict=True)]
