"""File formats of tables: one module each, registered here by one line; all doors find them here.

The content decides where it can be nothing else, then the ending of the name; what is left is delimited text.
"""

from __future__ import annotations

from foldwise.data.formats import arff, delimited, json_tables, parquet
from foldwise.data.packed import MOST_UNPACKED, Raw, read_raw, table_text
from foldwise.data.sheet import Format, Sheet
from foldwise.data.text import Content, Readable

__all__ = ["FORMATS", "Format", "find_format", "first_names", "read_sheet", "suffixes"]

FORMATS: tuple[Format, ...] = (arff.FORMAT, json_tables.RECORDS, json_tables.LINES, delimited.FORMAT)
"""Every format of a table; the last one takes what no other knows."""


def find_format(content: Content) -> Format:
    r"""The format of a text, by how it begins and by the file's name.

    >>> find_format(Content(text="truth,nb\n1,0\n")).name
    'CSV'
    """
    for found in FORMATS:
        if found.begins(content.text):
            return found
    name = content.name.lower()
    return next((found for found in FORMATS if name.endswith(found.suffixes)), FORMATS[-1])


def read_sheet(given: Readable | Raw) -> Sheet:
    r"""Read a table in any of the formats.

    `given`: A file, ``"-"`` for standard input, or the text itself (recognised by its line breaks).

    >>> sheet = read_sheet("truth;score\nyes;0,5\n")
    >>> sheet.header, sheet.numbers("score").tolist()
    (('truth', 'score'), [0.5])
    """
    found = given if isinstance(given, Raw) else read_raw(given)
    if isinstance(found, Raw):
        if found.content.startswith(parquet.MAGIC):
            return parquet.parquet_sheet(found.content, found.source, MOST_UNPACKED)
        found = Content(text=table_text(found.content, found.source), source=found.source, name=found.name)
    return find_format(found).read(found)


def first_names(content: Content) -> list[str]:
    r"""The names of the columns as far as the first row tells, without reading the rest.

    >>> first_names(Content(text="truth;nb\nyes;no\n"))
    ['truth', 'nb']
    """
    return find_format(content).first_names(content.text)


def suffixes() -> tuple[str, ...]:
    """How the names of files with tables end."""
    return tuple(suffix for found in reversed(FORMATS) for suffix in found.suffixes)
