"""A store's rows as lines of CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import NamedTuple, TextIO

import numpy as np
from numpy.typing import NDArray

from foldwise.core.errors import UnknownName
from foldwise.core.moment import moment
from foldwise.engine.store.columns import Columns
from foldwise.engine.store.contract import Row, Series
from foldwise.engine.store.sqlite import Store

__all__ = ["COLUMNS", "LABELS", "NUMBERS", "Block", "blocks_of", "header", "origin_texts", "write_rows"]

LABELS = ("data", "learner", "class", "plan", "seed", "series", "scoring")
NUMBERS = ("run", "fold", "score", "n_train", "n_test", "seconds")
ORIGIN = ("made", "versions")
COLUMNS = LABELS + NUMBERS + ORIGIN
"""What is the same for a whole series comes first; at the end, when and by what a row was made."""


MOST_KEPT = 10_000
"""Scores whose digits are kept."""


class Block(NamedTuple):
    """One series under one scoring."""

    labels: Row
    folds: int
    parts: Iterator[Columns]


def header() -> str:
    """The names of the columns."""
    return ",".join(COLUMNS) + "\n"


def blocks_of(store: Store, series: Sequence[Series], scoring: str | None) -> Iterator[Block]:
    """The series under each scoring, or one."""
    known = store.scorings()
    if scoring is not None and scoring not in known:
        raise UnknownName("scoring", scoring, known)
    names = known if scoring is None else {scoring: known[scoring]}
    return (
        Block((s.data, s.learner, s.class_name, s.plan, s.seed, s.id, name), s.folds, store.columns(s.id, number))
        for s in series
        for name, numbers in names.items()
        for number in numbers
    )


def write_rows(store: Store, blocks: Iterator[Block], file: TextIO) -> int:
    """Write rows as lines, without the header; returns how many there were."""
    return _to_csv(blocks, origin_texts(store), file)


def origin_texts(store: Store) -> dict[int, str]:
    """The versions that computed rows, as one text, by the number rows name them by."""
    return {number: "; ".join(f"{n} {v}" for n, v in versions.items()) for number, versions in store.origins().items()}


class _Ends(dict[tuple[int, int], str]):
    """The end of a line, when and by what a row was made, by second and origin: many rows share one."""

    def __init__(self, origins: dict[int, str]) -> None:
        self._origins = origins

    def __missing__(self, key: tuple[int, int]) -> str:
        made, origin = key
        self[key] = end = _quoted((moment(made), self._origins[origin]))[:-1] + "\n"
        return end


class _Sizes(dict[tuple[int, int], str]):
    """Sizes of training and test set, which few splits of a data set differ in."""

    def __missing__(self, key: tuple[int, int]) -> str:
        self[key] = text = f"{key[0]},{key[1]}"
        return text


class _Digits(dict[float, str]):
    """The shortest decimals that a score is read back from: accuracies have few values, and finding them takes long."""

    def __missing__(self, value: float) -> str:
        text = repr(value)
        if value and len(self) < MOST_KEPT:  # 0.0 and −0.0 are one key
            self[value] = text
        return text


def _to_csv(blocks: Iterator[Block], origins: dict[int, str], file: TextIO) -> int:
    count, digits, sizes = 0, _Digits(), _Sizes()
    for labels, folds, parts in blocks:
        # the labels need quotes and the numbers do not: quoting once per series makes this three times as fast
        start, ends = _quoted(labels), _Ends(origins)
        for part in parts:
            runs, places = np.divmod(part.split, folds)
            columns = (column.tolist() for column in (runs, places, part.score, part.seconds))
            shared = _shared(sizes, part.n_train, part.n_test), _shared(ends, part.made, part.origin)
            lines = [
                f"{start}{run},{fold},{digits[score]},{size},{seconds!r},{end}"
                for run, fold, score, seconds, size, end in zip(*columns, *shared, strict=False)
            ]
            file.write("".join(lines))
            count += len(lines)
    return count


def _shared(texts: dict[tuple[int, int], str], *columns: NDArray[np.int64]) -> Iterator[str]:
    """The text that belongs to two numbers, for each row; without an end where all rows have the same."""
    if all((column == column[0]).all() for column in columns):
        first, second = (int(column[0]) for column in columns)
        return repeat(texts[first, second])
    return map(texts.__getitem__, zip(*(column.tolist() for column in columns), strict=True))


def _quoted(values: Sequence[object]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator=",").writerow(values)
    return text.getvalue()
