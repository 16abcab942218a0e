"""Members of a ZIP archive, also those that are compressed by Zstandard, which Python's zipfile knows from 3.14 on."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

from foldwise.core.errors import InvalidInput, LimitExceeded, MissingDependency
from foldwise.readers.source import Source

__all__ = ["MOST_MEMBER", "Archive"]

MOST_MEMBER = 1 << 30
"""Bytes that one member may unpack to."""

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

    def read(self, name: str) -> bytes:
        """One member, unpacked within the limit."""
        member = self._zip.getinfo(name)
        if member.file_size > MOST_MEMBER:
            raise LimitExceeded(f"{self._source.name}: {name} unpacks to more than {MOST_MEMBER >> 20:,} MB, the limit")
        try:
            if member.compress_type == _ZSTANDARD:
                return _unpack(self._packed(member), self._source.name)
            with self._zip.open(member) as file:
                return file.read(MOST_MEMBER)
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, RuntimeError, struct.error) as error:
            raise InvalidInput(f"{self._source.name}: {name} can't be unpacked: {error}") from None

    def _packed(self, member: zipfile.ZipInfo) -> bytes:
        """The bytes of a member as they are stored: behind its local header, whose two last fields are lengths."""
        start = member.header_offset
        name, extra = struct.unpack("<HH", self._raw[start + _LOCAL_HEADER - 4 : start + _LOCAL_HEADER])
        begin = start + _LOCAL_HEADER + name + extra
        return self._raw[begin : begin + member.compress_size]


def _unpack(packed: bytes, name: str) -> bytes:
    """All frames of a Zstandard stream, which may follow each other."""
    try:
        import zstandard
    except ImportError:
        raise MissingDependency(
            f"{name} is compressed by Zstandard, and reading it (without inspect log convert FILE --to json)", "logs"
        ) from None
    try:
        with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(packed), read_across_frames=True) as stream:
            content = stream.read(MOST_MEMBER + 1)
    except zstandard.ZstdError as error:
        raise InvalidInput(f"{name} has a damaged member: {error}") from None
    if len(content) > MOST_MEMBER:
        raise LimitExceeded(f"{name} unpacks to more than {MOST_MEMBER >> 20:,} MB, the limit")
    return bytes(content)
