"""A store's rows as CSV or Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import repeat
from pathlib import Path
from typing import NamedTuple, TextIO

import numpy as np
from numpy.typing import NDArray

from foldwise.core.errors import InvalidInput, MissingDependency, StoreError, UnknownName
from foldwise.core.moment import moment
from foldwise.engine.store.columns import Columns
from foldwise.engine.store.contract import Row, Series
from foldwise.engine.store.sqlite import Store

__all__ = ["COLUMNS", "export", "write_csv"]

LABELS = ("data", "learner", "class", "plan", "seed", "series", "scoring")
NUMBERS = ("run", "fold", "score", "n_train", "n_test", "seconds")
ORIGIN = ("made", "versions")
COLUMNS = LABELS + NUMBERS + ORIGIN
"""What is the same for a whole series comes first; at the end, when and by what a row was made."""


MOST_KEPT = 10_000
"""Scores whose digits are kept."""


class _Block(NamedTuple):
    """One series under one scoring."""

    labels: Row
    folds: int
    parts: Iterator[Columns]


def export(store: Store, path: Path, *, series: Sequence[Series], scoring: str | None = None) -> int:
    """Write the rows of the series to a file, CSV or Parquet by its name; returns how many there were."""
    if path.suffix not in (".csv", ".parquet"):
        raise InvalidInput(f"the export's name must end in .csv or .parquet, got {str(path)!r}")
    try:
        with store.moment():
            blocks, origins = _blocks(store, series, scoring), _origins(store)
            if path.suffix == ".parquet":
                return _to_parquet(blocks, origins, path)
            with path.open("w", newline="", encoding="utf-8") as file:
                return _to_csv(blocks, origins, file)
    except OSError as error:
        raise StoreError(f"export {str(path)!r} can't be written: {error.strerror}") from error


def write_csv(store: Store, file: TextIO, *, series: Sequence[Series], scoring: str | None = None) -> int:
    """Write the rows of the series as CSV; returns how many there were."""
    with store.moment():
        return _to_csv(_blocks(store, series, scoring), _origins(store), file)


def _origins(store: Store) -> dict[int, str]:
    return {number: "; ".join(f"{n} {v}" for n, v in versions.items()) for number, versions in store.origins().items()}


class _Ends(dict[tuple[int, int], str]):
    """The end of a line, when and by what a row was made, by second and origin: many rows share one."""

    def __init__(self, origins: dict[int, str]) -> None:
        self._origins = origins

    def __missing__(self, key: tuple[int, int]) -> str:
        made, origin = key
        self[key] = end = _quoted((moment(made), self._origins[origin]))[:-1] + "\n"
        return end


class _Sizes(dict[tuple[int, int], str]):
    """Sizes of training and test set, which few splits of a data set differ in."""

    def __missing__(self, key: tuple[int, int]) -> str:
        self[key] = text = f"{key[0]},{key[1]}"
        return text


class _Digits(dict[float, str]):
    """The shortest decimals that a score is read back from: accuracies have few values, and finding them takes long."""

    def __missing__(self, value: float) -> str:
        text = repr(value)
        if value and len(self) < MOST_KEPT:  # 0.0 and −0.0 are one key
            self[value] = text
        return text


def _blocks(store: Store, series: Sequence[Series], scoring: str | None) -> Iterator[_Block]:
    known = store.scorings()
    if scoring is not None and scoring not in known:
        raise UnknownName("scoring", scoring, known)
    names = known if scoring is None else {scoring: known[scoring]}
    return (
        _Block((s.data, s.learner, s.class_name, s.plan, s.seed, s.id, name), s.folds, store.columns(s.id, number))
        for s in series
        for name, numbers in names.items()
        for number in numbers
    )


def _to_csv(blocks: Iterator[_Block], origins: dict[int, str], file: TextIO) -> int:
    count, digits, sizes = 0, _Digits(), _Sizes()
    file.write(",".join(COLUMNS) + "\n")
    for labels, folds, parts in blocks:
        # the labels need quotes and the numbers do not: quoting once per series makes this three times as fast
        start, ends = _quoted(labels), _Ends(origins)
        for part in parts:
            runs, places = np.divmod(part.split, folds)
            columns = (column.tolist() for column in (runs, places, part.score, part.seconds))
            shared = _shared(sizes, part.n_train, part.n_test), _shared(ends, part.made, part.origin)
            lines = [
                f"{start}{run},{fold},{digits[score]},{size},{seconds!r},{end}"
                for run, fold, score, seconds, size, end in zip(*columns, *shared, strict=False)
            ]
            file.write("".join(lines))
            count += len(lines)
    return count


def _shared(texts: dict[tuple[int, int], str], *columns: NDArray[np.int64]) -> Iterator[str]:
    """The text that belongs to two numbers, for each row; without an end where all rows have the same."""
    if all((column == column[0]).all() for column in columns):
        first, second = (int(column[0]) for column in columns)
        return repeat(texts[first, second])
    return map(texts.__getitem__, zip(*(column.tolist() for column in columns), strict=True))


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
