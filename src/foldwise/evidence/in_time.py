"""Values of models in order of time: rows are sorted by it, and those of one time are averaged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.categories import Categories
from foldwise.core.errors import InvalidInput
from foldwise.core.time_order import moments_in_time
from foldwise.core.types import Array, Labels

__all__ = ["InTime", "in_time", "period_words"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class InTime:
    """Values by period.

    Attributes
    ----------
    values
        Models × periods, the earliest first.
    times
        The time of each period, in words.
    averaged
        How many items were averaged, where several have one time; 0 where each has its own.
    """

    values: Array
    times: Labels
    averaged: int


def in_time(values: Array, time: ArrayLike | Categories) -> InTime:
    """Sort the values, of shape (models, items), by the time of each item, and average those of one time.

    Examples
    --------
    >>> found = in_time(np.array([[1.0, 2.0, 4.0]]), ["2024-02", "2024-01", "2024-02"])
    >>> found.values.tolist(), found.times.tolist(), found.averaged
    ([[2.0, 2.5]], ['2024-01', '2024-02'], 3)
    """
    column = time if isinstance(time, Categories) else Categories.of(map(str, _listed(time)))
    n = values.shape[1]
    if len(column) != n:
        raise InvalidInput(f"time must say when each item was ({n}), got {len(column)}")
    moments, first, index = np.unique(
        moments_in_time(column.labels)[column.codes], return_index=True, return_inverse=True
    )
    if len(moments) < 2:
        raise InvalidInput(f"time must have at least two different values, got {column[0]!r} on every row")
    counts = np.bincount(index)
    means = np.array([np.bincount(index, weights=row) / counts for row in values])
    times = np.array([column[int(row)] for row in first], dtype=object)
    return InTime(values=means, times=times, averaged=0 if len(moments) == n else n)


def period_words(periods: int, averaged: int) -> str:
    """The periods in words."""
    return f"{periods} periods in order of time" + (f" ({averaged} items, averaged by period)" if averaged else "")


def _listed(time: ArrayLike) -> list[object]:
    found = np.asarray(time)
    if found.ndim != 1:
        raise InvalidInput(f"time must have one value for each item, got an array of shape {found.shape}")
    return list(found.astype("datetime64[us]") if found.dtype.kind == "M" else found)
