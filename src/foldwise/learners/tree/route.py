"""Sending rows down the branches of a node, with part of the weight where the value is missing."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from foldwise.core.kernels import inner_kernel, shared_kernel
from foldwise.learners.tree.arrays import SMALL, Ints, Reals, Rows, Tree, TreeData


class Crossing(NamedTuple):
    """How the rows of one node divide; space that is used again for every node."""

    route: Ints  #: Per row the branch it takes, −1 for all branches.
    share: Reals  #: Per branch its part of the known weight, its number of rows, and the end of its segment.
    sizes: Ints
    ends: Ints
    spare: Ints  #: Room for a list of rows.


def crossing(n_rows: int, widest: int) -> Crossing:
    """Space for nodes with up to `widest` branches."""
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
