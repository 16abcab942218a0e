"""Nearest neighbours for numeric and nominal attributes with missing values."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foldwise.core.errors import InvalidInput
from foldwise.core.kernels import PATIENCE, need_kernels
from foldwise.core.table import Table
from foldwise.core.types import Array, Flags, Integers
from foldwise.core.validation import flag, integer, numbers
from foldwise.learners.base import Codes, Learner, each_fold, fold_numbers


def vote_plainly(
    examples: Array, tests: Array, numeric: Flags, weights: Array, codes: Integers, k: int, widen: bool, votes: Integers
) -> None:
    """Count the votes of each test row's neighbours; `examples` is (attributes, examples)."""
    distance = distances_plainly(examples, tests, numeric, weights, widen)
    limit = np.partition(distance, k - 1, axis=1)[:, k - 1 : k]  # NaN is last, and nobody's neighbour
    near = distance <= np.where(np.isnan(limit), np.inf, limit)
    row, example = np.nonzero(near)
    np.add.at(votes, (row, codes[example]), 1)


def distances_plainly(examples: Array, tests: Array, numeric: Flags, weights: Array, widen: bool) -> Array:
    """Squared distances (tests, examples) of test rows from `examples`, which are (attributes, examples).

    An attribute's range depends on that attribute alone: the test rows are taken attribute by attribute, those with
    the same range together, and each distance is the same sum in the same order as the kernel's.
    """
    distance = np.zeros((len(tests), examples.shape[1]))
    with np.errstate(all="ignore"):  # numbers may be as far apart as numbers can be
        for column, values, is_numeric, weight in zip(examples, tests.T, numeric, weights, strict=True):
            if is_numeric:
                _add_numeric(values, column, weight, widen, distance)
            else:
                distance += np.where((column != values[:, None]) | np.isnan(values)[:, None], weight, 0.0)
    return distance


def _add_numeric(values: Array, column: Array, weight: float, widen: bool, distance: Array) -> None:
    low, high = np.fmin.reduce(column, initial=np.inf), np.fmax.reduce(column, initial=-np.inf)
    if not widen:
        _add_in_range(values, column, low, high, weight, distance)
        return
    lows = np.fmin.accumulate(np.append(low, values))[1:]
    highs = np.fmax.accumulate(np.append(high, values))[1:]
    changes = np.flatnonzero((np.diff(lows) != 0) | (np.diff(highs) != 0)) + 1
    bounds = [0, *changes.tolist(), len(values)]
    for first, last in pairwise(bounds):
        _add_in_range(values[first:last], column, lows[first], highs[first], weight, distance[first:last])


def _add_in_range(values: Array, column: Array, low: float, high: float, weight: float, distance: Array) -> None:
    x, z = normalised(values, low, high)[:, None], normalised(column, low, high)
    d = x - z
    if np.isnan(d).any():
        no_x, no_z = np.isnan(x), np.isnan(z)
        d = np.where(no_z & ~no_x, np.where(1.0 - x > x, 1.0 - x, x), d)
        d = np.where(no_x & ~no_z, np.where(1.0 - z > z, 1.0 - z, z), d)
        d = np.where(no_x & no_z, 1.0, d)
    distance += weight * (d * d)


def normalised(values: Array, low: float, high: float) -> Array:
    """The place of each value in the range, 0…1 inside it; 0 if the range has no width; NaN stays NaN."""
    if high > low:
        return (values - low) / (high - low)
    return np.where(np.isnan(values), values, 0.0)


# Seconds that a prediction takes without kernels: for each attribute, each pair of examples, each of their values.
_ATTRIBUTE, _PAIR, _DIFFERENCE = 6e-5, 2e-8, 4e-9

MANY = "nearest neighbours of so many examples"
_MOST_PAIRS = 1_000_000  # Whose distances may be in memory at once.


