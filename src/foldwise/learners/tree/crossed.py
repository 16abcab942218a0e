"""The trees of a whole cross-validation in one kernel and one room: to call kernels for each takes longer than they do.

Memory is that of one tree, and given back when all are done; so it is for data of some thousands of rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from foldwise.core.kernels import bare_kernel, inner_kernel
from foldwise.core.types import Flags, Integers
from foldwise.learners.tree.arrays import Columns, Ints, Reals, Rows, Rule, Tree, new_tree
from foldwise.learners.tree.criterion import Scratch, Tables, scratch
from foldwise.learners.tree.grow import grow
from foldwise.learners.tree.lists import Lists, new_lists
from foldwise.learners.tree.predict import best_class, visit
from foldwise.learners.tree.prune import collapse, prune
from foldwise.learners.tree.route import Crossing, crossing

__all__ = ["MOST_ROWS", "Room", "decide_folds", "new_room"]

MOST_ROWS = 20_000
"""Rows up to which one room serves all trees."""


class Room(NamedTuple):
    """What a tree is learnt and used in."""

    tree: Tree
    rows: Rows
    lists: Lists
    work: Scratch
    way: Crossing
    pile: Integers
    ids: Ints
    """The training rows."""
    test: Flags
    """Whether a row is tested, hence left out."""
    gaps: Flags
    scores: Reals
    weights: Reals
    below: Integers


def new_room(data: Columns, room: int, tables: Tables) -> Room:
    """Memory for trees from all rows but some; trees with many missing values need more `room`."""
    n, work = len(data.classes), scratch(data, tables)
    tree = new_tree(4 * room * (n + len(work.bags)), data.n_classes)
    nodes = len(tree.attribute)
    return Room(
        tree=tree,
        rows=Rows(np.empty(32 * room * n, np.uint32), np.empty(32 * room * n)),
        lists=new_lists(data, n, room),
        work=work,
        way=crossing(n, len(work.bags)),
        pile=np.empty((nodes + 1, 3), np.int64),
        ids=np.empty(n, np.uint32),
        test=np.empty(n, np.bool_),
        gaps=np.empty(len(data.n_values), np.bool_),
        scores=np.empty(data.n_classes),
        weights=np.empty(nodes),
        below=np.empty(nodes, np.int64),
    )


@inner_kernel
def _leave_out(missing: Flags, fold_of: Integers, fold: int, room: Room) -> int:
    """Put the training rows of a fold in the room, and which attributes miss values among them; the number of rows."""
    n = 0
    for r in range(fold_of.size):
        room.test[r] = fold_of[r] == fold
        if not room.test[r]:
            room.ids[n] = r
            n += 1
    for a in range(missing.shape[0]):
        room.gaps[a] = False
        for i in range(n):
            room.gaps[a] |= missing[a, room.ids[i]]
    return n


@inner_kernel
def _training(data: Columns, missing: Flags, gaps: Flags) -> Columns:
    """The data with what is missing in the training rows."""
    if missing.shape[0] == 0:
        return data
    complete = True
    for a in range(gaps.size):
        complete &= not gaps[a]
    return Columns(data.cells, data.n_values, gaps, complete, data.classes, data.n_classes, data.low, data.span)


@inner_kernel
def _learn(data: Columns, ids: Ints, order: Ints, rule: Rule, room: Room) -> int:
    """Learn a tree; its number of nodes, or 0 if it is too large for the room."""
    tree, rows, way = room.tree, room.rows, room.way
    used, free = grow(data, ids, order, room.test, rule, tree, rows, room.lists, room.work, way)
    if rule.collapse and used > 0:
        collapse(tree, used)
    if rule.prune and used > 0 and not prune(data, tree, used, rows, free, rule, way, room.pile):
        return 0
    return int(used)


@bare_kernel
def decide_folds(
    data: Columns, missing: Flags, order: Ints, folds: Integers, begin: int, trees: Integers, rule: Rule, room: Room,
    out: Integers,
) -> int:  # fmt: skip
    """Predict the tested rows of each fold by the tree learnt from the other rows, from tree `begin` on.

    Parameters
    ----------
    data, order
        The examples, and their order from `presort`.
    missing
        (attributes, rows): whether a value is; no attributes where none is missing.
    folds
        (runs, rows)
    trees
        Of each tree the run and the fold.
    room
        From `new_room`.
    out
        (runs, rows): set where a row is tested.

    Returns
    -------
    int
        The tree for which the room is too small; their number if there is none.
    """
    for t in range(begin, trees.shape[0]):
        fold_of, fold = folds[trees[t, 0]], trees[t, 1]
        n = _leave_out(missing, fold_of, fold, room)
        if _learn(_training(data, missing, room.gaps), room.ids[:n], order, rule, room) == 0:
            return t
        for r in range(fold_of.size):
            if room.test[r]:
                for c in range(room.scores.size):
                    room.scores[c] = 0.0
                visit(room.tree, data.cells, data.n_values, r, room.scores, room.weights, room.below)
                out[trees[t, 0], r] = best_class(room.scores)
    return len(trees)
