"""A store's rows as CSV or Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from foldwise.core.errors import InvalidInput, MissingDependency, StoreError, UnknownName
from foldwise.engine.store.contract import Series
from foldwise.engine.store.sqlite import Store

__all__ = ["COLUMNS", "export", "write_csv"]

LABELS = ("data", "learner", "class", "plan", "seed", "series", "scoring")
NUMBERS = ("run", "fold", "score", "n_train", "n_test", "seconds")
COLUMNS = LABELS + NUMBERS
"""What is the same for a whole series comes first."""


class _Block(NamedTuple):
    """One series under one scoring."""

    labels: tuple[Any, ...]
    folds: int
    rows: list[tuple[int, float, int, int, float]]


def export(store: Store, path: Path, *, series: Sequence[Series], scoring: str | None = None) -> int:
    """Write the rows of the series to a file, CSV or Parquet by its name; returns how many there were."""
    if path.suffix not in (".csv", ".parquet"):
        raise InvalidInput(f"the export's name must end in .csv or .parquet, got {str(path)!r}")
    blocks = _blocks(store, series, scoring)
    try:
        if path.suffix == ".parquet":
            return _to_parquet(blocks, path)
        with path.open("w", newline="", encoding="utf-8") as file:
            return _to_csv(blocks, file)
    except OSError as error:
        raise StoreError(f"export {str(path)!r} can't be written: {error.strerror}") from error


def write_csv(store: Store, file: TextIO, *, series: Sequence[Series], scoring: str | None = None) -> int:
    """Write the rows of the series as CSV; returns how many there were."""
    return _to_csv(_blocks(store, series, scoring), file)


def _blocks(store: Store, series: Sequence[Series], scoring: str | None) -> Iterator[_Block]:
    known = store.scorings()
    if scoring is not None and scoring not in known:
        raise UnknownName("scoring", scoring, known)
    names = known if scoring is None else {scoring: known[scoring]}
    return (
        _Block((s.data, s.learner, s.class_name, s.plan, s.seed, s.id, name), s.folds, store.rows(s.id, number))
        for s in series
        for name, numbers in names.items()
        for number in numbers
    )


def _to_csv(blocks: Iterator[_Block], file: TextIO) -> int:
    count = 0
    file.write(",".join(COLUMNS) + "\n")
    for labels, folds, rows in blocks:
        # the labels need quotes and the numbers do not: quoting once per series makes this three times as fast
        quoted = io.StringIO()
        csv.writer(quoted, lineterminator=",").writerow(labels)
        start = quoted.getvalue()
        file.writelines(
            f"{start}{split // folds},{split % folds},{score!r},{n_train},{n_test},{seconds!r}\n"
            for split, score, n_train, n_test, seconds in rows
        )
        count += len(rows)
    return count


def _to_parquet(blocks: Iterator[_Block], path: Path) -> int:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingDependency("writing Parquet", "data") from error
    kinds = {name: pa.string() for name in LABELS} | {name: pa.int64() for name in NUMBERS}
    kinds |= {"score": pa.float64(), "seconds": pa.float64(), "series": pa.int64()}
    schema, count = pa.schema(list(kinds.items())), 0
    with pq.ParquetWriter(path, schema) as writer:
        for labels, folds, rows in blocks:
            if not rows:
                continue
            writer.write_table(pa.table(_columns(labels, folds, rows), schema=schema))
            count += len(rows)
    return count


def _columns(labels: tuple[Any, ...], folds: int, rows: Any) -> dict[str, list[Any]]:
    split, score, n_train, n_test, seconds = (list(column) for column in zip(*rows, strict=True))
    same = {
        name: [str(value) if name != "series" else value] * len(rows)
        for name, value in zip(LABELS, labels, strict=True)
    }
    return same | {
        "run": [s // folds for s in split],
        "fold": [s % folds for s in split],
        "score": score,
        "n_train": n_train,
        "n_test": n_test,
        "seconds": seconds,
    }
