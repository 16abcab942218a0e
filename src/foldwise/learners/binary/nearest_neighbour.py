"""Nearest neighbour on binary data: each example's neighbours are listed once and serve all runs and folds."""

from __future__ import annotations

import numpy as np

from foldwise.core.compile import inner_kernel, kernel
from foldwise.core.types import Integers
from foldwise.learners.binary import Bytes, Counts, Words
from foldwise.learners.binary.packing import (
    by_class,
    count_bits,
    draw_folds,
    fold_masks,
    leave_out,
    pack,
    words,
)

# Distances are listed until so many examples are at hand; should they all lie in the test fold, which happens
# to about one example in ten thousand with ten folds, all examples are searched.
_ENOUGH = 4


def cross_validate_batch(X: Bytes, y: Bytes, seeds: Words, partners: Integers, correct: Counts) -> None:
    flips = np.arange(1 << X.shape[2], dtype=np.uint64)
    distance = np.bitwise_count(flips).astype(np.int64)
    order = np.argsort(distance, kind="stable")
    first = np.concatenate([[0], np.cumsum(np.bincount(distance))])
    _data_sets(X, y, seeds, partners, flips[order], first, words(X.shape[1]), correct)


@kernel
def _data_sets(
    X: Bytes, y: Bytes, seeds: Words, partners: Integers, flips: Words, first: Integers, n_words: int, correct: Counts
) -> None:
    n, p = X.shape[1:]
    rounds, folds = partners.shape
    codes = np.empty(n, np.uint64)
    members = np.empty((flips.shape[0], n_words), np.uint64)
    levels = np.empty((n, _ENOUGH, n_words), np.uint64)
    n_levels = np.empty(n, np.int64)
    bits = np.empty((p, n_words), np.uint64)
    ones = np.empty(n_words, np.uint64)
    everyone = np.empty(n_words, np.uint64)
    masks = np.empty((folds, n_words), np.uint64)
    left_out = np.empty((folds, n_words), np.uint64)
    order = np.empty(n, np.int64)
    scratch = np.empty(n, np.int64)
    fold_of = np.empty(n, np.int64)
    for d in range(X.shape[0]):
        pack(X[d], y[d], bits, ones, everyone)
        zeros = by_class(y[d], order)
        _encode(X[d], codes)
        members[:] = 0
        for i in range(n):  # the examples of each code as a mask
            members[codes[i], i >> 6] |= np.uint64(1) << np.uint64(i & 63)
        for i in range(n):
            n_levels[i] = _list_levels(codes[i], members, flips, first, levels[i])
        for run in range(correct.shape[1]):
            dealing, place = divmod(run, rounds)
            if place == 0:
                draw_folds(order, zeros, folds, seeds[d], dealing, scratch, fold_of)
                fold_masks(fold_of, masks)
            for fold in range(folds):
                leave_out(masks, fold, partners[place, fold], left_out[fold])
            for i in range(n):
                fold = fold_of[i]
                if fold < correct.shape[2]:
                    vote = _vote(levels[i], n_levels[i], left_out[fold], ones)
                    if vote == 0:
                        vote = _vote_of_all(codes, y[d], fold_of, i, partners[place, fold])
                    correct[d, run, fold] += (vote > 0) == (y[d, i] != 0)


@inner_kernel
def _encode(X: Bytes, codes: Words) -> None:
    for i in range(X.shape[0]):
        code = np.uint64(0)
        for a in range(X.shape[1]):
            code |= np.uint64(X[i, a]) << np.uint64(a)
        codes[i] = code


@inner_kernel
def _list_levels(code: np.uint64, members: Words, flips: Words, first: Integers, levels: Words) -> int:
    """Write the examples at each distance from `code`, nearest first, as masks; return how many distances.

    ``flips[first[d]:first[d + 1]]`` has the ways to change d bits of a code. Among the examples at distance 0 is the
    one that asks, which never votes, for it is in the test fold; it does not count here.
    """
    used = 0
    listed = -1
    for distance in range(first.shape[0] - 1):
        found = np.uint64(0)
        for w in range(members.shape[1]):
            mask = np.uint64(0)
            for f in range(first[distance], first[distance + 1]):
                mask |= members[code ^ flips[f], w]
            levels[used, w] = mask
            found += count_bits(mask)
        listed += int(found)
        used += int(found) > (distance == 0)
        if listed >= _ENOUGH:
            break
    return used


@inner_kernel
def _vote(levels: Words, n_levels: int, test: Words, ones: Words) -> int:
    """1 or −1 as class 1 or 0 wins among the nearest examples that are not in `test`; 0 if none is listed."""
    for level in range(n_levels):
        voters = np.uint64(0)
        for_one = np.uint64(0)
        for w in range(test.shape[0]):
            training = levels[level, w] & ~test[w]
            voters += count_bits(training)
            for_one += count_bits(training & ones[w])
        if voters > 0:
            return 1 if for_one + for_one > voters else -1
    return 0


@inner_kernel
def _vote_of_all(codes: Words, y: Bytes, fold_of: Integers, i: int, partner: int) -> int:
    votes = 0
    nearest = np.uint64(65)
    for j in range(codes.shape[0]):
        if fold_of[j] not in (fold_of[i], partner):
            distance = count_bits(codes[i] ^ codes[j])
            if distance < nearest:
                nearest = distance
                votes = 0
            if distance == nearest:
                votes += 1 if y[j] else -1
    return 1 if votes > 0 else -1
