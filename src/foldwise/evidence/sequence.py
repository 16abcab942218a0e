"""Items one after the other: in order of time, those of one time averaged, or as they come in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.categories import Categories
from foldwise.core.errors import InvalidInput
from foldwise.core.labels import labels
from foldwise.core.time_order import moments_in_time
from foldwise.core.types import Array, Integers, Labels


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class InTime:
    values: Array  #: Models × periods, the earliest first
    times: Labels  #: The time of each period, in words
    counts: Integers  #: How many items each period has
    averaged: int  #: How many items were averaged, where several have one time; 0 where each has its own


def in_time(values: Array, time: ArrayLike | Categories) -> InTime:
    """Sort the values, of shape (models, items), by the time of each item, and average those of one time.

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
    return InTime(values=means, times=times, counts=counts, averaged=0 if len(moments) == n else n)


def period_words(periods: int, averaged: int, *, together: bool = False) -> str:
    how = "together" if together else "averaged"
    return f"{periods} periods in order of time" + (f" ({averaged} items, {how} by period)" if averaged else "")


def _listed(time: ArrayLike) -> list[object]:
    found = np.asarray(time)
    if found.ndim != 1:
        raise InvalidInput(f"time must have one value for each item, got an array of shape {found.shape}")
    return list(found.astype("datetime64[us]") if found.dtype.kind == "M" else found)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stream:
    """Differences in the order in which they came.

    >>> found = Stream.of(np.array([0.0, 1.0, 1.0, 0.5]), np.array([0, 0, 1, 2]))
    >>> found.differences.tolist(), found.items.tolist(), found.waiting
    ([0.5, 1.0], [2, 3], 1)
    """

    differences: Array  #: One per observation: of the item, or the mean over the items of the cluster
    items: Integers  #: How many items there were up to and including each observation
    clusters: bool = False  #: Whether observations are clusters
    #: Items that do not count yet, because more may come of their cluster, or more trials of themselves
    waiting: int = 0

    @classmethod
    def of(
        cls, differences: Array, groups: Integers | None = None, *, trials: bool = False, complete: bool = False
    ) -> Stream:
        """From the differences of items and, where they come in clusters, the cluster of each.

        Items of one cluster must follow each other; with `trials` each row is a trial of an item. The last cluster (or
        item) counts if it is `complete`; otherwise as soon as another one has begun.
        """
        if groups is None:
            waiting = int(trials and not complete)
            n = len(differences) - waiting
            return cls(differences=differences[:n], items=np.arange(1, n + 1), waiting=waiting)
        check_contiguous(groups, "groups")
        ends = np.append(np.flatnonzero(np.diff(groups)) + 1, len(groups))
        starts = np.append(0, ends[:-1])
        means = np.add.reduceat(differences, starts) / (ends - starts)
        if complete:
            return cls(differences=means, items=ends, clusters=True)
        waiting = int(ends[-1] - starts[-1])
        return cls(differences=means[:-1], items=ends[:-1], clusters=True, waiting=waiting)

    @property
    def sizes(self) -> Integers:
        return np.diff(self.items, prepend=0)

    @property
    def counted(self) -> int:
        return int(self.items[-1]) if self.n else 0

    @property
    def n(self) -> int:
        return len(self.differences)


def check_contiguous(names: ArrayLike, parameter: str) -> None:
    """Refuse names that come again after others: what was complete must stay so.

    >>> check_contiguous(["p", "p", "q"], "items")
    """
    index = np.unique(labels(names, parameter), return_inverse=True)[1]
    starts = np.append(0, np.flatnonzero(np.diff(index)) + 1)
    first = np.unique(index[starts], return_index=True)[1]
    if len(first) < len(starts):
        again = int(starts[np.setdiff1d(np.arange(len(starts)), first)[0]])
        raise InvalidInput(
            f"{parameter} must keep together what belongs together, so that it is complete before the next comes, but "
            f"row {again + 1} goes back to an earlier one"
        )
