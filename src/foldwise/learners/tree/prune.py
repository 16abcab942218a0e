"""Collapsing and pruning, as C4.5: pessimistic error estimates, and raising of the largest branch."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from foldwise.core.kernels import ZERO, bare_kernel, inner_kernel, kernel
from foldwise.learners.tree.arrays import SMALL, Ints, Reals, Rows, Rule, Tree, TreeData
from foldwise.learners.tree.grow import largest_class
from foldwise.learners.tree.route import Crossing, branch, distribute, send_down

_OPEN, _CLOSED = -2, -3  # Marks of a leaf to which rows were added, before and after its errors are counted.


@inner_kernel
def extra_errors(n: float, e: float, confidence: float, z: float) -> float:
    """Errors that C4.5 adds to `e` errors among `n` examples: the upper confidence limit less what was seen.

    Below one error it interpolates between the exact limit for none and the normal approximation's for one.
    """
    if confidence > 0.5:
        return 0.0
    # the rate at which a binomial count as low as this one, corrected by a half for continuity, has the probability
    # `confidence`: Wilson's upper limit (Quinlan 1993, C4.5, section 4.2)
    seen = max(e, 1.0)
    if seen + 0.5 >= n:
        upper = max(n - seen, 0.0)
    else:
        f = (seen + 0.5) / n
        root = math.sqrt(f / n - f * f / n + z * z / (4 * n * n))
        upper = (f + z * z / (2 * n) + z * root) / (1 + z * z / n) * n - seen
    if e >= 1.0:
        return upper
    none = n * (1.0 - math.pow(confidence, 1.0 / n))
    return none + e * (upper - none)


@lru_cache(maxsize=8)
def estimates(n: int, confidence: float, z: float, fill: Callable[[Reals, float, float], None]) -> Reals:
    """Errors expected of a leaf by its number of examples, up to `n`, and its errors, up to half of them.

    `fill` is `fill_estimates` or its kernel.
    """
    table = np.zeros((n + 1, n // 2 + 1))
    fill(table, confidence, z)
    return table


@kernel
def fill_estimates(table: Reals, confidence: float, z: float) -> None:
    for size in range(1, table.shape[0]):
        for wrong in range(min(size + 1, table.shape[1])):
            table[size, wrong] = wrong + extra_errors(float(size), float(wrong), confidence, z)


@inner_kernel
def _estimate(errors: float, total: float, rule: Rule) -> float:
    if total <= SMALL:
        return 0.0
    size, wrong = int(total), int(errors)
    if size < rule.estimates.shape[0] and wrong < rule.estimates.shape[1] and size == total and wrong == errors:
        return float(rule.estimates[size, wrong])
    return errors + extra_errors(total, errors, rule.confidence, rule.z)


@bare_kernel
def collapse(tree: Tree, used: int) -> None:
    """Make a leaf of every node whose subtree makes no fewer training errors than the node itself."""
    for v in range(used - 1, -1, -1):  # sons come after their parent
        own = tree.total[v] - largest_class(tree, v)
        if tree.attribute[v] < 0:
            tree.errors[v] = own
            continue
        tree.errors[v] = 0.0
        for b in range(tree.branches[v]):
            tree.errors[v] += tree.errors[tree.son[v] + b]
        if tree.errors[v] >= own - 1e-3:
            tree.attribute[v] = -1


@inner_kernel
def _largest_son(tree: Tree, v: int) -> int:
    """The son with most weight; of equals the last."""
    best, weight = tree.son[v], 0.0
    for b in range(tree.branches[v]):
        here = tree.share[tree.son[v] + b] * tree.total[v]
        if weight - here < SMALL:
            best, weight = tree.son[v] + b, here
    return int(best)


@inner_kernel
def _leaf_errors(data: TreeData, rows: Rows, start: int, length: int, spare: int, tree: Tree, rule: Rule) -> float:
    """Errors expected of a leaf with these rows; `spare` is a node to count in."""
    total = 0.0
    for c in range(data.n_classes):
        tree.counts[spare, c] = 0.0
    for i in range(start, start + length):
        tree.counts[spare, data.classes[rows.ids[i]]] += rows.weights[i]
        total += rows.weights[i]
    return _estimate(total - largest_class(tree, spare), total, rule)


@inner_kernel
def _branch_errors(
    data: TreeData, tree: Tree, v: int, top: int, rows: Rows, free: int, used: int, rule: Rule, way: Crossing,
    pile: Ints,
) -> float:  # fmt: skip
    """Errors expected of subtree `top` if all rows of `v` went down it; −1 if `rows` is too short.

    `pile` is a stack of (node, first row, number of rows).
    """
    errors, height = 0.0, 1
    pile[0, 0], pile[0, 1], pile[0, 2] = top, tree.start[v], tree.length[v]
    while height > 0:
        height -= 1
        u, start, length = pile[height, 0], pile[height, 1], pile[height, 2]
        if tree.attribute[u] < 0:
            errors += _leaf_errors(data, rows, start, length, used, tree, rule)
            continue
        free = distribute(data, tree, u, rows, start, length, free, way)
        if free < 0:
            return -1.0
        for b in range(tree.branches[u]):
            pile[height, 0] = tree.son[u] + b
            pile[height, 1] = way.ends[b] - way.sizes[b]
            pile[height, 2] = way.sizes[b]
            height += 1
    return errors


@inner_kernel
def _gather(tree: Tree, v: int, top: int, rows: Rows, pile: Ints) -> int:
    """List the rows of `v` that are not in its son `top` in `pile`; how many they are."""
    number = 0
    for s in range(tree.son[v], tree.son[v] + tree.branches[v]):
        for i in range(tree.start[s], tree.start[s] + (tree.length[s] if s != top else 0)):
            pile[number, 0], pile[number, 1] = top, rows.ids[i]
            number += 1
    return number


@inner_kernel
def _to_leaves(data: TreeData, tree: Tree, first: int, last: int, pile: Ints) -> None:
    """Send the rows from place `first` to `last` of `pile` down from the node beside them: (leaf, class) instead."""
    for i in range(first, last):
        u, r = pile[i, 0], pile[i, 1]
        while tree.attribute[u] >= 0:
            a = tree.attribute[u]
            u = tree.son[u] + branch(data.cells[a, r], data.n_values[a], tree.cut[u])
        pile[i, 0], pile[i, 1] = u, data.classes[r]


@inner_kernel
def _count_in(tree: Tree, first: int, last: int, rule: Rule, pile: Ints) -> float:
    """Add (leaf, class) pairs of `pile` to the leaves' counts; the errors that are expected in addition."""
    errors = 0.0
    for i in range(first, last):
        u = pile[i, 0]
        tree.counts[u, pile[i, 1]] += 1.0
        tree.total[u] += 1.0
        if tree.below[u] > _OPEN:
            tree.before[u] = tree.errors[u]
        tree.below[u] = _OPEN
    for i in range(first, last):
        u = pile[i, 0]
        if tree.below[u] == _OPEN:
            now = _estimate(tree.total[u] - largest_class(tree, u), tree.total[u], rule)
            errors += now - tree.errors[u]
            tree.errors[u], tree.below[u] = now, _CLOSED
    return errors


