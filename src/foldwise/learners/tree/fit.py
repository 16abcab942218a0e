"""Trees from data: one, or all those of a cross-validation, in the interpreter or by kernels."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from foldwise.core.kernels import PATIENCE, bare_kernel, has_code, inner_kernel, need_kernels, stands_for
from foldwise.core.types import Flags, Integers
from foldwise.learners.base import fold_numbers
from foldwise.learners.tree.arrays import Ints, Reals, Rows, Rule, Tree, TreeData, new_tree, survey
from foldwise.learners.tree.criterion import Scratch, Tables, scratch, tables, terms
from foldwise.learners.tree.grow import grow
from foldwise.learners.tree.lists import Lists, new_lists, presort
from foldwise.learners.tree.prune import collapse, prune
from foldwise.learners.tree.route import Crossing, best_class, crossing, decide, probabilities, visit

# ---- The trees of a whole cross-validation in one kernel and one room: to call kernels for each takes longer than
# they do. A single tree is the case in which no row is left out.


class TreeRoom(NamedTuple):
    tree: Tree
    rows: Rows
    lists: Lists
    work: Scratch
    way: Crossing
    pile: Integers
    ids: Ints  #: The training rows.
    test: Flags  #: Whether a row is tested, hence left out.
    gaps: Flags
    scores: Reals
    weights: Reals
    below: Integers


def new_room(data: TreeData, room: int, tables: Tables) -> TreeRoom:
    """Memory for trees from all rows but some; trees with many missing values need more `room`."""
    n, work = len(data.classes), scratch(data, tables)
    tree = new_tree(4 * room * (n + len(work.bags)), data.n_classes)
    nodes = len(tree.attribute)
    return TreeRoom(
        tree=tree, rows=Rows(np.empty(32 * room * n, np.uint32), np.empty(32 * room * n)),
        lists=new_lists(data, n, room), work=work, way=crossing(n, len(work.bags)),
        pile=np.empty((nodes + 1, 3), np.int64), ids=np.empty(n, np.uint32), test=np.empty(n, np.bool_),
        gaps=np.empty(len(data.n_values), np.bool_), scores=np.empty(data.n_classes), weights=np.empty(nodes),
        below=np.empty(nodes, np.int64),
    )  # fmt: skip


@inner_kernel
def _leave_out_row_by_row(missing: Flags, fold_of: Integers, fold: int, room: TreeRoom) -> int:
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


@stands_for(_leave_out_row_by_row)
def _leave_out(missing: Flags, fold_of: Integers, fold: int, room: TreeRoom) -> int:
    np.equal(fold_of, fold, out=room.test)
    ids = np.flatnonzero(~room.test)
    room.ids[: ids.size] = ids
    room.gaps[: len(missing)] = missing[:, ids].any(axis=1)
    return ids.size


@inner_kernel
def _training(data: TreeData, missing: Flags, gaps: Flags) -> TreeData:
    """The data with what is missing in the training rows."""
    if missing.shape[0] == 0:
        return data
    complete = True
    for a in range(gaps.size):
        complete &= not gaps[a]
    return TreeData(data.cells, data.n_values, gaps, complete, data.classes, data.n_classes, data.low, data.span)


@inner_kernel
def _learn(data: TreeData, ids: Ints, order: Ints, rule: Rule, room: TreeRoom) -> int:
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
    data: TreeData, missing: Flags, order: Ints, folds: Integers, begin: int, trees: Integers, rule: Rule,
    room: TreeRoom, out: Integers,
) -> tuple[int, int]:  # fmt: skip
    """Predict the tested rows of each fold by the tree learnt from the other rows, from tree `begin` on.

    `missing` (attributes, rows) says whether a value is; it has no attributes where that does not depend on the fold.
    `trees` has the run and the fold of each. `out` is set where a row is tested. Returns the tree for which the room is
    too small (their number if none), and the number of nodes of the last one.
    """
    used = 0
    for t in range(begin, trees.shape[0]):
        fold_of, fold = folds[trees[t, 0]], trees[t, 1]
        n = _leave_out(missing, fold_of, fold, room)
        used = _learn(_training(data, missing, room.gaps), room.ids[:n], order, rule, room)
        if used == 0:
            return t, 0
        for r in range(fold_of.size):
            if room.test[r]:
                for c in range(room.scores.size):
                    room.scores[c] = 0.0
                visit(room.tree, data.cells, data.n_values, r, room.scores, room.weights, room.below)
                out[trees[t, 0], r] = best_class(room.scores)
    return len(trees), used


# ---- The kernels of trees as they are called from Python: compiled, or for small work as plain functions.

# Seconds that it takes to have the kernels: where their code is on the disk, and where it is not.
_LOADED, _COMPILED = 1.0, 10.0
# Seconds without kernels per attribute of a row at a node, per attribute of a tree, and per prediction.
_VISIT, _ATTRIBUTE, _ROW = 1e-6, 3e-4, 2e-5


class Tools(NamedTuple):
    survey: Callable[..., Any]
    terms: Callable[..., Any]
    probabilities: Callable[..., Any]
    decide: Callable[..., Any]
    decide_folds: Callable[..., Any]


PLAIN = Tools(survey, terms, probabilities, decide, decide_folds)  # The functions themselves.


@cache
def compiled_tools() -> Tools:
    """Kernels made of the functions."""
    need_kernels(decide_folds.__module__, "C4.5 that stops by the hypergeometric test")
    from foldwise.core.compile import compiled

    return Tools._make(map(compiled, PLAIN))


def tools_for(seconds: float, *, exact: bool = True) -> Tools:
    """The tools for work that takes so many seconds without kernels.

    `exact`: all functions within are the same to the bit in Python and in kernels, which log Γ need not be.
    """
    price = _LOADED if _is_compiled() else _COMPILED
    if exact and PATIENCE.lasts(seconds / price):
        return PLAIN
    return compiled_tools()


def seconds_to_fit(rows: int, attributes: int) -> float:
    """How long a tree takes without kernels, about: every row is seen at every level."""
    return attributes * (rows * float(np.log2(rows + 1)) * _VISIT + _ATTRIBUTE)


def seconds_to_predict(rows: int) -> float:
    return rows * _ROW


@cache
def _is_compiled() -> bool:
    """Whether the code of the largest kernel lies on the disk."""
    return has_code(decide_folds.__module__)


# ---- Trees from data.


def fit_tree(data: TreeData, rule: Rule, tools: Tools) -> Tree:
    everything = np.zeros((1, data.classes.size), np.int64), np.array([[0, -1]])  # one tree, for which none is left out
    room, used = _learn_all(data, np.empty((0, data.classes.size), np.bool_), *everything, rule, tools, everything[0])
    return Tree._make(part[:used].copy() for part in room.tree)


def cross_decide(data: TreeData, folds: Integers, rule: Rule, tools: Tools) -> Integers:
    """Predicted class codes (runs, rows): each row by the tree learnt from the other folds of its run."""
    predicted = np.zeros(folds.shape, np.int64)
    missing = np.isnan(data.cells[: 0 if data.complete else None])
    trees = [(run, int(fold)) for run, fold_of in enumerate(folds) for fold in fold_numbers(fold_of)]
    _learn_all(data, missing, folds, np.array(trees, np.int64).reshape(-1, 2), rule, tools, predicted)
    return predicted


def _learn_all(
    data: TreeData, missing: Flags, folds: Integers, trees: Integers, rule: Rule, tools: Tools, out: Integers
) -> tuple[TreeRoom, int]:
    """Learn the trees in one room, or in larger ones if they need more; that with the last, and its number of nodes.

    Columns that can't be sorted by counting are sorted once; what remains of that order is the order of each training
    set.
    """
    order, f = presort(data), tables(folds.shape[1], rule.hypergeometric, tools.terms)
    done, times = 0, 1
    with np.errstate(all="ignore"):  # as kernels do
        while True:
            room = new_room(data, times, f)
            done, used = tools.decide_folds(data, missing, order, folds, done, trees, rule, room, out)
            if done == len(trees):
                return room, used
            times *= 2
