"""The voted perceptron, and its kernels."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from foldwise.core.compile import kernel
from foldwise.core.table import Table
from foldwise.core.types import Array
from foldwise.core.validation import integer, positive
from foldwise.learners.base import Codes, Indicators, Learner, fill_missing, indicators


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    """The perceptrons that tell two classes apart: by the examples that altered them."""

    classes: tuple[int, int]
    stand_ins: Array
    altering: Array
    positive: NDArray[np.bool_]
    survived: Codes


class VotedPerceptron(Learner):
    r"""Perceptrons that vote with the number of examples each of them survived.

    Parameters
    ----------
    iterations
        Passes over the training examples.
    exponent
        Of the polynomial kernel (x·z + 1)^exponent.
    max_alterations
        Training ends when the perceptron has been altered this often.
    random_state
        Seed of the order of the training examples: that of ``java.util.Random``, so that the order is Weka's.

    Notes
    -----
    The prediction is the sign of :math:`\sum_k c_k\,\mathrm{sign}(v_k \cdot x)`, with v_k the perceptron after k
    alterations and c_k the number of examples it survived [1]_. A vote of zero goes to the first class.

    As in Weka, missing values become the training set's mean or mode and nominal attributes of more than two
    categories become indicators; nothing is scaled. Weka takes two classes only. For more, one voted perceptron is
    trained for each pair of classes on the examples of that pair and the class that wins most pairs is predicted
    (as Weka's MultiClassClassifier does with 1-against-1; a pair's tie goes to its second class, a tie between
    classes to the first).

    A training set without examples of one of the pair's classes always predicts the other; Weka predicts the first
    class even if it has never seen it.

    References
    ----------
    .. [1] Y. Freund, R. E. Schapire (1998), Large margin classification using the perceptron algorithm, COLT.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [4.0], [5.0]], ["a", "a", "b", "b"]
    >>> VotedPerceptron(iterations=20).fit(X, y).predict([[-1.0], [6.0]]).tolist()
    ['a', 'b']
    """

    def __init__(
        self, *, iterations: int = 1, exponent: float = 1.0, max_alterations: int = 10000, random_state: int = 1,
    ) -> None:  # fmt: skip
        self.iterations = iterations
        self.exponent = exponent
        self.max_alterations = max_alterations
        self.random_state = random_state

    def _check_parameters(self) -> None:
        integer(self.iterations, "iterations", minimum=1)
        positive(self.exponent, "exponent")
        integer(self.max_alterations, "max_alterations", minimum=1)
        integer(self.random_state, "random_state", minimum=0)

    def _fit(self, table: Table, codes: Codes, n_classes: int) -> None:
        self.n_classes_ = n_classes
        self.present_ = np.unique(codes)
        X, layout, pairs = indicators(table), Indicators.of(table), combinations(self.present_.tolist(), 2)
        self.pairs_ = [self._fit_pair(X, layout, codes, pair) for pair in pairs]

    def _fit_pair(self, X: Array, layout: Indicators, codes: Codes, pair: tuple[int, int]) -> _Pair:
        rows = np.flatnonzero((codes == pair[0]) | (codes == pair[1]))
        stand_ins = layout.stand_ins(X[rows])
        filled, labels = fill_missing(X[rows], stand_ins), codes[rows] == pair[1]
        order = java_shuffle(len(rows), int(self.random_state) & SEED_BITS)
        limit = min(int(self.max_alterations), int(self.iterations) * len(rows))
        altered, survived = train_voted(
            filled, labels, order, _columns(filled[order]), int(self.iterations), float(self.exponent), limit
        )
        return _Pair(
            classes=pair, stand_ins=stand_ins, altering=filled[altered], positive=labels[altered], survived=survived
        )

    def _votes(self, X: Array, pair: _Pair) -> Codes:
        # a model read from a memory map is not writeable, and would make numba compile the kernel once more
        altering, signs = np.require(pair.altering, requirements="W"), np.require(pair.positive, requirements="W")
        survived = np.require(pair.survived, requirements="W")
        return vote(altering, signs, survived, _columns(fill_missing(X, pair.stand_ins)), float(self.exponent))

    def _predict_proba(self, table: Table) -> Array:
        X, out = indicators(table), np.zeros((len(table), self.n_classes_))
        if len(self.present_) == 1:
            out[:, self.present_[0]] = 1.0
        elif self.n_classes_ == 2:
            second = expit(self._votes(X, self.pairs_[0]).astype(np.float64))
            out[:, 0], out[:, 1] = 1.0 - second, second
        else:
            for pair in self.pairs_:
                _count_winner(out, self._votes(X, pair), pair.classes)
            out /= len(self.pairs_)
        return out


def _columns(X: Array) -> Array:
    return np.ascontiguousarray(X.T)


def _count_winner(won: Array, votes: Codes, pair: tuple[int, int]) -> None:
    """Count for each example the pair's winner: the second class unless the vote is negative."""
    won[np.arange(len(votes)), np.where(votes < 0, pair[0], pair[1])] += 1.0