class NearestNeighbours(Learner):
    """The k nearest neighbours as Weka's ``IBk``: of equally near examples all vote. `IB1` takes the first.

    Parameters
    ----------
    k
        Number of neighbours. All examples that tie with the k-th one vote.
    weights
        Per attribute a factor of its squared difference, at least 0; None weights all alike. Bad weights "damage"
        the learner by a controlled amount [2]_.
    widen_ranges
        Widen the attributes' ranges by each example before it is classified, and keep them so for the rows that
        follow, as Weka does. A prediction can then depend on the rows before it; False takes the ranges of the
        training examples alone.

    Notes
    -----
    The squared distance is Σ wₐ dₐ². A nominal attribute has d = 0 for equal values and 1 otherwise, and also where
    either is missing. Numeric values are normalised to 0…1 by the range of the training examples (a value of an
    attribute with one value only becomes 0); d is their difference, 1 if both are missing, and the largest possible
    one, max(x, 1 − x), if only x is known. Each neighbour has one vote; ties between classes go to the first class.
    `predict_proba` adds 1/n to each class's votes.

    References
    ----------
    .. [1] D. W. Aha, D. Kibler and M. K. Albert (1991). Instance-based learning algorithms. Machine Learning 6, 37–66.
    .. [2] T. G. Dietterich (1998). Approximate statistical tests for comparing supervised classification learning
       algorithms. Neural Computation 10, 1895–1923, section 6.

    Examples
    --------
    >>> X = [[1.0, "a"], [1.2, "a"], [3.0, "b"], [3.3, None]]
    >>> NearestNeighbours(k=1).fit(X, [0, 0, 1, 1]).predict([[2.9, "b"], [1.1, "a"]]).tolist()
    [1, 0]
    """

    def __init__(self, k: int = 1, weights: ArrayLike | None = None, widen_ranges: bool = True) -> None:
        self.k = k
        self.weights = weights
        self.widen_ranges = widen_ranges

    def _check_parameters(self) -> None:
        integer(self.k, "k", minimum=1)
        flag(self.widen_ranges, "widen_ranges")

    def _fit(self, table: Table, codes: Codes, n_classes: int) -> None:
        self.weights_ = self._checked_weights(table.shape[1])
        self.examples_ = np.ascontiguousarray(table.values.T)
        self.codes_ = codes
        self.n_classes_ = n_classes

    def _predict_proba(self, table: Table) -> Array:
        extra = 1.0 / len(self.codes_)
        votes = self._votes(table) + extra
        return np.asarray(votes / votes.sum(axis=1, keepdims=True))

    def _predict_codes(self, table: Table) -> Codes:
        return np.asarray(np.argmax(self._votes(table), axis=1), dtype=np.int64)

    def _votes(self, table: Table) -> NDArray[np.int64]:
        if few(1, len(table), *self.examples_.shape):
            return self._votes_by(vote_plainly, table)
        need_kernels("foldwise.learners.nearest_neighbours_kernels", MANY)
        from foldwise.learners.nearest_neighbours_kernels import vote

        return self._votes_by(vote, table)

    def _predict_plainly(self, table: Table) -> Codes:
        return np.asarray(self._votes_by(vote_plainly, table).argmax(axis=1))

    def _votes_by(self, vote: Callable[..., None], table: Table) -> NDArray[np.int64]:
        votes = np.zeros((len(table), self.n_classes_), dtype=np.int64)
        k, numeric, widen = min(self.k, len(self.codes_)), table.n_values == 0, bool(self.widen_ranges)
        vote(self.examples_, table.values, numeric, self.weights_, self.codes_, k, widen, votes)
        return votes

    def _cross_predict(self, table: Table, codes: Codes, folds: Codes, n_classes: int) -> Codes:
        weights, n = self._checked_weights(table.shape[1]), len(table)
        fits = sum(len(fold_numbers(ids)) for ids in folds)
        if few(fits, folds.size // fits, table.shape[1], n):
            return self._fold_by_fold(table, codes, folds, n_classes, NearestNeighbours._predict_plainly)
        need_kernels("foldwise.learners.nearest_neighbours_kernels", MANY)
        from foldwise.learners.nearest_neighbours_kernels import cross_predict

        return cross_predict(table, codes, folds, n_classes, k=self.k, weights=weights, widen=bool(self.widen_ranges))

    def _checked_weights(self, width: int) -> Array:
        if self.weights is None:
            return np.ones(width)
        weights = numbers(self.weights, "weights")
        if weights.shape != (width,):
            raise InvalidInput(f"weights must be one number for each of {width} attributes, got shape {weights.shape}")
        if (weights < 0).any():
            raise InvalidInput(f"weights must be at least 0, got {weights.min():g}")
        return weights


def few(fits: int, tested: int, width: int, trained: int) -> bool:
    """Whether so many fits, each tested and trained on so many examples, are done without kernels."""
    pairs = tested * trained
    seconds = fits * (width * (_ATTRIBUTE + pairs * _DIFFERENCE) + pairs * _PAIR)
    return pairs <= _MOST_PAIRS and PATIENCE.lasts(seconds)


# ---- The nearest neighbour that decides alone.


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

    `widen`: by the examples that are tested, as Weka does. `orders`: per run the rows in the order in which equally
    near examples are found; that of the table by default.
    """
    n, fits = len(table), sum(len(fold_numbers(ids)) for ids in folds)
    orders = np.broadcast_to(np.arange(n), folds.shape) if orders is None else orders
    if not few(fits, folds.size // max(fits, 1), table.shape[1], n):
        need_kernels("foldwise.learners.nearest_neighbours_kernels", MANY)
        from foldwise.learners.nearest_neighbours_kernels import cross_nearest

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
