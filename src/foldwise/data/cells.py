"""The cells of a sheet: however a reader keeps them, they come out column by column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from foldwise.core.categories import Categories
from foldwise.core.types import Array, Integers

__all__ = ["Cells", "Row", "RowCells"]

Row = tuple[str, ...]
"""The cells of one row."""


class Cells(Protocol):
    """The cells of every row below the header, blanks around them removed."""

    def __len__(self) -> int:
        """Number of rows."""

    def rows(self, most: int) -> tuple[Row, ...]:
        """The first rows."""

    def texts(self, where: int, rows: Integers | None = None) -> list[str]:
        """The cells of one column, of some rows or of all."""

    def decimals(self, where: int) -> tuple[Array, Integers]:
        """The cells of one column as numbers, and the rows whose text must be read to know."""

    def categories(self, where: int) -> Categories:
        """The cells of one column, each different one kept once."""


@dataclass(frozen=True, slots=True)
class RowCells:
    """Cells that were read row by row.

    Examples
    --------
    >>> RowCells([("a", "1"), ("b", "2")]).texts(1)
    ['1', '2']
    """

    content: Sequence[Row]

    def __len__(self) -> int:
        return len(self.content)

    def rows(self, most: int) -> tuple[Row, ...]:
        """The first rows."""
        return tuple(self.content[:most])

    def texts(self, where: int, rows: Integers | None = None) -> list[str]:
        """The cells of one column, of some rows or of all."""
        if rows is None:
            return [row[where] for row in self.content]
        return [self.content[row][where] for row in rows.tolist()]

    def decimals(self, where: int) -> tuple[Array, Integers]:
        """None of the cells is known as a number yet."""
        return np.full(len(self), np.nan), np.arange(len(self))

    def categories(self, where: int) -> Categories:
        """The cells of one column, each different one kept once."""
        return Categories.of(row[where] for row in self.content)
