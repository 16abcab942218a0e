"""How a store's file is opened: what SQLite can recover it recovers, what is no store is refused."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import sqlite3
import struct
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from foldwise.core.errors import StoreError
from foldwise.engine.store import schema

BUSY_SECONDS = 60.0  # How long to wait for another process to finish its transaction.

BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)
T = TypeVar("T")


class Checking:
    """Pages, trees, types, and that the indices name the rows; in a thread, on a connection of its own.

    Nothing is written to the file, and no rows read from it are handed on, before `wait` has returned.
    """

    def __init__(self, connection: sqlite3.Connection, shown: str) -> None:
        self._connection, self._shown = connection, shown
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Wait for the end, and refuse the file if something was found."""
        self._thread.join()
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        """End the check, whatever it would have found, and let go of the file."""
        while self._thread.is_alive():
            with contextlib.suppress(sqlite3.ProgrammingError):
                self._connection.interrupt()
            self._thread.join(0.01)
        self._connection.close()

    def _run(self) -> None:
        try:
            check(self._connection, self._shown)
        except (StoreError, sqlite3.Error) as error:
            self._error = error


def check(connection: sqlite3.Connection, shown: str, table: str | None = None) -> None:
    """Refuse a file in which SQLite finds something wrong; with a table, in that alone."""
    what = "1" if table is None else f"'{table}'"
    try:
        found = str(patiently(lambda: connection.execute(f"PRAGMA integrity_check({what})").fetchone())[0])
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in BUSY:
            raise
        found = str(error)
    if found != "ok":
        first = found.strip().splitlines()[-1]
        raise StoreError(f"store {shown!r} is damaged ({first}); it was left as it is")


