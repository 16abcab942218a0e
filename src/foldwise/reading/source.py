"""Files with results: found under the paths that people give, looked at, and opened within limits."""

from __future__ import annotations

import codecs
import glob
import gzip
import io
import os
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from foldwise.core.errors import DataNotFound, FoldwiseError, InvalidInput, LimitExceeded
from foldwise.data.formats import first_names, read_sheet
from foldwise.data.formats.parquet import MAGIC
from foldwise.data.packed import Raw, table_text, without_packing
from foldwise.data.sheet import Sheet
from foldwise.data.text import Content

if TYPE_CHECKING:
    from _typeshed import SupportsRead
    from _typeshed import WriteableBuffer as Buffer


HEAD = 65_536  # Bytes by which a format is recognised.

MOST_FILES = 20_000  # Files and folders that one call looks at: a folder with more is surely not meant.

MOST_UNPACKED = 4 << 30  # Bytes that one compressed file may unpack to where it is read line by line.

MOST_AT_ONCE = 1 << 30  # Bytes of a file that is read as a whole.

PIECE = 1 << 24  # Bytes that are read at a time.

BLOCK = 1 << 18  # Bytes of lines that are read at a time.

MOST_LINE = 1 << 28  # Bytes of one line in a compressed file.

_GZIP = b"\x1f\x8b"
_WHOLE = (b"PAR1", b"PK\x03\x04")
"""How files begin whose columns are known only when all of them was read: Parquet, workbooks."""


@dataclass(frozen=True)
class SourceFile:
    """One file: its place, its name below the folder that was given, and how it begins."""

    path: Path  #: Where it is
    #: The path below what was given, with forward slashes: some formats keep the model or the task there
    name: str
    given: str = ""  #: The file, folder or glob under which it was found, as it was given

    @cached_property
    def head(self) -> bytes:
        """The first bytes of its content, unpacked."""
        with self._opened() as file:
            return file.read(HEAD)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns as far as the beginning of the file tells; none where it is no table."""
        try:
            if self.head.startswith(MAGIC):
                return self.whole.header
            text = table_text(self.whole_lines if self.is_text else self._kept, self.name)
            return tuple(first_names(Content(text=text, source=self.name, name=self.stem)))
        except FoldwiseError:
            return ()

    @property
    def is_text(self) -> bool:
        """Whether its beginning can be read alone."""
        return not self.head.startswith(_WHOLE)

    @property
    def stem(self) -> str:
        """The file's own name, without a ``.gz``."""
        return self.path.name.removesuffix(".gz")

    @property
    def whole_lines(self) -> bytes:
        """The beginning up to its last whole line, so that no character is cut."""
        return self.head if len(self.head) < HEAD else self.head[: self.head.rfind(b"\n") + 1] or self.head

    def lines(self) -> Iterator[str]:
        """The lines of a text, one after the other, so that a large file is never in memory as a whole."""
        for block in self.blocks():
            yield from io.StringIO(block)

    def blocks(self) -> Iterator[str]:
        """The lines of a text, many at a time and always whole, each with its end."""
        decoder = codecs.getincrementaldecoder("utf-8-sig")()
        begun: list[str] = []  # pieces of a line that has not ended
        with self._opened() as file:
            try:
                while piece := file.read(BLOCK):
                    whole, end, rest = decoder.decode(piece).rpartition("\n")
                    if end:
                        yield "".join((*begun, whole, end))
                        begun.clear()
                    begun.append(rest)
                begun.append(decoder.decode(b"", final=True))
            except UnicodeDecodeError as error:
                raise InvalidInput(
                    f"{self.name} must be text in UTF-8, got byte {error.object[error.start]:#x}"
                ) from None
        if any(begun):
            yield "".join((*begun, "\n"))

    def content(self) -> bytes:
        """All of it; an error when it is larger than the limit."""
        if "_kept" in self.__dict__:
            return self._kept
        if len(self.head) < HEAD:
            return self.head
        with self._opened() as file:
            content = read_within(file, MOST_AT_ONCE)
        if content is None:
            raise LimitExceeded(
                f"{self.name} is larger than {MOST_AT_ONCE >> 20:,} MB, the limit of what is read at once"
            )
        return content

    @cached_property
    def _kept(self) -> bytes:
        return self.content()

    @cached_property
    def whole(self) -> Sheet:
        """The table in a file whose beginning can't be read alone."""
        return _sheet(self, self._kept)

    def forget(self) -> None:
        """Give back what was kept of the content."""
        for name in ("head", "_kept", "whole"):
            self.__dict__.pop(name, None)

    def _opened(self) -> io.BufferedReader:
        try:
            with self.path.open("rb") as file:
                packed = file.read(2) == _GZIP
            if packed:
                return io.BufferedReader(_Bounded(gzip.GzipFile(self.path), self.name))
            return self.path.open("rb")
        except OSError as error:
            raise DataNotFound(f"{self.name} can't be read: {error.strerror or error}") from error


