"""Kernels of nearest neighbours: a whole repeated cross-validation from one computation of distances."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from foldwise.core.compile import ZERO, bare_kernel, inner_kernel, kernel
from foldwise.core.table import Table
from foldwise.core.types import Array, Flags, Integers
from foldwise.learners.nearest_neighbours import normalised
from foldwise.learners.neighbour_lists import Candidates, list_candidates


@kernel
def normalise(value: float, low: float, high: float) -> float:
    """The place of `value` in a range, 0…1 inside it; 0 if the range has no width; NaN stays NaN."""
    if np.isnan(value):
        return value
    return (value - low) / (high - low) if high > low else 0.0


@kernel
def difference(x: float, z: float, numeric: bool) -> float:
    """The difference of two normalised or nominal values, either of which may be missing (NaN)."""
    if not numeric:
        return 0.0 if x == z else 1.0
    if np.isnan(x):
        return 1.0 if np.isnan(z) else max(z, 1.0 - z)
    return max(x, 1.0 - x) if np.isnan(z) else x - z


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


class _Ranges(NamedTuple):
    """The training ranges of the folds of all runs, or of one, which may be widened as test examples come along."""

    low: Array  #: (runs, folds, attributes)
    high: Array
    same: Flags  #: Whether the range is that of all examples, or the attribute is nominal.


class _Scratch(NamedTuple):
    distance: Array
    voter: Integers
    nearest: Array
    votes: Integers


def vote(
    examples: Array, tests: Array, numeric: Flags, weights: Array, codes: Integers, k: int, widen: bool, votes: Integers
) -> None:
    """Count the votes of each test row's neighbours among `examples`, which are (attributes, examples).

    The test rows are one fold; where they are few, no candidates are listed, and each search goes through all examples.
    """
    n, m = examples.shape[1], len(tests)
    of_all, fold = np.append(codes, np.zeros(m, np.int64)), np.repeat([-1, 0], [n, m])[None]
    prepared = _prepare(np.concatenate([examples.T, tests]), numeric, of_all, weights)
    ranges, nobody = _training_ranges(prepared, fold), np.array([-1], np.int32)
    many = 2 * m >= n
    lists = _listed(prepared, ranges, k, widen) if many else (nobody, np.zeros(1), np.zeros(n + m + 1, np.int64))
    found, winner = np.zeros((n + m, votes.shape[1]), np.int64), np.empty((1, n + m), np.int64)
    _predict_runs(prepared, ranges, lists, fold, k, widen, found, winner)
    votes[:] = found[n:]


def cross_predict(
    table: Table, codes: Integers, folds: Integers, n_classes: int, *, k: int, weights: Array, widen: bool,
) -> Integers:  # fmt: skip
    k = min(k, len(table))  # as good as any larger one
    examples = _prepare(table.values, table.n_values == 0, codes, weights)
    ranges = _training_ranges(examples, folds)
    lists = _listed(examples, ranges, k, widen)
    predicted = np.zeros(folds.shape, dtype=np.int64)
    _predict_runs(examples, ranges, lists, folds, k, widen, np.empty((0, n_classes), np.int64), predicted)
    return predicted


def cross_nearest(table: Table, folds: Integers, orders: Integers, *, widen: bool) -> Integers:
    """The nearest example of other folds, the first of equals in the run's order: rows of shape (runs, examples).

    Every example is a class of its own, named by its place in the order, so that the first class with a vote is it.
    """
    n = len(table)
    examples = _prepare(table.values, table.n_values == 0, orders[0], np.ones(table.shape[1]))
    uncounted, out = np.empty((0, n), np.int64), np.zeros(folds.shape, dtype=np.int64)
    whole = _training_ranges(examples, folds)
    lists = _listed(examples, whole, 1, widen)
    for run, order in enumerate(orders):
        own, part = examples._replace(codes=np.argsort(order)), slice(run, run + 1)
        ranges = _Ranges(whole.low[part], whole.high[part], whole.same[part])
        _predict_runs(own, ranges, lists, folds[part], 1, widen, uncounted, out[part])
        out[run] = order[out[run]]
    return out


def _listed(examples: _Examples, ranges: _Ranges, k: int, widen: bool) -> Candidates:
    # where ranges stay as they are, an attribute whose range is empty in some fold adds nothing there
    empty = (ranges.low >= ranges.high).any(axis=(0, 1)) & examples.numeric & (not widen)
    return list_candidates(examples.scaled, examples.numeric, np.where(empty, 0.0, examples.weights), k + _SPARE)


def _prepare(values: Array, numeric: Flags, codes: Integers, weights: Array) -> _Examples:
    raw = np.ascontiguousarray(values)
    missing = np.isnan(raw)
    low = np.where(missing, np.inf, raw).min(axis=0)
    high = np.where(missing, -np.inf, raw).max(axis=0)
    scaled = raw.copy()
    for a in np.flatnonzero(numeric):
        scaled[:, a] = normalised(raw[:, a], low[a], high[a])
    return _Examples(raw, scaled, numeric, low, high, weights, codes)


def _training_ranges(examples: _Examples, folds: Integers) -> _Ranges:
    limits = _training_limits(examples, folds, int(folds.max()) + 1)
    low, high = limits[0], -limits[1]
    return _Ranges(low, high, ~examples.numeric | ((low == examples.low) & (high == examples.high)))


@kernel
def _training_limits(examples: _Examples, folds: Integers, n_folds: int) -> Array:
    """The least values and the largest with their signs turned outside each fold: (2, runs, folds, attributes)."""
    n, p = examples.raw.shape
    limits = np.full((2, folds.shape[0], n_folds, p), np.inf)
    for run in range(folds.shape[0]):
        for i in range(n):
            for f in range(n_folds):
                for a in range(p if f != folds[run, i] else 0):
                    value = examples.raw[i, a]
                    limits[0, run, f, a] = value if value < limits[0, run, f, a] else limits[0, run, f, a]
                    limits[1, run, f, a] = -value if -value < limits[1, run, f, a] else limits[1, run, f, a]
    return limits


@kernel
def _predict_runs(
    examples: _Examples, ranges: _Ranges, lists: Candidates, folds: Integers, k: int, widen: bool, votes: Integers,
    out: Integers,
) -> None:  # fmt: skip
    """Predict the tested examples; `votes` (examples, classes) gets those of a single run unless it has no rows."""
    n, scaled = examples.raw.shape[0], examples.scaled.copy()
    scratch = _Scratch(np.empty(n), np.empty(n, np.int64), np.empty(k), np.empty(votes.shape[1], np.int64))
    for run in range(folds.shape[0]):
        of_run = _Ranges(ranges.low[run], ranges.high[run], ranges.same[run])
        _predict_folds(examples, of_run, lists, folds[run], widen, scaled, scratch, votes, out[run])


@bare_kernel
def _predict_folds(
    examples: _Examples, ranges: _Ranges, lists: Candidates, fold_of: Integers, widen: bool, scaled: Array,
    scratch: _Scratch, votes: Integers, out: Integers,
) -> None:  # fmt: skip
    """Fold by fold, with all examples `scaled` by the fold's ranges: only few columns are not as in all folds."""
    for fold in range(ranges.low.shape[0]):
        for a in range(scaled.shape[1]):
            if not ranges.same[fold, a]:
                _scale_column(examples, ranges, fold, a, scaled)
        for i in range(scaled.shape[0]):
            if fold_of[i] == fold:
                if widen:
                    _widen(examples, ranges, fold, i, scaled)
                out[i] = _predict(examples, lists, fold_of, i, scaled, scratch)
                for c in range(votes.shape[1] if votes.shape[0] > 0 else 0):
                    votes[i, c] = scratch.votes[c]
        for a in range(scaled.shape[1]):
            if not ranges.same[fold, a]:
                for j in range(scaled.shape[0]):
                    scaled[j, a] = examples.scaled[j, a]


