"""Reading a store: every row is compared with its checksum, and no impossible value is handed on."""

from __future__ import annotations

import contextlib
import json
import os
import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foldwise.core.errors import InvalidInput, StoreError
from foldwise.core.types import Array
from foldwise.engine.store import schema
from foldwise.engine.store.contract import Bounds, Record, Row, StoredSeries
from foldwise.engine.store.opening import open_file

AT_ONCE = 10_000  # Rows that are looked at together: few enough to stay in the processor's cache, enough for its speed.

# Types of the columns of `QUERY` in `struct`'s letters, which take nothing else: a flipped bit may change a type.
KINDS = "qqqdqqdqq"

QUERY = (
    "SELECT s.split, n_train, n_test, seconds, made, origin_id, value, f.checksum, s.checksum FROM score AS s "
    "LEFT JOIN fit AS f ON f.series_id = s.series_id AND f.split = s.split "
    "WHERE s.series_id = ? AND s.scoring_id = ? ORDER BY s.split"
)

Whole = NDArray[np.int64]


class RowColumns(NamedTuple):
    """Some rows of one series under one scoring, in the order of the splits."""

    split: Whole
    n_train: Whole
    n_test: Whole
    seconds: Array
    made: Whole
    origin: Whole
    score: Array


def checked_columns(fetch: Callable[[], list[Row]], start: int, scoring: int) -> Iterator[RowColumns]:
    """Columns of the rows of `QUERY` that are fetched, under the series' checksum.

    Raises LookupError: where a row does not match its checksums; its argument is the row's split.
    """
    while rows := fetch():
        # the rows' numbers by columns, bit for bit; a place for each of eight bytes
        try:
            packed = struct.pack("=" + KINDS * len(rows), *chain.from_iterable(rows))
        except (struct.error, TypeError, OverflowError):
            raise LookupError(next(row[0] for row in rows if not _packs(row))) from None
        table = np.array(np.frombuffer(packed, dtype=np.float64).reshape(len(rows), len(KINDS)).T, order="C")
        whole = table.view(np.int64)
        part = RowColumns(whole[0], whole[1], whole[2], table[3], whole[4], whole[5], table[6])
        if (wrong := np.flatnonzero(schema.column_sums(start, part[:6]) != whole[7])).size:
            raise LookupError(part.split[wrong[0]])
        scored = (np.full_like(part.split, scoring), part.split, part.score)
        for place in np.flatnonzero(schema.column_sums(start, scored) != whole[8]).tolist():
            split, kept, checksum = int(part.split[place]), float(part.score[place]), int(whole[8, place])
            found = schema.recorded_score(start, scoring, split, kept, checksum)
            if found is None:
                raise LookupError(split)
            part.score[place] = found
        yield part


def _packs(row: Row) -> bool:
    try:
        struct.pack("=" + KINDS, *row)
    except (struct.error, TypeError, OverflowError):
        return False
    return True


ROUNDING = 1e-9  # How far beyond its bounds a score may lie: a sum of squares that is 0 may come out as −1e-17.

SERIES = (
    "SELECT s.id, d.digest, l.digest, plan, seed, folds, s.checksum, "
    "d.name, examples, attributes, classes, d.checksum, l.name, class, params, versions, l.checksum "
    "FROM series AS s JOIN data AS d ON d.id = data_id JOIN learner AS l ON l.id = learner_id"
)

# How many splits each series has, and its mean under each scoring.
Listed = tuple[dict[int, int], dict[int, dict[str, float]]]


@dataclass(frozen=True, slots=True)
class KnownSeries:
    """What is known of a series: its address, its checksum (part of that of its rows), and how it is called."""

    key: tuple[str, str, str, str]
    folds: int
    checksum: int
    data: str
    classes: int
    labels: tuple[str, str, str, str]


