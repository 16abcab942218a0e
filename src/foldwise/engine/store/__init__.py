"""The results store: one SQLite file that any study can continue from."""

from __future__ import annotations

from foldwise.engine.store.contract import Record, Series, SeriesKey
from foldwise.engine.store.sqlite import Store

__all__ = ["Record", "Series", "SeriesKey", "Store"]
