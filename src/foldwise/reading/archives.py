"""ZIP archives: members of logs, also Zstandard ones, and whole archives unpacked within limits."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO

from foldwise.core.errors import DataNotFound, InvalidInput, LimitExceeded, MissingDependency
from foldwise.core.files import temporary_folder
from foldwise.reading.source import Source, read_within

# ---- Members of a ZIP archive, also those that are compressed by Zstandard, which Python's zipfile knows from 3.14
# on.

MOST_MEMBER = 1 << 30
"""Bytes that one member may unpack to."""

MOST_MEMBER_BYTES = 2 << 30
"""Bytes that all members that are read may unpack to."""

_ZSTANDARD = 93
_LOCAL_HEADER = 30


class Archive:
    """A ZIP archive that is read member by member."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._raw = source.content()
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(self._raw))
        except zipfile.BadZipFile as error:
            raise InvalidInput(
                f"{source.name} must be a whole archive, but it is cut off or damaged: {error}"
            ) from None
        self.names = tuple(self._zip.namelist())
        self._left = MOST_MEMBER_BYTES

    def read(self, name: str) -> bytes:
        member, most = self._zip.getinfo(name), min(MOST_MEMBER, self._left)
        try:
            if member.file_size > most:
                content = None  # what it says is enough
            elif member.compress_type == _ZSTANDARD:
                content = _unpack(self._packed(member), self._source.name, most)
            else:
                with self._zip.open(member) as file:
                    content = file.read(most + 1)
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, RuntimeError, struct.error) as error:
            raise InvalidInput(f"{self._source.name}: {name} can't be unpacked: {error}") from None
        if content is None or len(content) > most:
            raise LimitExceeded(f"{self._source.name}: {name} unpacks to more than {most >> 20:,} MB, the limit")
        self._left -= len(content)
        return content

    def _packed(self, member: zipfile.ZipInfo) -> bytes:
        """The bytes of a member as they are stored: behind its local header, whose two last fields are lengths."""
        start = member.header_offset
        name, extra = struct.unpack("<HH", self._raw[start + _LOCAL_HEADER - 4 : start + _LOCAL_HEADER])
        begin = start + _LOCAL_HEADER + name + extra
        return self._raw[begin : begin + member.compress_size]


def _unpack(packed: bytes, name: str, most: int) -> bytes | None:
    """All frames of a Zstandard stream, which may follow each other; None where they are more than `most` bytes."""
    try:
        import zstandard
    except ImportError:
        raise MissingDependency(
            f"{name} is compressed by Zstandard, and reading it (without inspect log convert FILE --to json)", "logs"
        ) from None
    try:
        with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(packed), read_across_frames=True) as stream:
            return read_within(stream, most)
    except zstandard.ZstdError as error:
        raise InvalidInput(f"{name} has a damaged member: {error}") from None


# ---- Zip archives of files with results: unpacked within limits into a folder, as if that had been given.

MOST_MEMBERS = 20_000
"""Files that an archive may hold."""

MOST_TOGETHER = 4 << 30
"""Bytes that all of them may unpack to, on disk."""

PIECE = 1 << 20
"""Bytes that are unpacked at a time."""

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

    Raises
    ------
    LimitExceeded
        The archive holds too many files, or they unpack to too much.
    InvalidInput
        It is damaged, or needs a password.
    """
    folder = _new_folder(into, path.stem)
    left, used = MOST_TOGETHER, Counter[Path]()
    try:
        with zipfile.ZipFile(path) as archive:
            members = [member for member in archive.infolist() if not member.is_dir() and not _is_hidden(member)]
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


def _is_hidden(member: zipfile.ZipInfo) -> bool:
    return any(part.startswith((".", "__MACOSX")) and part != ".." for part in _parts(member.filename))


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


def _new_folder(into: Path, name: str) -> Path:
    """A folder of that name; two archives may be called the same."""
    number, folder = 1, into / (name or "archive")
    while folder.exists():
        number += 1
        folder = into / str(number) / (name or "archive")
    folder.mkdir(parents=True)
    return folder
