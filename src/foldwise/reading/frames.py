"""Results in data frames of pandas, polars or pyarrow: read as the same table in a file is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from foldwise.core.roles import Columns, role_of
from foldwise.core.tables import frame_columns
from foldwise.core.types import Array
from foldwise.data.cells import RowCells
from foldwise.data.sheet import Sheet
from foldwise.reading.any_table import table_series
from foldwise.reading.search_results import candidates, is_split
from foldwise.reading.series import Series
from foldwise.reading.trackers import is_export, tracked

__all__ = ["frame_series"]


def frame_series(frame: Any, left_out: list[str], *, columns: Columns | None = None) -> tuple[str, Iterator[Series]]:
    """What the table in a frame is, and its series."""
    if "params" in frame.columns and any(map(is_split, map(str, frame.columns))) and not columns:
        return "scikit-learn search", candidates(_search(frame), "the frame", left_out)
    sheet = _sheet(frame, columns or {})
    if is_export(sheet.header) and not columns:
        return "experiment tracker", tracked(sheet, left_out)
    return table_series(sheet, left_out, columns=columns)


def _search(frame: Any) -> dict[str, Sequence[object]]:
    """The columns of a frame of ``cv_results_`` that tell its candidates."""
    import narwhals.stable.v1 as nw

    native = nw.from_native(frame, eager_only=True)
    wanted = [name for name in native.columns if name in ("params", "iter") or is_split(name)]
    return {name: native.get_column(name).to_list() for name in wanted}


def _sheet(frame: Any, declared: Columns) -> Sheet:
    found = frame_columns(_comparable(frame, declared))
    columns = {name: _texts(values, categories) for name, (values, categories) in found}
    return Sheet(
        source="the frame",
        header=tuple(columns),
        cells=RowCells(list(zip(*columns.values(), strict=True))),
        lines=range(1, len(next(iter(columns.values()), ())) + 1),
        layout="columns of a frame",
        decimal_comma=False,
    )


def _comparable(frame: Any, declared: Columns) -> Any:
    """The frame without columns that no comparison needs (lists, dates), and with what pandas keeps in its index.

    Dates that were declared, or whose column is called like a time, are kept as text.
    """
    import narwhals.stable.v1 as nw

    if hasattr(frame, "reset_index") and any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    native = nw.from_native(frame, eager_only=True)
    dates = [name for name, kind in native.schema.items() if kind in (nw.Date, nw.Datetime)]
    kept = [name for name in dates if name in declared.values() or role_of(name) == "time"]
    dropped = [name for name, kind in native.schema.items() if kind.is_temporal() or kind.is_nested()]
    return (
        native.drop([name for name in dropped if name not in kept])
        .with_columns(nw.col(name).cast(nw.String) for name in kept)
        .to_native()
    )


def _texts(values: Array, categories: Sequence[str] | None) -> list[str]:
    if categories is None:
        return [
            "" if np.isnan(value) else str(int(value)) if value.is_integer() else repr(value)
            for value in values.tolist()
        ]
    return ["" if np.isnan(code) else str(categories[int(code)]) for code in values.tolist()]
