"""Naive Bayes in a whole repeated cross-validation: training counts are totals minus the fold's counts.

A fold's estimates are exactly those of a fit on its training examples, and its predictions come from the learner's own
product. The probabilities of a value are computed for the first example of the fold that has it, and then looked up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from foldwise.core.compile import ZERO, kernel, nested_kernel
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


class _Totals(NamedTuple):
    """Statistics of all examples; per level of the attributes, or per attribute."""

    size: Integers  #: (levels,) examples with the level
    by_class: Integers  #: (levels, classes), of nominal attributes only
    k: Integers  #: (levels,) steps above the lowest level
    base: Array
    precision: Array
    sums: Integers  #: (attributes, classes, 3): see `training_sums`
    priors: Integers  #: (classes,) examples of the class


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
    # whole numbers add up exactly, so that taking a fold out of the totals gives the same bits as adding up the rest;
    # and a fold's examples share few values, each of whose probabilities is computed once
    totals, n_levels, p = _count(levels, codes, n_classes), levels.values.shape[0], levels.cells.shape[0]
    model = _Model(
        np.empty(n_classes), np.empty(p), np.empty((p, n_classes)), np.empty((p, n_classes)),
        np.zeros((n_levels, n_classes), np.int64), np.zeros((p, n_classes), np.int64),
        np.empty((n_levels, n_classes)), np.empty(n_levels, np.int64),
    )  # fmt: skip
    left, k, sums = np.empty_like(totals.size), np.empty_like(totals.k), np.empty((n_classes, 3), np.int64)
    for run in range(folds.shape[0]):
        order, begin = _by_fold(folds[run], n_folds)
        for f in range(n_folds):
            test = order[begin[f] : begin[f + 1]]
            if test.shape[0] > 0:
                _fit_fold(levels, codes, folds[run], f, test, totals, left, k, sums, model)
                _predict_fold(levels, model, test, out[run])


@nested_kernel
def _count(levels: Levels, codes: Integers, n_classes: int) -> _Totals:
    p, n = levels.cells.shape
    size = np.zeros(levels.values.shape[0], np.int64)
    by_class = np.zeros((levels.values.shape[0], n_classes), np.int64)
    k = np.zeros(levels.values.shape[0], np.int64)
    base, precision = np.zeros(p), np.zeros(p)
    sums = np.zeros((p, n_classes, 3), np.int64)
    nobody = np.full(n, -1, np.int64)
    for a in range(p):
        own = slice(levels.start[a], levels.start[a + 1])
        for i in range(n):
            if levels.cells[a, i] >= 0:
                size[own][levels.cells[a, i]] += 1
                if not levels.numeric[a]:
                    by_class[own][levels.cells[a, i], codes[i]] += 1
        if levels.numeric[a]:
            precision[a], first = precision_of(levels.values[own], size[own])
            base[a] = steps(levels.values[own], size[own], precision[a], first, k[own])
            training_sums(levels.cells[a], k[own], codes, nobody, ZERO, sums[a])
    priors = np.zeros(n_classes, np.int64)
    for i in range(n):
        priors[codes[i]] += 1
    return _Totals(size, by_class, k, base, precision, sums, priors)


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
    levels: Levels, codes: Integers, fold_of: Integers, f: int, test: Integers, totals: _Totals, left: Integers,
    k: Integers, sums: Integers, model: _Model,
) -> None:  # fmt: skip
    """Estimate from the examples outside the fold."""
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
    levels: Levels, a: int, codes: Integers, fold_of: Integers, f: int, test: Integers, totals: _Totals,
    left: Integers, k: Integers, sums: Integers, model: _Model,
) -> None:  # fmt: skip
    """Take the test examples out of the totals; where a level vanishes the precision changes, and all is added anew."""
    own = slice(levels.start[a], levels.start[a + 1])
    index, values = levels.cells[a], levels.values[own]
    for u in range(values.shape[0]):
        left[u] = totals.size[levels.start[a] + u]
    for c in range(sums.shape[0]):
        for power in range(3):
            sums[c, power] = totals.sums[a, c, power]
    same, base = True, totals.base[a]
    model.precision[a] = totals.precision[a]
    for t in range(test.shape[0]):
        i = test[t]
        if index[i] >= 0:
            step = totals.k[own][index[i]]
            left[index[i]] -= 1
            same &= left[index[i]] > 0
            of_class = sums[codes[i]]
            of_class[0] -= 1
            of_class[1] -= step
            of_class[2] -= step * step
    if not same:
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
