"""The tables of a store, and how what it keeps is written into them."""

from __future__ import annotations

import contextlib
import functools
import json
import math
import sqlite3
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foldwise.core.errors import StoreError
from foldwise.core.types import Array, Labels

FIT = struct.Struct("<qqqdqq")
SCORE = struct.Struct("<qqd")
TAIL = struct.Struct("<I")


def text_sum(*values: object) -> int:
    """Checksum of a row of texts and numbers (CRC-32, which finds every single flipped bit).

    >>> text_sum("nb", 1) == text_sum("nb", 2)
    False
    """
    return zlib.crc32(json.dumps(values, default=repr).encode())


def fit_sum(series: int, row: tuple[int, int, int, float, int, int]) -> int:
    """Checksum of a fit's numbers (split, n_train, n_test, seconds, made, origin) under its series' own checksum.

    The series is part of it, so that a row which has come to stand under another series is noticed.
    """
    return zlib.crc32(FIT.pack(*row), series)


def score_sum(series: int, scoring: int, split: int, value: float) -> int:
    return zlib.crc32(SCORE.pack(scoring, split, value), series)


def recorded_score(series: int, scoring: int, split: int, kept: float, checksum: int) -> float | None:
    """The score that the checksum is of: what was kept or, since SQLite keeps −0.0 as 0.0, that; None if neither is."""
    if score_sum(series, scoring, split, kept) == checksum:
        return kept
    return -0.0 if kept == 0 and score_sum(series, scoring, split, -0.0) == checksum else None


def content_sum(study: str, number: int, made: int, origin: int, content: bytes) -> int:
    return zlib.crc32(content, text_sum(study, number, made, origin))


def output_sum(series: int, split: int, content: bytes) -> int:
    return zlib.crc32(content, text_sum(series, split))


def with_tail(content: bytes, start: int) -> bytes:
    """The bytes with their checksum at the end."""
    return content + TAIL.pack(zlib.crc32(content, start))


def cut_tail(content: bytes, start: int) -> bytes | None:
    """The bytes without the checksum at their end; None if they do not match it."""
    body, tail = content[: -TAIL.size], content[-TAIL.size :]
    return body if tail == TAIL.pack(zlib.crc32(body, start)) else None


# ---- The checksums of many rows at a time, as `checksums` has them one by one: a tenth of the time for millions.
#
# CRC-32 is linear over bits: that of a message is the exclusive or of what each of its parts gives where it stands,
# all else being zero. What two bytes at a place give is looked up, for a whole column at once.

Sums = NDArray[np.uint32]
Column = NDArray[np.int64] | Array

WORDS = 4  # Numbers of two bytes in one of eight.


def column_sums(start: int, columns: Sequence[Column]) -> Sums:
    """CRC-32 of each row of numbers of eight bytes, under a start value.

    >>> int(column_sums(7, [np.array([1, 2]), np.array([0.5, 0.25])])[1])
    2713484897
    >>> import struct
    >>> zlib.crc32(struct.pack("<qd", 2, 0.25), 7)
    2713484897
    """
    width = 2 * WORDS * len(columns)
    found = np.full(len(columns[0]), zlib.crc32(bytes(width), start), dtype=np.uint32)
    for number, column in enumerate(columns):
        words = np.ascontiguousarray(column).astype(column.dtype.newbyteorder("<"), copy=False).view("<u2")
        for place, word in enumerate(words.reshape(-1, WORDS).T):
            # the upper bytes of most numbers, and all of sizes and moments, are the same in all rows
            same = word[:1] if (word == word[:1]).all() else word
            found ^= _given(width, number * WORDS + place)[same]
    return found


@functools.cache
def _given(width: int, place: int) -> Sums:
    """What each value of the two bytes at a place of a message of so many bytes gives."""
    low, high = (_byte_given(width, 2 * place + byte) for byte in (0, 1))
    return np.asarray(high[:, None] ^ low[None, :]).ravel()


def _byte_given(width: int, place: int) -> Sums:
    nothing, before, after = zlib.crc32(bytes(width)), bytes(place), bytes(width - place - 1)
    return np.array([zlib.crc32(before + bytes([value]) + after) ^ nothing for value in range(256)], dtype=np.uint32)


# ---- Predictions as few bytes: class codes with as many bits as they need, numbers as they are.


