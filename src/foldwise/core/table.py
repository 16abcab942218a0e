"""A table of numeric and nominal columns with missing values: what our learners accept as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Flags, Integers, Labels
from foldwise.core.validation import missing_as_nan

__all__ = ["Kind", "Table"]

Kind = Literal["numeric", "nominal"]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Rows of numeric and nominal values, indexed by row like a NumPy array.

    Attributes
    ----------
    values
        float64 of shape (rows, columns); a nominal value is the index of its category; missing is NaN.
    categories
        Per column the names of the nominal values, or None for a numeric column.
    names
        Names of the columns.

    Examples
    --------
    >>> table = Table.build(np.array([[1.5, 0], [2.5, 1]]), [None, ("no", "yes")])
    >>> table.shape, table.kinds
    ((2, 2), ('numeric', 'nominal'))
    >>> np.asarray(table).tolist()
    [[1.5, 'no'], [2.5, 'yes']]
    """

    values: Array
    categories: tuple[tuple[str, ...] | None, ...]
    names: tuple[str, ...]

    @classmethod
    def build(
        cls,
        values: ArrayLike,
        categories: Sequence[Sequence[str] | None] | None = None,
        names: Sequence[str] | None = None,
    ) -> Table:
        """Check and build a table; without `categories` all columns are numeric."""
        array = np.asarray(missing_as_nan(values), dtype=np.float64)
        if array.ndim != 2:
            raise InvalidInput(f"a table needs two axes (rows, columns), got shape {array.shape}")
        width = array.shape[1]
        kept = tuple(None if c is None else tuple(map(str, c)) for c in categories or [None] * width)
        titles = tuple(map(str, names)) if names is not None else tuple(f"x{j}" for j in range(width))
        if len(kept) != width or len(titles) != width:
            raise InvalidInput(f"{width} columns, but {len(kept)} categories and {len(titles)} names")
        if np.isinf(array).any():
            row, column = np.argwhere(np.isinf(array))[0]
            raise InvalidInput(f"values must not be infinite, but row {row} of column {titles[column]!r} is")
        _check_codes(array, kept, titles)
        return cls(array, kept, titles)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Per column "numeric" or "nominal"."""
        return tuple("numeric" if c is None else "nominal" for c in self.categories)

    @property
    def n_values(self) -> NDArray[np.int64]:
        """Per column the number of categories; 0 for a numeric column."""
        return np.array([0 if c is None else len(c) for c in self.categories], dtype=np.int64)

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return self.values.shape[0], self.values.shape[1]

    @property
    def ndim(self) -> int:
        """Always 2."""
        return 2

    def __len__(self) -> int:
        return int(self.values.shape[0])

    def __getitem__(self, rows: slice | Integers | Flags) -> Table:
        """The chosen rows (a slice, indices or a mask) as a table."""
        return Table(np.atleast_2d(self.values[rows]), self.categories, self.names)

    def copy(self) -> Table:
        """The same rows in an array of their own."""
        return Table(self.values.copy(), self.categories, self.names)

    def columns(self, chosen: slice) -> Table:
        """The chosen columns as a table."""
        return Table(self.values[:, chosen], self.categories[chosen], self.names[chosen])

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Labels:
        """float64 when all columns are numeric; otherwise objects, with category names and None for missing."""
        if all(c is None for c in self.categories):
            return np.array(self.values, dtype=dtype) if copy else np.asarray(self.values, dtype=dtype)
        decoded = np.empty(self.shape, dtype=object)
        for j, names in enumerate(self.categories):
            column = self.values[:, j]
            if names is None:
                decoded[:, j] = column
            else:
                decoded[:, j] = [None if np.isnan(v) else names[int(v)] for v in column]
        return decoded if dtype is None else decoded.astype(dtype)


def _check_codes(values: Array, categories: Sequence[Sequence[str] | None], names: Sequence[str]) -> None:
    for j, kept in enumerate(categories):
        if kept is None:
            continue
        column = values[:, j]
        bad = ~np.isnan(column) & ~((column >= 0) & (column < len(kept)) & (column == np.floor(column)))
        if bad.any():
            raise InvalidInput(
                f"column {names[j]!r} has {len(kept)} categories, but row {int(np.argmax(bad))} has code "
                f"{column[bad][0]:g}"
            )
