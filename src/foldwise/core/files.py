"""Files that are there as a whole or not at all, and folders that are there for a while only."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from foldwise.core.errors import InvalidInput

STORE = b"SQLite format 3\0"  # How a results store begins; months of work may be in it.


def write_whole(path: str | os.PathLike[str], content: str | bytes, *, what: str = "the report") -> Path:
    """Write a file in one step: under another name first, then renamed over what was there.

    What is there and is no ordinary file (``/dev/stdout``, a pipe) is written to as it is.

    Raises InvalidInput: the file can't be written there, or is a results store; what was there before is untouched.
    """
    target = Path(path)
    try:
        if target.exists() and not (target.is_file() or target.is_dir()):
            target.write_bytes(_encoded(content))
        else:
            _replace(target, _encoded(content))
    except OSError as error:
        reason = error.strerror or error
        raise InvalidInput(f"{what} must go to a file that can be written, got '{target}': {reason}") from error
    return target


def _encoded(content: str | bytes) -> bytes:
    return content.encode("utf-8", "replace") if isinstance(content, str) else content


def _replace(target: Path, content: bytes) -> None:
    if target.is_dir():
        raise IsADirectoryError(None, "it is a folder")
    if target.is_file():
        with target.open("rb") as file:
            if file.read(len(STORE)) == STORE:
                raise FileExistsError(None, "it is a results store")
    mask = os.umask(0o077)  # the process's, which can only be read by setting it
    os.umask(mask)
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~mask
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).chmod(mode)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Let one process at a time read and replace a file; others wait. Where none is written, none is left behind.

    Raises InvalidInput: the file can't be written there.
    """
    while True:
        try:
            file = path.open("ab")
        except OSError as error:
            raise InvalidInput(f"'{path}' must be a file that can be written: {error.strerror or error}") from error
        with file:
            try:
                import fcntl
            except ImportError:  # Windows, which lets nobody replace a file that is open
                pass
            else:
                fcntl.flock(file, fcntl.LOCK_EX)
            # whoever had it meanwhile put another file in its place, or removed it
            if not path.exists() or not os.path.samestat(os.fstat(file.fileno()), path.stat()):
                continue
            try:
                yield
            finally:
                if path.exists() and path.stat().st_size == 0:
                    path.unlink()
            return


# ---- Folders for a while, which do not outlive their process for long.

PREFIX = "foldwise-"
_LOCK = ".lock"
_YOUNG = 60.0  # Seconds in which whoever makes a folder has surely locked it.


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder that is gone afterwards; what a process left behind that was killed is removed by the next one.

    Each folder has a file that its process keeps locked, so that the system itself says who is gone.
    """
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # somebody else's, or removed meanwhile
            state = folder.lstat()
            if not stat.S_ISDIR(state.st_mode) or time.time() - state.st_mtime < _YOUNG:
                continue
            with (folder / _LOCK).open("r+b") as lock:
                gone = _is_free(lock)
            if gone:
                shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=PREFIX) as name, (Path(name) / _LOCK).open("wb") as lock:
        _is_free(lock)
        yield Path(name)


def _is_free(lock: IO[bytes]) -> bool:
    """Whether no other process has the file locked; it is this one's from now on, until it is closed."""
    try:
        import fcntl
    except ImportError:  # Windows, which removes no open files anyway
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