def pack(outcomes: Labels, n_classes: int) -> bytes:
    """Class codes below `n_classes` (or, with 0 classes, float64 numbers) as bytes.

    >>> len(pack(np.zeros(57, dtype=np.uint8), 2))
    8
    """
    if n_classes == 0:
        return np.asarray(outcomes, dtype="<f8").tobytes()
    if n_classes > 256:
        return np.asarray(outcomes, dtype="<u4").tobytes()
    codes = np.asarray(outcomes, dtype=np.uint8)
    bits = np.unpackbits(codes[:, None], axis=1)[:, 8 - _width(n_classes) :]
    return np.packbits(bits).tobytes()


def unpack(data: bytes, n_classes: int, n: int) -> Labels:
    """The `n` outcomes that `pack` turned into bytes."""
    if n_classes == 0:
        return np.frombuffer(data, dtype="<f8").astype(np.float64)
    if n_classes > 256:
        return np.frombuffer(data, dtype="<u4").astype(np.min_scalar_type(n_classes - 1))
    width = _width(n_classes)
    bits = np.unpackbits(np.frombuffer(data, dtype=np.uint8), count=n * width).reshape(n, width)
    powers = 2 ** np.arange(width - 1, -1, -1, dtype=np.uint8)
    return np.asarray(bits @ powers, dtype=np.uint8)


def _width(n_classes: int) -> int:
    return max(1, (n_classes - 1).bit_length())


# ---- The tables of a store, and what SQLite's errors mean to its user.

# “fold” in ASCII: tells our files from other programs' (SQLite keeps it in the file's header).
APPLICATION_ID = 0x666F6C64

VERSION = 5  # Grows with every change of the tables.

LISTED = ("data", "learner", "scoring", "series", "tally")  # The tables that a listing is made from.

TABLES = """
CREATE TABLE data (
    id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL, examples INTEGER NOT NULL, attributes INTEGER NOT NULL, classes INTEGER NOT NULL,
    checksum INTEGER NOT NULL
);
CREATE TABLE learner (
    id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL, class TEXT NOT NULL, params TEXT NOT NULL, versions TEXT NOT NULL,
    checksum INTEGER NOT NULL
);
CREATE TABLE scoring (
    id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, name TEXT NOT NULL, low REAL, high REAL,
    checksum INTEGER NOT NULL
);
CREATE TABLE origin (
    id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, versions TEXT NOT NULL, checksum INTEGER NOT NULL
);
CREATE TABLE series (
    id INTEGER PRIMARY KEY,
    data_id INTEGER NOT NULL REFERENCES data, learner_id INTEGER NOT NULL REFERENCES learner,
    plan TEXT NOT NULL, seed TEXT NOT NULL, folds INTEGER NOT NULL, checksum INTEGER NOT NULL,
    UNIQUE (data_id, learner_id, plan, seed)
);
CREATE TABLE fit (
    series_id INTEGER NOT NULL REFERENCES series, split INTEGER NOT NULL,
    n_train INTEGER NOT NULL, n_test INTEGER NOT NULL, seconds REAL NOT NULL,
    made INTEGER NOT NULL, origin_id INTEGER NOT NULL REFERENCES origin, checksum INTEGER NOT NULL,
    outcomes BLOB NOT NULL,
    PRIMARY KEY (series_id, split)
) WITHOUT ROWID;
CREATE TABLE score (
    series_id INTEGER NOT NULL, scoring_id INTEGER NOT NULL REFERENCES scoring, split INTEGER NOT NULL,
    value REAL NOT NULL, checksum INTEGER NOT NULL,
    PRIMARY KEY (series_id, scoring_id, split)
) WITHOUT ROWID;
CREATE TABLE output (
    series_id INTEGER NOT NULL REFERENCES series, split INTEGER NOT NULL,
    checksum INTEGER NOT NULL, content BLOB NOT NULL,
    PRIMARY KEY (series_id, split)
);
CREATE TABLE tally (
    series_id INTEGER NOT NULL REFERENCES series, scoring_id INTEGER NOT NULL,
    count INTEGER NOT NULL, total TEXT NOT NULL, least REAL, most REAL, checksum INTEGER NOT NULL,
    PRIMARY KEY (series_id, scoring_id)
) WITHOUT ROWID;
CREATE TABLE block (
    study TEXT NOT NULL, number INTEGER NOT NULL, content BLOB NOT NULL,
    made INTEGER NOT NULL, origin_id INTEGER NOT NULL REFERENCES origin, checksum INTEGER NOT NULL,
    PRIMARY KEY (study, number)
);
"""


