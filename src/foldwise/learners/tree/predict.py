"""Class probabilities from a tree; a missing value follows every branch with its share."""

from __future__ import annotations

import numpy as np

from foldwise.core.types import Integers
from foldwise.learners.marks import ZERO, inner_kernel, kernel
from foldwise.learners.tree.arrays import SMALL, Ints, Reals, Tree
from foldwise.learners.tree.route import branch

__all__ = ["best_class", "decide", "probabilities", "visit"]


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
    """Per row the best class."""
    chosen = np.zeros(scores.shape[0], np.int64)
    for i in range(scores.shape[0]):
        chosen[i] = best_class(scores[i])
    return chosen
