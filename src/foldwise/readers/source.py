"""Files with results: found under the paths that people give, looked at, and opened within limits."""

from __future__ import annotations

import glob
import gzip
import io
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from foldwise.core.errors import DataNotFound, InvalidInput, LimitExceeded

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer as Buffer

__all__ = ["HEAD", "MOST_FILES", "MOST_UNPACKED", "Source", "find_sources"]

HEAD = 65_536
"""Bytes by which a format is recognised."""

MOST_FILES = 20_000
"""Files that one call looks at: a folder with more is surely not meant."""

MOST_UNPACKED = 4 << 30
"""Bytes that one compressed file may unpack to."""

_GZIP = b"\x1f\x8b"


@dataclass(frozen=True)
class Source:
    """One file: its place, its name below the folder that was given, and how it begins.

    Attributes
    ----------
    path
        Where it is.
    name
        The path below what was given, with forward slashes: some formats keep the model or the task there.
    """

    path: Path
    name: str

    @cached_property
    def head(self) -> bytes:
        """The first bytes of its content, unpacked."""
        with self._opened() as file:
            return file.read(HEAD)

    @property
    def stem(self) -> str:
        """The file's own name, without a ``.gz``."""
        return self.path.name.removesuffix(".gz")

    def lines(self) -> Iterator[str]:
        """The lines of a text, one after the other, so that a large file is never in memory as a whole."""
        with self._opened() as file, io.TextIOWrapper(file, encoding="utf-8-sig", errors="strict") as text:
            try:
                yield from text
            except UnicodeDecodeError as error:
                raise InvalidInput(
                    f"{self.name} must be text in UTF-8, got byte {error.object[error.start]:#x}"
                ) from None

    def content(self) -> bytes:
        """All of it; an error when it is larger than the limit."""
        with self._opened() as file:
            content = file.read(MOST_UNPACKED + 1)
        if len(content) > MOST_UNPACKED:
            raise LimitExceeded(f"{self.name} is larger than {MOST_UNPACKED >> 20:,} MB, the limit")
        return content

    def _opened(self) -> io.BufferedReader:
        try:
            with self.path.open("rb") as file:
                packed = file.read(2) == _GZIP
            if packed:
                return io.BufferedReader(_Bounded(gzip.GzipFile(self.path), self.name))
            return self.path.open("rb")
        except OSError as error:
            raise DataNotFound(f"{self.name} can't be read: {error.strerror or error}") from error


class _Bounded(io.RawIOBase):
    """A packed file that ends in a sentence where it is damaged, or unpacks to more than the limit."""

    def __init__(self, packed: gzip.GzipFile, name: str) -> None:
        self._packed, self._name, self._left = packed, name, MOST_UNPACKED

    def readable(self) -> bool:
        """It can only be read."""
        return True

    def readinto(self, buffer: Buffer) -> int:
        """The next bytes."""
        view = memoryview(buffer)
        try:
            piece = self._packed.read(len(view))
        except (OSError, EOFError) as error:
            raise InvalidInput(f"{self._name} must be a whole gzip file, but it is damaged: {error}") from None
        self._left -= len(piece)
        if self._left < 0:
            raise LimitExceeded(f"{self._name} unpacks to more than {MOST_UNPACKED >> 20:,} MB, the limit")
        view[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        """Close the file too."""
        self._packed.close()
        super().close()


def find_sources(paths: Iterable[str | os.PathLike[str]]) -> tuple[Source, ...]:
    """The files under paths, folders and globs, each once, in the order of their names.

    Hidden files and folders are passed over, and links that lead out of a folder are not followed.
    """
    found: dict[Path, Source] = {}
    for given in paths:
        for source in _expand(Path(given)):
            found.setdefault(source.path.resolve(), source)
            if len(found) > MOST_FILES:
                raise LimitExceeded(f"there are more than {MOST_FILES:,} files under {given}, the limit: name fewer")
    if not found:
        raise DataNotFound("there is no file with results: name files, folders or globs")
    return tuple(found.values())


def _expand(given: Path) -> Iterator[Source]:
    if given.is_dir():
        yield from _below(given)
    elif given.is_file():
        yield Source(path=given, name=given.name)
    else:
        matches = _matches(given)
        if not matches:
            raise DataNotFound(f"there is no file or folder {given}")
        for match in matches:
            yield from _expand(Path(match))


def _matches(pattern: Path) -> list[str]:
    # Path.glob wants its pattern apart from the folder, and people give both in one
    return sorted(glob.glob(str(pattern), recursive=True)) if glob.has_magic(str(pattern)) else []  # noqa: PTH207


def _below(folder: Path) -> Iterator[Source]:
    root, seen = folder.resolve(), 0
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        for name in sorted(files):
            path = Path(place, name)
            if name.startswith(".") or (path.is_symlink() and not path.resolve().is_relative_to(root)):
                continue
            seen += 1
            if seen > MOST_FILES:
                raise LimitExceeded(f"{folder} holds more than {MOST_FILES:,} files, the limit: name fewer")
            yield Source(path=path, name=path.relative_to(folder).as_posix())
