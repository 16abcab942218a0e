"""The nearest neighbour that decides alone."""

from __future__ import annotations

import numpy as np

from foldwise.core.kernels import need_kernels
from foldwise.core.table import Table
from foldwise.core.types import Array, Integers
from foldwise.core.validation import flag
from foldwise.learners.base import Codes, Learner, each_fold, fold_numbers
from foldwise.learners.nearest_neighbours import MANY, distances_plainly, few


class IB1(Learner):
    """The nearest neighbour as Weka's ``IB1``: of equally near examples the first one decides.

    Parameters
    ----------
    widen_ranges
        As in `NearestNeighbours`.

    Notes
    -----
    Distances are those of `NearestNeighbours`, which lets all of the equally near examples vote, as Weka's ``IBk``
    does. Where attributes have few values, ties are common and the two differ much: the papers of 2003 and 2004
    print numbers that come out with this one. Which example is first is a matter of the order of the training data; in
    Weka's cross-validation `stratify` has sorted each fold by class, so that one class wins more ties than others.

    References
    ----------
    .. [1] D. W. Aha, D. Kibler and M. K. Albert (1991). Instance-based learning algorithms. Machine Learning 6, 37–66.

    Examples
    --------
    >>> X, y = [["a"], ["a"], ["a"], ["b"]], ["first", "second", "second", "other"]
    >>> IB1().fit(X, y).predict([["a"]]).tolist()
    ['first']
    """

    def __init__(self, widen_ranges: bool = True) -> None:
        self.widen_ranges = widen_ranges

    def _check_parameters(self) -> None:
        flag(self.widen_ranges, "widen_ranges")

    def _fit(self, table: Table, codes: Codes, n_classes: int) -> None:
        self.table_, self.codes_, self.n_classes_ = table, codes, n_classes

    def _predict_codes(self, table: Table) -> Codes:
        n = len(self.table_)
        both = Table(np.concatenate([self.table_.values, table.values]), self.table_.categories, self.table_.names)
        folds = np.repeat([-1, 0], [n, len(table)])[None]
        return np.asarray(self.codes_[nearest_rows(both, folds, widen=bool(self.widen_ranges))[0, n:]])

    def _predict_proba(self, table: Table) -> Array:
        return np.asarray(np.eye(self.n_classes_)[self._predict_codes(table)])

    def _cross_predict(self, table: Table, codes: Codes, folds: Codes, n_classes: int) -> Codes:
        return np.asarray(codes[nearest_rows(table, folds, widen=bool(self.widen_ranges))])


def nearest_rows(table: Table, folds: Integers, *, widen: bool = True, orders: Integers | None = None) -> Integers:
    """The row of the nearest example outside the fold of each: (runs, examples); 0 where the fold id is −1.

    Parameters
    ----------
    table, folds
        Examples, and fold ids (runs, examples).
    widen
        Whether ranges are widened by the examples that are tested.
    orders
        Per run the rows in the order in which equally near examples are found; that of the table by default.
    """
    n, fits = len(table), sum(len(fold_numbers(ids)) for ids in folds)
    orders = np.broadcast_to(np.arange(n), folds.shape) if orders is None else orders
    if not few(fits, folds.size // max(fits, 1), table.shape[1], n):
        need_kernels("foldwise.learners.nearest_neighbours_cv", MANY)
        from foldwise.learners.nearest_neighbours_cv import cross_nearest

        return np.where(folds < 0, 0, cross_nearest(table, folds, orders, widen=widen))
    found, numeric, weights = np.zeros_like(folds), table.n_values == 0, np.ones(table.shape[1])
    for run, test in each_fold(folds):
        rows = orders[run][~test[orders[run]]]
        examples = np.ascontiguousarray(table.values[rows].T)
        distance = distances_plainly(examples, table.values[test], numeric, weights, widen)
        found[run, test] = rows[np.where(np.isnan(distance), np.inf, distance).argmin(axis=1)]
    return found


def stratified_orders(codes: Codes, folds: Integers, rng: np.random.Generator) -> Integers:
    """Per run the order in which Weka's cross-validation holds the examples: for `nearest_rows`.

    Weka shuffles the examples; `Instances.stratify` sorts them by class, classes in the order in which they come first
    after the shuffle, and deals them to the folds in turn. A training set is the other folds one after the other, each
    sorted by class, so that of equally near examples one of the class that came first tends to be found.
    """
    orders = np.empty_like(folds)
    for run, fold in enumerate(folds):
        place = rng.permutation(len(codes))
        first = np.full(int(codes.max()) + 1, len(codes))
        np.minimum.at(first, codes, place)
        orders[run] = np.lexsort((place, first[codes], fold))
    return orders
