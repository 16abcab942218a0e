"""Trees from data: one, or all those of a cross-validation, in the interpreter or by kernels."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from foldwise.core.kernels import PATIENCE, bare_kernel, has_code, inner_kernel, need_kernels
from foldwise.core.types import Flags, Integers
from foldwise.learners.base import fold_numbers
from foldwise.learners.tree.arrays import Ints, Reals, Rows, Rule, Tree, TreeData, new_tree, survey
from foldwise.learners.tree.criterion import Scratch, Tables, scratch, tables, terms
from foldwise.learners.tree.grow import grow
from foldwise.learners.tree.lists import Lists, new_lists, presort
from foldwise.learners.tree.prune import collapse, prune
from foldwise.learners.tree.route import Crossing, best_class, crossing, decide, probabilities, visit

# ---- The trees of a whole cross-validation in one kernel and one room: to call kernels for each takes longer than
# they do.
#
# Memory is that of one tree, and given back when all are done; so it is for data of some thousands of rows.

MOST_ROWS = 20_000  # Rows up to which one room serves all trees.


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
def _leave_out(missing: Flags, fold_of: Integers, fold: int, room: TreeRoom) -> int:
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
) -> int:  # fmt: skip
    """Predict the tested rows of each fold by the tree learnt from the other rows, from tree `begin` on.

    `missing` (attributes, rows) says whether a value is; it has no attributes where none is. `trees` has the run and
    the fold of each. `out` is set where a row is tested. Returns the tree for which the room is too small; their number
    if none.
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


# ---- The kernels of trees as they are called from Python: compiled, or for small work as plain functions.

# Seconds that it takes to have the kernels: where their code is on the disk, and where it is not.
_LOADED, _COMPILED = 1.0, 10.0
# Seconds without kernels per attribute of a row at a node, per attribute of a tree, and per prediction.
_VISIT, _ATTRIBUTE, _ROW = 1e-6, 3e-4, 2e-5


class Tools(NamedTuple):
    survey: Callable[..., Any]
    terms: Callable[..., Any]
    grow: Callable[..., Any]
    collapse: Callable[..., Any]
    prune: Callable[..., Any]
    probabilities: Callable[..., Any]
    decide: Callable[..., Any]
    decide_folds: Callable[..., Any]


PLAIN = Tools(survey, terms, grow, collapse, prune, probabilities, decide, decide_folds)  # The functions themselves.


@cache
def compiled_tools() -> Tools:
    """Kernels made of the functions."""
    need_kernels(grow.__module__, "C4.5 that stops by the hypergeometric test")
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
    return has_code(grow.__module__)


# ---- The first tree on a machine: one process compiles how it is grown, another meanwhile what comes after.
#
# numba compiles one kernel at a time in a process, but what a process has compiled lies on the disk for all others.

_PROGRAM = "from foldwise.learners.tree.fit import compile_rest; compile_rest()"
_PATIENCE = 120.0  # Seconds after which a helper that has not come to an end is waited for no longer.


def arguments() -> list[tuple[Any, tuple[Any, ...]]]:
    """The kernels that are needed once a tree is grown, with arguments of the types that they are called with."""
    whole, real, flags, rows = np.zeros(1, np.int64), np.zeros(1), np.zeros(1, np.bool_), np.zeros(1, np.uint32)
    data = TreeData(np.zeros((1, 1)), whole, flags, True, np.zeros(1, np.uint16), 1, real, whole)
    rule = Rule(2.0, False, 0.0, True, True, True, 0.25, 0.5, np.zeros((1, 1)))
    tree, way, pile = new_tree(1, 1), crossing(1, 2), np.zeros((1, 3), np.int64)
    tools = compiled_tools()
    return [
        (tools.prune, (data, tree, 1, Rows(rows, real), 1, rule, way, pile)),
        (tools.probabilities, (tree, data.cells, whole, rows)),
        (tools.collapse, (tree, 1)),
        (tools.decide, (data.cells,)),
    ]


def compile_rest() -> None:
    """Compile the kernels for those types without calling them, and keep the code on the disk."""
    from numba import typeof

    for kernel, given in arguments():
        kernel.compile(tuple(map(typeof, given)))


