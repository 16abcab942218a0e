"""Naive Bayes in a whole repeated cross-validation: training counts are totals minus the fold's counts.

A fold's estimates are exactly those of a fit on its training examples. Its predictions are decided by bounds of the
log probabilities wherever these leave one class only, and by the learner's own product otherwise.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foldwise.core.table import Table
from foldwise.core.types import Array
from foldwise.learners.compile import kernel
from foldwise.learners.naive_bayes_scores import Model, predict_fold
from foldwise.learners.normal_estimates import normal_parameters, precision_of, steps, training_sums

__all__ = ["Levels", "cross_predict"]


class Levels(NamedTuple):
    """The columns of a table as indices into their distinct values."""

    cells: NDArray[np.int32]
    """(attributes, examples); −1 is missing."""
    start: NDArray[np.int64]
    """The levels of attribute a are values[start[a]:start[a + 1]]."""
    values: Array
    numeric: NDArray[np.bool_]

    @classmethod
    def of(cls, table: Table) -> Levels:
        """Index a table; a nominal attribute has its declared categories as levels."""
        cells = np.full(table.shape[::-1], -1, dtype=np.int32)
        levels: list[Array] = []
        for a, (column, width) in enumerate(zip(table.values.T, table.n_values, strict=True)):
            known = ~np.isnan(column)
            if width:
                levels.append(np.arange(width, dtype=np.float64))
                cells[a, known] = column[known]
            else:
                distinct, cells[a, known] = _distinct(column[known])
                levels.append(distinct)
        start = np.cumsum([0, *map(len, levels)]).astype(np.int64)
        return cls(cells, start, np.concatenate(levels), table.n_values == 0)


def _distinct(values: Array) -> tuple[Array, NDArray[np.intp]]:
    """The distinct values in ascending order, and each value's place among them."""
    if len(values) and np.ptp(values) < len(values) and (values == np.floor(values)).all():
        # whole numbers of a small range: no need to sort
        offsets = (values - values.min()).astype(np.int64)
        taken = np.bincount(offsets) > 0
        return np.flatnonzero(taken) + values.min(), (np.cumsum(taken) - 1)[offsets]
    return np.unique(values, return_inverse=True)


class _Totals(NamedTuple):
    """Statistics of all examples; per level of the attributes, or per attribute."""

    count: Any
    """(levels,) examples with the level."""
    by_class: Any
    """(levels, classes), of nominal attributes only."""
    k: Any
    """(levels,) steps above the lowest level."""
    base: Any
    sums: Any
    """(attributes, classes, 3): see `training_sums`."""
    priors: Any
    """(classes,) examples of the class."""
    model: Model
    """The estimates of numeric attributes from all examples."""


def cross_predict(
    table: Table, codes: NDArray[np.int64], folds: NDArray[np.int64], n_classes: int
) -> NDArray[np.int64]:
    """Predicted codes of shape (runs, examples); anything where the fold id is −1."""
    levels = Levels.of(table)
    logs = np.log(np.maximum(np.arange(len(table) + max(1, table.n_values.max()) + 2), 1.0))
    predicted = np.zeros(folds.shape, dtype=np.int64)
    _cross_predict(levels, codes, folds, int(folds.max()) + 1, n_classes, logs, predicted)
    return predicted


@kernel
def _cross_predict(levels: Any, codes: Any, folds: Any, n_folds: int, n_classes: int, logs: Any, out: Any) -> None:
    totals = _Totals(*_count(levels, codes, n_classes))
    model = _empty_model(levels, n_classes)
    left = np.empty_like(totals.count)
    k = np.empty_like(totals.k)
    sums = np.empty((n_classes, 3), np.int64)
    for run in range(folds.shape[0]):
        order, begin = _by_fold(folds[run], n_folds)
        for f in range(n_folds):
            test = order[begin[f] : begin[f + 1]]
            if test.shape[0] > 0:
                _fit_fold(levels, codes, folds[run], f, test, totals, left, k, sums, model)
                predict_fold(levels, model, test, logs, out[run])


@kernel
def _empty_model(levels: Any, n_classes: int) -> Any:
    p = levels.cells.shape[0]
    n_levels = levels.values.shape[0]
    return Model(
        np.empty(n_classes),
        np.empty(p),
        np.empty((p, n_classes)),
        np.empty((p, n_classes)),
        np.empty(n_levels),
        np.zeros((n_levels, n_classes), np.int64),
        np.zeros((p, n_classes), np.int64),
    )