@inner_kernel
def _scale_column(examples: _Examples, ranges: _Ranges, fold: int, a: int, scaled: Array) -> None:
    for j in range(scaled.shape[0]):
        scaled[j, a] = normalise(examples.raw[j, a], ranges.low[fold, a], ranges.high[fold, a])


@inner_kernel
def _widen(examples: _Examples, ranges: _Ranges, fold: int, i: int, scaled: Array) -> None:
    for a in range(scaled.shape[1]):
        if not ranges.same[fold, a]:
            value, low, high = examples.raw[i, a], ranges.low[fold, a], ranges.high[fold, a]
            if value < low or value > high:
                ranges.low[fold, a], ranges.high[fold, a] = min(value, low), max(value, high)
                ranges.same[fold, a] = (
                    ranges.low[fold, a] == examples.low[a] and ranges.high[fold, a] == examples.high[a]
                )
                _scale_column(examples, ranges, fold, a, scaled)


@inner_kernel
def _predict(
    examples: _Examples, lists: Candidates, fold_of: Integers, i: int, scaled: Array, scratch: _Scratch
) -> int:
    """The class of example i by the examples of other folds."""
    # the list has the examples by a lower bound of their distance, alike for all folds: where the next bound is above
    # the k-th distance found so far, no other example can be nearer, and the search ends
    candidates, bounds, start = lists
    k = scratch.nearest.shape[0]
    scratch.nearest[:] = np.inf
    found, t = ZERO, start[i]
    while candidates[t] >= 0 and bounds[t] <= scratch.nearest[k - 1]:
        if fold_of[candidates[t]] != fold_of[i]:
            found = _note(examples, i, int(candidates[t]), found, scaled, scratch)
        t += 1
    if bounds[t] <= scratch.nearest[k - 1] and bounds[t] < np.inf:  # an example that is not listed may be as near
        scratch.nearest[:] = np.inf
        found = ZERO
        for j in range(scaled.shape[0]):
            if fold_of[j] != fold_of[i]:
                found = _note(examples, i, j, found, scaled, scratch)
    return _winner(examples.codes, found, k, scratch)


@inner_kernel
def _note(examples: _Examples, i: int, j: int, found: int, scaled: Array, scratch: _Scratch) -> int:
    """Note the distance of a training example j; return how many are noted."""
    total = 0.0
    for a in range(scaled.shape[1]):
        d = difference(scaled[i, a], scaled[j, a], examples.numeric[a])
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


@inner_kernel
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
