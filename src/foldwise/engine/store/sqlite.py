"""`Store`: the results store in one SQLite file."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Self

from foldwise.core.digest import digest
from foldwise.core.process import environment, made_by
from foldwise.engine.store import schema
from foldwise.engine.store.contract import Bounds, Record, SeriesKey
from foldwise.engine.store.reading import StoreReader

FIT = "INSERT INTO fit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
OUTPUT = "INSERT INTO output VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
SCORE = "INSERT INTO score VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"


class Store(StoreReader):
    """Scores, predictions and times of fits, in one SQLite file; see `foldwise.engine.store.contract`.

    Parameters
    ----------
    path
        The file, created if there is none; ":memory:" keeps the results until the object is closed. A file that can't
        be written can be read.

    Notes
    -----
    SQLite's write-ahead log lets other processes read and write at the same time. A commit survives the death of the
    process; the last ones may be lost when the whole machine loses power, without harm to the earlier ones. Each row
    has a checksum, which is looked at whenever the row is read. The structure of the file is checked before anything is
    written and any row is handed on; for a listing of a large file, that of the tables it is made from.

    Examples
    --------
    >>> with Store(":memory:") as store:
    ...     store.listing()
    []
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__(path)
        self._origins: dict[str, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the file."""
        self._file.close()

    def confirm(self) -> None:
        """Refuse to go on if the file was deleted, renamed, replaced or cut off since it was opened."""
        with schema.translated(self.path):
            self._file.confirm()

    def series(self, key: SeriesKey) -> int:
        """The number of the series, which is created if it is new."""
        labels = key.labels
        data = (key.data, labels["data"], labels["examples"], labels["attributes"], labels["classes"])
        learner = (key.learner, labels["learner"], labels["class"], labels["params"], labels["versions"])
        address = (key.plan, str(key.seed))
        with self._transaction():
            ids = (
                self._intern("data", "digest, name, examples, attributes, classes", data),
                self._intern("learner", "digest, name, class, params, versions", learner),
            )
            checksum = schema.text_sum(key.data, key.learner, *address, labels["folds"])
            self._execute(
                "INSERT INTO series (data_id, learner_id, plan, seed, folds, checksum) VALUES (?, ?, ?, ?, ?, ?) "
                "ON CONFLICT DO NOTHING",
                (*ids, *address, labels["folds"], checksum),
            )
            query = "SELECT id FROM series WHERE (data_id, learner_id, plan, seed) = (?, ?, ?, ?)"
            number = int(self._execute(query, (*ids, *address)).fetchone()[0])
        known = self._series_of(number)
        if known.key != (key.data, key.learner, *address):
            raise self._damaged(f"series {number} is not the one its index names")
        return number

    def scoring(self, name: str, digest: str, bounds: Bounds = (None, None)) -> int:
        """The number of a scoring, which is created if it is new; values outside its bounds are refused."""
        with self._transaction():
            return self._intern("scoring", "digest, name, low, high", (digest, name, *bounds))

    def record(self, records: Iterable[Record], scoring: int) -> None:
        """Keep rows, all of them or none; rows that are there already stay as they are."""
        now, bounds = int(time.time()), self._bounds_of(scoring)
        fits: Counter[int] = Counter()  # how many were new, by series
        scores: defaultdict[int, list[float]] = defaultdict(list)
        with self._transaction():
            here = self._origin(json.dumps(environment()))
            for record in records:
                series, split, known = record.series, record.split, self._series_of(record.series)
                self._check_score(record.score, bounds, series, split)
                origin = self._origin(record.origin) if record.origin else here
                row = (split, record.n_train, record.n_test, record.seconds, record.made or now, origin)
                checksum = schema.fit_sum(known.checksum, row)
                outcomes = schema.with_tail(schema.pack(record.outcomes, known.classes), checksum)
                fits[series] += self._connection.execute(FIT, (series, *row, checksum, outcomes)).rowcount
                if record.outputs is not None:
                    of_outputs = schema.output_sum(known.checksum, split, record.outputs)
                    self._connection.execute(OUTPUT, (series, split, of_outputs, record.outputs))
                values: tuple[float | None, ...] = (None, 0)  # which SQLite refuses
                if record.score is not None:
                    score = float(record.score)
                    values = (score, schema.score_sum(known.checksum, scoring, split, score))
                if self._connection.execute(SCORE, (series, scoring, split, *values)).rowcount:
                    scores[series].append(score)
            for series, count in fits.items():
                self._tallies.add_fits(series, self._series_of(series).checksum, count)
            for series, added in scores.items():
                self._tallies.add(series, self._series_of(series).checksum, scoring, added)

    def keep_block(self, study: str, number: int, content: bytes) -> None:
        """Keep one block of a simulation; one that is there already stays as it is."""
        with self._transaction():
            made, origin = int(time.time()), self._origin(json.dumps(environment() | {"made by": made_by()}))
            checksum = schema.content_sum(study, number, made, origin, content)
            row = (study, number, content, made, origin, checksum)
            self._execute("INSERT INTO block VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", row)

    def _origin(self, versions: str) -> int:
        if versions not in self._origins:
            self._origins[versions] = self._intern("origin", "digest, versions", (digest(versions), versions))
        return self._origins[versions]

    def _intern(self, table: str, columns: str, values: tuple[object, ...]) -> int:
        marks = ", ".join("?" * (len(values) + 1))
        self._execute(
            f"INSERT INTO {table} ({columns}, checksum) VALUES ({marks}) ON CONFLICT DO NOTHING",  # noqa: S608
            (*values, schema.text_sum(*values)),
        )
        return int(self._execute(f"SELECT id FROM {table} WHERE digest = ?", values[:1]).fetchone()[0])  # noqa: S608

    def _execute(self, query: str, values: tuple[object, ...] = ()) -> sqlite3.Cursor:
        with schema.translated(self.path):
            return self._connection.execute(query, values)

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing; takes the write lock at once, because a lock that is upgraded later can't wait for others."""
        with schema.translated(self.path):
            self._file.vouch()
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.commit()
            except BaseException:
                self._connection.rollback()
                self._origins.clear()  # those of this transaction are gone with it
                raise
            self.confirm()