@contextlib.contextmanager
def translated(path: str) -> Iterator[None]:
    """Turn SQLite's errors into one sentence about the store."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"store {path!r} {_sentence(str(error))}") from error
    except UnicodeDecodeError as error:  # a text, or SQLite's message that quotes one, with a flipped bit
        raise StoreError(f"store {path!r} {_sentence('malformed text')}") from error


def _sentence(message: str) -> str:
    if "full" in message:
        return "can't grow: the disk is full; what was stored before is safe, free some space and run the same again"
    if "readonly" in message or "unable to open" in message:
        return "can't be written: check the permissions of the file and its folder"
    if any(word in message for word in ("malformed", "not a database", "decode", "no such", "corrupt")):
        return f"is damaged ({message}); it was left as it is"
    if "locked" in message:
        return "is locked by another process, which did not let go of it in time"
    return f"failed: {message}"


# ---- How many rows a series has under each scoring, and their sum: kept with the rows, so that nobody counts them.


FITS = 0  # Stands for a scoring where fits are counted, whatever scores they have.


@dataclass(frozen=True, slots=True)
class Tally:
    count: int = 0  #: How many
    #: The exact sum of their scores, a whole number over a power of two, so that the order of rows does not matter
    total: str = "0/1"
    #: least, most: The smallest and the largest score; None where there is none
    least: float | None = None
    most: float | None = None

    @property
    def mean(self) -> float:
        if "/" not in self.total:
            return float(self.total) / self.count
        numerator, denominator = map(int, self.total.split("/"))
        return numerator / (denominator * self.count)

    def grown(self, scores: Sequence[float]) -> Tally:
        """With so many scores more.

        >>> Tally().grown([0.1]).grown([0.2, 0.3]).mean, Tally().grown([0.3, 0.2, 0.1]).mean
        (0.2, 0.2)
        """
        values = [value + 0.0 for value in scores]  # SQLite knows no −0.0
        known = [value for value in (self.least, self.most) if value is not None]
        total = _sum(self.total, values)
        return Tally(self.count + len(values), total, min(known + values), max(known + values))

    def checksum(self, series: int, scoring: int) -> int:
        return text_sum(series, scoring, self.count, self.total, self.least, self.most)


def _sum(total: str, values: Sequence[float]) -> str:
    if "/" not in total or not all(map(math.isfinite, values)):
        return repr(sum(values, 0.0 if "/" in total else float(total)))
    numerator, denominator = map(int, total.split("/"))
    parts = [(numerator, denominator), *(value.as_integer_ratio() for value in values)]
    common = max(below for _, below in parts)
    return f"{sum(above * (common // below) for above, below in parts)}/{common}"


class Tallies:
    def __init__(self, connection: sqlite3.Connection, damaged: Callable[[str], StoreError]) -> None:
        self._connection, self._damaged = connection, damaged

    def add(self, series: int, checksum: int, scoring: int, scores: Sequence[float]) -> None:
        """Count rows that a transaction has just recorded; `checksum` is that of the series."""
        if scores:
            self._keep(series, checksum, scoring, self._find(series, checksum, scoring).grown(scores))

    def add_fits(self, series: int, checksum: int, count: int) -> None:
        if count:
            self._keep(series, checksum, FITS, Tally(self._find(series, checksum, FITS).count + count))

    def amount(self) -> int:
        return int(self._connection.execute("SELECT coalesce(sum(count), 0) FROM tally").fetchone()[0])

    def all(self) -> Iterator[tuple[int, int, Tally, int]]:
        """(series, scoring, tally, checksum) of each; the checksum is for `confirm`."""
        for series, scoring, *values, checksum in self._connection.execute("SELECT * FROM tally"):
            yield series, scoring, Tally(*values), checksum

    def confirm(self, series: int, of_series: int, scoring: int, tally: Tally, checksum: int) -> None:
        """Refuse a tally that its checksum is not of."""
        if tally.checksum(of_series, scoring) != checksum:
            raise self._damaged(f"the count of series {series} does not match its checksum")

    def _find(self, series: int, of_series: int, scoring: int) -> Tally:
        query = "SELECT count, total, least, most, checksum FROM tally WHERE series_id = ? AND scoring_id = ?"
        row = self._connection.execute(query, (series, scoring)).fetchone()
        if row is None:
            return Tally()
        tally = Tally(*row[:-1])
        self.confirm(series, of_series, scoring, tally, row[-1])
        return tally

    def _keep(self, series: int, of_series: int, scoring: int, tally: Tally) -> None:
        row = (series, scoring, tally.count, tally.total, tally.least, tally.most, tally.checksum(of_series, scoring))
        self._connection.execute("INSERT OR REPLACE INTO tally VALUES (?, ?, ?, ?, ?, ?, ?)", row)
