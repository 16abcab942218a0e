"""The store's file: its tables, how it is opened, and when it is refused."""

from __future__ import annotations

import contextlib
import sqlite3
import struct
from collections.abc import Iterator
from pathlib import Path

from foldwise.core.errors import StoreError

__all__ = ["APPLICATION_ID", "VERSION", "open_file", "translated"]

APPLICATION_ID = 0x666F6C64
"""“fold” in ASCII: tells our files from other programs' (SQLite keeps it in the file's header)."""

VERSION = 1
"""Grows with every change of the tables."""

CHECK_BYTES = 32_000_000
"""Files up to this size are checked for damage when they are opened, which takes a fraction of a second."""

BUSY_SECONDS = 60
"""How long to wait for another process to finish its transaction."""

TABLES = """
CREATE TABLE data (
    id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL, examples INTEGER NOT NULL, attributes INTEGER NOT NULL, classes INTEGER NOT NULL
);
CREATE TABLE learner (
    id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL, class TEXT NOT NULL, params TEXT NOT NULL, versions TEXT NOT NULL
);
CREATE TABLE scoring (id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, name TEXT NOT NULL);
CREATE TABLE series (
    id INTEGER PRIMARY KEY,
    data_id INTEGER NOT NULL REFERENCES data, learner_id INTEGER NOT NULL REFERENCES learner,
    plan TEXT NOT NULL, seed TEXT NOT NULL, folds INTEGER NOT NULL,
    UNIQUE (data_id, learner_id, plan, seed)
);
CREATE TABLE fit (
    series_id INTEGER NOT NULL REFERENCES series, split INTEGER NOT NULL,
    n_train INTEGER NOT NULL, n_test INTEGER NOT NULL, seconds REAL NOT NULL, outcomes BLOB NOT NULL,
    PRIMARY KEY (series_id, split)
) WITHOUT ROWID;
CREATE TABLE score (
    series_id INTEGER NOT NULL, scoring_id INTEGER NOT NULL REFERENCES scoring, split INTEGER NOT NULL,
    value REAL NOT NULL,
    PRIMARY KEY (series_id, scoring_id, split)
) WITHOUT ROWID;
CREATE TABLE block (
    study TEXT NOT NULL, number INTEGER NOT NULL, content BLOB NOT NULL,
    PRIMARY KEY (study, number)
);
"""


def open_file(path: str) -> sqlite3.Connection:
    """Open a store, or create it where there is no file (or an empty one)."""
    if path != ":memory:":
        _inspect(Path(path))
    with translated(path):
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            _prepare(connection)
        except BaseException:
            connection.close()
            raise
    return connection


@contextlib.contextmanager
def translated(path: str) -> Iterator[None]:
    """Turn SQLite's errors into one sentence about the store."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"store {path!r} {_sentence(str(error))}") from error


def _prepare(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA synchronous=NORMAL")
    if not connection.execute("PRAGMA user_version").fetchone()[0]:
        _create(connection)
    # after the tables, so that the header names the file as ours before any other process can see a journal
    connection.execute("PRAGMA journal_mode=WAL")


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        # another process may have created the tables while this one waited
        if not connection.execute("PRAGMA user_version").fetchone()[0]:
            for statement in TABLES.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version={VERSION}")
    except BaseException:
        connection.rollback()
        raise
    connection.commit()


def _inspect(path: Path) -> None:
    """Refuse what is no store of ours before SQLite touches it."""
    if not path.parent.is_dir():
        raise StoreError(f"store {str(path)!r} can't be created: there is no folder {str(path.parent)!r}")
    if path.is_dir():
        raise StoreError(f"store {str(path)!r} must be a file, but it is a folder")
    try:
        with path.open("rb") as file:
            header, size = file.read(100), path.stat().st_size
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreError(f"store {str(path)!r} can't be read: {error.strerror}") from error
    if size:
        _check_header(path, header, size)
        _check_pages(path, size)


def _check_header(path: Path, header: bytes, size: int) -> None:
    if len(header) < 100 or not header.startswith(b"SQLite format 3\x00"):
        raise StoreError(f"store {str(path)!r} is not a results store (no SQLite file); it was left as it is")
    version, application = struct.unpack(">I4xI", header[60:72])
    if application != APPLICATION_ID:
        raise StoreError(f"store {str(path)!r} is an SQLite file of another program; it was left as it is")
    if version > VERSION:
        raise StoreError(
            f"store {str(path)!r} has schema {version}, but this version of foldwise knows up to {VERSION}: "
            "upgrade foldwise; the store was left as it is"
        )
    page_size, pages = struct.unpack(">H", header[16:18])[0], struct.unpack(">I", header[28:32])[0]
    if size < (65536 if page_size == 1 else page_size) * pages and not _journal(path).exists():
        raise StoreError(f"store {str(path)!r} is damaged (it was cut off); it was left as it is")


def _check_pages(path: Path, size: int) -> None:
    if size > CHECK_BYTES:
        return
    # without a journal nobody writes, and SQLite need not create one to read
    mode = "mode=ro" if _journal(path).exists() else "immutable=1"
    try:
        with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True)) as connection:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        found = str(error)
    if found != "ok" and "locked" not in found:
        first = str(found).strip().splitlines()[-1]
        raise StoreError(f"store {str(path)!r} is damaged ({first}); it was left as it is")


def _journal(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _sentence(message: str) -> str:
    if "full" in message:
        return "can't grow: the disk is full; what was stored before is safe, free some space and run the same again"
    if "readonly" in message or "unable to open" in message:
        return "can't be written: check the folder's permissions"
    if "malformed" in message or "not a database" in message:
        return f"is damaged ({message})"
    if "locked" in message:
        return f"is locked by another process for more than {BUSY_SECONDS} s"
    return f"failed: {message}"
