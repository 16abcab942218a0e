"""Sending rows down the branches of a node, with part of the weight where the value is missing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from foldwise.core.kernels import ZERO, inner_kernel, kernel, shared_kernel
from foldwise.core.table import Table
from foldwise.core.types import Integers
from foldwise.learners.tree.arrays import SMALL, Ints, Reals, Rows, Tree, TreeData


class Crossing(NamedTuple):
    """How the rows of one node divide; space that is used again for every node."""

    route: Ints  #: Per row the branch it takes, −1 for all branches.
    share: Reals  #: Per branch its part of the known weight, its number of rows, and the end of its segment.
    sizes: Ints
    ends: Ints
    spare: Ints  #: Room for a list of rows.


def crossing(n_rows: int, widest: int) -> Crossing:
    whole = np.empty((2, widest + 1), np.int64)
    spare = np.empty(n_rows + 1, np.uint32)
    return Crossing(np.empty(n_rows, np.int32), np.empty(widest), whole[0], whole[1], spare)


@inner_kernel
def branch(value: float, n_values: int, cut: float) -> int:
    """The branch a value takes; −1 when it is missing."""
    if math.isnan(value):
        return -1
    if n_values > 0:
        return int(value)
    return 0 if value - cut < SMALL else 1


@inner_kernel
def _measure(data: TreeData, tree: Tree, v: int, rows: Rows, start: int, length: int, way: Crossing) -> int:
    """Fill `way` for these rows at node `v`; how many places the branches need together.

    A row with a missing value counts in every branch that has a share.
    """
    a, branches, cut = tree.attribute[v], tree.branches[v], tree.cut[v]
    column, n_values = data.cells[a], data.n_values[a]
    for b in range(branches):
        way.share[b] = 0.0
        way.sizes[b] = 0
    # a row without a value goes down every branch, with the share of its weight that the known rows have there
    missing, known = 0, 0.0
    for i in range(start, start + length):
        r = rows.ids[i]
        b = branch(column[r], n_values, cut)
        way.route[r] = b
        if b < 0:
            missing += 1
        else:
            way.sizes[b] += 1
            way.share[b] += rows.weights[i]
            known += rows.weights[i]
    needed = 0
    for b in range(branches):
        way.share[b] = way.share[b] / known if known > SMALL else 1.0 / branches
        if way.share[b] > SMALL:
            way.sizes[b] += missing
        needed += way.sizes[b]
    return needed


@inner_kernel
def distribute(
    data: TreeData, tree: Tree, v: int, rows: Rows, start: int, length: int, free: int, way: Crossing
) -> int:
    """Write the rows from `start` on again from `free` on, branch after branch of node `v`.

    Returns the next free place, or −1 if `rows` is too short.
    """
    if free + _measure(data, tree, v, rows, start, length, way) > rows.ids.size:
        return -1
    for b in range(tree.branches[v]):
        way.ends[b] = free
        free += way.sizes[b]
    for i in range(start, start + length):
        r, weight = rows.ids[i], rows.weights[i]
        b = way.route[r]
        if b >= 0:
            e = way.ends[b]
            rows.ids[e] = r
            rows.weights[e] = weight
            way.ends[b] = e + 1
            continue
        for b in range(tree.branches[v]):
            if way.share[b] > SMALL:
                rows.ids[way.ends[b]] = r
                rows.weights[way.ends[b]] = weight * way.share[b]
                way.ends[b] += 1
    return free


@inner_kernel
def _send_whole_down(data: TreeData, tree: Tree, v: int, rows: Rows, free: int, way: Crossing) -> int:
    """As `send_down`, for complete data: weights are 1, and every row goes down one branch."""
    a, s, cut = tree.attribute[v], tree.son[v], tree.cut[v]
    column, n_values, start, length = data.cells[a], data.n_values[a], tree.start[v], tree.length[v]
    if free + length > rows.ids.size:
        return -1
    for b in range(tree.branches[v]):
        way.sizes[b] = 0
        for c in range(data.n_classes):
            tree.counts[s + b, c] = 0.0
    for i in range(start, start + length):
        r = rows.ids[i]
        b = int(column[r]) if n_values > 0 else int(column[r] - cut >= SMALL)
        way.route[r] = b
        way.sizes[b] += 1
        tree.counts[s + b, data.classes[r]] += 1.0
    for b in range(tree.branches[v]):
        tree.start[s + b], tree.length[s + b] = free, way.sizes[b]
        tree.total[s + b] = way.sizes[b]
        tree.share[s + b] = way.sizes[b] / length if length > 0 else 1.0 / tree.branches[v]
        way.ends[b] = free
        free += way.sizes[b]
    for i in range(start, start + length):
        r = rows.ids[i]
        b = way.route[r]
        e = way.ends[b]
        rows.ids[e] = r
        way.ends[b] = e + 1
    return free


@shared_kernel
def send_down(data: TreeData, tree: Tree, v: int, rows: Rows, free: int, way: Crossing) -> int:
    """Give the sons of `v` their rows, weights and class counts; the next free place of `rows`, or −1."""
    if data.complete:
        return _send_whole_down(data, tree, v, rows, free, way)
    free = distribute(data, tree, v, rows, tree.start[v], tree.length[v], free, way)
    if free < 0:
        return -1
    for b in range(tree.branches[v]):
        s = tree.son[v] + b
        tree.share[s] = way.share[b]
        tree.length[s] = way.sizes[b]
        tree.start[s] = way.ends[b] - way.sizes[b]
        total = 0.0
        for c in range(data.n_classes):
            tree.counts[s, c] = 0.0
        for i in range(tree.start[s], way.ends[b]):
            tree.counts[s, data.classes[rows.ids[i]]] += rows.weights[i]
            total += rows.weights[i]
        tree.total[s] = total
    return free


# ---- Class probabilities; a missing value follows every branch with its share.


@inner_kernel
def _add_leaf(tree: Tree, v: int, weight: float, scores: Reals) -> None:
    if tree.total[v] > SMALL:
        for c in range(scores.size):
            scores[c] += weight * (tree.counts[v, c] / tree.total[v])


@inner_kernel
def visit(tree: Tree, cells: Reals, n_values: Ints, r: int, scores: Reals, weights: Reals, below: Ints) -> None:
    """Add up the leaves that row `r` reaches; a leaf that no training example reached answers as its parent."""
    weights[0] = 1.0
    below[0] = -1
    v = ZERO
    while v >= 0:
        a, weight = tree.attribute[v], weights[v]
        if a < 0:
            _add_leaf(tree, v, weight, scores)
            v = below[v]
            continue
        b = branch(cells[a, r], n_values[a], tree.cut[v])
        s, next_one = tree.son[v], below[v]
        if b >= 0 and tree.vacant[s + b]:
            _add_leaf(tree, v, weight, scores)
        else:
            for i in range(tree.branches[v] if b < 0 else 1):
                u = s + i if b < 0 else s + b
                if not tree.vacant[u]:
                    weights[u] = weight * tree.share[u] if b < 0 else weight
                    below[u] = next_one
                    next_one = u
        v = next_one


@kernel
def probabilities(tree: Tree, cells: Reals, n_values: Ints, ids: Ints) -> Reals:
    """Class probabilities (len(ids), classes) of the rows `ids` of column-wise `cells`."""
    scores = np.zeros((ids.size, tree.counts.shape[1]))
    weights, below = np.empty(tree.attribute.size), np.empty(tree.attribute.size, np.int64)
    for i in range(ids.size):
        visit(tree, cells, n_values, ids[i], scores[i], weights, below)
    return scores


@inner_kernel
def best_class(scores: Reals) -> int:
    """The first class whose score none exceeds by more than the tolerance, as Weka resolves ties."""
    best = ZERO
    for c in range(1, scores.size):
        if scores[c] - scores[best] > SMALL:
            best = c
    return best


@kernel
def decide(scores: Reals) -> Integers:
    chosen = np.zeros(scores.shape[0], np.int64)
    for i in range(scores.shape[0]):
        chosen[i] = best_class(scores[i])
    return chosen


# ---- A tree in words, one line per branch, as Weka prints it.


def tree_text(tree: Tree, schema: Table, classes: Sequence[object]) -> str:
    """The tree's tests and leaves; a leaf shows its class, its weight and, after a slash, its training errors."""
    if tree.attribute[0] < 0:
        return f":{_leaf(tree, 0, 0, classes)}"
    return "\n".join(_lines(tree, schema, classes))


