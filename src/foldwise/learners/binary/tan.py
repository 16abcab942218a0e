"""Tree-augmented naive Bayes on binary data: counts of pairs of attributes by counting bits and by subtraction."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import gammaln

from foldwise.core.compile import kernel
from foldwise.core.types import Array, Integers
from foldwise.learners._tan_kernels import ALPHA, spanning_tree
from foldwise.learners.binary.batch import Bytes, Counts, Words
from foldwise.learners.binary.packing import (
    by_class,
    count_bits,
    draw_folds,
    fold_masks,
    leave_out,
    lowest_bit,
    pack,
    words,
)

# Log probabilities this near to each other are decided by the very quotients that the learner computes.
_NEAR_TIE = 1e-9


def cross_validate_batch(X: Bytes, y: Bytes, seeds: Words, partners: Integers, correct: Counts) -> None:
    log_gamma = gammaln(np.arange(2 * X.shape[1] + 4) / 2)
    _data_sets(X, y, seeds, partners, log_gamma, words(X.shape[1]), correct)


@kernel
def _data_sets(
    X: Bytes, y: Bytes, seeds: Words, partners: Integers, log_gamma: Array, n_words: int, correct: Counts
) -> None:
    n, p = X.shape[1:]
    rounds, folds = partners.shape
    bits = np.empty((p, n_words), np.uint64)
    ones, everyone = np.empty(n_words, np.uint64), np.empty(n_words, np.uint64)
    masks, left_out = np.empty((folds, n_words), np.uint64), np.empty(n_words, np.uint64)
    order, scratch, fold_of = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    total, train = np.empty((2, p + 1, p + 1), np.int64), np.empty((2, p + 1, p + 1), np.int64)
    gains, base, table = np.zeros((p, p)), np.empty(p), np.empty((2, p, 2, 2))
    for d in range(X.shape[0]):
        pack(X[d], y[d], bits, ones, everyone)
        zeros = by_class(y[d], order)
        _count(everyone, bits, ones, total)
        for run in range(correct.shape[1]):
            dealing, place = divmod(run, rounds)
            if place == 0:
                draw_folds(order, zeros, folds, seeds[d], dealing, scratch, fold_of)
                fold_masks(fold_of, masks)
            for fold in range(correct.shape[2]):
                partner = partners[place, fold]
                if partner < fold:  # it was tested with its partner
                    continue
                leave_out(masks, fold, partner, left_out)
                _count(left_out, bits, ones, train)
                _subtract(total, train)
                _gains(train, log_gamma, base, gains)
                parent = spanning_tree(gains)
                priors = _tables(train, parent, table)
                correct[d, run, fold] = _hits(X[d], y[d], masks[fold], parent, priors, table)
                if partner != fold:
                    correct[d, run, partner] = _hits(X[d], y[d], masks[partner], parent, priors, table)


@kernel
def _count(mask: Words, bits: Words, ones: Words, counts: Integers) -> None:
    """Within `mask`: counts[class, i, j] of both attributes i and j being 1; index p stands for no condition."""
    p = bits.shape[0]
    for i in range(p + 1):
        for j in range(i, p + 1):
            both, with_one = np.uint64(0), np.uint64(0)
            for w in range(mask.shape[0]):
                chosen = mask[w]
                if i < p:
                    chosen &= bits[i, w]
                if j < p:
                    chosen &= bits[j, w]
                both += count_bits(chosen)
                with_one += count_bits(chosen & ones[w])
            for c in range(2):
                number = np.int64(with_one) if c == 1 else np.int64(both) - np.int64(with_one)
                counts[c, i, j] = number
                counts[c, j, i] = number


@kernel
def _subtract(total: Integers, part: Integers) -> None:
    for c in range(part.shape[0]):
        for i in range(part.shape[1]):
            for j in range(part.shape[2]):
                part[c, i, j] = total[c, i, j] - part[c, i, j]


@kernel
def _add_family(score: float, zeros: int, ones: int, log_gamma: Array) -> float:
    """The score with one more configuration of the parents, in the learner's order of operations."""
    score += log_gamma[2 * zeros + 1]
    score += log_gamma[2 * ones + 1]
    score -= log_gamma[2 * (zeros + ones) + 2]
    score -= 2 * log_gamma[1]
    score += log_gamma[2]
    return score


@kernel
def _gains(counts: Integers, log_gamma: Array, base: Array, gains: Array) -> None:
    """As `foldwise.learners._tan_kernels.arc_gains`."""
    p = base.shape[0]
    for j in range(p):
        base[j] = 0.0
        for c in range(2):
            base[j] = _add_family(base[j], counts[c, p, p] - counts[c, j, p], counts[c, j, p], log_gamma)
    for head in range(p):
        for tail in range(p):
            if head == tail:
                continue
            score = 0.0
            for c in range(2):
                all_, tails, heads, both = (
                    counts[c, p, p],
                    counts[c, tail, p],
                    counts[c, head, p],
                    counts[c, head, tail],
                )
                score = _add_family(score, all_ - tails - heads + both, heads - both, log_gamma)
                score = _add_family(score, tails - both, both, log_gamma)
            gains[head, tail] = score - base[head]


@kernel
def _tables(counts: Integers, parent: Integers, table: Array) -> Array:
    """Fill table[class, attribute, parent's value, value] with log probabilities; return the log priors."""
    p = parent.shape[0]
    n = counts[0, p, p] + counts[1, p, p]
    priors = np.empty(2)
    for c in range(2):
        priors[c] = math.log((counts[c, p, p] + ALPHA) / (n + ALPHA * 2))
        for j in range(p):
            q = parent[j]
            with_ones = counts[c, j, q] if q >= 0 else counts[c, j, p]
            with_all = counts[c, q, p] if q >= 0 else counts[c, p, p]
            for value in range(2):  # of the parent; the root's table is the same for both
                ones = with_ones if value == 1 or q < 0 else counts[c, j, p] - with_ones
                whole = with_all if value == 1 or q < 0 else counts[c, p, p] - with_all
                table[c, j, value, 0] = math.log((ALPHA + (whole - ones)) / (ALPHA * 2 + whole))
                table[c, j, value, 1] = math.log((ALPHA + ones) / (ALPHA * 2 + whole))
    return priors


@kernel
def _hits(X: Bytes, y: Bytes, mask: Words, parent: Integers, priors: Array, table: Array) -> int:
    hits = 0
    for w in range(mask.shape[0]):
        left = mask[w]
        while left != 0:
            i = (w << 6) + np.int64(lowest_bit(left))
            left &= left - np.uint64(1)
            zero, one = 0.0, 0.0
            for j in range(parent.shape[0]):
                above = X[i, parent[j]] if parent[j] >= 0 else 0
                zero += table[0, j, above, X[i, j]]
                one += table[1, j, above, X[i, j]]
            hits += _second_larger(1.0 + (zero + priors[0]), 1.0 + (one + priors[1])) == (y[i] != 0)
    return hits


@kernel
def _second_larger(first: float, second: float) -> bool:
    """Whether the second class is predicted; nearly equal ones as `posterior` normalises and rounds them."""
    if abs(first - second) > _NEAR_TIE:
        return second > first
    largest = max(first, second)
    a, b = math.exp(first - largest), math.exp(second - largest)
    whole = a + b
    return b / whole > a / whole
