"""Naive Bayes for numeric and nominal attributes with missing values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foldwise.core.table import Table
from foldwise.core.types import Array
from foldwise.core.validation import flag
from foldwise.learners.base import Codes, Learner
from foldwise.learners.bayes import first_largest, multiply
from foldwise.learners.compile import kernel
from foldwise.learners.kernel_density import KernelDensities, kernel_probabilities
from foldwise.learners.levels import Levels
from foldwise.learners.naive_bayes_cv import cross_predict
from foldwise.learners.normal_estimates import (
    normal_parameters,
    normal_probabilities,
    precision_of,
    steps,
    training_sums,
)

__all__ = ["NaiveBayes"]

Normal = tuple[float, Array, Array]
"""The precision of an attribute, and its mean and standard deviation in each class."""


class NaiveBayes(Learner):
    """Naive Bayes as Weka's ``NaiveBayes``.

    Parameters
    ----------
    use_kernel
        Estimate numeric attributes by kernel densities rather than by one normal distribution per class.

    Attributes
    ----------
    priors_
        Smoothed class frequencies, (n_c + 1) / (n + classes).
    conditionals_
        Per attribute the estimate: for a nominal one the smoothed frequencies (values × classes); for a numeric
        one (precision, means, standard deviations), or kernel densities.

    Notes
    -----
    The class with the largest P(c) Π P(xₐ | c) is predicted; missing values are left out of the product as they
    are of the estimates.

    Nominal: P(v | c) = (n_vc + 1) / (n_c + values). Numeric: values are rounded to the attribute's precision δ, the
    mean gap between its distinct training values (0.01 if there is one only), and P(x | c) is the probability of
    x ± δ/2 under a normal distribution whose standard deviation is at least δ/6. A probability is never below
    1e−75.

    References
    ----------
    .. [1] G. H. John and P. Langley (1995). Estimating continuous distributions in Bayesian classifiers. UAI, 338–345.

    Examples
    --------
    >>> X = [[1.0, "a"], [1.2, "a"], [3.0, "b"], [3.3, None]]
    >>> NaiveBayes().fit(X, [0, 0, 1, 1]).predict([[2.9, "b"], [None, "a"]]).tolist()
    [1, 0]
    """

    def __init__(self, use_kernel: bool = False) -> None:
        self.use_kernel = use_kernel

    def _check_parameters(self) -> None:
        flag(self.use_kernel, "use_kernel")

    def _fit(self, table: Table, codes: Codes, n_classes: int) -> None:
        counts = np.bincount(codes, minlength=n_classes)
        self.priors_ = (counts + 1.0) / (len(codes) + n_classes)
        levels = Levels.of(table)
        everyone = np.zeros(len(codes), dtype=np.int64)
        self.conditionals_: list[Array | Normal | KernelDensities] = []
        for a, width in enumerate(table.n_values):
            if width:
                self.conditionals_.append(_frequencies(levels.cells[a], int(width), codes, n_classes))
                continue
            values = levels.values[levels.start[a] : levels.start[a + 1]]
            precision, mean, deviation = _normal(levels.cells[a], values, codes, everyone, n_classes)
            if self.use_kernel:
                densities = KernelDensities.fit(table.values[:, a], codes, n_classes, precision)
                self.conditionals_.append(densities)
            else:
                self.conditionals_.append((precision, mean, deviation))

    def _predict_proba(self, table: Table) -> Array:
        products = self._products(table)
        return np.asarray(products / products.sum(axis=1, keepdims=True))

    def _predict_codes(self, table: Table) -> Codes:
        return np.asarray(_first_largest_of_each(self._products(table)), dtype=np.int64)

    def _products(self, table: Table) -> Array:
        products = np.tile(self.priors_, (len(table), 1))
        for column, estimate in zip(table.values.T, self.conditionals_, strict=True):
            if isinstance(estimate, np.ndarray):
                _multiply_frequencies(column, estimate, products)
            elif isinstance(estimate, tuple):
                _multiply_normal(column, estimate[0], estimate[1], estimate[2], products)
            else:
                _multiply_densities(column, estimate, products)
        return products

    def _cross_predict(self, table: Table, codes: Codes, folds: Codes, n_classes: int) -> Codes:
        if self.use_kernel:
            return super()._cross_predict(table, codes, folds, n_classes)
        return cross_predict(table, codes, folds, n_classes)


def _frequencies(index: NDArray[np.int32], width: int, codes: Codes, n_classes: int) -> Array:
    """Smoothed frequencies: values × classes."""
    known = index >= 0
    cells = index[known].astype(np.int64) * n_classes + codes[known]
    counts = np.bincount(cells, minlength=width * n_classes).reshape(width, n_classes)
    return np.asarray((counts + 1.0) / (counts.sum(axis=0) + width))


@kernel
def _normal(index: NDArray[np.int32], levels: Array, codes: Codes, fold_of: Codes, n_classes: int) -> Normal:
    left = np.ones(levels.shape[0], np.int64)
    precision, first = precision_of(levels, left)
    k = np.empty(levels.shape[0], np.int64)
    base = steps(levels, left, precision, first, k)
    sums = np.empty((n_classes, 3), np.int64)
    training_sums(index, k, codes, fold_of, -2, sums)
    mean = np.empty(n_classes)
    deviation = np.empty(n_classes)
    normal_parameters(sums, base, precision, mean, deviation)
    return precision, mean, deviation


@kernel
def _multiply_frequencies(column: Array, frequencies: Array, products: Array) -> None:
    for i in range(column.shape[0]):
        if not np.isnan(column[i]):
            multiply(products[i], frequencies[np.int64(column[i])])


@kernel
def _multiply_normal(column: Array, precision: float, mean: Array, deviation: Array, products: Array) -> None:
    factors = np.empty(mean.shape[0])
    for i in range(column.shape[0]):
        if not np.isnan(column[i]):
            normal_probabilities(column[i], precision, mean, deviation, factors)
            multiply(products[i], factors)


def _multiply_densities(column: Array, fitted: KernelDensities, products: Array) -> None:
    _multiply_kernels(
        column, fitted.centres, fitted.weights, fitted.start, fitted.deviation, fitted.precision, products
    )


@kernel
def _multiply_kernels(
    column: Array, centres: Array, weights: Array, start: Codes, deviation: Array, precision: float, products: Array
) -> None:
    factors = np.empty(deviation.shape[0])
    for i in range(column.shape[0]):
        if not np.isnan(column[i]):
            kernel_probabilities(column[i], centres, weights, start, deviation, precision, factors)
            multiply(products[i], factors)


@kernel
def _first_largest_of_each(products: Array) -> Codes:
    codes = np.empty(products.shape[0], np.int64)
    for i in range(products.shape[0]):
        codes[i] = first_largest(products[i])
    return codes
