"""Nearest neighbours in a whole repeated cross-validation, from one distance computation per data set.

Ranges change from fold to fold, but only ever shrink, so that distances grow: the distances under the ranges of all
examples bound every fold's distances from below. Each example's candidates are therefore listed once, nearest bound
first, and a fold's search computes true distances down the list until the bound exceeds what it has found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foldwise.core.table import Table
from foldwise.core.types import Array
from foldwise.learners.compile import kernel
from foldwise.learners.distances import difference, normalise, widen_range
from foldwise.learners.neighbour_lists import list_candidates

__all__ = ["cross_predict"]

# Candidates per example beyond k; a search that comes to the end of its list goes through all examples instead.
_SPARE = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class _Examples:
    """The rows of a table, raw and normalised by the ranges of all of them."""

    raw: Array
    scaled: Array
    numeric: NDArray[np.bool_]
    low: Array
    high: Array

    @classmethod
    def of(cls, table: Table) -> _Examples:
        raw = np.ascontiguousarray(table.values)
        numeric = table.n_values == 0
        low = np.where(np.isnan(raw), np.inf, raw).min(axis=0)
        high = np.where(np.isnan(raw), -np.inf, raw).max(axis=0)
        scaled = _scale(raw, numeric, low, high)
        return cls(raw=raw, scaled=scaled, numeric=numeric, low=low, high=high)


def cross_predict(
    table: Table,
    codes: NDArray[np.int64],
    folds: NDArray[np.int64],
    n_classes: int,
    *,
    k: int,
    weights: Array,
    widen: bool,
) -> NDArray[np.int64]:
    """Predicted codes of shape (runs, examples); anything where the fold id is −1."""
    examples = _Examples.of(table)
    n_folds = int(folds.max()) + 1
    ranges = np.empty((len(folds), n_folds, 2, table.shape[1]))
    for run, fold_of in enumerate(folds):
        _training_ranges(examples.raw, fold_of, ranges[run])
    bounding = weights.copy()
    if not widen:  # an attribute whose range is empty in some fold adds nothing there
        bounding[(ranges[:, :, 0] >= ranges[:, :, 1]).any(axis=(0, 1)) & examples.numeric] = 0.0
    candidates, bounds, start = list_candidates(examples.scaled, examples.numeric, bounding, k + _SPARE)
    predicted = np.zeros(folds.shape, dtype=np.int64)
    for run, fold_of in enumerate(folds):
        _run(
            examples.raw, examples.scaled, examples.numeric, examples.low, examples.high, weights, codes, fold_of,
            ranges[run], candidates, bounds, start, k, n_classes, widen, predicted[run],
        )  # fmt: skip
    return predicted


@kernel
def _scale(raw: Any, numeric: Any, low: Any, high: Any) -> Any:
    scaled = raw.copy()
    for a in range(raw.shape[1]):
        if numeric[a]:
            for i in range(raw.shape[0]):
                scaled[i, a] = normalise(raw[i, a], low[a], high[a])
    return scaled


@kernel
def _training_ranges(raw: Any, fold_of: Any, ranges: Any) -> None:
    """Per fold the least and largest training value of each attribute: ranges is (folds, 2, attributes).

    The extremes outside a fold are the best of the other folds' extremes: the best one overall, or the second best
    where that is the fold's own.
    """
    n_folds, _, p = ranges.shape
    for a in range(p):
        own = np.full((n_folds + 1, 2), np.inf)  # the last row: examples that are never tested
        for i in range(raw.shape[0]):
            f = fold_of[i] if fold_of[i] >= 0 else n_folds
            own[f, 0] = min(own[f, 0], raw[i, a]) if not np.isnan(raw[i, a]) else own[f, 0]
            own[f, 1] = min(own[f, 1], -raw[i, a]) if not np.isnan(raw[i, a]) else own[f, 1]
        for side in range(2):
            best = np.argmin(own[:, side])
            second = np.inf
            for f in range(n_folds + 1):
                if f != best:
                    second = min(second, own[f, side])
            for f in range(n_folds):
                ranges[f, side, a] = second if f == best else own[best, side]
        for f in range(n_folds):
            ranges[f, 1, a] = -ranges[f, 1, a]


@kernel
def _run(
    raw: Any, scaled: Any, numeric: Any, whole_low: Any, whole_high: Any, weights: Any, codes: Any, fold_of: Any,
    ranges: Any, candidates: Any, bounds: Any, start: Any, k: int, n_classes: int, widen: bool, out: Any,
) -> None:  # fmt: skip
    n, p = raw.shape
    same = np.empty(ranges.shape[0] * p, np.bool_).reshape(ranges.shape[0], p)
    for f in range(ranges.shape[0]):
        for a in range(p):
            same[f, a] = not numeric[a] or _equal(ranges[f], a, whole_low, whole_high)
    row = np.empty(p)
    distance = np.empty(n)
    voter = np.empty(n, np.int64)
    votes = np.empty(n_classes, np.int64)
    for i in range(n):
        f = fold_of[i]
        if f < 0:
            continue
        low, high = ranges[f]
        for a in range(p):
            if widen and numeric[a] and widen_range(raw[i, a], a, low, high):
                same[f, a] = _equal(ranges[f], a, whole_low, whole_high)
            row[a] = scaled[i, a] if same[f, a] else normalise(raw[i, a], low[a], high[a])
        found, complete = _search(
            row, raw, scaled, numeric, same[f], low, high, weights, fold_of, f,
            candidates[start[i] : start[i + 1]], bounds[start[i] : start[i + 1]], k, distance, voter,
        )  # fmt: skip
        if not complete:
            found = _search_all(row, raw, scaled, numeric, same[f], low, high, weights, fold_of, f, distance, voter)
        out[i] = _winner(distance[:found], voter[:found], codes, k, votes)


@kernel
def _equal(ranges: Any, a: int, low: Any, high: Any) -> bool:
    return bool(ranges[0, a] == low[a] and ranges[1, a] == high[a])


@kernel
def _distance(
    row: Any, j: int, raw: Any, scaled: Any, numeric: Any, same: Any, low: Any, high: Any, weights: Any
) -> float:
    total = 0.0
    for a in range(row.shape[0]):
        z = scaled[j, a] if same[a] else normalise(raw[j, a], low[a], high[a])
        d = difference(row[a], z, numeric[a])
        total += weights[a] * (d * d)
    return total


@kernel
def _search(
    row: Any, raw: Any, scaled: Any, numeric: Any, same: Any, low: Any, high: Any, weights: Any, fold_of: Any,
    fold: int, candidates: Any, bounds: Any, k: int, distance: Any, voter: Any,
) -> Any:  # fmt: skip
    """Distances of candidates until none further down can be as near as the k-th; (how many, whether that came)."""
    found = 0
    nearest = np.full(k, np.inf)
    for t in range(candidates.shape[0]):
        if bounds[t] > nearest[k - 1]:
            return found, True
        j = candidates[t]
        if fold_of[j] != fold:
            d = _distance(row, j, raw, scaled, numeric, same, low, high, weights)
            distance[found] = d
            voter[found] = j
            found += 1
            _insert(d, nearest)
    return found, False


@kernel
def _search_all(
    row: Any, raw: Any, scaled: Any, numeric: Any, same: Any, low: Any, high: Any, weights: Any, fold_of: Any,
    fold: int, distance: Any, voter: Any,
) -> int:  # fmt: skip
    found = 0
    for j in range(raw.shape[0]):
        if fold_of[j] != fold:
            distance[found] = _distance(row, j, raw, scaled, numeric, same, low, high, weights)
            voter[found] = j
            found += 1
    return found


@kernel
def _insert(d: float, nearest: Any) -> None:
    """Keep the smallest distances in ascending order."""
    t = nearest.shape[0] - 1
    if d < nearest[t]:
        while t > 0 and nearest[t - 1] > d:
            nearest[t] = nearest[t - 1]
            t -= 1
        nearest[t] = d


@kernel
def _winner(distance: Any, voter: Any, codes: Any, k: int, votes: Any) -> int:
    """The class with most votes among all that are at most as far as the k-th; the first of equals."""
    nearest = np.full(min(k, distance.shape[0]), np.inf)
    for t in range(distance.shape[0]):
        _insert(distance[t], nearest)
    limit = nearest[nearest.shape[0] - 1]
    votes[:] = 0
    for t in range(distance.shape[0]):
        if distance[t] <= limit:
            votes[codes[voter[t]]] += 1
    return int(np.argmax(votes))
