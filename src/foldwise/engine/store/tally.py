"""How many rows a series has under each scoring, and their sum: kept with the rows, so that nobody has to count them.

A tally changes in the transaction that records its rows, or not at all.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from foldwise.core.errors import StoreError
from foldwise.engine.store.schema import text_sum

FITS = 0  # Stands for a scoring where fits are counted, whatever scores they have.


@dataclass(frozen=True, slots=True)
class Tally:
    """Rows of a series under a scoring."""

    count: int = 0  #: How many
    #: The exact sum of their scores, a whole number over a power of two, so that the order of rows does not matter
    total: str = "0/1"
    #: least, most: The smallest and the largest score; None where there is none
    least: float | None = None
    most: float | None = None

    @property
    def mean(self) -> float:
        if "/" not in self.total:
            return float(self.total) / self.count
        numerator, denominator = map(int, self.total.split("/"))
        return numerator / (denominator * self.count)

    def grown(self, scores: Sequence[float]) -> Tally:
        """With so many scores more.

        Examples
        --------
        >>> Tally().grown([0.1]).grown([0.2, 0.3]).mean, Tally().grown([0.3, 0.2, 0.1]).mean
        (0.2, 0.2)
        """
        values = [value + 0.0 for value in scores]  # SQLite knows no −0.0
        known = [value for value in (self.least, self.most) if value is not None]
        total = _sum(self.total, values)
        return Tally(self.count + len(values), total, min(known + values), max(known + values))

    def checksum(self, series: int, scoring: int) -> int:
        return text_sum(series, scoring, self.count, self.total, self.least, self.most)


def _sum(total: str, values: Sequence[float]) -> str:
    if "/" not in total or not all(map(math.isfinite, values)):
        return repr(sum(values, 0.0 if "/" in total else float(total)))
    numerator, denominator = map(int, total.split("/"))
    parts = [(numerator, denominator), *(value.as_integer_ratio() for value in values)]
    common = max(below for _, below in parts)
    return f"{sum(above * (common // below) for above, below in parts)}/{common}"


class Tallies:
    def __init__(self, connection: sqlite3.Connection, damaged: Callable[[str], StoreError]) -> None:
        self._connection, self._damaged = connection, damaged

    def add(self, series: int, checksum: int, scoring: int, scores: Sequence[float]) -> None:
        """Count rows that a transaction has just recorded; `checksum` is that of the series."""
        if scores:
            self._keep(series, checksum, scoring, self._find(series, checksum, scoring).grown(scores))

    def add_fits(self, series: int, checksum: int, count: int) -> None:
        if count:
            self._keep(series, checksum, FITS, Tally(self._find(series, checksum, FITS).count + count))

    def amount(self) -> int:
        return int(self._connection.execute("SELECT coalesce(sum(count), 0) FROM tally").fetchone()[0])

    def all(self) -> Iterator[tuple[int, int, Tally, int]]:
        """(series, scoring, tally, checksum) of each; the checksum is for `confirm`."""
        for series, scoring, *values, checksum in self._connection.execute("SELECT * FROM tally"):
            yield series, scoring, Tally(*values), checksum

    def confirm(self, series: int, of_series: int, scoring: int, tally: Tally, checksum: int) -> None:
        """Refuse a tally that its checksum is not of."""
        if tally.checksum(of_series, scoring) != checksum:
            raise self._damaged(f"the count of series {series} does not match its checksum")

    def _find(self, series: int, of_series: int, scoring: int) -> Tally:
        query = "SELECT count, total, least, most, checksum FROM tally WHERE series_id = ? AND scoring_id = ?"
        row = self._connection.execute(query, (series, scoring)).fetchone()
        if row is None:
            return Tally()
        tally = Tally(*row[:-1])
        self.confirm(series, of_series, scoring, tally, row[-1])
        return tally

    def _keep(self, series: int, of_series: int, scoring: int, tally: Tally) -> None:
        row = (series, scoring, tally.count, tally.total, tally.least, tally.most, tally.checksum(of_series, scoring))
        self._connection.execute("INSERT OR REPLACE INTO tally VALUES (?, ?, ?, ?, ?, ?, ?)", row)
