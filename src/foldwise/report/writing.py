"""Files that are there as a whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from foldwise.core.errors import InvalidInput

__all__ = ["write_whole"]


def write_whole(path: str | os.PathLike[str], text: str) -> Path:
    """Write a text file in one step: under another name first, then renamed over what was there.

    Raises
    ------
    InvalidInput
        The file can't be written there; what was there before is untouched.
    """
    target = Path(path)
    try:
        _replace(target, text)
    except OSError as error:
        reason = error.strerror or error
        raise InvalidInput(f"the report must go to a file that can be written, got '{target}': {reason}") from error
    return target


def _replace(target: Path, text: str) -> None:
    if target.is_dir():
        raise IsADirectoryError(None, "it is a folder")
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}.", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        Path(name).chmod(mode)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    """The process's mask, which can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
