"""Collapsing and pruning of trees on binary data, as `foldwise.learners.tree.prune` does for any data."""

from __future__ import annotations

from foldwise.learners.binary.tree import Grown, Problem, census, halve
from foldwise.learners.compile import compiled, inner_kernel
from foldwise.learners.tree.arrays import SMALL
from foldwise.learners.tree.prune import extra_errors

__all__ = ["collapse", "prune"]

_extra_errors = compiled(extra_errors)


@inner_kernel
def _estimate(size: int, ones: int, problem: Problem) -> float:
    """Errors expected of a leaf."""
    wrong = min(ones, size - ones)
    if size < problem.estimates.shape[0]:
        return float(problem.estimates[size, wrong])
    return wrong + _extra_errors(float(size), float(wrong), problem.confidence, problem.z)


@inner_kernel
def collapse(tree: Grown, used: int) -> None:
    """Make a leaf of every node whose subtree makes no fewer training errors than the node itself."""
    for v in range(used - 1, -1, -1):
        own = min(tree.ones[v], tree.size[v] - tree.ones[v])
        tree.errors[v] = own
        if tree.attribute[v] >= 0:
            tree.errors[v] = tree.errors[tree.son[v]] + tree.errors[tree.son[v] + 1]
            if tree.errors[v] >= own:
                tree.attribute[v] = -1


@inner_kernel
def _raised_errors(tree: Grown, v: int, top: int, problem: Problem) -> float:
    """Errors expected of subtree `top` if all examples of `v` went down it: only the others need to go."""
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
def _raise(tree: Grown, v: int, top: int, problem: Problem) -> None:
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
def prune(tree: Grown, problem: Problem) -> None:
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
