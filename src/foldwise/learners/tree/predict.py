"""Class probabilities from a tree; a missing value follows every branch with its share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from foldwise.core.kernels import ZERO, inner_kernel, kernel
from foldwise.core.table import Table
from foldwise.core.types import Integers
from foldwise.learners.tree.arrays import SMALL, Ints, Reals, Tree
from foldwise.learners.tree.route import branch


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
