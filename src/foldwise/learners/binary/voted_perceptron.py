"""The voted perceptron on binary data: similarities are counts of common ones, so every sum is a whole number."""

from __future__ import annotations

import numpy as np

from foldwise.core.compile import kernel
from foldwise.core.types import Integers
from foldwise.learners.binary.batch import Bytes, Counts, Words
from foldwise.learners.binary.packing import by_class, count_bits, draw_folds, lowest_bit
from foldwise.learners.voted_perceptron import java_shuffle

_SEED = 1
_MOST_ALTERATIONS = 10_000  # The learner's defaults.


def cross_validate_batch(X: Bytes, y: Bytes, seeds: Words, partners: Integers, correct: Counts) -> None:
    n, folds = X.shape[1], partners.shape[1]
    paired = 1 + int((partners != np.arange(folds)).any())
    fewest = n - paired * -(-n // folds)  # training sets have this many examples, or one more for each fold
    shuffles = np.zeros((paired + 1, fewest + paired), dtype=np.int64)
    for more in range(paired + 1):
        shuffles[more, : fewest + more] = java_shuffle(fewest + more, _SEED)
    weights = np.left_shift(np.uint64(1), np.arange(X.shape[2], dtype=np.uint64))
    packed = (X * weights).sum(axis=2, dtype=np.uint64)
    _data_sets(packed, y, seeds, partners, shuffles, correct)


@kernel
def _data_sets(X: Words, y: Bytes, seeds: Words, partners: Integers, shuffles: Integers, correct: Counts) -> None:
    n = X.shape[1]
    rounds, folds = partners.shape
    order, scratch, fold_of = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    # the training examples as they are shown, then the test examples
    shown, labels = np.empty(n, np.uint64), np.empty(n, np.uint8)
    sums, votes, weights = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(64, np.int64)
    for d in range(X.shape[0]):
        zeros = by_class(y[d], order)
        for run in range(correct.shape[1]):
            dealing, place = divmod(run, rounds)
            if place == 0:
                draw_folds(order, zeros, folds, seeds[d], dealing, scratch, fold_of)
            for fold in range(correct.shape[2]):
                partner = partners[place, fold]
                if partner < fold:  # it was tested with its partner
                    continue
                size, middle = _arrange(X[d], y[d], fold_of, fold, partner, shuffles, scratch, shown, labels)
                known = _train(shown, labels, size, weights, sums, votes)
                if partner != fold:
                    correct[d, run, partner] = _hits(labels, middle, n, votes, known)
                correct[d, run, fold] = _hits(labels, size, middle, votes, known)


@kernel
def _arrange(
    X: Words,
    y: Bytes,
    fold_of: Integers,
    fold: int,
    partner: int,
    shuffles: Integers,
    rows: Integers,
    shown: Words,
    labels: Bytes,
) -> tuple[int, int]:
    """Write the training examples in shuffled order, then those of the fold, then those of its partner.

    Returns how many are trained on, and where the partner's begin.
    """
    n, size = X.shape[0], 0
    for i in range(n):
        if fold_of[i] not in (fold, partner):
            rows[size] = i
            size += 1
    # one row for each size that a training set may have, the last as long as the rows are
    shuffle = shuffles[size - (shuffles.shape[1] - shuffles.shape[0] + 1)]
    for k in range(size):
        shown[k], labels[k] = X[rows[shuffle[k]]], y[rows[shuffle[k]]]
    at, middle = size, size
    for i in range(n):
        if fold_of[i] == fold:
            shown[at], labels[at] = X[i], y[i]
            at += 1
    middle = at
    for i in range(n):
        if fold_of[i] == partner and partner != fold:
            shown[at], labels[at] = X[i], y[i]
            at += 1
    return size, middle


@kernel
def _train(shown: Words, labels: Bytes, size: int, weights: Integers, sums: Integers, votes: Integers) -> int:
    """Train on the first `size` examples and vote on the others; ±1 where only one class was seen, else 0."""
    ones = 0
    for i in range(size):
        ones += labels[i]
    if ones in (0, size):  # only one class seen: that one
        return 1 if ones else -1
    bias, survived, alterations = 0, 0, 0
    weights[:] = 0
    sums[:] = 0
    votes[:] = 0
    for turn in range(size):
        if (bias + _weigh(weights, shown[turn]) >= 0) != (labels[turn] != 0):
            sign = 1 if labels[turn] else -1
            _vote_and_add(shown, turn, sign, size, survived, sums, votes)
            bias += sign
            _add_bits(weights, shown[turn], sign)
            alterations += 1
            survived = 0
        survived += 1
        if alterations == _MOST_ALTERATIONS:
            break
    _vote_and_add(shown, 0, 0, size, survived, sums, votes)
    return 0


@kernel
def _weigh(weights: Integers, example: np.uint64) -> np.int64:
    total = np.int64(0)
    while example != 0:
        total += weights[lowest_bit(example)]
        example &= example - np.uint64(1)
    return total


@kernel
def _add_bits(weights: Integers, example: np.uint64, sign: int) -> None:
    while example != 0:
        weights[lowest_bit(example)] += sign
        example &= example - np.uint64(1)


@kernel
def _vote_and_add(
    shown: Words, turn: int, sign: int, size: int, survived: int, sums: Integers, votes: Integers
) -> None:
    """Let the perceptron vote on the test examples, then alter it by the example that it has got wrong."""
    wrong = shown[turn]
    for i in range(size, shown.shape[0]):
        votes[i] += survived if sums[i] >= 0 else -survived
        sums[i] += sign * (np.int64(count_bits(shown[i] & wrong)) + 1)


@kernel
def _hits(labels: Bytes, start: int, stop: int, votes: Integers, known: int) -> int:
    """Examples from `start` to `stop` whose class the vote gives, or `known` if that is not 0."""
    hits = 0
    for i in range(start, stop):
        hits += ((known if known else votes[i]) > 0) == (labels[i] != 0)
    return hits
