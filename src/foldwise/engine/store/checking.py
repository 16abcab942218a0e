"""SQLite's own check of a store's structure; of a large file, while the first question is answered."""

from __future__ import annotations

import contextlib
import random
import sqlite3
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from foldwise.core.errors import StoreError

__all__ = ["Checking", "check", "patiently"]

BUSY_SECONDS = 60.0
"""How long to wait for another process to finish its transaction."""

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
