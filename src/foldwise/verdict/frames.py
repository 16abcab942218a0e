"""Columns as a table of whichever frame library is installed."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from foldwise.core.errors import MissingDependency

__all__ = ["new_frame"]

_MAKERS = (("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "table"))


def new_frame(columns: Mapping[str, object]) -> Any:
    """Columns as a frame of the first library of pandas, polars and pyarrow that is installed."""
    for package, maker in _MAKERS:
        if find_spec(package):
            return getattr(import_module(package), maker)(dict(columns))
    raise MissingDependency("to_frame", "data")
