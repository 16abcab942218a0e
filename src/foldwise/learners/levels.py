"""The columns of a table as indices into their distinct values."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foldwise.core.decimals import steps_per_one
from foldwise.core.table import Table
from foldwise.core.types import Array, Flags, Integers

__all__ = ["Levels"]

MOST_STEPS = 2.0**52
"""Whole numbers up to this size are exact."""


class Levels(NamedTuple):
    """The columns of a table as indices into their distinct values."""

    cells: NDArray[np.int32]
    """(attributes, examples); −1 is missing."""
    start: Integers
    """The levels of attribute a are values[start[a]:start[a + 1]]."""
    values: Array
    numeric: Flags

    @classmethod
    def of(cls, table: Table) -> Levels:
        """Index a table; a nominal attribute has its declared categories as levels."""
        cells = np.full(table.shape[::-1], -1, dtype=np.int32)
        levels: list[Array] = []
        for a, (column, width) in enumerate(zip(table.values.T, table.n_values, strict=True)):
            known = ~np.isnan(column)
            if width:
                levels.append(np.arange(width, dtype=np.float64))
                cells[a, known] = column[known]
            else:
                distinct, cells[a, known] = _distinct(column[known])
                levels.append(distinct)
        start = np.cumsum([0, *map(len, levels)]).astype(np.int64)
        return cls(cells, start, np.concatenate(levels), table.n_values == 0)


def _distinct(values: Array) -> tuple[Array, NDArray[np.intp]]:
    """The distinct values in ascending order, and each value's place among them."""
    steps = steps_per_one(values, most=MOST_STEPS) if len(values) else None
    if steps is None or np.ptp(values) * steps >= len(values):
        return np.unique(values, return_inverse=True)
    # whole numbers, or decimals of a few digits, of a small range: no need to sort
    whole = np.rint(values * steps).astype(np.int64)
    least = whole.min()
    whole -= least
    taken = np.bincount(whole) > 0
    return (np.flatnonzero(taken) + least) / steps, (np.cumsum(taken) - 1)[whole]