@kernel
def _count(levels: Any, codes: Any, n_classes: int) -> Any:
    """The fields of `_Totals`."""
    p, n = levels.cells.shape
    count = np.zeros(levels.values.shape[0], np.int64)
    by_class = np.zeros((levels.values.shape[0], n_classes), np.int64)
    k = np.zeros(levels.values.shape[0], np.int64)
    base = np.zeros(p)
    sums = np.zeros((p, n_classes, 3), np.int64)
    model = _empty_model(levels, n_classes)
    nobody = np.full(n, -1, np.int64)
    for a in range(p):
        own = slice(levels.start[a], levels.start[a + 1])
        for i in range(n):
            if levels.cells[a, i] >= 0:
                count[own][levels.cells[a, i]] += 1
                if not levels.numeric[a]:
                    by_class[own][levels.cells[a, i], codes[i]] += 1
        if levels.numeric[a]:
            model.precision[a], first = precision_of(levels.values[own], count[own])
            base[a] = steps(levels.values[own], count[own], model.precision[a], first, k[own])
            training_sums(levels.cells[a], k[own], codes, nobody, 0, sums[a])
            _round(levels.values[own], model.precision[a], model.rounded[own])
    return count, by_class, k, base, sums, np.bincount(codes, minlength=n_classes), model


@kernel
def _round(values: Any, precision: float, out: Any) -> None:
    for u in range(values.shape[0]):
        out[u] = np.rint(values[u] / precision) * precision


@kernel
def _by_fold(fold_of: Any, n_folds: int) -> Any:
    """The tested examples by fold: those of fold f are order[begin[f]:begin[f + 1]]."""
    begin = np.zeros(n_folds + 1, np.int64)
    for i in range(fold_of.shape[0]):
        if fold_of[i] >= 0:
            begin[fold_of[i] + 1] += 1
    for f in range(n_folds):
        begin[f + 1] += begin[f]
    order = np.empty(begin[n_folds], np.int64)
    used = np.zeros(n_folds, np.int64)
    for i in range(fold_of.shape[0]):
        f = fold_of[i]
        if f >= 0:
            order[begin[f] + used[f]] = i
            used[f] += 1
    return order, begin


@kernel
def _fit_fold(
    levels: Any, codes: Any, fold_of: Any, f: int, test: Any, totals: Any, left: Any, k: Any, sums: Any, model: Any
) -> None:
    """Estimate from the examples outside the fold."""
    n_classes = model.prior.shape[0]
    size = codes.shape[0] - test.shape[0]
    sums[:, 0] = totals.priors
    for t in range(test.shape[0]):
        sums[codes[test[t]], 0] -= 1
    for c in range(n_classes):
        model.prior[c] = (sums[c, 0] + 1.0) / (size + n_classes)
    for a in range(levels.cells.shape[0]):
        own = slice(levels.start[a], levels.start[a + 1])
        if levels.numeric[a]:
            _fit_numeric(levels, a, codes, fold_of, f, test, totals, left[own], k[own], sums, model)
        else:
            model.counts[own] = totals.by_class[own]
            for t in range(test.shape[0]):
                u = levels.cells[a, test[t]]
                if u >= 0:
                    model.counts[levels.start[a] + u, codes[test[t]]] -= 1
            model.known[a] = 0
            for u in range(levels.start[a], levels.start[a + 1]):
                for c in range(n_classes):
                    model.known[a, c] += model.counts[u, c]


@kernel
def _fit_numeric(
    levels: Any,
    a: int,
    codes: Any,
    fold_of: Any,
    f: int,
    test: Any,
    totals: Any,
    left: Any,
    k: Any,
    sums: Any,
    model: Any,
) -> None:
    own = slice(levels.start[a], levels.start[a + 1])
    values = levels.values[own]
    left[:] = totals.count[own]
    sums[:] = totals.sums[a]
    if _subtract(levels.cells[a], test, codes, totals.k[own], left, sums):
        model.precision[a] = totals.model.precision[a]
        model.rounded[own] = totals.model.rounded[own]
        base = totals.base[a]
    else:
        model.precision[a], first = precision_of(values, left)
        base = steps(values, left, model.precision[a], first, k)
        training_sums(levels.cells[a], k, codes, fold_of, f, sums)
        _round(values, model.precision[a], model.rounded[own])
    normal_parameters(sums, base, model.precision[a], model.mean[a], model.deviation[a])


@kernel
def _subtract(index: Any, test: Any, codes: Any, k: Any, left: Any, sums: Any) -> bool:
    """Take the test examples out of the totals; False if a level vanishes, for then the precision changes."""
    same = True
    for t in range(test.shape[0]):
        i = test[t]
        if index[i] >= 0:
            step = k[index[i]]
            left[index[i]] -= 1
            same &= left[index[i]] > 0
            own = sums[codes[i]]
            own[0] -= 1
            own[1] -= step
            own[2] -= step * step
    return same
