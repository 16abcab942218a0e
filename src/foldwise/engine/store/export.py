"""A store's rows as CSV or Parquet."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from foldwise.core.errors import InvalidInput, MissingDependency, StoreError
from foldwise.engine.store.contract import Series
from foldwise.engine.store.sqlite import Store

__all__ = ["COLUMNS", "export", "write_csv", "write_parquet"]

COLUMNS = (
    "data",
    "learner",
    "class",
    "plan",
    "seed",
    "run",
    "fold",
    "scoring",
    "score",
    "n_train",
    "n_test",
    "seconds",
    "series",
)
BATCH = 50_000


def export(store: Store, path: Path, *, series: Sequence[Series], scoring: str | None = None) -> int:
    """Write the rows of the series to a file, CSV or Parquet by its name; returns how many there were."""
    if path.suffix not in (".csv", ".parquet"):
        raise InvalidInput(f"the export's name must end in .csv or .parquet, got {str(path)!r}")
    try:
        if path.suffix == ".parquet":
            return write_parquet(store, path, series=series, scoring=scoring)
        with path.open("w", newline="", encoding="utf-8") as file:
            return write_csv(store, file, series=series, scoring=scoring)
    except OSError as error:
        raise StoreError(f"export {str(path)!r} can't be written: {error.strerror}") from error


def write_csv(store: Store, file: TextIO, *, series: Sequence[Series], scoring: str | None = None) -> int:
    """Write the rows of the series as CSV; returns how many there were."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    count = 0
    for batch in _batches(store, series, scoring):
        writer.writerows(batch)
        count += len(batch)
    return count


def write_parquet(store: Store, path: Path, *, series: Sequence[Series], scoring: str | None = None) -> int:
    """Write the rows of the series as Parquet; returns how many there were."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingDependency("writing Parquet", "data") from error
    texts, floats = ("data", "learner", "class", "plan", "seed", "scoring"), ("score", "seconds")
    kinds = [pa.string() if c in texts else pa.float64() if c in floats else pa.int64() for c in COLUMNS]
    schema, count = pa.schema(list(zip(COLUMNS, kinds, strict=True))), 0
    with pq.ParquetWriter(path, schema) as writer:
        for batch in _batches(store, series, scoring):
            columns = [pa.array(column, kind) for column, kind in zip(zip(*batch, strict=True), kinds, strict=True)]
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))
            count += len(batch)
    return count


def _batches(store: Store, series: Sequence[Series], scoring: str | None) -> Iterator[list[tuple[Any, ...]]]:
    rows = _rows(store, {s.id: s for s in series}, scoring)
    while batch := list(itertools.islice(rows, BATCH)):
        yield batch


def _rows(store: Store, known: dict[int, Series], scoring: str | None) -> Iterator[tuple[Any, ...]]:
    for number, split, name, score, n_train, n_test, seconds in store.rows(series=list(known), scoring=scoring):
        s = known[number]
        run, fold = divmod(split, s.folds)
        yield (
            s.data,
            s.learner,
            s.class_name,
            s.plan,
            str(s.seed),
            run,
            fold,
            name,
            score,
            n_train,
            n_test,
            seconds,
            number,
        )
