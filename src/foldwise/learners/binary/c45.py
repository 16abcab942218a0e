"""C4.5 on binary data: a node is a mask of examples, its tables come from counting bits.

The same tests, tolerances and order of operations as in `foldwise.learners.tree`, for two values per attribute, two
classes, and no missing values. No attribute is tested twice on a path, so paths are at most as long as there are
attributes, and stacks at most one longer.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from foldwise.core.types import Array, Integers
from foldwise.learners.binary.packing import (
    Bytes,
    Counts,
    Words,
    by_class,
    count_bits,
    draw_folds,
    fold_masks,
    leave_out,
    pack,
    words,
)
from foldwise.learners.binary.pruning import collapse, prune
from foldwise.learners.binary.tree import Grown, Problem, census, halve, space
from foldwise.learners.c45 import C45
from foldwise.learners.compile import bare_kernel, compiled, inner_kernel
from foldwise.learners.tree.arrays import SMALL
from foldwise.learners.tree.prune import estimates, fill_estimates
from foldwise.learners.tree.terms import terms

__all__ = ["cross_validate_batch"]

_MIN_INSTANCES = 2
_LARGEST_TABLE = 600
"""Up to so many examples the terms of the gain and the estimated errors are tabulated."""


class Desk(NamedTuple):
    """Masks and folds of one data set; space that is used again for every data set."""

    bits: Words
    everyone: Words
    masks: Words
    """(folds, words): the examples of each fold."""
    left_out: Words
    """(words,): those of a fold, and of the one that is left out with it."""
    order: Integers
    left: Integers
    fold_of: Integers


def cross_validate_batch(X: Bytes, y: Bytes, seeds: Words, partners: Integers, correct: Counts) -> None:
    """Count correct predictions; see `foldwise.learners.binary.cross_validate`."""
    rule = C45()._rule()
    n, p = X.shape[1:]
    w = words(n)
    whole, f, pairs = np.empty((3, n), np.int64), compiled(terms)(n, False), _pairs(min(n, _LARGEST_TABLE))
    desk = Desk(
        np.empty((p, w), np.uint64),
        np.empty(w, np.uint64),
        np.empty((partners.shape[1], w), np.uint64),
        np.empty(w, np.uint64),
        whole[0],
        whole[1],
        whole[2],
    )
    problem = Problem(
        bits=np.zeros((w, (p + 7) // 8 * 8), np.uint64),
        ones=np.empty(w, np.uint64),
        f=f,
        pairs=pairs if n <= _LARGEST_TABLE else np.concatenate([pairs, np.empty(3 * (n + 1))]),
        tabulated=min(n, _LARGEST_TABLE) + 1,
        estimates=estimates(min(n, _LARGEST_TABLE), rule.confidence, rule.z, compiled(fill_estimates)),
        confidence=rule.confidence,
        z=rule.z,
    )
    _data_sets(X, y, seeds, partners, problem, desk, space(n, p, w), correct)


@lru_cache(maxsize=4)
def _pairs(n: int) -> Array:
    """f(i) + f(m − i) by m and i, both up to n, in one row."""
    f, i = compiled(terms)(n, False), np.arange(n + 1)
    table: Array = f + f[np.maximum(i[:, None] - i, 0)]
    return table.ravel()


@bare_kernel
def _data_sets(
    X: Bytes,
    y: Bytes,
    seeds: Words,
    partners: Integers,
    problem: Problem,
    desk: Desk,
    tree: Grown,
    correct: Counts,
) -> None:
    rounds = partners.shape[0]
    p, n_words = desk.bits.shape
    for d in range(X.shape[0]):
        pack(X[d], y[d], desk.bits, problem.ones, desk.everyone)
        for w in range(n_words):
            for a in range(p):
                problem.bits[w, a] = desk.bits[a, w]
        zeros = by_class(y[d], desk.order)
        for run in range(correct.shape[1]):
            dealing, place = divmod(run, rounds)
            if place == 0:
                draw_folds(desk.order, zeros, desk.masks.shape[0], seeds[d], dealing, desk.left, desk.fold_of)
                fold_masks(desk.fold_of, desk.masks)
            for fold in range(correct.shape[2]):
                partner = partners[place, fold]
                if partner < fold:  # it was tested with its partner
                    continue
                leave_out(desk.masks, fold, partner, desk.left_out)
                for w in range(n_words):
                    tree.masks[0, w] = desk.everyone[w] & ~desk.left_out[w]
                collapse(tree, _grow(tree, problem))
                prune(tree, problem)
                correct[d, run, fold] = _hits(tree, desk.masks[fold], problem)
                if partner != fold:
                    correct[d, run, partner] = _hits(tree, desk.masks[partner], problem)


@inner_kernel
def _count(tree: Grown, v: int, parent: int, problem: Problem) -> None:
    """Fill the counts of node `v`, by subtraction where its elder brother has been counted."""
    p = problem.bits.shape[1]
    if v > 0 and v % 2 == 0 and tree.with_one[v - 1, 0] >= 0:
        for a in range(p):
            tree.with_one[v, a] = tree.with_one[parent, a] - tree.with_one[v - 1, a]
            tree.both[v, a] = tree.both[parent, a] - tree.both[v - 1, a]
        return
    for a in range(p):
        tree.with_one[v, a] = 0
        tree.both[v, a] = 0
    for w in range(problem.ones.size):
        mask = tree.masks[v, w]
        if mask != 0:
            positive = mask & problem.ones[w]
            for a in range(p):
                tree.with_one[v, a] += np.int64(count_bits(mask & problem.bits[w, a]))
                tree.both[v, a] += np.int64(count_bits(positive & problem.bits[w, a]))


@inner_kernel
def _row(n: int, spare: int, problem: Problem) -> int:
    """Where f(i) + f(n − i) is in `problem.pairs` for i = 0; for large `n` it is put in a spare row."""
    if n < problem.tabulated:
        return n * problem.tabulated
    start: int = problem.tabulated * problem.tabulated + spare * problem.f.size
    for i in range(n + 1):
        problem.pairs[start + i] = problem.f[i] + problem.f[n - i]
    return start


@inner_kernel
def _best_split(tree: Grown, v: int, problem: Problem) -> int:
    """The attribute of largest gain ratio among those of at least average gain; −1 for none.

    Gains are n times as large here, and attributes without two branches of enough examples have −1.
    """
    n, n1, p = tree.size[v], tree.ones[v], tree.merit.size
    pairs, whole = problem.pairs, _row(n, 0, problem)
    zero, one = _row(n - n1, 1, problem), _row(n1, 2, problem)
    base, total, number = pairs[whole] - pairs[zero] - pairs[one], 0.0, 0
    for a in range(p):  # without branches, which would be mispredicted
        b1, t1 = tree.with_one[v, a], tree.both[v, a]
        enough = (b1 >= _MIN_INSTANCES) & (n - b1 >= _MIN_INSTANCES)
        merit = base + pairs[np.uint64(zero + b1 - t1)] + pairs[np.uint64(one + t1)] - pairs[np.uint64(whole + b1)]
        merit = merit if merit > SMALL else 0.0
        total += merit if enough else 0.0
        number += enough
        tree.merit[a] = merit if enough else -1.0
    if number == 0:
        return -1
    least, best, beyond = max(total / number - 1e-3 * n, 0.0), -1, SMALL
    for a in range(p):
        ratio = tree.merit[a] / (pairs[whole] - pairs[np.uint64(whole + tree.with_one[v, a])])
        ratio = ratio if tree.merit[a] >= least else -1.0
        best = a if ratio > beyond else best
        beyond = ratio + SMALL if ratio > beyond else beyond
    return best


@inner_kernel
def _grow(tree: Grown, problem: Problem) -> int:
    """Grow the full tree on the root's mask; its number of nodes."""
    tree.size[0], tree.ones[0] = census(tree.masks[0], problem.ones)
    tree.below[0] = -1  # while growing, `below` is the parent
    used, v = 1, 0
    while v < used:
        tree.attribute[v] = -1
        tree.with_one[v, 0] = -1
        n, n1 = tree.size[v], tree.ones[v]
        if n >= 2 * _MIN_INSTANCES and 0 < n1 < n:
            _count(tree, v, tree.below[v], problem)
            a = _best_split(tree, v, problem)
            if a >= 0:
                tree.attribute[v], tree.son[v] = a, used
                tree.size[used + 1], tree.ones[used + 1] = tree.with_one[v, a], tree.both[v, a]
                tree.size[used], tree.ones[used] = n - tree.with_one[v, a], n1 - tree.both[v, a]
                halve(tree.masks[v], problem.bits, a, tree.masks[used], tree.masks[used + 1])
                tree.below[used] = v
                tree.below[used + 1] = v
                used += 2
        v += 1
    return used


@inner_kernel
def _hits(tree: Grown, test: Words, problem: Problem) -> int:
    """How many examples of the mask `test` the tree classifies correctly."""
    hits, height = np.uint64(0), 1
    tree.nodes[0] = 0
    for w in range(test.size):
        tree.pile[0, w] = test[w]
    while height > 0:
        height -= 1
        v = tree.nodes[height]
        if tree.attribute[v] < 0:
            positive = 2 * tree.ones[v] > tree.size[v]
            for w in range(test.size):
                hits += count_bits(tree.pile[height, w] & (problem.ones[w] if positive else ~problem.ones[w]))
            continue
        halve(tree.pile[height], problem.bits, tree.attribute[v], tree.pile[height], tree.pile[height + 1])
        tree.nodes[height], tree.nodes[height + 1] = tree.son[v], tree.son[v] + 1
        height += 2
    return np.int64(hits)  # type: ignore[return-value]
