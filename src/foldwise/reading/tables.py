"""Tables among the files with results, whatever their format."""

from __future__ import annotations

from foldwise.data.formats import read_sheet
from foldwise.data.sheet import Sheet
from foldwise.data.text import Content
from foldwise.data.wrapped import table_text
from foldwise.reading.source import Source

__all__ = ["read_beginning", "read_source"]


def read_source(source: Source) -> Sheet:
    """The table in a file."""
    return _sheet(source, source.content())


def read_beginning(source: Source) -> Sheet:
    """The first rows of the table in a file that is text, or all of another."""
    return _sheet(source, source.whole_lines if source.is_text else source.content())


def _sheet(source: Source, raw: bytes) -> Sheet:
    return read_sheet(Content(text=table_text(raw, source.name), source=source.name, name=source.stem))
