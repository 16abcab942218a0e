"""A store's rows as CSV or Parquet."""

from __future__ import annotations

import csv
import gc
import io
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, groupby, repeat
from pathlib import Path
from typing import NamedTuple, TextIO

import numpy as np
from numpy.typing import NDArray

from foldwise.core.errors import InvalidInput, MissingDependency, StoreError, UnknownName
from foldwise.core.formatting import moment
from foldwise.engine.backends import count_workers
from foldwise.engine.driver import run_tasks
from foldwise.engine.store.contract import Row, StoredSeries
from foldwise.engine.store.opening import trust
from foldwise.engine.store.reading import RowColumns
from foldwise.engine.store.sqlite import Store

LABELS = ("data", "learner", "class", "plan", "seed", "series", "scoring")
NUMBERS = ("run", "fold", "score", "n_train", "n_test", "seconds")
ORIGIN = ("made", "versions")
# What is the same for a whole series comes first; at the end, when and by what a row was made.
COLUMNS = LABELS + NUMBERS + ORIGIN


MOST_KEPT = 10_000  # Scores whose digits are kept.


class Block(NamedTuple):
    labels: Row
    folds: int
    parts: Iterator[RowColumns]


def header() -> str:
    return ",".join(COLUMNS) + "\n"


def blocks_of(store: Store, series: Sequence[StoredSeries], scoring: str | None) -> Iterator[Block]:
    """The series under each scoring, or one."""
    known = store.scorings()
    if scoring is not None and scoring not in known:
        raise UnknownName("metric", scoring, known)
    names = known if scoring is None else {scoring: known[scoring]}
    return (
        Block((s.data, s.learner, s.class_name, s.plan, s.seed, s.id, name), s.folds, store.columns(s.id, number))
        for s in series
        for name, numbers in names.items()
        for number in numbers
    )


def write_rows(store: Store, blocks: Iterator[Block], file: TextIO) -> int:
    """Write rows as lines, without the header; returns how many there were."""
    count, digits, origins = 0, _Digits(), origin_texts(store)

    @cache
    def size(train: int, test: int) -> str:  # which few splits of a data set differ in
        return f"{train},{test}"

    @cache
    def end(made: int, origin: int) -> str:  # when and by what a row was made: many share one
        return _quoted((moment(made), origins[origin]))[:-1] + "\n"

    for labels, folds, parts in blocks:
        # the labels need quotes and the numbers do not: quoting once per series makes this three times as fast
        start = _quoted(labels)
        for part in parts:
            runs, places = np.divmod(part.split, folds)
            columns = (column.tolist() for column in (runs, places, part.score, part.seconds))
            shared = _shared(size, part.n_train, part.n_test), _shared(end, part.made, part.origin)
            lines = [
                f"{start}{run},{fold},{digits[score]},{sizes},{seconds!r},{last}"
                for run, fold, score, seconds, sizes, last in zip(*columns, *shared, strict=False)
            ]
            file.write("".join(lines))
            count += len(lines)
    return count


def origin_texts(store: Store) -> dict[int, str]:
    """The versions that computed rows, as one text, by the number rows name them by."""
    return {number: "; ".join(f"{n} {v}" for n, v in versions.items()) for number, versions in store.origins().items()}


class _Digits(dict[float, str]):
    """The shortest decimals that a score is read back from: accuracies have few values, and finding them takes long."""

    def __missing__(self, value: float) -> str:
        text = repr(value)
        if value and len(self) < MOST_KEPT:  # 0.0 and −0.0 are one key
            self[value] = text
        return text


def _shared(text: Callable[[int, int], str], *columns: NDArray[np.int64]) -> Iterator[str]:
    """The text that belongs to two numbers, for each row; without an end where all rows have the same."""
    if all((column == column[0]).all() for column in columns):
        return repeat(text(*(int(column[0]) for column in columns)))
    return map(text, *(column.tolist() for column in columns))


def _quoted(values: Sequence[object]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator=",").writerow(values)
    return text.getvalue()


# ---- A large store's rows as CSV, by several processes: each writes some series to a file of its own.
#
# All of them must see the store at one moment. Rows are only ever added, so those who count the same number of rows
# see the same rows; a process that counts more, because somebody recorded meanwhile, leaves its part to the first
# one.

WORTH = 500_000  # Rows that are worth further processes, which take half a second to start.

AT_ONCE = 200_000  # Rows of a part, so that all processors are busy to the end; a series is not divided.


MOST = 4  # Processes beyond which the disk is what takes the time.


class _Part(NamedTuple):
    """What came of one part: its file and its rows, or nothing where another moment was seen."""

    file: Path
    rows: int | None


