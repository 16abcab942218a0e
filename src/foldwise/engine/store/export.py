"""A store's rows as CSV or Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

from foldwise.core.errors import InvalidInput, MissingDependency, StoreError, UnknownName
from foldwise.core.moment import moment
from foldwise.engine.store.contract import Row, Series
from foldwise.engine.store.sqlite import Store

__all__ = ["COLUMNS", "export", "write_csv"]

LABELS = ("data", "learner", "class", "plan", "seed", "series", "scoring")
NUMBERS = ("run", "fold", "score", "n_train", "n_test", "seconds")
ORIGIN = ("made", "versions")
COLUMNS = LABELS + NUMBERS + ORIGIN
"""What is the same for a whole series comes first; at the end, when and by what a row was made."""


class _Block(NamedTuple):
    """One series under one scoring."""

    labels: Row
    folds: int
    rows: list[Row]


def export(store: Store, path: Path, *, series: Sequence[Series], scoring: str | None = None) -> int:
    """Write the rows of the series to a file, CSV or Parquet by its name; returns how many there were."""
    if path.suffix not in (".csv", ".parquet"):
        raise InvalidInput(f"the export's name must end in .csv or .parquet, got {str(path)!r}")
    blocks, origins = _blocks(store, series, scoring), _origins(store)
    try:
        if path.suffix == ".parquet":
            return _to_parquet(blocks, origins, path)
        with path.open("w", newline="", encoding="utf-8") as file:
            return _to_csv(blocks, origins, file)
    except OSError as error:
        raise StoreError(f"export {str(path)!r} can't be written: {error.strerror}") from error


def write_csv(store: Store, file: TextIO, *, series: Sequence[Series], scoring: str | None = None) -> int:
    """Write the rows of the series as CSV; returns how many there were."""
    return _to_csv(_blocks(store, series, scoring), _origins(store), file)


def _origins(store: Store) -> dict[int, str]:
    return {number: "; ".join(f"{n} {v}" for n, v in versions.items()) for number, versions in store.origins().items()}


def _ends(rows: Sequence[Row], origins: dict[int, str]) -> dict[tuple[int, int], tuple[str, str]]:
    """The columns that tell when and by what rows were made, by second and origin: many rows share one."""
    return {(made, origin): (moment(made), origins[origin]) for made, origin in {row[4:6] for row in rows}}


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


def _to_csv(blocks: Iterator[_Block], origins: dict[int, str], file: TextIO) -> int:
    count = 0
    file.write(",".join(COLUMNS) + "\n")
    for labels, folds, rows in blocks:
        # the labels need quotes and the numbers do not: quoting once per series makes this three times as fast
        start = _quoted(labels)
        ends = {key: _quoted(end)[:-1] for key, end in _ends(rows, origins).items()}
        file.writelines(
            f"{start}{split // folds},{split % folds},{score!r},{n_train},{n_test},{seconds!r},{ends[made, origin]}\n"
            for split, n_train, n_test, seconds, made, origin, score in rows
        )
        count += len(rows)
    return count


def _quoted(values: Sequence[object]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator=",").writerow(values)
    return text.getvalue()


def _to_parquet(blocks: Iterator[_Block], origins: dict[int, str], path: Path) -> int:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingDependency("writing Parquet", "data") from error
    kinds = {name: pa.string() for name in COLUMNS} | {name: pa.int64() for name in NUMBERS}
    kinds |= {"score": pa.float64(), "seconds": pa.float64(), "series": pa.int64()}
    schema, count = pa.schema(list(kinds.items())), 0
    with pq.ParquetWriter(path, schema) as writer:
        for labels, folds, rows in blocks:
            if not rows:
                continue
            writer.write_table(pa.table(_columns(labels, folds, rows, origins), schema=schema))
            count += len(rows)
    return count


def _columns(labels: Row, folds: int, rows: Sequence[Row], origins: dict[int, str]) -> dict[str, list[object]]:
    split, n_train, n_test, seconds, _, _, score = (list(column) for column in zip(*rows, strict=True))
    ends = _ends(rows, origins)
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
        "made": [ends[row[4], row[5]][0] for row in rows],
        "versions": [ends[row[4], row[5]][1] for row in rows],
    }
