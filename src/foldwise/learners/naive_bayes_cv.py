"""Naive Bayes in a whole repeated cross-validation: training counts are totals minus the fold's counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foldwise.core.table import Table
from foldwise.core.types import Array
from foldwise.learners.bayes import first_largest, multiply
from foldwise.learners.compile import kernel
from foldwise.learners.normal_estimates import (
    normal_parameters,
    normal_probabilities,
    precision_of,
    steps,
    training_sums,
)

__all__ = ["Levels", "cross_predict"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """The columns of a table as indices into their distinct values."""

    index: NDArray[np.int32]
    """(attributes, examples); −1 is missing."""
    start: NDArray[np.int64]
    """The levels of attribute a are values[start[a]:start[a + 1]]."""
    values: Array
    numeric: NDArray[np.bool_]

    @classmethod
    def of(cls, table: Table) -> Levels:
        """Index a table; a nominal attribute has its declared categories as levels."""
        index = np.full(table.shape[::-1], -1, dtype=np.int32)
        levels: list[Array] = []
        for a, (column, width) in enumerate(zip(table.values.T, table.n_values, strict=True)):
            known = ~np.isnan(column)
            if width:
                levels.append(np.arange(width, dtype=np.float64))
                index[a, known] = column[known]
            else:
                distinct, found = np.unique(column[known], return_inverse=True)
                levels.append(distinct)
                index[a, known] = found
        start = np.cumsum([0, *map(len, levels)]).astype(np.int64)
        return cls(index=index, start=start, values=np.concatenate(levels), numeric=table.n_values == 0)


def cross_predict(
    table: Table, codes: NDArray[np.int64], folds: NDArray[np.int64], n_classes: int
) -> NDArray[np.int64]:
    """Predicted codes of shape (runs, examples); anything where the fold id is −1."""
    levels = Levels.of(table)
    predicted = np.zeros(folds.shape, dtype=np.int64)
    n_folds = int(folds.max()) + 1
    for run, fold_of in enumerate(folds):
        _run(
            levels.index,
            levels.start,
            levels.values,
            levels.numeric,
            codes,
            fold_of,
            n_folds,
            n_classes,
            predicted[run],
        )
    return predicted


@kernel
def _run(
    index: Any, start: Any, values: Any, numeric: Any, codes: Any, fold_of: Any, n_folds: int, n_classes: int, out: Any
) -> None:
    p, n = index.shape
    order, begin = _by_fold(fold_of, n_folds)
    products = np.empty((n, n_classes))
    _priors(codes, order, begin, products)
    for a in range(p):
        levels = values[start[a] : start[a + 1]]
        if numeric[a]:
            _numeric(index[a], levels, codes, fold_of, order, begin, products)
        else:
            _nominal(index[a], levels.shape[0], codes, order, begin, products)
    for t in range(begin[n_folds]):
        out[order[t]] = first_largest(products[order[t]])


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
def _priors(codes: Any, order: Any, begin: Any, products: Any) -> None:
    n, n_classes = products.shape
    total = np.bincount(codes, minlength=n_classes)
    count = np.empty(n_classes, np.int64)
    for f in range(begin.shape[0] - 1):
        count[:] = total
        for t in range(begin[f], begin[f + 1]):
            count[codes[order[t]]] -= 1
        size = n - (begin[f + 1] - begin[f])
        for t in range(begin[f], begin[f + 1]):
            for c in range(n_classes):
                products[order[t], c] = (count[c] + 1.0) / (size + n_classes)


@kernel
def _nominal(index: Any, width: int, codes: Any, order: Any, begin: Any, products: Any) -> None:
    n_classes = products.shape[1]
    total = np.zeros((width + 1, n_classes), np.int64)  # the last row counts all values
    for i in range(index.shape[0]):
        if index[i] >= 0:
            total[index[i], codes[i]] += 1
            total[width, codes[i]] += 1
    left = np.empty_like(total)
    factors = np.empty(n_classes)
    for f in range(begin.shape[0] - 1):
        left[:] = total
        for t in range(begin[f], begin[f + 1]):
            i = order[t]
            if index[i] >= 0:
                left[index[i], codes[i]] -= 1
                left[width, codes[i]] -= 1
        for t in range(begin[f], begin[f + 1]):
            i = order[t]
            if index[i] >= 0:
                for c in range(n_classes):
                    factors[c] = (left[index[i], c] + 1.0) / (left[width, c] + width)
                multiply(products[i], factors)


@kernel
def _numeric(index: Any, levels: Any, codes: Any, fold_of: Any, order: Any, begin: Any, products: Any) -> None:
    n_classes = products.shape[1]
    m = levels.shape[0]
    total = np.zeros(m, np.int64)
    for i in range(index.shape[0]):
        if index[i] >= 0:
            total[index[i]] += 1
    whole_precision, whole_first = precision_of(levels, total)
    whole_k = np.empty(m, np.int64)
    whole_base = steps(levels, total, whole_precision, whole_first, whole_k)
    whole = np.empty((3, n_classes), np.int64)
    training_sums(index, whole_k, codes, fold_of, -2, whole)
    left = np.empty(m, np.int64)
    k = np.empty(m, np.int64)
    sums = np.empty((3, n_classes), np.int64)
    mean = np.empty(n_classes)
    deviation = np.empty(n_classes)
    for f in range(begin.shape[0] - 1):
        test = order[begin[f] : begin[f + 1]]
        left[:] = total
        sums[:] = whole
        if _subtract(index, test, codes, whole_k, left, sums):
            normal_parameters(sums, whole_base, whole_precision, mean, deviation)
            _multiply_numeric(index, levels, test, whole_precision, mean, deviation, products)
        else:
            precision, first = precision_of(levels, left)
            base = steps(levels, left, precision, first, k)
            training_sums(index, k, codes, fold_of, f, sums)
            normal_parameters(sums, base, precision, mean, deviation)
            _multiply_numeric(index, levels, test, precision, mean, deviation, products)


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
            sums[0, codes[i]] -= 1
            sums[1, codes[i]] -= step
            sums[2, codes[i]] -= step * step
    return same


@kernel
def _multiply_numeric(
    index: Any, levels: Any, test: Any, precision: float, mean: Any, deviation: Any, products: Any
) -> None:
    """Multiply the attribute's probabilities into the test examples' products; equal values are computed once."""
    factors = np.empty((test.shape[0], mean.shape[0]))
    row = np.full(levels.shape[0], -1, np.int32)
    used = 0
    for t in range(test.shape[0]):
        u = index[test[t]]
        if u >= 0:
            if row[u] < 0:
                row[u] = used
                normal_probabilities(levels[u], precision, mean, deviation, factors[used])
                used += 1
            multiply(products[test[t]], factors[row[u]])
