"""C4.5 on binary data: a node is a mask of examples, its tables come from counting bits.

The same tests, tolerances and order of operations as in `foldwise.learners.tree`, for two values per attribute, two
classes, and no missing values. No attribute is tested twice on a path, so paths are at most as long as there are
attributes, and stacks at most one longer.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from foldwise.core.compile import bare_kernel, compiled, inner_kernel
from foldwise.core.types import Array, Flags, Integers
from foldwise.learners.binary import Bytes, Counts, Words
from foldwise.learners.binary.packing import by_class, count_bits, draw_folds, fold_masks, leave_out, pack, words
from foldwise.learners.c45 import C45
from foldwise.learners.tree.arrays import SMALL
from foldwise.learners.tree.criterion import terms
from foldwise.learners.tree.prune import estimates, extra_errors, fill_estimates


class Problem(NamedTuple):
    """One data set, and tables that all data sets share."""

    #: (words, attributes): the examples whose attribute is 1; eight attributes, as many as a processor counts at a
    #: time, or a multiple of that, of which the last may be empty.
    bits: Words
    ones: Words  #: (words,): the examples of class 1.
    f: Array  #: n log2 n.
    #: f(i) + f(n − i) by n and i, for `tabulated` sizes; room for three more rows if there may be larger ones.
    pairs: Array
    tabulated: int
    estimates: Array  #: Errors expected of a leaf by its size and its errors, for sizes that the table has.
    confidence: float
    z: float


class GrownTree(NamedTuple):
    """A tree as arrays over nodes; sons follow each other and come after their parent."""

    masks: Words
    attribute: Integers  #: −1 at a leaf.
    son: Integers
    size: Integers
    ones: Integers  #: How many examples, and how many of class 1.
    #: (nodes, attributes): how many have a 1, and how many of those are of class 1; −1 if not counted.
    with_one: Integers
    both: Integers
    errors: Array
    below: Integers  #: The node beneath on a stack.
    ready: Flags
    pile: Words  #: (attributes + 2, words): masks on the way down, and the nodes they are at.
    nodes: Integers
    merit: Array


def space(n: int, p: int, n_words: int) -> GrownTree:
    """Space for a tree on `n` examples of `p` attributes."""
    capacity, wide = n + 3, (p + 7) // 8 * 8  # every test has two branches of at least two examples
    whole = np.empty((5, capacity), np.int64)
    return GrownTree(
        masks=np.empty((capacity, n_words), np.uint64), attribute=whole[0], son=whole[1], size=whole[2], ones=whole[3],
        with_one=np.empty((capacity, wide), np.int64), both=np.empty((capacity, wide), np.int64),
        errors=np.empty(capacity), below=whole[4], ready=np.empty(capacity, np.bool_),
        pile=np.empty((p + 2, n_words), np.uint64), nodes=np.empty(p + 2, np.int64), merit=np.empty(p),
    )  # fmt: skip


@inner_kernel
def census(mask: Words, ones: Words) -> tuple[int, int]:
    """How many examples a mask has, and how many of class 1."""
    size, positive = np.uint64(0), np.uint64(0)
    for w in range(mask.size):
        size += count_bits(mask[w])
        positive += count_bits(mask[w] & ones[w])
    return np.int64(size), np.int64(positive)  # type: ignore[return-value]


@inner_kernel
def halve(mask: Words, bits: Words, a: int, zero: Words, one: Words) -> None:
    """Divide a mask by attribute `a`; `zero` may be `mask` itself."""
    for w in range(mask.size):
        m = mask[w]
        one[w] = m & bits[w, a]
        zero[w] = m & ~bits[w, a]


# ---- Collapsing and pruning of trees on binary data, as `foldwise.learners.tree.prune` does for any data.

_extra_errors = compiled(extra_errors)


@inner_kernel
def _estimate(size: int, ones: int, problem: Problem) -> float:
    wrong = min(ones, size - ones)
    if size < problem.estimates.shape[0]:
        return float(problem.estimates[size, wrong])
    return wrong + _extra_errors(float(size), float(wrong), problem.confidence, problem.z)


@inner_kernel
def collapse(tree: GrownTree, used: int) -> None:
    """Make a leaf of every node whose subtree makes no fewer training errors than the node itself."""
    for v in range(used - 1, -1, -1):
        own = min(tree.ones[v], tree.size[v] - tree.ones[v])
        tree.errors[v] = own
        if tree.attribute[v] >= 0:
            tree.errors[v] = tree.errors[tree.son[v]] + tree.errors[tree.son[v] + 1]
            if tree.errors[v] >= own:
                tree.attribute[v] = -1


@inner_kernel
def _raised_errors(tree: GrownTree, v: int, top: int, problem: Problem) -> float:
    """Errors expected of subtree `top` if all examples of `v` went down it: only the others need to go."""
    # only leaves that get new examples change, so that the sum starts from what the subtree has already
    errors, height = tree.errors[top], 1
    tree.nodes[0] = top
    for w in range(problem.ones.size):
        tree.pile[0, w] = tree.masks[v, w] & ~tree.masks[top, w]
    while height > 0:
        height -= 1
        u, a = tree.nodes[height], tree.attribute[tree.nodes[height]]
        size, ones = census(tree.pile[height], problem.ones)
        if size == 0:
            continue
        if a < 0:
            errors += _estimate(tree.size[u] + size, tree.ones[u] + ones, problem) - tree.errors[u]
            continue
        halve(tree.pile[height], problem.bits, a, tree.pile[height], tree.pile[height + 1])
        tree.nodes[height], tree.nodes[height + 1] = tree.son[u], tree.son[u] + 1
        height += 2
    return float(errors)


@inner_kernel
def _raise(tree: GrownTree, v: int, top: int, problem: Problem) -> None:
    """Put subtree `top` in the place of `v` and send the examples of `v` down it."""
    tree.attribute[v], tree.son[v] = tree.attribute[top], tree.son[top]
    tree.nodes[0], height = v, 1
    while height > 0:
        height -= 1
        u = tree.nodes[height]
        tree.size[u], tree.ones[u] = census(tree.masks[u], problem.ones)
        if tree.attribute[u] >= 0:
            s = tree.son[u]
            halve(tree.masks[u], problem.bits, tree.attribute[u], tree.masks[s], tree.masks[s + 1])
            tree.nodes[height], tree.nodes[height + 1] = s, s + 1
            height += 2


@inner_kernel
def prune(tree: GrownTree, problem: Problem) -> None:
    """Prune bottom up: each node becomes a leaf, or its largest branch takes its place, or it stays."""
    tree.below[0], tree.ready[0] = -1, False
    v = 0
    while v >= 0:
        leaf = _estimate(tree.size[v], tree.ones[v], problem)
        s = tree.son[v]
        if tree.attribute[v] < 0:
            tree.errors[v] = leaf
            v = tree.below[v]
        elif not tree.ready[v]:
            tree.ready[v], tree.ready[s], tree.ready[s + 1] = True, False, False
            tree.below[s], tree.below[s + 1] = v, s
            v = s + 1
        else:
            kept = tree.errors[s] + tree.errors[s + 1]
            top = s if tree.size[s] > tree.size[s + 1] else s + 1
            raised = _raised_errors(tree, v, top, problem)
            if leaf - (kept + 0.1) < SMALL and leaf - (raised + 0.1) < SMALL:
                tree.attribute[v] = -1
            elif raised - (kept + 0.1) < SMALL:
                _raise(tree, v, top, problem)
                tree.ready[v] = False
            else:
                tree.errors[v] = kept
                v = tree.below[v]


_MIN_INSTANCES = 2
_LARGEST_TABLE = 600  # Up to so many examples the terms of the gain and the estimated errors are tabulated.


class Desk(NamedTuple):
    """Masks and folds of one data set; space that is used again for every data set."""

    bits: Words
    everyone: Words
    masks: Words  #: (folds, words): the examples of each fold.
    left_out: Words  #: (words,): those of a fold, and of the one that is left out with it.
    order: Integers
    left: Integers
    fold_of: Integers


def cross_validate_batch(X: Bytes, y: Bytes, seeds: Words, partners: Integers, correct: Counts) -> None:
    rule = C45()._rule()
    n, p = X.shape[1:]
    w = words(n)
    whole, f, pairs = np.empty((3, n), np.int64), compiled(terms)(n, False), _pairs(min(n, _LARGEST_TABLE))
    desk = Desk(
        np.empty((p, w), np.uint64), np.empty(w, np.uint64), np.empty((partners.shape[1], w), np.uint64),
        np.empty(w, np.uint64), whole[0], whole[1], whole[2],
    )  # fmt: skip
    problem = Problem(
        bits=np.zeros((w, (p + 7) // 8 * 8), np.uint64), ones=np.empty(w, np.uint64), f=f,
        pairs=pairs if n <= _LARGEST_TABLE else np.concatenate([pairs, np.empty(3 * (n + 1))]),
        tabulated=min(n, _LARGEST_TABLE) + 1,
        estimates=estimates(min(n, _LARGEST_TABLE), rule.confidence, rule.z, compiled(fill_estimates)),
        confidence=rule.confidence, z=rule.z,
    )  # fmt: skip
    _data_sets(X, y, seeds, partners, problem, desk, space(n, p, w), correct)


@lru_cache(maxsize=4)
def _pairs(n: int) -> Array:
    """f(i) + f(m − i) by m and i, both up to n, in one row."""
    f, i = compiled(terms)(n, False), np.arange(n + 1)
    table: Array = f + f[np.maximum(i[:, None] - i, 0)]
    return table.ravel()


@bare_kernel
def _data_sets(
    X: Bytes, y: Bytes, seeds: Words, partners: Integers, problem: Problem, desk: Desk, tree: GrownTree,
    correct: Counts,
) -> None:  # fmt: skip
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
def _count(tree: GrownTree, v: int, parent: int, problem: Problem) -> None:
    """Fill the counts of node `v`, by subtraction where its elder brother has been counted."""
    # of two sons the second has what the parent has and the first has not: half of the bits need not be counted
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
def _best_split(tree: GrownTree, v: int, problem: Problem) -> int:
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
def _grow(tree: GrownTree, problem: Problem) -> int:
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
def _hits(tree: GrownTree, test: Words, problem: Problem) -> int:
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
