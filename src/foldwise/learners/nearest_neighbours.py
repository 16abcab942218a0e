"""Nearest neighbours for numeric and nominal attributes with missing values."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foldwise.core.errors import InvalidInput
from foldwise.core.table import Table
from foldwise.core.types import Array, Flags
from foldwise.core.validation import flag, integer, numbers
from foldwise.learners.base import Codes, Learner
from foldwise.learners.compile import kernel
from foldwise.learners.distances import normalise, widen_range
from foldwise.learners.nearest_neighbours_cv import cross_predict

__all__ = ["NearestNeighbours"]


class NearestNeighbours(Learner):
    """The k nearest neighbours as Weka's ``IBk``.

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
        votes = np.zeros((len(table), self.n_classes_), dtype=np.int64)
        numeric = table.n_values == 0
        k = min(self.k, len(self.codes_))
        _vote(self.examples_, table.values, numeric, self.weights_, self.codes_, k, bool(self.widen_ranges), votes)
        return votes

    def _cross_predict(self, table: Table, codes: Codes, folds: Codes, n_classes: int) -> Codes:
        weights = self._checked_weights(table.shape[1])
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


@kernel
def _vote(
    examples: Array, tests: Array, numeric: Flags, weights: Array, codes: Codes, k: int, widen: bool, votes: Codes
) -> None:
    """Count the votes of each test row's neighbours; `examples` is (attributes, examples)."""
    p, n = examples.shape
    low = np.full(p, np.inf)
    high = np.full(p, -np.inf)
    scaled = examples.copy()
    for a in range(p):
        if numeric[a]:
            for j in range(n):
                widen_range(examples[a, j], a, low, high)
            _scale(examples[a], low[a], high[a], scaled[a])
    distance = np.empty(n)
    nearest = np.empty(k)
    for i in range(tests.shape[0]):
        distance[:] = 0.0
        for a in range(p):
            if numeric[a]:
                if widen and widen_range(tests[i, a], a, low, high):
                    _scale(examples[a], low[a], high[a], scaled[a])
                _add_numeric(normalise(tests[i, a], low[a], high[a]), scaled[a], weights[a], distance)
            else:
                _add_nominal(tests[i, a], scaled[a], weights[a], distance)
        limit = _smallest(distance, nearest)
        for j in range(n):
            if distance[j] <= limit:
                votes[i, codes[j]] += 1


@kernel
def _scale(column: Array, low: float, high: float, out: Array) -> None:
    for j in range(column.shape[0]):
        out[j] = normalise(column[j], low, high)


@kernel
def _add_numeric(x: float, column: Array, weight: float, distance: Array) -> None:
    if np.isnan(x):
        for j in range(column.shape[0]):
            z = column[j]
            d = 1.0 if np.isnan(z) else max(z, 1.0 - z)
            distance[j] += weight * (d * d)
    else:
        alone = max(x, 1.0 - x)
        for j in range(column.shape[0]):
            d = alone if np.isnan(column[j]) else x - column[j]
            distance[j] += weight * (d * d)


@kernel
def _add_nominal(x: float, column: Array, weight: float, distance: Array) -> None:
    for j in range(column.shape[0]):
        distance[j] += weight if column[j] != x or np.isnan(x) else 0.0


@kernel
def _smallest(distance: Array, nearest: Array) -> float:
    """The k-th smallest distance, k being the length of the scratch `nearest`."""
    k = nearest.shape[0]
    nearest[:] = np.inf
    for j in range(distance.shape[0]):
        if distance[j] < nearest[k - 1]:
            t = k - 1
            while t > 0 and nearest[t - 1] > distance[j]:
                nearest[t] = nearest[t - 1]
                t -= 1
            nearest[t] = distance[j]
    return float(nearest[k - 1])
