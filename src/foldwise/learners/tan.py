"""Tree-augmented naive Bayes, as Weka's BayesNet with the TAN search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from foldwise.core.table import Table
from foldwise.core.types import Array
from foldwise.learners._tan_kernels import ALPHA, arc_gains, log_tables, posterior, spanning_tree
from foldwise.learners.base import Codes, Learner, fold_numbers
from foldwise.learners.discretise import cut_points, intervals

__all__ = ["TAN"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Network:
    """A fitted network: how values become codes, the tree, and its tables."""

    cuts: tuple[Array | None, ...]
    modes: Array
    sizes: Codes
    log_prior: Array
    parent: Codes
    table: Array
    starts: Codes


class TAN(Learner):
    r"""Tree-augmented naive Bayes: every attribute depends on the class and on at most one other attribute.

    Attributes
    ----------
    parents_
        For each attribute the attribute it depends on besides the class; −1 for the root of the tree.

    Notes
    -----
    Numeric attributes are discretised on the training set (`foldwise.learners.discretise.cut_points`), then missing
    values become the attribute's most frequent value. The tree [1]_ is grown from the arc with the largest gain in
    log marginal likelihood,

    .. math:: \ln P(D_j \mid C, X_i) - \ln P(D_j \mid C), \quad
       \ln P = \sum_\pi \Bigl[\ln\tfrac{\Gamma(r/2)}{\Gamma(1/2)^r}
       + \sum_v \ln\Gamma(n_{\pi v} + \tfrac12) - \ln\Gamma(n_\pi + \tfrac r2)\Bigr],

    always adding the arc of largest gain between the tree and an attribute outside it. Probabilities are estimated as
    (n + ½) / (N + r/2), with r the number of values.

    The same as Weka's ``BayesNet -D -Q …local.TAN -- -S BAYES -E …SimpleEstimator -- -A 0.5``, but for one case: if the
    training set has no missing value at all, Weka 3.6 reads a missing value of a test example as the first value (and,
    as the parent of another attribute, as the first class too); here it is the most frequent value always.

    References
    ----------
    .. [1] N. Friedman, D. Geiger, M. Goldszmidt (1997), Bayesian network classifiers, Machine Learning 29, 131–163.

    Examples
    --------
    >>> X = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]] * 5
    >>> TAN().fit(X, [0, 1, 1, 0] * 5).predict(X[:4]).tolist()
    [0, 1, 1, 0]
    """

    def _fit(self, table: Table, codes: Codes, n_classes: int) -> None:
        self._network = _learn(table, codes, np.ones(len(table), dtype=bool), _sorted_rows(table), n_classes)
        self.parents_ = self._network.parent

    def _predict_proba(self, table: Table) -> Array:
        return _classify(self._network, table)

    def _cross_predict(self, table: Table, codes: Codes, folds: Codes, n_classes: int) -> Codes:
        orders = _sorted_rows(table)
        predicted = np.zeros(folds.shape, dtype=np.int64)
        for run, ids in enumerate(folds):
            for fold in fold_numbers(ids):
                test = ids == fold
                network = _learn(table, codes, ~test, orders, n_classes)
                predicted[run, test] = np.argmax(_classify(network, table[test]), axis=1)
        return predicted


def _sorted_rows(table: Table) -> list[Codes | None]:
    """Per numeric column the rows that have a value, by ascending value; None for a nominal column."""
    orders: list[Codes | None] = []
    for j, categories in enumerate(table.categories):
        column = table.values[:, j]
        known = int((~np.isnan(column)).sum())
        orders.append(None if categories is not None else np.argsort(column, kind="stable")[:known])
    return orders


def _learn(
    table: Table, codes: Codes, training: NDArray[np.bool_], orders: list[Codes | None], n_classes: int
) -> _Network:
    """The network of the rows marked in `training`."""
    cuts: list[Array | None] = []
    for j, order in enumerate(orders):
        rows = None if order is None else order[training[order]]
        cuts.append(None if rows is None else cut_points(table.values[rows, j], codes[rows], n_classes))
    sizes = np.array(
        [
            max(1, len(names or ())) if c is None else len(c) + 1
            for c, names in zip(cuts, table.categories, strict=True)
        ],
        dtype=np.int64,
    )
    values = _discretised(table.values[training], cuts)
    modes = _modes(values, sizes)
    X, y = _filled(values, modes), codes[training]
    gains = arc_gains(X, y, sizes, n_classes, gammaln(np.arange(2 * len(y) + int(sizes.max()) + 2) / 2))
    parent = spanning_tree(gains)
    entries, starts = log_tables(X, y, sizes, n_classes, parent)
    counts = np.bincount(y, minlength=n_classes)
    log_prior = np.log((counts + ALPHA) / (len(y) + ALPHA * n_classes))
    return _Network(
        cuts=tuple(cuts), modes=modes, sizes=sizes, log_prior=log_prior, parent=parent, table=entries, starts=starts
    )


def _classify(network: _Network, table: Table) -> Array:
    X = _filled(_discretised(table.values, list(network.cuts)), network.modes)
    model = [network.sizes, network.log_prior, network.parent, network.table, network.starts]
    # a model read from a memory map is not writeable, and would make numba compile the kernel once more
    return posterior(X, *(np.require(array, requirements="W") for array in model))


def _discretised(values: Array, cuts: list[Array | None]) -> Array:
    if all(c is None for c in cuts):
        return values
    columns = [values[:, j] if c is None else intervals(values[:, j], c) for j, c in enumerate(cuts)]
    return np.stack(columns, axis=1)


def _modes(values: Array, sizes: Codes) -> Array:
    """Per column the most frequent code; the first of several, and 0 if the column has no value."""
    return np.array(
        [
            np.argmax(np.bincount(column[~np.isnan(column)].astype(np.int64), minlength=size))
            for column, size in zip(values.T, sizes, strict=True)
        ],
        dtype=np.float64,
    )


def _filled(values: Array, modes: Array) -> Codes:
    return np.where(np.isnan(values), modes, values).astype(np.int64)
