"""A store's rows as CSV or Parquet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

import numpy as np

from foldwise.core.errors import InvalidInput, MissingDependency, StoreError
from foldwise.core.moment import moment
from foldwise.engine.store.columns import Columns
from foldwise.engine.store.contract import Row, Series
from foldwise.engine.store.csv_rows import COLUMNS, LABELS, NUMBERS, Block, blocks_of, header, origin_texts, write_rows
from foldwise.engine.store.sqlite import Store

__all__ = ["COLUMNS", "export", "write_csv"]


def export(store: Store, path: Path, *, series: Sequence[Series], scoring: str | None = None) -> int:
    """Write the rows of the series to a file, CSV or Parquet by its name; returns how many there were."""
    if path.suffix not in (".csv", ".parquet"):
        raise InvalidInput(f"the export's name must end in .csv or .parquet, got {str(path)!r}")
    try:
        with store.moment():
            if path.suffix == ".parquet":
                return _to_parquet(blocks_of(store, series, scoring), origin_texts(store), path)
            return _to_csv(store, path, series, scoring)
    except OSError as error:
        raise StoreError(f"export {str(path)!r} can't be written: {error.strerror}") from error


def write_csv(store: Store, file: TextIO, *, series: Sequence[Series], scoring: str | None = None) -> int:
    """Write the rows of the series as CSV; returns how many there were."""
    with store.moment():
        blocks = blocks_of(store, series, scoring)
        file.write(header())
        return write_rows(store, blocks, file)


def _to_csv(store: Store, path: Path, series: Sequence[Series], scoring: str | None) -> int:
    from foldwise.engine.store.export_parts import export_parts, is_worth_parts  # loads what starts processes

    if is_worth_parts(store, path, series):
        return export_parts(store, path, series, scoring)
    blocks = blocks_of(store, series, scoring)
    with path.open("w", newline="", encoding="utf-8") as file:
        file.write(header())
        return write_rows(store, blocks, file)


def _to_parquet(blocks: Iterator[Block], origins: dict[int, str], path: Path) -> int:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingDependency("writing Parquet", "data") from error
    kinds = {name: pa.string() for name in COLUMNS} | {name: pa.int64() for name in NUMBERS}
    kinds |= {"score": pa.float64(), "seconds": pa.float64(), "series": pa.int64()}
    schema, count = pa.schema(list(kinds.items())), 0
    with pq.ParquetWriter(path, schema) as writer:
        for labels, folds, parts in blocks:
            for part in parts:
                writer.write_table(pa.table(_columns(labels, folds, part, origins), schema=schema))
                count += len(part.split)
    return count


def _columns(labels: Row, folds: int, part: Columns, origins: dict[int, str]) -> dict[str, object]:
    same = {
        name: [str(value) if name != "series" else value] * len(part.split)
        for name, value in zip(LABELS, labels, strict=True)
    }
    moments = {second: moment(second) for second in np.unique(part.made).tolist()}
    runs, places = np.divmod(part.split, folds)
    return same | {
        "run": runs,
        "fold": places,
        "score": part.score,
        "n_train": part.n_train,
        "n_test": part.n_test,
        "seconds": part.seconds,
        "made": [moments[second] for second in part.made.tolist()],
        "versions": [origins[number] for number in part.origin.tolist()],
    }