def read_within(file: SupportsRead[bytes], most: int) -> bytes | None:
    """All that is left in a file, None where it is more than `most` bytes."""
    pieces, left = [], most
    while piece := file.read(min(PIECE, left + 1)):  # a larger one would be allocated before it is read
        pieces.append(piece)
        left -= len(piece)
        if left < 0:
            return None
    return b"".join(pieces)


class _Bounded(io.RawIOBase):
    """A packed file that ends in a sentence where it is damaged, or unpacks to more than the limit."""

    def __init__(self, packed: gzip.GzipFile, name: str) -> None:
        self._packed, self._name, self._left, self._line = packed, name, MOST_UNPACKED, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        view = memoryview(buffer)
        try:
            piece = self._packed.read(len(view))
        except (OSError, EOFError) as error:
            raise InvalidInput(f"{self._name} must be a whole gzip file, but it is damaged: {error}") from None
        self._left -= len(piece)
        if self._left < 0:
            raise LimitExceeded(f"{self._name} unpacks to more than {MOST_UNPACKED >> 20:,} MB, the limit")
        end = piece.rfind(b"\n")
        self._line = len(piece) - end - 1 if end >= 0 else self._line + len(piece)
        if self._line > MOST_LINE:
            raise LimitExceeded(f"{self._name} unpacks to a line of more than {MOST_LINE >> 20:,} MB, the limit")
        view[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        self._packed.close()
        super().close()


LONGEST_NAME = 255  # Bytes of the name of a file or folder that file systems take.


def find_sources(
    paths: Iterable[str | os.PathLike[str]], *, unpacked: Callable[[Path], Path] | None = None
) -> tuple[SourceFile, ...]:
    """The files under paths, folders and globs, each once, in the order of their names.

    Hidden files and folders are passed over, and links that lead out of a folder or of a glob's folder are not
    followed; what is no file (a pipe, a device) is never opened. `unpacked` leads from a file that was named, by a glob
    too, to where it is as a folder if it is an archive of files, else to itself.
    """
    found: dict[Path, SourceFile] = {}
    for given in paths:
        if max(map(len, os.fsencode(given).split(b"/"))) > LONGEST_NAME:
            text = f"{os.fspath(given)[:40]!r} …"
            raise DataNotFound(f"there is no file or folder {text}: files are named by their paths, not by their text")
        before = len(found)
        for source in _expand(Path(given), unpacked):
            found.setdefault(source.path.resolve(), replace(source, given=os.fspath(given)))
            if len(found) > MOST_FILES:
                raise LimitExceeded(f"there are more than {MOST_FILES:,} files under {given}, the limit: name fewer")
        if len(found) == before and Path(given).is_dir() and not any(_below(Path(given))):
            raise DataNotFound(f"there is no file with results in {os.fspath(given)}: name files, folders or globs")
        if Path(given).is_file() and not Path(given).stat().st_size:
            raise InvalidInput(f"{os.fspath(given)} is empty")
    if not found:
        raise DataNotFound("there is no file with results: name files, folders or globs")
    # files that were named one by one and are called alike get their folder before their name
    count = Counter(source.name for source in found.values())
    return tuple(
        replace(source, name=f"{source.path.resolve().parent.name}/{source.name}") if count[source.name] > 1 else source
        for source in found.values()
    )


def told_apart(paths: Sequence[PurePath]) -> list[str]:
    """A short name for each of several files: their own without ending, with folders where these alone differ.

    >>> told_apart([Path("a/new.csv"), Path("a/old.csv")]), told_apart([Path("x/new/r.csv"), Path("x/old/r.csv")])
    (['new', 'old'], ['new', 'old'])
    """
    parts = [(*path.parts[:-1], without_ending(path)) for path in paths]
    for depth in range(1, max(map(len, parts)) + 1):
        ends = [part[-depth] if len(part) >= depth else "" for part in parts]
        if len(set(ends)) == len(ends):
            return ends
    return ["/".join(part).replace("//", "/", 1) for part in parts]


def without_ending(path: PurePath) -> str:
    return path.name.removesuffix(".gz").rpartition(".")[0] or path.name


def _expand(given: Path, unpacked: Callable[[Path], Path] | None) -> Iterator[SourceFile]:
    if unpacked is not None and given.is_file():
        given = unpacked(given)
    if given.is_dir():
        yield from _below(given)
    elif given.is_file():
        yield SourceFile(path=given, name=given.name)
    else:
        matches = []
        if glob.has_magic(str(given)):
            fixed = next(folder for folder in given.parents if not glob.has_magic(str(folder))).resolve()
            # Path.glob wants its pattern apart from the folder, and people give both in one
            found = map(Path, sorted(glob.glob(str(given), recursive=True)))  # noqa: PTH207
            # without links that lead out of the folder in which it looks
            matches = [path for path in found if not path.is_symlink() or path.resolve().is_relative_to(fixed)]
        if not matches:
            raise DataNotFound(f"there is no file or folder {given}")
        for match in matches:
            yield from _expand(match, unpacked)


def _below(folder: Path) -> Iterator[SourceFile]:
    """The files in a folder, in the order of their names; ends before too many are listed."""
    root, seen, waiting = folder.resolve(), 0, [folder]
    while waiting:
        place, folders = waiting.pop(), []
        entries = _entries(place, folder, MOST_FILES - seen)
        seen += len(entries)
        for entry in entries:
            path = place / entry.name
            if entry.is_dir(follow_symlinks=False):
                folders += [] if entry.name.startswith((".", "__")) else [path]
            elif not entry.name.startswith(".") and _is_inside(path, root):
                yield SourceFile(path=path, name=path.relative_to(folder).as_posix())
        waiting.extend(reversed(folders))


def _entries(place: Path, folder: Path, most: int) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(place) as listing:
            found = list(islice(listing, most + 1))
    except OSError as error:
        raise DataNotFound(f"the folder {place} can't be read: {error.strerror or error}") from error
    if len(found) > most:
        raise LimitExceeded(f"{folder} holds more than {MOST_FILES:,} files, the limit: name fewer")
    return sorted(found, key=lambda entry: entry.name)


def _is_inside(path: Path, root: Path) -> bool:
    """Whether it is a file that may be opened, and no link to one elsewhere."""
    try:
        if path.is_symlink() and not path.resolve().is_relative_to(root):
            return False
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, RuntimeError):  # a link to nothing, or to itself
        return False


# ---- Tables among the files with results, whatever their format.


def read_source(source: SourceFile) -> Sheet:
    """The table in a file."""
    return _sheet(source, source.content()) if source.is_text else source.whole


def read_beginning(source: SourceFile) -> Sheet:
    """The first rows of the table in a file that is text, or all of another."""
    return _sheet(source, source.whole_lines) if source.is_text else source.whole


def _sheet(source: SourceFile, raw: bytes) -> Sheet:
    return read_sheet(Raw(content=without_packing(raw, source.name), source=source.name, name=source.stem))
