"""Members of a ZIP archive, also those that are compressed by Zstandard, which Python's zipfile knows from 3.14 on."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

from foldwise.core.errors import InvalidInput, LimitExceeded, MissingDependency
from foldwise.reading.source import Source, read_within

__all__ = ["MOST_MEMBER", "MOST_TOGETHER", "Archive"]

MOST_MEMBER = 1 << 30
"""Bytes that one member may unpack to."""

MOST_TOGETHER = 2 << 30
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
        self._left = MOST_TOGETHER

    def read(self, name: str) -> bytes:
        """One member, unpacked within the limit."""
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
