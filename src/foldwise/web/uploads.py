"""Files that somebody brings: unpacked within bounds, named harmlessly, and on disk only while they are read."""

from __future__ import annotations

import base64
import binascii
import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from foldwise.core.errors import InvalidInput, LimitExceeded
from foldwise.core.files import temporary_folder
from foldwise.data.packed import without_packing
from foldwise.data.text import Content
from foldwise.reading.archives import DAMAGED, OF_OTHERS
from foldwise.web.limits import Limits

_ZIP = b"PK\x03\x04"
_NO_LINES = (b"{", b"[", _ZIP, b"PAR1")  # How files begin whose lines are no rows.
_LONGEST, _LONGEST_IN_A_FOLDER = 80, 150
_DEEPEST = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """One file."""

    name: str  #: Its path below what was dropped, with forward slashes: some formats keep the model or the task there
    content: bytes  #: All of it, unpacked
    archive: str = ""  #: The archive that it came in, which is called like its first folder


def taken(files: Iterable[tuple[str, bytes]], limits: Limits) -> tuple[Upload, ...]:
    """Files as they came: gzip and archives of folders are unpacked, names are made harmless and different.

    Raises
    ------
    LimitExceeded
        They are too many, or unpack to too much.
    InvalidInput
        A packed file is damaged.
    """
    return _taken(_opened(files, limits), limits)


def _taken(files: Iterable[tuple[str, bytes, str]], limits: Limits) -> tuple[Upload, ...]:
    found: dict[str, Upload] = {}
    left, used = limits.data_bytes, Counter[str]()
    for name, raw, archive in files:
        content = without_packing(raw, plain_name(name), most=limits.data_bytes)
        left -= len(content)
        if left < 0:
            raise LimitExceeded(f"the files unpack to more than {limits.megabytes:g} MB, the most this page takes")
        own = _another(_path(name), found, used)
        found[own] = Upload(name=own, content=content, archive=archive)
        if len(found) > limits.files:
            raise LimitExceeded(f"there are more than {limits.files:,} files, the most this page takes at once")
    return tuple(found.values())


def check_files(files: Iterable[Upload], limits: Limits) -> None:
    """Refuse tables with too many rows or columns, and logs with too many lines, before they are taken apart."""
    for upload in files:
        content = upload.content
        records = content.count(b"\n{") + 1
        if not content.lstrip()[:4].startswith(_NO_LINES):
            limits.check(Content(text=content.decode("utf-8", "replace"), name=upload.name))
        elif records > limits.rows:
            raise InvalidInput(
                f"{upload.name} has about {records:,} rows, more than the {limits.rows:,} that this "
                "page takes: use the command line, or start the page with --max-rows"
            )


@contextmanager
def on_disk(files: Sequence[Upload]) -> Iterator[Path]:
    """A folder with the files, which is gone afterwards, whatever became of those who read it."""
    with temporary_folder() as parent:
        folder = Path(parent, "dropped")  # some formats name the model by its folder, and people would read that name
        for upload in files:
            path = folder / upload.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(upload.content)
        yield folder


def pack(files: Iterable[Upload]) -> str:
    """Files as one field of a form, in which they travel from step to step: nothing is kept on the server."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive:
        for upload in files:
            member = zipfile.ZipInfo(upload.name)
            member.comment = upload.archive.encode()
            archive.writestr(member, upload.content, zipfile.ZIP_DEFLATED)
    return base64.b64encode(buffer.getvalue()).decode("ascii")


def unpack(field: str, limits: Limits) -> tuple[Upload, ...]:
    try:
        raw = base64.b64decode(field, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidInput("the form's own copy of the files is damaged: choose the files again") from None
    return _taken(_members(raw, "the form's own copy of the files", limits), limits)


def plain_name(filename: str, *, most: int = _LONGEST) -> str:
    r"""The last part of a path, without anything that a shell, a header or a page could stumble over.

    Examples
    --------
    >>> plain_name("C:\\data\\my scores.csv")
    'my scores.csv'
    """
    name = PurePosixPath(filename.replace("\\", "/")).name
    return re.sub(r"[^\w .+()-]", "_", name).lstrip("-. ")[:most]


def _opened(files: Iterable[tuple[str, bytes]], limits: Limits) -> Iterator[tuple[str, bytes, str]]:
    """The files, an archive of several as its members, in a folder that is called like it."""
    for name, raw in files:
        if not raw.startswith(_ZIP) or _is_one_file(raw):
            yield name, raw, ""
            continue
        folder = PurePosixPath(plain_name(name)).stem
        for member, content, _ in _members(raw, plain_name(name), limits):
            hidden = any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(member).parts)
            if not hidden:
                yield f"{folder}/{member}", content, plain_name(name)


def _is_one_file(raw: bytes) -> bool:
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            return not OF_OTHERS.isdisjoint(archive.namelist())
    except (zipfile.BadZipFile, ValueError):
        return True  # its reader says what is wrong


def _members(raw: bytes, source: str, limits: Limits) -> list[tuple[str, bytes, str]]:
    """Name, content and comment of every file in an archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            if len(members) > limits.files:
                raise LimitExceeded(
                    f"{source} holds {len(members):,} files, more than the {limits.files:,} allowed here"
                )
            if sum(member.file_size for member in members) > limits.data_bytes:
                raise LimitExceeded(f"{source} unpacks to more than {limits.megabytes:g} MB, the most this page takes")
            return [
                (member.filename, archive.read(member), plain_name(member.comment.decode("utf-8", "replace")))
                for member in members
            ]
    except DAMAGED as error:
        raise InvalidInput(f"{source} must be a whole archive, but it is damaged: {error}") from None


def _path(name: str) -> str:
    """A path of harmless parts, below the folder whatever it says."""
    parts = [plain_name(part, most=_LONGEST_IN_A_FOLDER) for part in PurePosixPath(name.replace("\\", "/")).parts]
    return "/".join(part for part in parts[-_DEEPEST:] if part) or "file"


def _another(name: str, others: Mapping[str, Upload], used: Counter[str]) -> str:
    """The name, in a folder of its own where another file has it already."""
    tried = name
    while tried in others:
        used[name] += 1
        tried = f"{used[name] + 1}/{name}"
    return tried
