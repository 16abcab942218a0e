"""The tables of a store, and what SQLite's errors mean to its user."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator

from foldwise.core.errors import StoreError

__all__ = ["APPLICATION_ID", "LISTED", "OLDEST", "TABLES", "TALLIED", "VERSION", "WITH_OUTPUTS", "translated"]

APPLICATION_ID = 0x666F6C64
"""“fold” in ASCII: tells our files from other programs' (SQLite keeps it in the file's header)."""

VERSION = 4
"""Grows with every change of the tables."""

TALLIED = 3
"""The first version whose rows are tallied."""

WITH_OUTPUTS = 4
"""The first version that has a place for probabilities and the like; earlier files are continued without them."""

OLDEST = 2
"""The first version whose rows have checksums: files from then on are read and continued as they are."""

LISTED = ("data", "learner", "scoring", "series", "tally")
"""The tables that a listing is made from where rows are tallied."""

# `mirror` is −value: where rows are not tallied, SQLite itself compares the two while it lists millions
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
    value REAL NOT NULL, mirror REAL NOT NULL, checksum INTEGER NOT NULL,
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
