"""`Store`: the results store in one SQLite file."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any, Self

from foldwise.core.errors import InvalidInput
from foldwise.engine.store.codec import pack, unpack
from foldwise.engine.store.contract import Record, Series, SeriesKey
from foldwise.engine.store.schema import open_file, translated

__all__ = ["Store"]


class Store:
    """Scores, predictions and times of fits, in one SQLite file; see `foldwise.engine.store.contract`.

    Parameters
    ----------
    path
        The file, created if there is none; ":memory:" keeps the results until the object is closed.

    Notes
    -----
    SQLite's write-ahead log lets other processes read and write at the same time. A commit survives the death of the
    process; the last ones may be lost when the whole machine loses power, without harm to the earlier ones.

    Examples
    --------
    >>> with Store(":memory:") as store:
    ...     store.listing()
    []
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._connection = open_file(self.path)
        self._classes: dict[int, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the file."""
        self._connection.close()

    def series(self, key: SeriesKey) -> int:
        """The number of the series, which is created if it is new."""
        labels = key.labels
        data = (key.data, labels["data"], labels["examples"], labels["attributes"], labels["classes"])
        learner = (key.learner, labels["learner"], labels["class"], labels["params"], labels["versions"])
        with self._transaction():
            data_id = self._intern("data", "digest, name, examples, attributes, classes", data)
            learner_id = self._intern("learner", "digest, name, class, params, versions", learner)
            address = (data_id, learner_id, key.plan, str(key.seed))
            self._execute(
                "INSERT INTO series (data_id, learner_id, plan, seed, folds) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT DO NOTHING",
                (*address, labels["folds"]),
            )
            return self._one("SELECT id FROM series WHERE (data_id, learner_id, plan, seed) = (?, ?, ?, ?)", address)

    def scoring(self, name: str, digest: str) -> int:
        """The number of a scoring, which is created if it is new."""
        with self._transaction():
            return self._intern("scoring", "digest, name", (digest, name))

    def record(self, records: Iterable[Record], scoring: int) -> None:
        """Keep rows, all of them or none; rows that are there already stay as they are."""
        fits, scores = [], []
        for r in records:
            blob = pack(r.outcomes, self._n_classes(r.series))
            fits.append((r.series, r.split, r.n_train, r.n_test, r.seconds, blob))
            scores.append((r.series, scoring, r.split, r.score))
        with self._transaction():
            self._connection.executemany("INSERT INTO fit VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", fits)
            self._connection.executemany("INSERT INTO score VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", scores)

    def recall(self, series: int, splits: range, scoring: int) -> Iterator[Record]:
        """The rows of a series whose splits lie in the range, in their order."""
        n_classes = self._n_classes(series)
        rows = self._execute(
            "SELECT f.split, n_train, n_test, seconds, outcomes, value FROM fit AS f "
            "LEFT JOIN score AS s ON s.series_id = f.series_id AND s.scoring_id = ? AND s.split = f.split "
            "WHERE f.series_id = ? AND f.split >= ? AND f.split < ? ORDER BY f.split",
            (scoring, series, splits.start, splits.stop),
        )
        with translated(self.path):
            for split, n_train, n_test, seconds, blob, value in rows:
                yield Record(
                    series=series,
                    split=split,
                    n_train=n_train,
                    n_test=n_test,
                    seconds=seconds,
                    outcomes=unpack(blob, n_classes, n_test),
                    score=value,
                )

    def keep_block(self, study: str, number: int, content: bytes) -> None:
        """Keep one block of a simulation; one that is there already stays as it is."""
        with self._transaction():
            self._execute("INSERT INTO block VALUES (?, ?, ?) ON CONFLICT DO NOTHING", (study, number, content))

    def find_blocks(self, study: str, numbers: range) -> dict[int, bytes]:
        """The blocks of a simulation that are there, by number."""
        query = "SELECT number, content FROM block WHERE study = ? AND number >= ? AND number < ?"
        with translated(self.path):
            return dict(self._execute(query, (study, numbers.start, numbers.stop)).fetchall())

    def listing(self) -> list[Series]:
        """All series, in the order they were begun."""
        means: dict[int, dict[str, float]] = {}
        query = "SELECT series_id, name, AVG(value) FROM score JOIN scoring ON id = scoring_id GROUP BY series_id, name"
        for number, name, mean in self._execute(query):
            means.setdefault(number, {})[name] = mean
        counts = dict(self._execute("SELECT series_id, COUNT(*) FROM fit GROUP BY series_id").fetchall())
        rows = self._execute(
            "SELECT s.id, d.name, d.digest, l.name, l.digest, class, params, versions, plan, seed, folds "
            "FROM series AS s JOIN data AS d ON d.id = data_id JOIN learner AS l ON l.id = learner_id ORDER BY s.id"
        ).fetchall()
        return [_series(row, counts.get(row[0], 0), means.get(row[0], {})) for row in rows]

    def scorings(self) -> dict[str, list[int]]:
        """The scorings by name; several may share one, such as functions of the same name."""
        known: dict[str, list[int]] = {}
        for number, name in self._execute("SELECT id, name FROM scoring ORDER BY name, id"):
            known.setdefault(name, []).append(number)
        return known

    def rows(self, series: int, scoring: int) -> list[tuple[int, float, int, int, float]]:
        """(split, score, n_train, n_test, seconds) of one series under one scoring, in the order of the splits."""
        query = (
            "SELECT s.split, value, n_train, n_test, seconds FROM score AS s "
            "JOIN fit AS f ON f.series_id = s.series_id AND f.split = s.split "
            "WHERE s.series_id = ? AND s.scoring_id = ? ORDER BY s.split"
        )
        with translated(self.path):
            return self._connection.execute(query, (series, scoring)).fetchall()

    def _n_classes(self, series: int) -> int:
        if series not in self._classes:
            query = "SELECT classes FROM series JOIN data ON data.id = data_id WHERE series.id = ?"
            self._classes[series] = self._one(query, (series,))
        return self._classes[series]

    def _intern(self, table: str, columns: str, values: tuple[Any, ...]) -> int:
        marks = ", ".join("?" * len(values))
        self._execute(f"INSERT INTO {table} ({columns}) VALUES ({marks}) ON CONFLICT DO NOTHING", values)  # noqa: S608
        return self._one(f"SELECT id FROM {table} WHERE digest = ?", values[:1])  # noqa: S608

    def _one(self, query: str, values: tuple[Any, ...]) -> int:
        row = self._execute(query, values).fetchone()
        if row is None:
            raise InvalidInput(f"series must be in store {self.path!r}, but {values[0]!r} is not")
        return int(row[0])

    def _execute(self, query: str, values: tuple[Any, ...] = ()) -> sqlite3.Cursor:
        with translated(self.path):
            return self._connection.execute(query, values)

    def _transaction(self) -> _Transaction:
        return _Transaction(self._connection, self.path)


class _Transaction:
    """All or nothing; takes the write lock at once, because a lock that is upgraded later can't wait for others."""

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self._connection, self._path = connection, path

    def __enter__(self) -> None:
        with translated(self._path):
            self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with translated(self._path):
            if error is None:
                try:
                    self._connection.commit()
                except BaseException:
                    self._connection.rollback()
                    raise
                return
            self._connection.rollback()
            if isinstance(error, sqlite3.Error):
                raise error


def _series(row: tuple[Any, ...], splits: int, scores: dict[str, float]) -> Series:
    number, data, data_digest, learner, learner_digest, class_name, params, versions, plan, seed, folds = row
    return Series(
        id=number,
        data=data,
        data_digest=data_digest,
        learner=learner,
        learner_digest=learner_digest,
        class_name=class_name,
        params=params,
        versions=versions,
        plan=plan,
        seed=int(seed),
        folds=folds,
        splits=splits,
        scores=scores,
    )
