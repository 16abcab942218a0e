"""Zip archives of files with results: unpacked within limits into a folder, as if that had been given."""

from __future__ import annotations

import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO

from foldwise.core.errors import DataNotFound, InvalidInput, LimitExceeded
from foldwise.core.files import temporary_folder

MOST_MEMBERS = 20_000  # Files that an archive may hold.

MOST_TOGETHER = 4 << 30  # Bytes that all of them may unpack to, on disk.

PIECE = 1 << 20  # Bytes that are unpacked at a time.

_ZIP = b"PK\x03\x04"
OF_OTHERS = frozenset({"xl/workbook.xml", "header.json", "_journal/start.json"})
"""Members by which an archive is a file of its own: a workbook, a log of inspect_ai."""

DAMAGED = (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, RuntimeError, ValueError)
"""What an archive that is broken, locked or packed in a way that Python does not know ends in."""


@contextmanager
def opened_archives() -> Iterator[Callable[[Path], Path]]:
    """What opens archives: from a file to the folder with what is in it, or to itself where it is no archive of files.

    The folders are gone afterwards; what was read of them must be in memory by then.
    """
    with temporary_folder() as into:
        yield lambda path: unpack(path, into) if is_zip_of_files(path) else path


def is_zip_of_files(path: Path) -> bool:
    """Whether a file is an archive that somebody packed, and no workbook nor log that happens to be one."""
    try:
        with path.open("rb") as file:
            if file.read(len(_ZIP)) != _ZIP:
                return False
        with zipfile.ZipFile(path) as archive:
            return OF_OTHERS.isdisjoint(archive.namelist())
    except OSError as error:
        raise DataNotFound(f"{path.name} can't be read: {error.strerror or error}") from error
    except DAMAGED:
        return path.suffix.lower() == ".zip"  # otherwise its reader says what is wrong


def unpack(path: Path, into: Path) -> Path:
    """The folder, below `into` and called like the archive, with its files.

    Names lead nowhere else, links are not made, hidden files are left out, and archives in the archive stay packed.

    Raises LimitExceeded: the archive holds too many files, or they unpack to too much. Raises InvalidInput: it is
    damaged, or needs a password.
    """
    # a folder of that name; two archives may be called the same
    number, folder = 1, into / (path.stem or "archive")
    while folder.exists():
        number += 1
        folder = into / str(number) / (path.stem or "archive")
    folder.mkdir(parents=True)
    left, used = MOST_TOGETHER, Counter[Path]()
    try:
        with zipfile.ZipFile(path) as archive:
            members = [
                member for member in archive.infolist() if not member.is_dir()  # nor hidden
                and not any(p.startswith((".", "__MACOSX")) and p != ".." for p in _parts(member.filename))
            ]  # fmt: skip
            if len(members) > MOST_MEMBERS:
                raise LimitExceeded(
                    f"{path.name} holds {len(members):,} files, more than the limit of {MOST_MEMBERS:,}"
                )
            for member in members:
                with archive.open(member) as packed:
                    left -= _write(packed, _place(folder, member.filename, used), left, path.name)
    except DAMAGED as error:
        raise InvalidInput(f"{path.name} must be a whole archive, but it can't be unpacked: {error}") from None
    except OSError as error:
        raise InvalidInput(f"{path.name} can't be unpacked: {error.strerror or error}") from error
    return folder


def _write(packed: IO[bytes], path: Path, most: int, source: str) -> int:
    """Unpack a member, however much it says it is; returns its size."""
    path.parent.mkdir(parents=True, exist_ok=True)
    size = 0
    with path.open("xb") as file:
        while piece := packed.read(PIECE):
            size += len(piece)
            if size > most:
                raise LimitExceeded(f"{source} unpacks to more than {MOST_TOGETHER >> 20:,} MB, the limit")
            file.write(piece)
    return size


def _parts(name: str) -> list[str]:
    return [part for part in PurePosixPath(name.replace("\\", "/")).parts if part not in ("/", ".")]


def _place(folder: Path, name: str, used: Counter[Path]) -> Path:
    """Where a member goes: below the folder whatever its name says, apart from others of the same name."""
    parts = [part.replace(":", "_") for part in _parts(name) if part != ".."] or ["file"]
    wanted = path = folder.joinpath(*parts)
    while path.exists():
        used[wanted] += 1
        path = folder.joinpath(str(used[wanted] + 1), *parts)
    return path
