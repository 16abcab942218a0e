"""The results store: one SQLite file that any study can continue from."""

from __future__ import annotations

from foldwise.engine.store.contract import Record, SeriesKey, StoredSeries
from foldwise.engine.store.sqlite import Store

__all__ = ["Record", "SeriesKey", "Store", "StoredSeries"]
