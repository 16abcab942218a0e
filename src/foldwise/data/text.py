"""Text from files, from standard input and from people, whatever wrote it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from foldwise.core.errors import DataNotFound, InvalidInput

NO_TEXT = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")  # A character that is part of no text.

_NO_TEXT_BYTES = bytes(code for code in range(128) if NO_TEXT.match(chr(code)))

_MAGIC = {
    b"PK\x03\x04": "an Excel workbook or another zip archive", b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"%PDF": "a PDF document", b"PAR1": "a Parquet file", b"\x1f\x8b": "a compressed file",
}  # fmt: skip
"""How files begin that people take for tables, and what to call them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """The text of a file."""

    text: str  #: All of it, without a byte-order mark
    source: str = "the text"  #: What messages call it: the file's name, "standard input" or "the text"
    name: str = ""  #: The file's name, whose ending may tell the format; empty where there is none


Readable = str | Path | Content
"""A file, ``"-"`` for standard input, or text: itself (recognised by its line breaks), or as `Content`."""


def read_bytes(path: Path, *, most: int = -1) -> bytes:
    """The first `most` bytes of a file (all if negative), or one sentence on why there are none."""
    try:
        with path.open("rb") as file:
            return file.read(most)
    except FileNotFoundError:
        raise DataNotFound(f"there is no file {path}") from None
    except IsADirectoryError:
        raise InvalidInput(f"{path} is a folder, not a file") from None
    except (OSError, ValueError) as error:
        raise DataNotFound(f"{path} can't be read: {getattr(error, 'strerror', None) or error}") from error


def is_file(path: Path) -> bool:
    """Whether there is such a file; a name that no file can have (too long, say) is none.

    >>> is_file(Path("x" * 1000))
    False
    """
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long, or with a character that no name has
        return False


def decode_text(raw: bytes, source: str) -> str:
    """Text from UTF-8, with or without a byte-order mark, from UTF-16 with one, or from Windows' western code page.

    Spreadsheets write all of these. Anything with a byte that is part of no text is refused as binary.

    >>> decode_text("größe;1".encode("cp1252"), "sizes.csv")
    'größe;1'
    """
    kind = next((kind for start, kind in _MAGIC.items() if raw.startswith(start)), None)
    if kind is not None:
        raise InvalidInput(f"{source} is {kind}, not text: save the table as CSV and take that file")
    encodings = ("utf-16",) if raw.startswith((b"\xff\xfe", b"\xfe\xff")) else ("utf-8-sig", "cp1252")
    for encoding in encodings:
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        # of long text without other characters, bytes are compared, in a fifth of the time
        strange = (
            len(text.encode("ascii").translate(None, _NO_TEXT_BYTES)) < len(text)
            if text.isascii() else NO_TEXT.search(text) is not None
        )  # fmt: skip
        if not strange:
            return text
    raise InvalidInput(f"{source} is a binary file, not text in UTF-8, UTF-16 or Windows-1252")