class StoreReader:
    """What can be read of a store; raises `StoreError` where a row is not what was recorded."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._file = open_file(self.path)
        self._connection = self._file.connection
        self._tallies = schema.Tallies(self._connection, self._damaged)
        self._known: dict[int, KnownSeries] = {}
        self._bounds: dict[int, Bounds] = {}

    def _damaged(self, what: str) -> StoreError:
        return StoreError(f"store {self.path!r} is damaged ({what}); it was left as it is")

    def _series_of(self, series: int) -> KnownSeries:
        if series not in self._known:
            rows = self._fetch(f"{SERIES} WHERE s.id = ?", (series,))
            if not rows:
                raise InvalidInput(f"series must be in store {self.path!r}, but {series!r} is not")
            self._known[series] = self._checked(rows[0])
        return self._known[series]

    def _bounds_of(self, scoring: int) -> Bounds:
        """The least and the greatest value of a scoring, where there are such."""
        if scoring not in self._bounds:
            for number, _, low, high in self._scorings():
                self._bounds[number] = (low, high)
        if scoring not in self._bounds:
            raise InvalidInput(f"scoring must be in store {self.path!r}, but {scoring!r} is not")
        return self._bounds[scoring]

    def _check_score(self, value: float | None, bounds: Bounds, series: int, split: int) -> None:
        """Refuse a score that its scoring can't have."""
        low, high = bounds
        if value is not None and not (
            (low is None or low - ROUNDING <= value) and (high is None or value <= high + ROUNDING)
        ):
            raise StoreError(
                f"store {self.path!r}: the score of split {split} of series {series} must lie from "
                f"{'−∞' if low is None else f'{low:g}'} to {'∞' if high is None else f'{high:g}'}, but it is {value:g}"
            )

    def recall(self, series: int, splits: range, scoring: int) -> Iterator[Record]:
        """The rows of a series whose splits lie in the range, in their order."""
        self._file.vouch()  # now, not when the first row is asked for
        return self._recall(series, splits, scoring)

    def _recall(self, series: int, splits: range, scoring: int) -> Iterator[Record]:
        known, bounds, origins = self._series_of(series), self._bounds_of(scoring), self._origin_texts()
        query = (
            "SELECT f.split, n_train, n_test, seconds, made, origin_id, f.checksum, outcomes, "
            "s.split, value, s.checksum FROM fit AS f "
            "LEFT JOIN score AS s ON s.series_id = f.series_id AND s.scoring_id = ? AND s.split = f.split "
            "WHERE f.series_id = ? AND f.split >= ? AND f.split < ? ORDER BY f.split"
        )
        for row in self._iterate(query, (scoring, series, splits.start, splits.stop)):
            split = row[0]
            try:
                body = schema.cut_tail(row[7], row[6]) if schema.fit_sum(known.checksum, row[:6]) == row[6] else None
                score = (
                    None if row[8] is None else schema.recorded_score(known.checksum, scoring, split, row[9], row[10])
                )
            except (struct.error, TypeError):  # a flipped bit may change the type of a value
                body = None
            if body is None or (row[8] is not None and score is None) or row[5] not in origins:
                raise self._mismatch(series, split)
            self._check_score(score, bounds, series, split)
            outcomes = schema.unpack(body, known.classes, row[2])
            if known.classes and len(outcomes) and int(outcomes.max()) >= known.classes:
                raise self._damaged(f"split {split} of series {series} predicts a class that there is not")
            yield Record(
                series=series, split=split, n_train=row[1], n_test=row[2], seconds=row[3], outcomes=outcomes,
                score=score, made=row[4], origin=origins[row[5]],
            )  # fmt: skip

    def outputs(self, series: int, split: int) -> bytes | None:
        """What was recorded besides the predictions of a split: probabilities and the like, or None."""
        self._file.vouch()
        query = "SELECT checksum, content FROM output WHERE series_id = ? AND split = ?"
        for checksum, content in self._fetch(query, (series, split)):
            if (
                isinstance(content, bytes)
                and schema.output_sum(self._series_of(series).checksum, split, content) == checksum
            ):
                return content
            raise self._damaged(f"the outputs of split {split} of series {series} do not match their checksum")
        return None

    def outputs_size(self, series: int) -> tuple[int, int]:
        """Of how many splits of a series there are outputs, and how many bytes they take."""
        self._file.vouch()
        query = "SELECT COUNT(*), COALESCE(SUM(LENGTH(content)), 0) FROM output WHERE series_id = ?"
        splits, size = self._fetch(query, (series,))[0]
        return splits, size

    def columns(self, series: int, scoring: int) -> Iterator[RowColumns]:
        """The rows of one series under one scoring in the order of the splits, some thousand at a time."""
        self._file.vouch()
        return self._columns(series, scoring)

    def _columns(self, series: int, scoring: int) -> Iterator[RowColumns]:
        start, bounds = self._series_of(series).checksum, self._bounds_of(scoring)
        with schema.translated(self.path):
            cursor = self._connection.execute(QUERY, (series, scoring))
            # after the first row: all that is read from now on is of the same moment, whatever others record
            origins = [*self._origin_texts()]
            try:
                for part in checked_columns(lambda: cursor.fetchmany(AT_ONCE), start, scoring):
                    for extreme in (part.score.argmin(), part.score.argmax()):
                        self._check_score(float(part.score[extreme]), bounds, series, int(part.split[extreme]))
                    if not np.isin(part.origin, origins).all():
                        raise self._damaged(f"rows of series {series} name an origin that there is not")
                    yield part
            except LookupError as error:
                raise self._mismatch(series, error.args[0]) from None

    def listing(self) -> list[StoredSeries]:
        """All series, in the order they were begun."""
        with self.moment():
            self._known = {row[0]: self._checked(row) for row in self._fetch(f"{SERIES} ORDER BY s.id")}
            counts, means = self._tallied()
            found = [_series(n, known, counts.get(n, 0), means.get(n, {})) for n, known in self._known.items()]
        self._file.vouch_for_listing()
        return found

    def amount(self) -> int:
        """How many rows were recorded up to the moment that is seen."""
        with schema.translated(self.path):
            return self._tallies.amount()

    @contextlib.contextmanager
    def moment(self) -> Iterator[None]:
        """See the store as it is at one moment, whatever other processes record meanwhile."""
        with schema.translated(self.path):
            self._connection.execute("BEGIN")
        try:
            yield
        finally:
            with schema.translated(self.path):
                self._connection.rollback()

    def _tallied(self) -> Listed:
        counts: dict[int, int] = {}
        means: dict[int, dict[str, float]] = {}
        names = {number: name for number, name, _, _ in self._scorings()}
        with schema.translated(self.path):
            found = list(self._tallies.all())
        for series, scoring, tally, checksum in found:
            if series not in self._known or scoring not in {schema.FITS, *names}:
                raise self._damaged("there are rows of a series or a scoring that there is not")
            self._tallies.confirm(series, self._known[series].checksum, scoring, tally, checksum)
            if scoring == schema.FITS:
                counts[series] = tally.count
                continue
            for value in (tally.least, tally.most):
                self._check_score(value, self._bounds_of(scoring), series, -1)
            means.setdefault(series, {})[names[scoring]] = tally.mean
        return counts, means

    def scorings(self) -> dict[str, list[int]]:
        """The scorings by name; several may share one, such as functions of the same name."""
        self._file.vouch()
        known: dict[str, list[int]] = {}
        for number, name, _, _ in self._scorings():
            known.setdefault(name, []).append(number)
        return known

    def origins(self) -> dict[int, dict[str, str]]:
        """The versions that computed rows, by the number rows name them by."""
        self._file.vouch()
        return {number: json.loads(text) for number, text in self._origin_texts().items()}

    def find_blocks(self, study: str, numbers: range) -> dict[int, tuple[bytes, int, str]]:
        """(content, when it was made, by which version and commit) of a simulation's blocks that are there, by number.

        A block from before commits were kept tells its version only.
        """
        self._file.vouch()
        origins = {number: json.loads(text) for number, text in self._origin_texts().items()}
        query = (
            "SELECT number, content, made, origin_id, checksum FROM block "
            "WHERE study = ? AND number >= ? AND number < ?"
        )
        found: dict[int, tuple[bytes, int, str]] = {}
        for number, content, made, origin, checksum in self._fetch(query, (study, numbers.start, numbers.stop)):
            if not isinstance(content, bytes) or schema.content_sum(study, number, made, origin, content) != checksum:
                raise self._damaged(f"block {number} of study {study} does not match its checksum")
            known = origins[origin]
            found[number] = (content, made, known.get("made by", f"foldwise {known['foldwise']}"))
        return found

    def _scorings(self) -> list[tuple[int, str, float | None, float | None]]:
        rows = self._fetch("SELECT id, digest, name, low, high, checksum FROM scoring ORDER BY name, id")
        for row in rows:
            if schema.text_sum(*row[1:-1]) != row[-1]:
                raise self._damaged(f"scoring {row[0]} does not match its checksum")
        return [(number, name, low, high) for number, _, name, low, high, _ in rows]

    def _origin_texts(self) -> dict[int, str]:
        rows = self._fetch("SELECT id, digest, versions, checksum FROM origin")
        for row in rows:
            if schema.text_sum(*row[1:-1]) != row[-1]:
                raise self._damaged(f"origin {row[0]} does not match its checksum")
        return {number: text for number, _, text, _ in rows}

    def _checked(self, row: Row) -> KnownSeries:
        number, data, learner, plan, seed, folds, checksum = row[:7]
        name, examples, attributes, classes, data_sum = row[7:12]
        sums = (
            schema.text_sum(data, learner, plan, seed, folds) == checksum,
            schema.text_sum(data, name, examples, attributes, classes) == data_sum,
            schema.text_sum(learner, *row[12:16]) == row[16],
        )
        if not all(sums):
            raise self._damaged(f"series {number} does not match its checksum")
        return KnownSeries((data, learner, plan, seed), folds, checksum, name, classes, row[12:16])

    def _mismatch(self, series: int, split: int) -> StoreError:
        return self._damaged(f"split {split} of series {series} does not match its checksum")

    def _fetch(self, query: str, values: tuple[object, ...] = ()) -> list[Row]:
        with schema.translated(self.path):
            return self._connection.execute(query, values).fetchall()

    def _iterate(self, query: str, values: tuple[object, ...]) -> Iterable[Row]:
        with schema.translated(self.path):
            yield from self._connection.execute(query, values)


def _series(number: int, known: KnownSeries, splits: int, scores: dict[str, float]) -> StoredSeries:
    data_digest, learner_digest, plan, seed = known.key
    learner, class_name, params, versions = known.labels
    return StoredSeries(
        id=number, data=known.data, data_digest=data_digest, learner=learner, learner_digest=learner_digest,
        class_name=class_name, params=params, versions=versions, plan=plan, seed=int(seed), folds=known.folds,
        splits=splits, scores=scores,
    )  # fmt: skip
