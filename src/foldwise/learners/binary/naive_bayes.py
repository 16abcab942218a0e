"""Naive Bayes on binary data: fold counts by counting bits, training counts by subtraction from the totals."""

from __future__ import annotations

import numpy as np

from foldwise.core.compile import inner_kernel, kernel
from foldwise.core.types import Array, Integers
from foldwise.learners.binary import Bytes, Counts, Words
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
from foldwise.learners.naive_bayes_kernels import first_largest, multiply

# Attributes per table of partial log odds: 2⁵ entries cost less to fill than they save.
_CHUNK = 5

# Log odds this near to zero are decided by the very product that the learner computes.
_NEAR_TIE = 1e-9


def cross_validate_batch(X: Bytes, y: Bytes, seeds: Words, partners: Integers, correct: Counts) -> None:
    logs = np.log(np.maximum(np.arange(X.shape[1] + 3), 1.0))
    _data_sets(X, y, seeds, partners, logs, words(X.shape[1]), correct)


@kernel
def _data_sets(
    X: Bytes, y: Bytes, seeds: Words, partners: Integers, logs: Array, n_words: int, correct: Counts
) -> None:
    n, p = X.shape[1:]
    rounds, folds = partners.shape
    bits = np.empty((p, n_words), np.uint64)
    ones = np.empty(n_words, np.uint64)
    everyone = np.empty(n_words, np.uint64)
    masks = np.empty((folds, n_words), np.uint64)
    left_out = np.empty(n_words, np.uint64)
    order = np.empty(n, np.int64)
    scratch = np.empty(n, np.int64)
    fold_of = np.empty(n, np.int64)
    total = np.empty((2, p), np.int64)
    train = np.empty((2, p), np.int64)
    n_chunks = (p + _CHUNK - 1) // _CHUNK
    codes = np.empty((n, n_chunks), np.uint8)
    tables = np.empty((n_chunks, 1 << _CHUNK))
    for d in range(X.shape[0]):
        pack(X[d], y[d], bits, ones, everyone)
        _chunk_codes(X[d], codes)
        zeros = by_class(y[d], order)
        n_total, ones_total = _count(everyone, bits, ones, total)
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
                n_fold, ones_fold = _count(left_out, bits, ones, train)
                n_ones = ones_total - ones_fold
                n_zeros = n_total - n_fold - n_ones
                for a in range(p):
                    train[0, a] = total[0, a] - train[0, a]
                    train[1, a] = total[1, a] - train[1, a]
                _log_odds(n_zeros, n_ones, train, logs, tables)
                correct[d, run, fold] = 0
                correct[d, run, partner] = 0
                for w in range(n_words):
                    left = left_out[w]
                    while left != 0:
                        i = (w << 6) + np.int64(lowest_bit(left))
                        left &= left - np.uint64(1)
                        odds = 0.0
                        for c in range(n_chunks):
                            odds += tables[c, codes[i, c]]
                        if abs(odds) < _NEAR_TIE:  # where sums of logarithms and products may round differently
                            predicted = _by_product(X[d, i], n_zeros, n_ones, train)
                        else:
                            predicted = odds > 0.0
                        correct[d, run, fold_of[i]] += predicted == (y[d, i] != 0)


@inner_kernel
def _count(mask: Words, bits: Words, ones: Words, counts: Integers) -> tuple[np.int64, np.int64]:
    """Within `mask`: counts[class, a] of attribute a being 1; returns the sizes of all and of class 1."""
    size = np.uint64(0)
    size_ones = np.uint64(0)
    for w in range(mask.shape[0]):
        size += count_bits(mask[w])
        size_ones += count_bits(mask[w] & ones[w])
    for a in range(bits.shape[0]):
        both = np.uint64(0)
        with_one = np.uint64(0)
        for w in range(mask.shape[0]):
            chosen = mask[w] & bits[a, w]
            both += count_bits(chosen)
            with_one += count_bits(chosen & ones[w])
        counts[0, a] = np.int64(both) - np.int64(with_one)
        counts[1, a] = np.int64(with_one)
    return np.int64(size), np.int64(size_ones)


@inner_kernel
def _chunk_codes(X: Bytes, codes: Bytes) -> None:
    codes[:] = 0
    for i in range(X.shape[0]):
        for a in range(X.shape[1]):
            codes[i, a // _CHUNK] |= X[i, a] << (a % _CHUNK)


@inner_kernel
def _log_odds(n_zeros: np.int64, n_ones: np.int64, train: Integers, logs: Array, tables: Array) -> None:
    """Fill tables[chunk, code] so that an example's log odds of class 1 are a sum of one entry per chunk."""
    # an attribute adds one of two numbers to the log odds; sums of five attributes are tabulated by their five bits,
    # so that an example takes a fifth of the additions
    p = train.shape[1]
    start = logs[n_ones + 1] - logs[n_zeros + 1] + p * (logs[n_zeros + 2] - logs[n_ones + 2])
    for c in range(tables.shape[0]):
        table = tables[c]
        table[0] = start if c == 0 else 0.0
        size = 1
        for a in range(c * _CHUNK, min(p, (c + 1) * _CHUNK)):
            absent = logs[n_ones - train[1, a] + 1] - logs[n_zeros - train[0, a] + 1]
            present = logs[train[1, a] + 1] - logs[train[0, a] + 1]
            for j in range(size):
                table[size + j] = table[j] + present
                table[j] += absent
            size <<= 1


@kernel
def _by_product(x: Bytes, n_zeros: np.int64, n_ones: np.int64, train: Integers) -> bool:
    """Whether class 1 is predicted, by the same operations as `foldwise.learners.NaiveBayes`."""
    n = n_zeros + n_ones
    product = np.array([(n_zeros + 1.0) / (n + 2.0), (n_ones + 1.0) / (n + 2.0)])
    factors = np.empty(2)
    for a in range(x.shape[0]):
        zeros = train[0, a] if x[a] else n_zeros - train[0, a]
        ones = train[1, a] if x[a] else n_ones - train[1, a]
        factors[0] = (zeros + 1.0) / (n_zeros + 2.0)
        factors[1] = (ones + 1.0) / (n_ones + 2.0)
        multiply(product, factors)
    return first_largest(product) == 1
