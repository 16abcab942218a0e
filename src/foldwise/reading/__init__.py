"""Readers of results that already exist: logs of harnesses, exports of trackers, tables; all give `Series`."""

from __future__ import annotations

from foldwise.reading.archives import opened_archives
from foldwise.reading.catalogue import READERS, Reading, read_sources
from foldwise.reading.reader import Reader
from foldwise.reading.series import READINGS, Items, Labelled, Rows, Series, Splits, Whole
from foldwise.reading.source import Source, find_sources

__all__ = [
    "READERS",
    "READINGS",
    "Items",
    "Labelled",
    "Reader",
    "Reading",
    "Rows",
    "Series",
    "Source",
    "Splits",
    "Whole",
    "find_sources",
    "opened_archives",
    "read_sources",
]