@inner_kernel
def _raised_errors(
    data: TreeData, tree: Tree, v: int, top: int, rows: Rows, limit: float, rule: Rule, pile: Ints
) -> float:
    """The same for complete data: only the rows of the other sons need to go down, the others are there already.

    More rows never make fewer errors, so that no more are sent down once the errors exceed `limit`.
    """
    total, done, number = float(tree.errors[top]), ZERO, _gather(tree, v, top, rows, pile)
    while done < number and total <= limit:
        last = min(done + int(limit - total) + 2, number)  # about as many as are needed if all are errors
        _to_leaves(data, tree, done, last, pile)
        total += _count_in(tree, done, last, rule, pile)
        done = last
    for i in range(done):
        u = pile[i, 0]
        tree.counts[u, pile[i, 1]] -= 1.0
        tree.total[u] -= 1.0
        tree.errors[u], tree.below[u] = tree.before[u], -1
    return total


@inner_kernel
def _raise(data: TreeData, tree: Tree, v: int, top: int, rows: Rows, free: int, way: Crossing, pile: Ints) -> int:
    """Put subtree `top` in the place of `v` and send the rows of `v` down it; the next free place, or −1."""
    tree.attribute[v], tree.cut[v] = tree.attribute[top], tree.cut[top]
    tree.son[v], tree.branches[v] = tree.son[top], tree.branches[top]
    height = 1
    pile[0, 0] = v
    while height > 0 and free >= 0:
        height -= 1
        u = pile[height, 0]
        if tree.attribute[u] < 0:
            tree.vacant[u] = tree.vacant[u] and tree.total[u] <= SMALL
            continue
        free = send_down(data, tree, u, rows, free, way)
        for b in range(tree.branches[u]):
            pile[height, 0] = tree.son[u] + b
            height += 1
    return free


@bare_kernel
def prune(data: TreeData, tree: Tree, used: int, rows: Rows, free: int, rule: Rule, way: Crossing, pile: Ints) -> bool:
    """Prune bottom up: each node becomes a leaf, or its largest branch takes its place, or it stays.

    False if the arrays are too short.
    """
    if used == tree.attribute.size:
        return False
    v = ZERO
    tree.below[0], tree.spot[0] = -1, 0  # here a node's spot is 1 when its sons are done
    while v >= 0:
        if tree.attribute[v] < 0:
            tree.errors[v] = _estimate(tree.total[v] - largest_class(tree, v), tree.total[v], rule)
            v = tree.below[v]
            continue
        s, kept = tree.son[v], 0.0
        if tree.spot[v] == 0:  # its sons are not done
            tree.spot[v] = 1
            for b in range(tree.branches[v]):
                tree.below[s + b] = v
                tree.spot[s + b] = 0
                v = s + b
            continue
        # three ways to go on, by the errors that are expected of new examples: a leaf, the largest branch in the place
        # of the node, or the node with its branches; simpler ones win where they are not worse by more than 0.1
        for b in range(tree.branches[v]):
            kept += tree.errors[s + b]
        leaf = _estimate(tree.total[v] - largest_class(tree, v), tree.total[v], rule)
        raised, top = np.inf, _largest_son(tree, v)
        if rule.raising:
            if data.complete:
                limit = leaf - 0.1 if leaf - (kept + 0.1) < SMALL else kept + 0.1 + 2 * SMALL  # beyond all is decided
                raised = _raised_errors(data, tree, v, top, rows, limit, rule, pile)
            else:
                raised = _branch_errors(data, tree, v, top, rows, free, used, rule, way, pile)
            if raised < 0:
                return False
        if leaf - (kept + 0.1) < SMALL and leaf - (raised + 0.1) < SMALL:
            tree.attribute[v] = -1
        elif raised - (kept + 0.1) < SMALL:
            free = _raise(data, tree, v, top, rows, free, way, pile)
            if free < 0:
                return False
            tree.spot[v] = 0
        else:
            tree.errors[v] = kept
            v = tree.below[v]
    return True