@dataclass(frozen=True, slots=True)
class _Export:
    store: str
    amount: int
    scoring: str | None
    folder: Path
    parts: tuple[tuple[StoredSeries, ...], ...]

    def worker(self) -> _Export:
        """Itself, in a process of its own; the one that started it has the file checked."""
        trust(self.store)
        gc.disable()  # rows refer to nothing, and looking for circles among them takes a fifth of the time
        return self

    def work(self, number: int) -> _Part:
        file = self.folder / f"{number}.csv"
        with Store(self.store) as store, store.moment():
            if store.amount() != self.amount:
                return _Part(file, None)
            return _Part(file, _write(store, file, self.parts[number], self.scoring))


def is_worth_parts(store: Store, path: Path, series: Sequence[StoredSeries]) -> bool:
    """Whether several processes can write the export sooner than one."""
    plain = path.is_file() or not path.exists()  # not a pipe or a device, which can't be replaced
    shared = Path(store.path).is_file()  # not one in memory
    return plain and shared and _processors() > 1 and sum(s.splits for s in series) >= WORTH


def export_parts(store: Store, path: Path, series: Sequence[StoredSeries], scoring: str | None) -> int:
    """Write the rows of the series to a file that appears when it is whole; returns how many there were."""
    target = path.resolve()
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f"{target.name}.") as folder:
        work = _Export(store.path, store.amount(), scoring, Path(folder), _parts(series))
        whole, waiting, following, rows = Path(folder) / "whole", dict[int, _Part](), 0, 0
        with whole.open("wb") as out:
            out.write(header().encode())

            def accept(number: int, part: _Part) -> None:
                """Append parts in their order, whichever ends first."""
                nonlocal following, rows
                waiting[number] = part
                while following in waiting:
                    file, count = waiting.pop(following)
                    if count is None:  # this process sees the moment that was asked for
                        count = _write(store, file, work.parts[following], scoring)
                    with file.open("rb") as written:
                        shutil.copyfileobj(written, out, 2**20)
                    file.unlink()
                    rows += count
                    following += 1

            run_tasks(work, range(len(work.parts)), accept, n_jobs=_processors())
        store.scorings()  # waits for the check of the file's structure
        whole.replace(target)
    return rows


def _processors() -> int:
    return min(MOST, count_workers(-1))


def _parts(series: Sequence[StoredSeries]) -> tuple[tuple[StoredSeries, ...], ...]:
    """Series in their order, some hundred thousand rows together."""
    ends = accumulate(one.splits for one in series)
    by_rows = groupby(zip(series, ends, strict=True), key=lambda pair: (pair[1] - 1) // AT_ONCE)
    return tuple(tuple(one for one, _ in part) for _, part in by_rows)


def _write(store: Store, file: Path, series: Sequence[StoredSeries], scoring: str | None) -> int:
    with file.open("w", newline="", encoding="utf-8") as out:
        return write_rows(store, blocks_of(store, series, scoring), out)


def export(store: Store, path: Path, *, series: Sequence[StoredSeries], scoring: str | None = None) -> int:
    """Write the rows of the series to a file, CSV or Parquet by its name; returns how many there were."""
    if path.suffix not in (".csv", ".parquet"):
        raise InvalidInput(f"the export's name must end in .csv or .parquet, got {str(path)!r}")
    try:
        with store.moment():
            if path.suffix == ".parquet":
                return _to_parquet(blocks_of(store, series, scoring), origin_texts(store), path)
            if is_worth_parts(store, path, series):
                return export_parts(store, path, series, scoring)
            blocks = blocks_of(store, series, scoring)
            with path.open("w", newline="", encoding="utf-8") as file:
                file.write(header())
                return write_rows(store, blocks, file)
    except OSError as error:
        raise StoreError(f"export {str(path)!r} can't be written: {error.strerror}") from error


def write_csv(store: Store, file: TextIO, *, series: Sequence[StoredSeries], scoring: str | None = None) -> int:
    """Write the rows of the series as CSV; returns how many there were."""
    with store.moment():
        blocks = blocks_of(store, series, scoring)
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


def _columns(labels: Row, folds: int, part: RowColumns, origins: dict[int, str]) -> dict[str, object]:
    same = {
        name: [str(value) if name != "series" else value] * len(part.split)
        for name, value in zip(LABELS, labels, strict=True)
    }
    moments = {second: moment(second) for second in np.unique(part.made).tolist()}
    runs, places = np.divmod(part.split, folds)
    return same | {
        "run": runs, "fold": places, "score": part.score, "n_train": part.n_train, "n_test": part.n_test,
        "seconds": part.seconds, "made": [moments[second] for second in part.made.tolist()],
        "versions": [origins[number] for number in part.origin.tolist()],
    }  # fmt: skip
