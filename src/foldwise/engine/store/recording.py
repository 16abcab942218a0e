"""The rows of one transaction: checked, written with their checksums, and tallied."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict

from foldwise.engine.store.checksums import fit_sum, output_sum, score_sum, with_tail
from foldwise.engine.store.codec import pack
from foldwise.engine.store.contract import Record
from foldwise.engine.store.reading import Reader

__all__ = ["Recording"]

FIT = "INSERT INTO fit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
OUTPUT = "INSERT INTO output VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
SCORE = "INSERT INTO score VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"


class Recording:
    """Writes rows under one scoring; `finish` tallies those that were new."""

    def __init__(self, connection: sqlite3.Connection, reader: Reader, scoring: int) -> None:
        self._execute, self._reader, self._scoring = connection.execute, reader, scoring
        self._bounds = reader.bounds(scoring)
        self._fits: Counter[int] = Counter()
        self._scores: defaultdict[int, list[float]] = defaultdict(list)

    def add(self, record: Record, *, made: int, origin: int) -> None:
        """Write a row, unless it is there already."""
        series, split, known = record.series, record.split, self._reader.known(record.series)
        self._reader.check_score(record.score, self._bounds, series, split)
        row = (split, record.n_train, record.n_test, record.seconds, made, origin)
        checksum = fit_sum(known.checksum, row)
        outcomes = with_tail(pack(record.outcomes, known.classes), checksum)
        self._fits[series] += self._execute(FIT, (series, *row, checksum, outcomes)).rowcount
        if record.outputs is not None and self._reader.with_outputs:
            of_outputs = output_sum(known.checksum, split, record.outputs)
            self._execute(OUTPUT, (series, split, of_outputs, record.outputs))
        if record.score is None:
            values: tuple[float | None, ...] = (None, None, 0)  # which SQLite refuses
        else:
            score = float(record.score)
            values = (score, -score, score_sum(known.checksum, self._scoring, split, score))
        if self._execute(SCORE, (series, self._scoring, split, *values)).rowcount:
            self._scores[series].append(score)

    def finish(self) -> None:
        """Tally the rows that were not there already."""
        tallies = self._reader.tallies
        if tallies is None:
            return
        for series, count in self._fits.items():
            tallies.add_fits(series, self._reader.known(series).checksum, count)
        for series, scores in self._scores.items():
            tallies.add(series, self._reader.known(series).checksum, self._scoring, scores)
