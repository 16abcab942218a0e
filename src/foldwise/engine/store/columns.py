"""Rows of a series by the thousand, as columns, all of them held against their checksums at once."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foldwise.core.types import Array
from foldwise.engine.store.checksums import recorded_score
from foldwise.engine.store.column_sums import column_sums
from foldwise.engine.store.contract import Row

__all__ = ["Columns", "checked_columns"]

AT_ONCE = 10_000
"""Rows that are looked at together: few enough to stay in the processor's cache, enough for its speed."""

KINDS = "qqqdqqdqq"
"""Types of the columns of `QUERY` in `struct`'s letters, which take nothing else: a flipped bit may change a type."""

QUERY = (
    "SELECT s.split, n_train, n_test, seconds, made, origin_id, value, f.checksum, s.checksum FROM score AS s "
    "LEFT JOIN fit AS f ON f.series_id = s.series_id AND f.split = s.split "
    "WHERE s.series_id = ? AND s.scoring_id = ? ORDER BY s.split"
)

Whole = NDArray[np.int64]


class Columns(NamedTuple):
    """Some rows of one series under one scoring, in the order of the splits."""

    split: Whole
    n_train: Whole
    n_test: Whole
    seconds: Array
    made: Whole
    origin: Whole
    score: Array

    def rows(self) -> Iterator[Row]:
        """The same row by row."""
        return zip(*(column.tolist() for column in self), strict=True)


def checked_columns(fetch: Callable[[], list[Row]], start: int, scoring: int) -> Iterator[Columns]:
    """Columns of the rows of `QUERY` that are fetched, under the series' checksum.

    Raises
    ------
    LookupError
        Where a row does not match its checksums; its argument is the row's split.
    """
    while rows := fetch():
        table = _numbers(rows)
        whole = table.view(np.int64)
        part = Columns(whole[0], whole[1], whole[2], table[3], whole[4], whole[5], table[6])
        if (wrong := np.flatnonzero(column_sums(start, part[:6]) != whole[7])).size:
            raise LookupError(part.split[wrong[0]])
        scored = (np.full_like(part.split, scoring), part.split, part.score)
        for place in np.flatnonzero(column_sums(start, scored) != whole[8]).tolist():
            split, kept, checksum = int(part.split[place]), float(part.score[place]), int(whole[8, place])
            found = recorded_score(start, scoring, split, kept, checksum)
            if found is None:
                raise LookupError(split)
            part.score[place] = found
        yield part


def _numbers(rows: list[Row]) -> Array:
    """The rows' numbers by columns, bit for bit; a place for each of eight bytes."""
    try:
        packed = struct.pack("=" + KINDS * len(rows), *chain.from_iterable(rows))
    except (struct.error, TypeError, OverflowError):
        raise LookupError(next(row[0] for row in rows if not _packs(row))) from None
    return np.array(np.frombuffer(packed, dtype=np.float64).reshape(len(rows), len(KINDS)).T, order="C")


def _packs(row: Row) -> bool:
    try:
        struct.pack("=" + KINDS, *row)
    except (struct.error, TypeError, OverflowError):
        return False
    return True
