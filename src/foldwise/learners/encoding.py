"""Tables as numbers: nominal attributes as indicators, missing values by the training set's mean or mode."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foldwise.core.table import Table
from foldwise.core.types import Array

__all__ = ["Indicators", "indicators"]


def indicators(table: Table) -> Array:
    """Numbers for every column: a nominal column of more than two categories becomes one 0/1 column per category.

    A nominal column of one or two categories stays one column of its codes, as Weka's NominalToBinary leaves it.
    A missing value is NaN in all its columns.

    Examples
    --------
    >>> indicators(Table.build([[0.5, 2], [1.5, 0]], [None, ("a", "b", "c")])).tolist()
    [[0.5, 0.0, 0.0, 1.0], [1.5, 1.0, 0.0, 0.0]]
    """
    columns = []
    for j, categories in enumerate(table.categories):
        column = table.values[:, j]
        if categories is None or len(categories) <= 2:
            columns.append(column[:, None])
        else:
            hot = (column[:, None] == np.arange(len(categories))).astype(np.float64)
            hot[np.isnan(column)] = np.nan
            columns.append(hot)
    return np.ascontiguousarray(np.concatenate(columns, axis=1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Indicators:
    """Which of the columns of `indicators` belong to what: for replacing missing values by means and modes."""

    numeric: NDArray[np.bool_]
    groups: tuple[slice, ...]

    @classmethod
    def of(cls, table: Table) -> Indicators:
        """The layout of the indicators of `table`."""
        numeric: list[bool] = []
        groups = []
        for categories in table.categories:
            width = 1 if categories is None or len(categories) <= 2 else len(categories)
            if width > 1:
                groups.append(slice(len(numeric), len(numeric) + width))
            numeric += [categories is None] * width
        return cls(numeric=np.array(numeric), groups=tuple(groups))

    def stand_ins(self, X: Array) -> Array:
        """What stands in for a missing value: the mean, or the most frequent category (the first of several).

        A column without any value gives 0, or the first category, as Weka's ReplaceMissingValues does.
        """
        known = ~np.isnan(X)
        counts = known.sum(axis=0)
        # cumulated, for Weka adds one by one and NumPy's pairwise sum may differ in the last bits
        sums = np.cumsum(np.where(known, X, 0.0), axis=0)[-1]
        out: Array = np.where(self.numeric, sums / np.maximum(counts, 1), 2 * sums > counts)
        for group in self.groups:
            mode = group.start + int(np.argmax(sums[group]))
            out[group] = 0.0
            out[mode] = 1.0
        return out


def fill_missing(X: Array, stand_ins: Array) -> Array:
    """`X` with every missing value replaced by its column's stand-in."""
    return np.where(np.isnan(X), stand_ins, X)