def patiently(action: Callable[[], T]) -> T:
    """Do what may meet another process's lock, until it succeeds or the time is over."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            return action()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in BUSY or time.monotonic() > deadline:
                raise
            time.sleep(random.uniform(0.001, 0.02))  # noqa: S311  (no secret: apart from other processes)


# Files up to this size are checked whenever they are opened, larger ones once by each process (4 s for a gigabyte).
CHECK_BYTES = 32_000_000

LEFT = "it was left as it is"

# large files that this process has checked, by device and inode
_CHECKED: set[tuple[int, int]] = set()


@dataclass(slots=True)
class Opened:
    """A connection to a store, and what of the file must not change while it is used."""

    #: source, shown: What SQLite is to open, and what the user calls it
    source: str
    shown: str
    path: Path | None = None  #: The file itself, links resolved: SQLite keeps its journals beside it
    read_only: bool = False  #: Whether nothing can be recorded
    connection: sqlite3.Connection = field(init=False)
    _checking: Checking | None = field(default=None)
    _file: tuple[int, int] = (0, 0)
    _inode: tuple[int, int] = (0, 0)
    _size: int = 0
    _copy: tempfile.TemporaryDirectory[str] | None = field(default=None)

    def __post_init__(self) -> None:
        self.connection = _connect(self.source)

    def check_meanwhile(self, file: tuple[int, int]) -> None:
        """Begin to check the file, which has this device and inode."""
        self._checking, self._file = Checking(_connect(self.source), self.shown), file

    def vouch(self) -> None:
        """Wait for the check that goes on, if one does; refuse the file if it is damaged."""
        if self._checking is not None:
            self._checking.wait()
            self._checking.stop()
            self._checking = None
            _CHECKED.add(self._file)

    def vouch_for_listing(self) -> None:
        """Refuse the file if what a listing is made from is damaged; a check of all rows may go on meanwhile."""
        if self._checking is not None:
            for table in schema.LISTED:
                check(self.connection, self.shown, table)

    def confirm(self) -> None:
        """Refuse to go on with a file that was deleted, moved, replaced or cut off since it was opened."""
        if self.path is None or self.read_only:
            return
        try:
            status = self.path.stat()
        except FileNotFoundError:
            raise self._lost("was deleted or renamed") from None
        if not self._size:
            self._inode = status.st_dev, status.st_ino
        if (status.st_dev, status.st_ino) != self._inode:
            raise self._lost("was replaced by another file")
        if status.st_size < self._size:
            raise self._lost("was cut off")
        self._size = status.st_size
        wal = journal(self.path, "-wal")
        if (self.connection.total_changes > 0 and self._mode == "wal") and not wal.exists():
            raise self._lost(f"lost its journal {wal.name!r}")

    def close(self) -> None:
        if self._checking is not None:
            self._checking.stop()
        self.connection.close()
        if self._copy is not None:
            self._copy.cleanup()

    @property
    def _mode(self) -> str:
        return str(self.connection.execute("PRAGMA journal_mode").fetchone()[0])

    def _lost(self, what: str) -> StoreError:
        return StoreError(
            f"store {self.shown!r} {what} while it was in use: results recorded meanwhile may not be in it; "
            "restore the file or name a new one, and run the same again"
        )


def open_file(path: str) -> Opened:
    """Open a store, or create it where there is no file (or an empty one)."""
    if path == ":memory:":
        with schema.translated(path):
            opened = Opened(path, path)
            _prepare(opened)
        return opened
    real = Path(os.path.realpath(path))
    _inspect(path, real)
    with schema.translated(path):
        opened = _open(path, real)
        try:
            _prepare(opened)
            # have SQLite check the structure of the file; of a large one, once by each process and in the
            # background
            assert opened.path is not None
            status = opened.path.stat()
            file = (status.st_dev, status.st_ino)
            if status.st_size <= CHECK_BYTES:
                check(opened.connection, opened.shown)
            elif file not in _CHECKED:
                opened.check_meanwhile(file)
            opened.confirm()
        except BaseException:
            opened.close()
            raise
    return opened


def journal(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _inspect(shown: str, real: Path) -> None:
    """Refuse what is no store of ours before SQLite touches it."""
    if not real.parent.is_dir():
        raise StoreError(f"store {shown!r} can't be created: there is no folder {str(Path(shown).parent)!r}")
    if real.is_dir():
        raise StoreError(f"store {shown!r} must be a file, but it is a folder")
    try:
        with real.open("rb") as file:
            header = file.read(100)
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreError(f"store {shown!r} can't be read: {error.strerror}") from error
    # with a journal beside it the header may be that of a transaction that is to be undone: SQLite knows
    if not header or any(journal(real, suffix).exists() for suffix in ("-wal", "-journal")):
        return
    if len(header) < 100 or not header.startswith(b"SQLite format 3\x00"):
        raise StoreError(f"store {shown!r} is not a results store (no SQLite file); {LEFT}")
    version, application = struct.unpack(">I4xI", header[60:72])
    _judge(shown, application, version)


def _judge(shown: str, application: int, version: int) -> None:
    if application != schema.APPLICATION_ID:
        raise StoreError(f"store {shown!r} is an SQLite file of another program; {LEFT}")
    if version > schema.VERSION:
        raise StoreError(
            f"store {shown!r} has schema {version}, but this version of foldwise knows up to {schema.VERSION}: "
            f"upgrade foldwise; {LEFT}"
        )
    if version < schema.VERSION:
        raise StoreError(f"store {shown!r} has schema {version} of an earlier foldwise: name a new file; {LEFT}")


def _open(shown: str, real: Path) -> Opened:
    writable = os.access(real, os.W_OK) if real.exists() else True
    if writable and os.access(real.parent, os.W_OK):
        return Opened(str(real), shown, real)
    if not real.exists():
        raise StoreError(f"store {shown!r} can't be created: folder {str(real.parent)!r} can't be written")
    wal = journal(real, "-wal")
    if wal.exists() and wal.stat().st_size:
        # a store that can't be written but has a journal: SQLite recovers a copy of both
        folder = tempfile.TemporaryDirectory(prefix="foldwise-")
        for file in (real, journal(real, "-wal")):
            shutil.copyfile(file, Path(folder.name) / file.name)
        copy = Path(folder.name) / real.name
        return Opened(str(copy), shown, real, read_only=True, _copy=folder)
    return Opened(f"{real.as_uri()}?immutable=1", shown, real, read_only=True)


def _connect(source: str) -> sqlite3.Connection:
    uri = source.startswith("file:")  # other paths are absolute
    return sqlite3.connect(source, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, uri=uri)


def _prepare(opened: Opened) -> None:
    connection = opened.connection
    if opened.read_only:
        connection.execute("PRAGMA query_only=1")
    connection.execute("PRAGMA synchronous=NORMAL")
    if patiently(lambda: _is_new(connection)) and not opened.read_only:
        patiently(lambda: _create(connection))
    _judge(opened.shown, _pragma(connection, "application_id"), _pragma(connection, "user_version"))
    if not opened.read_only:
        # needs the file for itself for a moment, and SQLite does not wait for that on its own
        patiently(lambda: connection.execute("PRAGMA journal_mode=WAL").fetchone())


def _is_new(connection: sqlite3.Connection) -> bool:
    return not _pragma(connection, "user_version") and not _pragma(connection, "schema_version")


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        # another process may have created the tables while this one waited
        if _is_new(connection):
            for statement in schema.TABLES.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id={schema.APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version={schema.VERSION}")
    except BaseException:
        connection.rollback()
        raise
    connection.commit()


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def trust(path: str) -> None:
    """Don't check this file in this process: the one that started it does."""
    status = Path(path).stat()
    _CHECKED.add((status.st_dev, status.st_ino))
