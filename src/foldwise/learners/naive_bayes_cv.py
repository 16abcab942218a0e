"""Naive Bayes in a whole repeated cross-validation.

A fold's estimates are exactly those of a fit on its training examples, and its predictions come from the learner's own
product. The probabilities of a value are computed for the first example of the fold that has it, and then looked up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foldwise.core.compile import kernel, nested_kernel
from foldwise.core.table import Table
from foldwise.core.types import Array, Integers
from foldwise.learners.naive_bayes_kernels import (
    first_largest,
    multiply,
    normal_parameters,
    normal_probabilities,
    precision_of,
    steps,
    training_sums,
)
from foldwise.learners.naive_bayes_plain import Levels


class _Model(NamedTuple):
    """The estimates of one fold, and what they say of the levels that were looked at."""

    prior: Array  #: (classes,)
    precision: Array  #: (attributes,)
    mean: Array  #: (attributes, classes)
    deviation: Array  #: (attributes, classes)
    counts: Integers  #: (levels, classes) training examples, of nominal attributes
    known: Integers  #: (attributes, classes) training examples with a value, of nominal attributes
    factors: Array  #: (levels, classes) probabilities
    fresh: Integers  #: (levels,) 1 until the level is looked at


def cross_predict(table: Table, codes: Integers, folds: Integers, n_classes: int) -> Integers:
    """Predicted codes of shape (runs, examples); anything where the fold id is −1."""
    predicted = np.zeros(folds.shape, dtype=np.int64)
    _cross_predict(Levels.of(table), codes, folds, int(folds.max()) + 1, n_classes, predicted)
    return predicted


@kernel
def _cross_predict(
    levels: Levels, codes: Integers, folds: Integers, n_folds: int, n_classes: int, out: Integers
) -> None:
    n_levels, p = levels.values.shape[0], levels.cells.shape[0]
    model = _Model(
        np.empty(n_classes), np.empty(p), np.empty((p, n_classes)), np.empty((p, n_classes)),
        np.zeros((n_levels, n_classes), np.int64), np.zeros((p, n_classes), np.int64),
        np.empty((n_levels, n_classes)), np.empty(n_levels, np.int64),
    )  # fmt: skip
    left, k, sums = np.empty(n_levels, np.int64), np.empty(n_levels, np.int64), np.empty((n_classes, 3), np.int64)
    for run in range(folds.shape[0]):
        order, begin = _by_fold(folds[run], n_folds)
        for f in range(n_folds):
            test = order[begin[f] : begin[f + 1]]
            if test.shape[0] > 0:
                _fit_fold(levels, codes, folds[run], f, left, k, sums, model)
                _predict_fold(levels, model, test, out[run])


@nested_kernel
def _by_fold(fold_of: Integers, n_folds: int) -> tuple[Integers, Integers]:
    """The tested examples by fold: those of fold f are order[begin[f]:begin[f + 1]]."""
    begin = np.zeros(n_folds + 1, np.int64)
    for i in range(fold_of.shape[0]):
        if fold_of[i] >= 0:
            begin[fold_of[i] + 1] += 1
    for f in range(n_folds):
        begin[f + 1] += begin[f]
    order, used = np.empty(begin[n_folds], np.int64), np.zeros(n_folds, np.int64)
    for i in range(fold_of.shape[0]):
        f = fold_of[i]
        if f >= 0:
            order[begin[f] + used[f]] = i
            used[f] += 1
    return order, begin


@nested_kernel
def _fit_fold(
    levels: Levels, codes: Integers, fold_of: Integers, f: int, left: Integers, k: Integers, sums: Integers,
    model: _Model,
) -> None:  # fmt: skip
    """Estimate from the examples outside the fold."""
    n_classes, size = model.prior.shape[0], 0
    for c in range(n_classes):  # in loops: the message of an assignment that does not fit takes seconds to compile
        model.prior[c] = 0.0
    for i in range(codes.shape[0]):
        if fold_of[i] != f:
            model.prior[codes[i]] += 1.0
            size += 1
    for c in range(n_classes):
        model.prior[c] = (model.prior[c] + 1.0) / (size + n_classes)
    for a in range(levels.cells.shape[0]):
        own, index = slice(levels.start[a], levels.start[a + 1]), levels.cells[a]
        if levels.numeric[a]:
            _fit_numeric(index, levels.values[own], a, codes, fold_of, f, left[own], k[own], sums, model)
            continue
        counts, known = model.counts[own], model.known[a]
        for c in range(n_classes):
            known[c] = 0
            for u in range(counts.shape[0]):
                counts[u, c] = 0
        for i in range(codes.shape[0]):
            if index[i] >= 0 and fold_of[i] != f:
                counts[index[i], codes[i]] += 1
                known[codes[i]] += 1


@nested_kernel
def _fit_numeric(
    index: NDArray[np.int32], values: Array, a: int, codes: Integers, fold_of: Integers, f: int, left: Integers,
    k: Integers, sums: Integers, model: _Model,
) -> None:  # fmt: skip
    for u in range(values.shape[0]):
        left[u] = 0
    for i in range(codes.shape[0]):
        if index[i] >= 0 and fold_of[i] != f:
            left[index[i]] += 1
    model.precision[a], first = precision_of(values, left)
    base = steps(values, left, model.precision[a], first, k)
    training_sums(index, k, codes, fold_of, f, sums)
    normal_parameters(sums, base, model.precision[a], model.mean[a], model.deviation[a])


@nested_kernel
def _predict_fold(levels: Levels, model: _Model, test: Integers, out: Integers) -> None:
    product = np.empty_like(model.prior)
    for u in range(model.fresh.shape[0]):
        model.fresh[u] = 1
    for i in test:
        for c in range(product.shape[0]):
            product[c] = model.prior[c]
        for a in range(levels.cells.shape[0]):
            u = levels.start[a] + levels.cells[a, i]
            if levels.cells[a, i] >= 0:
                if model.fresh[u]:
                    model.fresh[u] = 0
                    _look_up(levels, model, a, u)
                multiply(product, model.factors[u])
        out[i] = first_largest(product)


@nested_kernel
def _look_up(levels: Levels, model: _Model, a: int, u: int) -> None:
    """The probabilities of level `u` of attribute `a` in each class, as the learner computes them."""
    if levels.numeric[a]:
        normal_probabilities(levels.values[u], model.precision[a], model.mean[a], model.deviation[a], model.factors[u])
    else:
        width = levels.start[a + 1] - levels.start[a]
        for c in range(model.prior.shape[0]):
            model.factors[u, c] = (model.counts[u, c] + 1.0) / (model.known[a, c] + width)
