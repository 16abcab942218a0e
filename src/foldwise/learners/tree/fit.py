"""One tree, and the trees of whole cross-validations."""

from __future__ import annotations

import numpy as np

from foldwise.core.types import Flags, Integers
from foldwise.learners.base import fold_numbers
from foldwise.learners.tree import ahead
from foldwise.learners.tree.arrays import Columns, Ints, Rows, Rule, Tree, new_tree
from foldwise.learners.tree.criterion import scratch
from foldwise.learners.tree.crossed import MOST_ROWS, new_room
from foldwise.learners.tree.lists import new_lists, presort
from foldwise.learners.tree.route import crossing
from foldwise.learners.tree.terms import Tables, tables
from foldwise.learners.tree.tools import PLAIN, Tools

__all__ = ["cross_decide", "fit_tree", "fit_within"]


def fit_within(
    data: Columns, order: Ints, left_out: Flags, rule: Rule, f: Tables, room: int, tools: Tools
) -> tuple[Tree, int]:
    """The tree learnt from all rows but some, and its number of nodes: 0 if the tree is too large for `room`."""
    ids = np.flatnonzero(~left_out).astype(np.uint32)
    n, work = len(ids), scratch(data, f)
    way = crossing(len(data.classes), len(work.bags))
    tree = new_tree(4 * room * (n + len(work.bags)), data.n_classes)
    rows = Rows(np.empty(32 * room * n, np.uint32), np.empty(32 * room * n))
    lists = new_lists(data, n, room)
    if tools is not PLAIN:
        ahead.begin()
    used, free = tools.grow(data, ids, order, left_out, rule, tree, rows, lists, work, way)
    if tools is not PLAIN:
        ahead.finish()
    del lists  # the largest part of all, and not needed for pruning
    if rule.collapse and used > 0:
        tools.collapse(tree, used)
    pile = np.empty((max(used + 1, n), 3), np.int64)
    if rule.prune and used > 0 and not tools.prune(data, tree, used, rows, free, rule, way, pile):
        return tree, 0
    return tree, used


def _fit_in_room(data: Columns, order: Ints, left_out: Flags, rule: Rule, tools: Tools) -> tuple[Tree, int]:
    room, used, f = 1, 0, tables(int(np.count_nonzero(~left_out)), rule.hypergeometric, tools.terms)
    with np.errstate(all="ignore"):  # as kernels do
        while used == 0:
            tree, used = fit_within(data, order, left_out, rule, f, room, tools)
            room *= 2
    return tree, used


def fit_tree(data: Columns, rule: Rule, tools: Tools) -> Tree:
    """The tree learnt from all rows."""
    tree, used = _fit_in_room(data, presort(data), np.zeros(data.classes.size, np.bool_), rule, tools)
    return Tree._make(part[:used].copy() for part in tree)


def _training_part(data: Columns, missing: Flags, test: Flags) -> Columns:
    gaps = np.asarray(missing[:, ~test].any(axis=1))
    return data._replace(gaps=gaps, complete=not gaps.any())


def cross_decide(data: Columns, folds: Integers, rule: Rule, tools: Tools) -> Integers:
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
            training = data if data.complete else _training_part(data, missing, test)
            tree, _ = _fit_in_room(training, order, test, rule, tools)
            rows = np.flatnonzero(test).astype(np.uint32)
            predicted[run, rows] = tools.decide(tools.probabilities(tree, data.cells, data.n_values, rows))
    return predicted


def _decide_in_one_room(
    data: Columns, missing: Flags, order: Ints, folds: Integers, rule: Rule, tools: Tools, out: Integers
) -> None:
    trees = np.array([(run, fold) for run, fold_of in enumerate(folds) for fold in fold_numbers(fold_of)])
    f = tables(folds.shape[1], rule.hypergeometric, tools.terms)
    done, room = 0, 1
    ahead.begin()
    while done < len(trees):
        space = new_room(data, room, f)
        done = tools.decide_folds(data, missing, order, folds, done, trees, rule, space, out)
        room *= 2
    ahead.finish()
