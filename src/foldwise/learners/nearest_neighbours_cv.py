"""Nearest neighbours in a whole repeated cross-validation, from one distance computation per data set.

Ranges change from fold to fold, but only ever shrink, so that distances grow: the distances under the ranges of all
examples bound every fold's distances from below. Each example's candidates are therefore listed once, nearest bound
first, and a fold's search computes true distances down the list until the bound exceeds what it has found.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from foldwise.core.table import Table
from foldwise.core.types import Array, Flags, Integers
from foldwise.learners.compile import ZERO, kernel, nested_kernel
from foldwise.learners.distances import difference, normalise
from foldwise.learners.neighbour_lists import Candidates, list_candidates

__all__ = ["cross_predict"]

# Candidates per example beyond k; a search that comes to the end of its list goes through all examples instead.
_SPARE = 8


class _Examples(NamedTuple):
    """The rows of a table, raw and normalised by the ranges of all of them."""

    raw: Array
    scaled: Array
    numeric: Flags
    low: Array
    high: Array
    weights: Array
    codes: Integers
    plain: bool
    """Whether all attributes are numeric without missing values."""


class _Ranges(NamedTuple):
    """The training ranges of the folds of one run, which may be widened as test examples come along."""

    low: Array
    """(folds, attributes)"""
    high: Array
    same: Flags
    """(folds, attributes): whether the range is that of all examples, or the attribute is nominal."""
    differ: Integers
    """(folds,): for how many attributes it is not."""


class _Scratch(NamedTuple):
    """Room for one search."""

    row: Array
    distance: Array
    voter: Integers
    nearest: Array
    votes: Integers


def cross_predict(
    table: Table,
    codes: Integers,
    folds: Integers,
    n_classes: int,
    *,
    k: int,
    weights: Array,
    widen: bool,
) -> Integers:
    """Predicted codes of shape (runs, examples); anything where the fold id is −1."""
    k = min(k, len(table))  # as good as any larger one
    examples = _prepare(table, codes, weights)
    ranges = [_training_ranges(examples, fold_of, int(folds.max()) + 1) for fold_of in folds]
    bounding = weights.copy()
    if not widen:  # an attribute whose range is empty in some fold adds nothing there
        empty = np.any([(r.low >= r.high).any(axis=0) for r in ranges], axis=0)
        bounding[empty & examples.numeric] = 0.0
    lists = list_candidates(examples.scaled, examples.numeric, bounding, k + _SPARE)
    predicted = np.zeros(folds.shape, dtype=np.int64)
    for run, fold_of in enumerate(folds):
        _run(examples, _Ranges(*ranges[run]), lists, fold_of, k, n_classes, widen, predicted[run])
    return predicted


def _prepare(table: Table, codes: Integers, weights: Array) -> _Examples:
    raw = np.ascontiguousarray(table.values)
    missing = np.isnan(raw)
    numeric = table.n_values == 0
    low = np.where(missing, np.inf, raw).min(axis=0)
    high = np.where(missing, -np.inf, raw).max(axis=0)
    plain = bool(numeric.all() and not missing.any())
    return _Examples(raw, _scale(raw, numeric, low, high), numeric, low, high, weights, codes, plain)


@kernel
def _scale(raw: Array, numeric: Flags, low: Array, high: Array) -> Array:
    scaled = raw.copy()
    for a in range(raw.shape[1]):
        if numeric[a]:
            for i in range(raw.shape[0]):
                scaled[i, a] = normalise(raw[i, a], low[a], high[a])
    return scaled


def _training_ranges(examples: _Examples, fold_of: Integers, n_folds: int) -> _Ranges:
    """The ranges outside each fold."""
    limits = _training_limits(examples, fold_of, n_folds)
    low, high = limits[0], -limits[1]
    same = ~examples.numeric | ((low == examples.low) & (high == examples.high))
    return _Ranges(low, high, same, same.shape[1] - same.sum(axis=1))


@kernel
def _training_limits(examples: _Examples, fold_of: Integers, n_folds: int) -> Array:
    """The least values and the largest with their signs turned outside each fold: (2, folds, attributes).

    The extreme outside a fold is the best of the other folds' extremes: the best one overall, or the second best
    where that is the fold's own.
    """
    n, p = examples.raw.shape
    own = np.full((2, p, n_folds + 1), np.inf)  # the last fold: examples that are never tested
    for i in range(n):
        f = fold_of[i] if fold_of[i] >= 0 else n_folds
        for a in range(p):
            value = examples.raw[i, a]
            own[0, a, f] = value if value < own[0, a, f] else own[0, a, f]
            own[1, a, f] = -value if -value < own[1, a, f] else own[1, a, f]
    limits = np.empty((2, n_folds, p))
    for side in range(2):
        for a in range(p):
            best, second = 0, np.inf
            for f in range(1, n_folds + 1):
                best = f if own[side, a, f] < own[side, a, best] else best
            for f in range(n_folds + 1):
                second = min(second, own[side, a, f]) if f != best else second
            for f in range(n_folds):
                limits[side, f, a] = second if f == best else own[side, a, best]
    return limits


@kernel
def _run(
    examples: _Examples,
    ranges: _Ranges,
    lists: Candidates,
    fold_of: Integers,
    k: int,
    n_classes: int,
    widen: bool,
    out: Integers,
) -> None:
    n, p = examples.raw.shape
    scratch = _Scratch(np.empty(p), np.empty(n), np.empty(n, np.int64), np.empty(k), np.empty(n_classes, np.int64))
    candidates, bounds, start = lists
    for i in range(n):
        fold = fold_of[i]
        if fold < 0:
            continue
        if widen and ranges.differ[fold] > 0:
            _widen(examples, ranges, fold, i)
        for a in range(p):
            scratch.row[a] = examples.scaled[i, a] if ranges.same[fold, a] else _value(examples, ranges, fold, i, a)
        scratch.nearest[:] = np.inf
        found = ZERO
        t = start[i]
        while candidates[t] >= 0 and bounds[t] <= scratch.nearest[k - 1]:
            found = _visit(examples, ranges, fold_of, fold, int(candidates[t]), found, scratch)
            t += 1
        if bounds[t] <= scratch.nearest[k - 1] and bounds[t] < np.inf:  # an example that is not listed may be as near
            scratch.nearest[:] = np.inf
            found = ZERO
            for j in range(n):
                found = _visit(examples, ranges, fold_of, fold, j, found, scratch)
        out[i] = _winner(examples.codes, found, k, scratch)


@nested_kernel
def _widen(examples: _Examples, ranges: _Ranges, fold: int, i: int) -> None:
    """Extend the fold's ranges to example i."""
    for a in range(examples.raw.shape[1]):
        if not ranges.same[fold, a]:
            value = examples.raw[i, a]
            if value < ranges.low[fold, a]:
                ranges.low[fold, a] = value
            if value > ranges.high[fold, a]:
                ranges.high[fold, a] = value
            if ranges.low[fold, a] == examples.low[a] and ranges.high[fold, a] == examples.high[a]:
                ranges.same[fold, a] = True
                ranges.differ[fold] -= 1


