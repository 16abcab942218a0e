"""Naive Bayes in a whole repeated cross-validation: training counts are totals minus the fold's counts.

A fold's estimates are exactly those of a fit on its training examples. Its predictions are decided by bounds of the
log probabilities wherever these leave one class only, and by the learner's own product otherwise.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foldwise.core.compile import ZERO, kernel, nested_kernel
from foldwise.core.table import Table
from foldwise.core.types import Array, Integers
from foldwise.learners.naive_bayes_kernels import normal_parameters, precision_of, steps, training_sums
from foldwise.learners.naive_bayes_plain import Levels
from foldwise.learners.naive_bayes_scores import Model, predict_fold


class _Totals(NamedTuple):
    """Statistics of all examples; per level of the attributes, or per attribute."""

    size: Integers  #: (levels,) examples with the level.
    by_class: Integers  #: (levels, classes), of nominal attributes only.
    k: Integers  #: (levels,) steps above the lowest level.
    base: Array
    sums: Integers  #: (attributes, classes, 3): see `training_sums`.
    priors: Integers  #: (classes,) examples of the class.
    model: Model  #: The estimates of numeric attributes from all examples.


def cross_predict(table: Table, codes: Integers, folds: Integers, n_classes: int) -> Integers:
    levels = Levels.of(table)
    logs = np.log(np.maximum(np.arange(len(table) + max(1, table.n_values.max()) + 2), 1.0))
    predicted = np.zeros(folds.shape, dtype=np.int64)
    _cross_predict(levels, codes, folds, int(folds.max()) + 1, n_classes, logs, predicted)
    return predicted


@kernel
def _cross_predict(
    levels: Levels, codes: Integers, folds: Integers, n_folds: int, n_classes: int, logs: Array, out: Integers
) -> None:
    totals = _count(levels, codes, n_classes)
    model = _empty_model(levels, n_classes)
    left = np.empty_like(totals.size)
    k = np.empty_like(totals.k)
    sums = np.empty((n_classes, 3), np.int64)
    for run in range(folds.shape[0]):
        order, begin = _by_fold(folds[run], n_folds)
        for f in range(n_folds):
            test = order[begin[f] : begin[f + 1]]
            if test.shape[0] > 0:
                _fit_fold(levels, codes, folds[run], f, test, totals, left, k, sums, model)
                predict_fold(levels, model, test, logs, out[run])


@nested_kernel
def _empty_model(levels: Levels, n_classes: int) -> Model:
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


@nested_kernel
def _count(levels: Levels, codes: Integers, n_classes: int) -> _Totals:
    p, n = levels.cells.shape
    size = np.zeros(levels.values.shape[0], np.int64)
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
                size[own][levels.cells[a, i]] += 1
                if not levels.numeric[a]:
                    by_class[own][levels.cells[a, i], codes[i]] += 1
        if levels.numeric[a]:
            model.precision[a], first = precision_of(levels.values[own], size[own])
            base[a] = steps(levels.values[own], size[own], model.precision[a], first, k[own])
            training_sums(levels.cells[a], k[own], codes, nobody, ZERO, sums[a])
            _round(levels.values[own], model.precision[a], model.rounded[own])
    priors = np.zeros(n_classes, np.int64)
    for i in range(n):
        priors[codes[i]] += 1
    return _Totals(size, by_class, k, base, sums, priors, model)


@nested_kernel
def _round(values: Array, precision: float, out: Array) -> None:
    for u in range(values.shape[0]):
        out[u] = np.rint(values[u] / precision) * precision


@nested_kernel
def _by_fold(fold_of: Integers, n_folds: int) -> tuple[Integers, Integers]:
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


@nested_kernel
def _fit_fold(
    levels: Levels,
    codes: Integers,
    fold_of: Integers,
    f: int,
    test: Integers,
    totals: _Totals,
    left: Integers,
    k: Integers,
    sums: Integers,
    model: Model,
) -> None:
    n_classes = model.prior.shape[0]
    size = codes.shape[0] - test.shape[0]
    for c in range(n_classes):  # in loops: the message of an assignment that does not fit takes seconds to compile
        sums[c, 0] = totals.priors[c]
    for t in range(test.shape[0]):
        sums[codes[test[t]], 0] -= 1
    for c in range(n_classes):
        model.prior[c] = (sums[c, 0] + 1.0) / (size + n_classes)
    for a in range(levels.cells.shape[0]):
        own = slice(levels.start[a], levels.start[a + 1])
        if levels.numeric[a]:
            _fit_numeric(levels, a, codes, fold_of, f, test, totals, left[own], k[own], sums, model)
        else:
            for u in range(levels.start[a], levels.start[a + 1]):
                for c in range(n_classes):
                    model.counts[u, c] = totals.by_class[u, c]
            for t in range(test.shape[0]):
                u = levels.cells[a, test[t]]
                if u >= 0:
                    model.counts[levels.start[a] + u, codes[test[t]]] -= 1
            for c in range(n_classes):
                model.known[a, c] = 0
                for u in range(levels.start[a], levels.start[a + 1]):
                    model.known[a, c] += model.counts[u, c]


@nested_kernel
def _fit_numeric(
    levels: Levels,
    a: int,
    codes: Integers,
    fold_of: Integers,
    f: int,
    test: Integers,
    totals: _Totals,
    left: Integers,
    k: Integers,
    sums: Integers,
    model: Model,
) -> None:
    own = slice(levels.start[a], levels.start[a + 1])
    values = levels.values[own]
    for u in range(values.shape[0]):
        left[u] = totals.size[levels.start[a] + u]
    for c in range(sums.shape[0]):
        for power in range(3):
            sums[c, power] = totals.sums[a, c, power]
    if _subtract(levels.cells[a], test, codes, totals.k[own], left, sums):
        model.precision[a] = totals.model.precision[a]
        for u in range(levels.start[a], levels.start[a + 1]):
            model.rounded[u] = totals.model.rounded[u]
        base = totals.base[a]
    else:
        model.precision[a], first = precision_of(values, left)
        base = steps(values, left, model.precision[a], first, k)
        training_sums(levels.cells[a], k, codes, fold_of, f, sums)
        _round(values, model.precision[a], model.rounded[own])
    normal_parameters(sums, base, model.precision[a], model.mean[a], model.deviation[a])


@nested_kernel
def _subtract(
    index: NDArray[np.int32], test: Integers, codes: Integers, k: Integers, left: Integers, sums: Integers
) -> bool:
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
