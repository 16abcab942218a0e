"""What the procedures on data sets × learners share: checked scores, ranks within data sets, paired differences."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Numbers
from foldwise.core.validation import numbers
from foldwise.evidence.score_table import ScoreTable

T = TypeVar("T")

NUMBERS = 200_000
"""Numbers that one part holds: with fewer, threads wait for the interpreter; with more, for the memory."""

FEW = 25  # Parts that are not worth a second thread.

MOST_THREADS = 2


def in_batches(work: Callable[[slice], T], count: int, *, width: int) -> Iterator[T]:
    """Do `work` on `count` rows of `width` numbers, part by part; results come in the order of the rows.

    Threads, not processes: NumPy lets go of the interpreter while it computes, and nothing has to be copied.
    """
    size = max(1, NUMBERS // max(1, width))
    parts = [slice(start, min(count, start + size)) for start in range(0, count, size)]
    threads = min(MOST_THREADS, os.cpu_count() or 1)
    if len(parts) < FEW or threads == 1:
        yield from map(work, parts)
        return
    with ThreadPoolExecutor(threads) as pool:
        yield from pool.map(work, parts)


# 2^-53 is 1.1e-16; a difference of two scores of size 1 carries a few of those, so 13 digits are real ones
_DIGITS = 13

NOISE = 2.0**-42
"""Scores closer than this, relative to the larger, are equal: means of the same numbers in another order are."""


def score_blocks(table: ScoreTable | ArrayLike, *, min_datasets: int = 2) -> Array:
    """Return scores of shape (..., data sets, learners) in which higher is better.

    A `ScoreTable` is turned where lower is better; of an array leading axes are separate tables.
    """
    if isinstance(table, ScoreTable):
        table.require_complete()
        scores = table.oriented
    else:
        scores = numbers(table, "table", min_ndim=2)
    datasets, learners = scores.shape[-2:]
    if learners < 2:
        raise InvalidInput(f"table must have at least two learners (columns), got {learners}")
    if datasets < min_datasets:
        raise InvalidInput(f"table must have at least {min_datasets} data sets (rows), got {datasets}")
    return scores


def paired_differences(a: ArrayLike, b: ArrayLike) -> Array:
    """Differences a − b of shape (..., n), free of the noise that subtraction of rounded decimals leaves."""
    first, second = numbers(a, "a", min_ndim=1), numbers(b, "b", min_ndim=1)
    if first.shape[-1] != second.shape[-1] or first.shape[-1] == 0:
        raise InvalidInput(
            f"a and b must hold one score for each of the same data sets, got {first.shape[-1]} and {second.shape[-1]}"
        )
    size = np.maximum(np.abs(first).max(axis=-1), np.abs(second).max(axis=-1))
    difference = first - second
    clean = without_rounding_noise(difference, size)
    near = (clean == 0) | (np.abs(difference) <= NOISE * size[..., None])
    if near.any():
        # what is small beside other data sets is no tie: losses may be 1e-3 on one data set and 1e12 on another
        x, y = (scores[near] for scores in np.broadcast_arrays(first, second))
        clean[near] = np.where(_same(x, y), 0.0, np.where(clean[near] == 0, difference[near], clean[near]))
    return clean


def _same(x: Array, y: Array) -> NDArray[np.bool_]:
    """Whether two scores of one data set are equal up to rounding noise: the one rule for all procedures."""
    return np.abs(x - y) <= NOISE * np.maximum(np.abs(x), np.abs(y))


def without_rounding_noise(x: Array, size: Numbers) -> Array:
    """Round `x` of shape (..., n) to 13 digits below the power of ten above `size`, so that equal decimals tie."""
    exponent = _DIGITS - np.ceil(np.log10(np.where(size > 0, size, 1.0)))[..., None]
    # dividing by an exact power of ten, not multiplying by its inverse, keeps decimals what they were
    if (exponent <= 300).all():
        unit = 10.0**exponent
        return np.asarray(np.round(x * unit) / unit)
    # of scores so small the power itself would overflow
    unit = 10.0 ** np.minimum(exponent, 300)
    rest = 10.0 ** (exponent - np.minimum(exponent, 300))
    return np.asarray(np.round(x * unit * rest) / rest / unit)


def rank_rows(x: Array, *, noise: Numbers = 0.0) -> Array:
    """Ranks along the last axis, smallest first; what is no further apart than `noise` shares its mean rank."""
    order = np.argsort(x, axis=-1)
    ordered = np.take_along_axis(x, order, axis=-1)
    return _shared_ranks(order, ordered[..., 1:] - ordered[..., :-1] > noise)


def _shared_ranks(order: NDArray[np.intp], differs: NDArray[np.bool_]) -> Array:
    """Ranks in this order, shared by those that do not differ from the one before."""
    n = order.shape[-1]
    first = np.ones(order.shape, dtype=bool)
    first[..., 1:] = differs
    starts = np.flatnonzero(first)
    sizes = np.diff(np.append(starts, order.size))
    of_group = starts % n + (sizes + 1) / 2
    ranks = np.empty(order.shape)
    np.put_along_axis(ranks, order, np.repeat(of_group, sizes).reshape(order.shape), axis=-1)
    return ranks


def rank_scores(scores: Array) -> Array:
    """Rank of each learner on each data set, 1 for the best, ties sharing their mean rank; NaN where there is no score.

    Scores are tied where `paired_differences` finds no difference: the rank tests and the pairwise tests agree.
    """
    order = np.argsort(-scores, axis=-1)
    ordered = np.take_along_axis(scores, order, axis=-1)
    # NaN sorts last and is the same as nothing
    ranks = _shared_ranks(order, ~_same(ordered[..., 1:], ordered[..., :-1]))
    return np.where(np.isnan(scores), np.nan, ranks)


def mean_ranks(scores: Array) -> Array:
    """Mean rank of each learner over the data sets; the best has rank 1."""
    return np.asarray(rank_scores(scores).mean(axis=-2))