@nested_kernel
def _value(examples: _Examples, ranges: _Ranges, fold: int, i: int, a: int) -> float:
    return normalise(examples.raw[i, a], ranges.low[fold, a], ranges.high[fold, a])


@nested_kernel
def _visit(
    examples: _Examples, ranges: _Ranges, fold_of: Integers, fold: int, j: int, found: int, scratch: _Scratch
) -> int:
    """If example j is a training example, note its distance; return how many are noted."""
    if fold_of[j] == fold:
        return found
    total = 0.0
    if examples.plain and ranges.differ[fold] == 0:
        for a in range(scratch.row.shape[0]):
            d = scratch.row[a] - examples.scaled[j, a]
            total += examples.weights[a] * (d * d)
    else:
        for a in range(scratch.row.shape[0]):
            z = examples.scaled[j, a] if ranges.same[fold, a] else _value(examples, ranges, fold, j, a)
            d = difference(scratch.row[a], z, examples.numeric[a])
            total += examples.weights[a] * (d * d)
    scratch.distance[found] = total
    scratch.voter[found] = j
    t = scratch.nearest.shape[0] - 1
    if total < scratch.nearest[t]:
        while t > 0 and scratch.nearest[t - 1] > total:
            scratch.nearest[t] = scratch.nearest[t - 1]
            t -= 1
        scratch.nearest[t] = total
    return found + 1


@nested_kernel
def _winner(codes: Integers, found: int, k: int, scratch: _Scratch) -> int:
    """The class with most votes among all that are at most as far as the k-th; the first of equals."""
    limit = scratch.nearest[k - 1]  # infinity if there are fewer than k
    scratch.votes[:] = 0
    for t in range(found):
        if scratch.distance[t] <= limit:
            scratch.votes[codes[scratch.voter[t]]] += 1
    best = 0
    for c in range(1, scratch.votes.shape[0]):
        if scratch.votes[c] > scratch.votes[best]:
            best = c
    return best