def _lines(tree: Tree, schema: Table, classes: Sequence[object]) -> Iterator[str]:
    """Depth first, with a stack of its own: a tree may be deeper than Python's."""
    waiting = [(0, b, 0) for b in reversed(range(tree.branches[0]))]
    while waiting:
        v, b, depth = waiting.pop()
        son = int(tree.son[v]) + b
        test = "|   " * depth + _test(tree, v, b, schema)
        if tree.attribute[son] < 0:
            yield f"{test}:{_leaf(tree, son, v, classes)}"
        else:
            yield test
            waiting += [(son, b, depth + 1) for b in reversed(range(tree.branches[son]))]


def _test(tree: Tree, v: int, b: int, schema: Table) -> str:
    a = int(tree.attribute[v])
    names = schema.categories[a]
    if names is not None:
        return f"{schema.names[a]} = {names[b]}"
    return f"{schema.names[a]} {'>' if b else '<='} {_short(tree.cut[v], 6)}"


def _leaf(tree: Tree, v: int, parent: int, classes: Sequence[object]) -> str:
    answering = parent if tree.vacant[v] else v
    label = classes[int(np.argmax(tree.counts[answering]))]
    errors = tree.total[v] - tree.counts[v].max()
    wrong = f"/{_weight(errors)}" if errors > SMALL else ""
    return f" {label} ({_weight(tree.total[v])}{wrong})"


def _weight(value: float) -> str:
    text = _short(value, 2)
    return text if "." in text else text + ".0"


def _short(value: float, digits: int) -> str:
    return f"{value:.{digits}f}".rstrip("0").rstrip(".")
