"""Naive Bayes for numeric and nominal attributes with missing values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foldwise.core.kernels import PATIENCE, need_kernels
from foldwise.core.table import Table
from foldwise.core.types import Array
from foldwise.core.validation import flag
from foldwise.learners import naive_bayes_plain as plain
from foldwise.learners.base import Codes, Learner, fold_numbers
from foldwise.learners.naive_bayes_plain import Levels

if TYPE_CHECKING:  # their kernels need numba, which small work does without
    from foldwise.learners.naive_bayes_kernels import KernelDensities

# Seconds that one attribute takes without kernels, in a fit with its prediction and per value and class of that.
_PART, _VALUE = 1.8e-4, 4e-7


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
        self.conditionals_: list[Array | plain.Normal | KernelDensities] = []
        levels = Levels.of(table)
        for a, width in enumerate(table.n_values):
            if width:
                self.conditionals_.append(plain.frequencies(levels.cells[a], int(width), codes, n_classes))
                continue
            values = levels.values[levels.start[a] : levels.start[a + 1]]
            normal = plain.normal_estimate(levels.cells[a], values, codes, n_classes)
            self.conditionals_.append(self._densities(table.values[:, a], codes, n_classes, normal))

    def _densities(
        self, column: Array, codes: Codes, n_classes: int, normal: plain.Normal
    ) -> plain.Normal | KernelDensities:
        if not self.use_kernel:
            return normal
        need_kernels("foldwise.learners.naive_bayes_kernels", "naive Bayes with kernel densities")
        from foldwise.learners.naive_bayes_kernels import KernelDensities

        return KernelDensities.fit(column, codes, n_classes, normal[0])

    def _predict_proba(self, table: Table) -> Array:
        products = self._products(table)
        return np.asarray(products / products.sum(axis=1, keepdims=True))

    def _predict_codes(self, table: Table) -> Codes:
        return plain.first_largest_of_each(self._products(table))

    def _products(self, table: Table) -> Array:
        products = np.tile(self.priors_, (len(table), 1))
        for column, estimate in zip(table.values.T, self.conditionals_, strict=True):
            if isinstance(estimate, np.ndarray):
                plain.multiply_frequencies(column, estimate, products)
            elif isinstance(estimate, tuple):
                plain.multiply_normal(column, estimate, products)
            else:
                estimate.multiply(column, products)
        return products

    def _cross_predict(self, table: Table, codes: Codes, folds: Codes, n_classes: int) -> Codes:
        fits, width = sum(len(fold_numbers(ids)) for ids in folds), table.shape[1]
        values = folds.size // max(fits, 1) * n_classes
        if self.use_kernel or PATIENCE.lasts(fits * width * (_PART + values * _VALUE)):
            return super()._cross_predict(table, codes, folds, n_classes)
        need_kernels("foldwise.learners.naive_bayes_cv", "naive Bayes on much data")
        from foldwise.learners.naive_bayes_cv import cross_predict

        return cross_predict(table, codes, folds, n_classes)
