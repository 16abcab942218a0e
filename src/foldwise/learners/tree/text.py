"""A tree in words, one line per branch, as Weka prints it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from foldwise.core.table import Table
from foldwise.learners.tree.arrays import SMALL, Tree

__all__ = ["tree_text"]


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
