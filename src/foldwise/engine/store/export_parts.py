"""A large store's rows as CSV, by several processes: each writes some series to a file of its own.

All of them must see the store at one moment. Rows are only ever added, so those who count the same number of rows see
the same rows; a process that counts more, because somebody recorded meanwhile, leaves its part to the first one.
"""

from __future__ import annotations

import gc
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from pathlib import Path
from typing import IO, NamedTuple

from foldwise.engine.backends import count_workers
from foldwise.engine.store.contract import Series
from foldwise.engine.store.csv_rows import blocks_of, header, write_rows
from foldwise.engine.store.opening import trust
from foldwise.engine.store.sqlite import Store
from foldwise.engine.tasks import run_tasks

__all__ = ["export_parts", "is_worth_parts"]

WORTH = 500_000
"""Rows that are worth further processes, which take half a second to start."""

AT_ONCE = 200_000
"""Rows of a part, so that all processors are busy to the end; a series is not divided."""


MOST = 4
"""Processes beyond which the disk is what takes the time."""


class _Part(NamedTuple):
    """What came of one part: its file and its rows, or nothing where another moment was seen."""

    file: Path
    rows: int | None


@dataclass(frozen=True, slots=True)
class _Export:
    """What every process needs to know."""

    store: str
    amount: int | None
    scoring: str | None
    folder: Path
    parts: tuple[tuple[Series, ...], ...]

    def worker(self) -> _Writer:
        """One process's share; this one has the file checked."""
        trust(self.store)
        gc.disable()  # rows refer to nothing, and looking for circles among them takes a fifth of the time
        return _Writer(self)


class _Writer:
    """Writes parts in a process of its own."""

    def __init__(self, export: _Export) -> None:
        self._export = export

    def work(self, number: int) -> _Part:
        """Write one part."""
        export, file = self._export, self._export.folder / f"{number}.csv"
        with Store(export.store) as store, store.moment():
            if store.amount() != export.amount:
                return _Part(file, None)
            return _Part(file, _write(store, file, export.parts[number], export.scoring))


def is_worth_parts(store: Store, path: Path, series: Sequence[Series]) -> bool:
    """Whether several processes can write the export sooner than one."""
    plain = path.is_file() or not path.exists()  # not a pipe or a device, which can't be replaced
    shared = Path(store.path).is_file() and store.amount() is not None  # not one in memory
    return plain and shared and _processors() > 1 and sum(s.splits for s in series) >= WORTH


def export_parts(store: Store, path: Path, series: Sequence[Series], scoring: str | None) -> int:
    """Write the rows of the series to a file that appears when it is whole; returns how many there were."""
    target = path.resolve()
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f"{target.name}.") as folder:
        work = _Export(store.path, store.amount(), scoring, Path(folder), _parts(series))
        whole = Path(folder) / "whole"
        with whole.open("wb") as out:
            out.write(header().encode())
            joined = _Joined(store, work, out)
            run_tasks(work, range(len(work.parts)), joined.accept, n_jobs=_processors())
        store.scorings()  # waits for the check of the file's structure
        whole.replace(target)
    return joined.rows


class _Joined:
    """Parts in their order, whichever ends first."""

    def __init__(self, store: Store, work: _Export, out: IO[bytes]) -> None:
        self._store, self._work, self._out = store, work, out
        self._waiting: dict[int, _Part] = {}
        self._next = self.rows = 0

    def accept(self, number: int, part: _Part) -> None:
        """Take a part, and append it and what waited for it once those before it are there."""
        self._waiting[number] = part
        while (following := self._waiting.pop(self._next, None)) is not None:
            self._append(following, self._work.parts[self._next])
            self._next += 1

    def _append(self, part: _Part, series: Sequence[Series]) -> None:
        # this process sees the moment that was asked for
        rows = _write(self._store, part.file, series, self._work.scoring) if part.rows is None else part.rows
        with part.file.open("rb") as file:
            shutil.copyfileobj(file, self._out, 2**20)
        part.file.unlink()
        self.rows += rows


def _processors() -> int:
    return min(MOST, count_workers(-1))


def _parts(series: Sequence[Series]) -> tuple[tuple[Series, ...], ...]:
    """Series in their order, some hundred thousand rows together."""
    ends = accumulate(one.splits for one in series)
    by_rows = groupby(zip(series, ends, strict=True), key=lambda pair: (pair[1] - 1) // AT_ONCE)
    return tuple(tuple(one for one, _ in part) for _, part in by_rows)


def _write(store: Store, file: Path, series: Sequence[Series], scoring: str | None) -> int:
    with file.open("w", newline="", encoding="utf-8") as out:
        return write_rows(store, blocks_of(store, series, scoring), out)