@cache
def _helper() -> subprocess.Popen[bytes] | None:
    """The process that compiles the rest, started once; None where it would be of no use."""
    from foldwise.core.compile import lacks_code

    if (os.cpu_count() or 1) < 2 or not sys.executable or not lacks_code(compiled_tools().prune):
        return None
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    nothing = subprocess.DEVNULL
    with suppress(OSError):  # without a helper everything is compiled here
        return subprocess.Popen(  # noqa: S603  # our own program
            [sys.executable, "-P", "-c", _PROGRAM], env=environment, stdin=nothing, stdout=nothing, stderr=nothing
        )
    return None


def begin() -> None:
    """Let what comes after growing be compiled, if that was never done on this machine."""
    _helper()


def finish() -> None:
    """Wait until it is compiled."""
    helper = _helper()
    if helper is not None and helper.returncode is None:
        with suppress(subprocess.TimeoutExpired):
            helper.wait(_PATIENCE)


def fit_within(
    data: TreeData, order: Ints, left_out: Flags, rule: Rule, f: Tables, room: int, tools: Tools
) -> tuple[Tree, int]:
    """The tree learnt from all rows but some, and its number of nodes: 0 if the tree is too large for `room`."""
    ids = np.flatnonzero(~left_out).astype(np.uint32)
    n, work = len(ids), scratch(data, f)
    way = crossing(len(data.classes), len(work.bags))
    tree = new_tree(4 * room * (n + len(work.bags)), data.n_classes)
    rows = Rows(np.empty(32 * room * n, np.uint32), np.empty(32 * room * n))
    lists = new_lists(data, n, room)
    if tools is not PLAIN:
        begin()
    used, free = tools.grow(data, ids, order, left_out, rule, tree, rows, lists, work, way)
    if tools is not PLAIN:
        finish()
    del lists  # the largest part of all, and not needed for pruning
    if rule.collapse and used > 0:
        tools.collapse(tree, used)
    pile = np.empty((max(used + 1, n), 3), np.int64)
    if rule.prune and used > 0 and not tools.prune(data, tree, used, rows, free, rule, way, pile):
        return tree, 0
    return tree, used


def _fit_in_room(data: TreeData, order: Ints, left_out: Flags, rule: Rule, tools: Tools) -> tuple[Tree, int]:
    room, used, f = 1, 0, tables(int(np.count_nonzero(~left_out)), rule.hypergeometric, tools.terms)
    with np.errstate(all="ignore"):  # as kernels do
        while used == 0:
            tree, used = fit_within(data, order, left_out, rule, f, room, tools)
            room *= 2
    return tree, used


def fit_tree(data: TreeData, rule: Rule, tools: Tools) -> Tree:
    tree, used = _fit_in_room(data, presort(data), np.zeros(data.classes.size, np.bool_), rule, tools)
    return Tree._make(part[:used].copy() for part in tree)


def cross_decide(data: TreeData, folds: Integers, rule: Rule, tools: Tools) -> Integers:
    """Predicted class codes (runs, rows): each row by the tree learnt from the other folds of its run.

    Columns that can't be sorted by counting are sorted once; what remains of that order is the order of each training
    set.
    """
    predicted = np.zeros(folds.shape, np.int64)
    order = presort(data)
    missing = np.empty((0, 0), np.bool_) if data.complete else np.isnan(data.cells)
    if tools is not PLAIN and folds.shape[1] <= MOST_ROWS:
        _decide_in_one_room(data, missing, order, folds, rule, tools, predicted)
        return predicted
    for run, fold_of in enumerate(folds):
        for fold in fold_numbers(fold_of):
            test = fold_of == fold
            gaps = data.gaps if data.complete else np.asarray(missing[:, ~test].any(axis=1))
            training = data if data.complete else data._replace(gaps=gaps, complete=not gaps.any())
            tree, _ = _fit_in_room(training, order, test, rule, tools)
            rows = np.flatnonzero(test).astype(np.uint32)
            predicted[run, rows] = tools.decide(tools.probabilities(tree, data.cells, data.n_values, rows))
    return predicted


def _decide_in_one_room(
    data: TreeData, missing: Flags, order: Ints, folds: Integers, rule: Rule, tools: Tools, out: Integers
) -> None:
    trees = np.array([(run, fold) for run, fold_of in enumerate(folds) for fold in fold_numbers(fold_of)])
    f = tables(folds.shape[1], rule.hypergeometric, tools.terms)
    done, room = 0, 1
    begin()
    while done < len(trees):
        space = new_room(data, room, f)
        done = tools.decide_folds(data, missing, order, folds, done, trees, rule, space, out)
        room *= 2
    finish()
