"""Tables among the files with results, whatever their format."""

from __future__ import annotations

from foldwise.core.errors import FoldwiseError
from foldwise.data.formats import first_names, read_sheet
from foldwise.data.sheet import Sheet
from foldwise.data.text import Content, decode_text
from foldwise.readers.source import Source

__all__ = ["is_table", "read_source"]


def is_table(source: Source) -> list[str]:
    """The names of the columns as far as the beginning of the file tells; none where it is no table."""
    try:
        return first_names(Content(text=decode_text(source.head, source.name), source=source.name, name=source.stem))
    except FoldwiseError:
        return []


def read_source(source: Source) -> Sheet:
    """The table in a file."""
    return read_sheet(Content(text=decode_text(source.content(), source.name), source=source.name, name=source.stem))
