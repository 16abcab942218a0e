"""Tables among the files with results, whatever their format."""

from __future__ import annotations

from foldwise.core.errors import FoldwiseError
from foldwise.data.formats import first_names, read_sheet
from foldwise.data.sheet import Sheet
from foldwise.data.text import Content
from foldwise.data.wrapped import table_text
from foldwise.readers.source import HEAD, Source

__all__ = ["is_table", "read_source"]


def is_table(source: Source) -> list[str]:
    """The names of the columns as far as the beginning of the file tells; none where it is no table."""
    try:
        whole = source.head.startswith((b"PAR1", b"PK\x03\x04"))
        text = table_text(source.content() if whole else _whole_characters(source.head), source.name)
        return first_names(Content(text=text, source=source.name, name=source.stem))
    except FoldwiseError:
        return []


def read_source(source: Source) -> Sheet:
    """The table in a file."""
    return read_sheet(Content(text=table_text(source.content(), source.name), source=source.name, name=source.stem))


def _whole_characters(head: bytes) -> bytes:
    """The beginning of a text up to its last whole line, so that no character is cut."""
    return head if len(head) < HEAD else head[: head.rfind(b"\n") + 1] or head