# ---- Kernels of the voted perceptron: Java's shuffle, training and voting, each sum in Weka's order.

Indices = NDArray[np.int64]

# java.util.Random's linear congruential generator; its documentation fixes the algorithm.
_MULTIPLIER, _INCREMENT, SEED_BITS = 0x5DEECE66D, 0xB, (1 << 48) - 1


@kernel
def _next_int(state: int, bound: int) -> tuple[int, int]:
    """java.util.Random.nextInt(bound): the new state and a whole number below `bound`."""
    while True:
        state = (state * _MULTIPLIER + _INCREMENT) & SEED_BITS
        bits = state >> 17
        if bound & (bound - 1) == 0:
            return state, (bound * bits) >> 31
        value = bits % bound
        # rejects the incomplete last group of 31-bit numbers, where Java's int overflows
        if bits - value + (bound - 1) < 1 << 31:
            return state, value


@kernel
def java_shuffle(n: int, seed: int) -> Indices:
    """The order in which Weka's ``Instances.randomize(new Random(seed))`` leaves `n` instances."""
    order = np.arange(n)
    state = (seed ^ _MULTIPLIER) & SEED_BITS
    for last in range(n - 1, 0, -1):
        state, chosen = _next_int(state, last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return order


@kernel
def similarities(example: Array, columns: Array, exponent: float, out: Array) -> None:
    """(x·z + 1)^exponent for z = `example` and every column x."""
    for i in range(out.shape[0]):
        out[i] = 0.0
    for j in range(columns.shape[0]):
        factor, column = example[j], columns[j]
        for i in range(out.shape[0]):
            out[i] += column[i] * factor
    for i in range(out.shape[0]):
        out[i] += 1.0
    if exponent != 1.0:
        for i in range(out.shape[0]):
            out[i] = out[i] ** exponent


@kernel
def _add_example(example: Array, columns: Array, add: bool, exponent: float, sums: Array, scratch: Array) -> None:
    """Add to the sums (or subtract) the similarities of the columns to an example."""
    similarities(example, columns, exponent, scratch)
    for i in range(sums.shape[0]):
        sums[i] += scratch[i] if add else -scratch[i]


@kernel
def train_voted(
    examples: Array, positive: NDArray[np.bool_], order: Indices, columns: Array, iterations: int, exponent: float,
    limit: int,
) -> tuple[Indices, Indices]:  # fmt: skip
    """Rows that altered the perceptron, in turn, and how many examples each perceptron survived (one more).

    `order` lists the training rows as they are shown, and `columns` has them as columns.
    """
    # the perceptron is never written down: it is the sum of the examples that altered it, so that what it says of an
    # example is a sum of similarities, which is kept for every training row and grows by one term at each alteration
    n = order.shape[0]
    sums, scratch = np.zeros(n), np.empty(n)
    altered, survived = np.empty(limit, np.int64), np.zeros(limit + 1, np.int64)
    k = 0
    for turn in range(iterations * n):
        row = order[turn % n]
        # the comparison is Weka's: a sum of zero, or one that has overflowed to NaN, predicts the second class
        if (sums[turn % n] < 0.0) == positive[row]:
            altered[k] = row
            k += 1
            _add_example(examples[row], columns, positive[row], exponent, sums, scratch)
        survived[k] += 1
        if k == limit:
            break
    return altered[:k], survived[: k + 1]


@kernel
def vote(altering: Array, positive: NDArray[np.bool_], survived: Indices, columns: Array, exponent: float) -> Indices:
    """Sum over the perceptrons of survivals × predicted sign, for each of the `columns`."""
    # all perceptrons in the order of training: each differs from the one before by the similarity to one example
    n = columns.shape[1]
    sums, scratch, votes = np.zeros(n), np.empty(n), np.zeros(n, np.int64)
    for k in range(survived.shape[0]):
        for i in range(n):
            votes[i] += -survived[k] if sums[i] < 0.0 else survived[k]
        if k < altering.shape[0]:
            _add_example(altering[k], columns, positive[k], exponent, sums, scratch)
    return votes
