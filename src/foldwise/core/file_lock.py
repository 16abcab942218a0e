"""One process at a time: what several would do at once is done by the first, and the others find it done."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

__all__ = ["one_process"]


@contextmanager
def one_process(path: Path) -> Iterator[None]:
    """Wait until no other process is within this block for the same file.

    The system lets others in when a process ends, however it ends. Where the file can't be made or locked, as in some
    shared folders, nobody waits. The file stays: removing it would let two processes lock different ones.

    Parameters
    ----------
    path
        A file for nothing else, in a folder that exists.

    Examples
    --------
    >>> from tempfile import gettempdir
    >>> with one_process(Path(gettempdir()) / "foldwise-example.lock"):
    ...     print("alone")
    alone
    """
    try:
        file = path.open("ab")
    except OSError:
        yield
        return
    with file:
        _lock(file)
        yield  # closing the file unlocks it


def _lock(file: IO[bytes]) -> None:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
    except OSError:
        return
