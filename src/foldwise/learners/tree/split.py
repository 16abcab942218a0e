"""Which test a node makes."""

from __future__ import annotations

import math

import numpy as np

from foldwise.learners.marks import inner_kernel, stands_for
from foldwise.learners.tree.arrays import SMALL, Columns, Ints, Reals, Rows, Rule, Tree
from foldwise.learners.tree.criterion import Node, Scratch, ratio, table_term, tabulate_cuts
from foldwise.learners.tree.cuts import known_rows, numeric_merit, smallest_branch
from foldwise.learners.tree.lists import Lists

__all__ = ["best_split"]


@inner_kernel
def _add_row_by_row(ids: Ints, column: Reals, classes: Ints, weight: Reals, table: Reals) -> None:
    """Add the rows' weights to the table of branches by classes, in which is 0, unless their values are missing."""
    for r in ids:
        value = column[r]
        if not math.isnan(value):
            table[np.uint64(value), classes[r]] += weight[r]


@stands_for(_add_row_by_row)
def _add_rows(ids: Ints, column: Reals, classes: Ints, weight: Reals, table: Reals) -> None:
    """The same, all rows at once, in the same order."""
    values = column[ids]
    known = ids[values == values]
    cells = column[known].astype(np.int64) * table.shape[1] + classes[known]
    table[:] = np.bincount(cells, weight[known], table.size).reshape(table.shape)


@inner_kernel
def _tabulate(a: int, data: Columns, rows: Rows, node: Node, work: Scratch) -> float:
    """Fill the table of branches by classes and its margins; the weight of the rows whose value is known."""
    size, table, present, known = data.n_values[a], work.table, work.present, 0.0
    for j in range(present[-1]):
        work.left[present[j]] = 0.0
        for b in range(size):
            table[b, present[j]] = 0.0
    _add_rows(rows.ids[node.start : node.stop], data.cells[a], data.classes, work.weight, table)
    for b in range(size):
        work.bags[b] = 0.0
        for j in range(present[-1]):
            work.bags[b] += table[b, present[j]]
            work.left[present[j]] += table[b, present[j]]
        known += work.bags[b]
    return known


@inner_kernel
def _nominal(a: int, data: Columns, rows: Rows, node: Node, rule: Rule, work: Scratch) -> None:
    """The multiway split on a nominal attribute: at least two branches need `min_instances`."""
    known = _tabulate(a, data, rows, node, work)
    filled, sides, merit = 0, 0.0, table_term(known, node.unit, rule, work)
    for b in range(data.n_values[a]):
        filled += work.bags[b] >= rule.min_instances - SMALL
        sides += table_term(work.bags[b], node.unit, rule, work)
    if filled < 2:
        return
    for j in range(work.present[-1]):
        c = work.present[j]
        merit -= table_term(work.left[c], node.unit, rule, work)
        for b in range(data.n_values[a]):
            merit += table_term(work.table[b, c], node.unit, rule, work)
    merit -= sides
    if not rule.hypergeometric:
        merit = merit / node.total if abs(merit * known / node.total) > SMALL else 0.0
    work.merit[a], work.sides[a], work.known[a] = max(merit, 0.0), sides, known


@inner_kernel
def _choose(data: Columns, node: Node, rule: Rule, n_rows: int, work: Scratch) -> int:
    """The attribute of largest ratio among those of at least average merit; −1 for none.

    Attributes with very many values do not count in the average, unless all are such.
    """
    p, many, spared = data.n_values.size, math.ceil(0.3 * n_rows - SMALL), True
    for a in range(p):
        spared = spared and data.n_values[a] >= many
    least, number = 0.0, 0
    for a in range(p):
        if work.merit[a] >= 0 and (spared or data.n_values[a] < many):
            least += work.merit[a]
            number += 1
    if number == 0:
        return -1
    least = 0.0 if rule.hypergeometric else max(least / number - 1e-3, 0.0)
    best, largest = -1, 0.0
    for a in range(p):
        if work.merit[a] >= least:
            here = ratio(a, node, rule, work)
            if here - largest > SMALL:
                best, largest = a, here
    if rule.hypergeometric and math.exp(-largest) > rule.stopping:
        return -1
    return best


@inner_kernel
def _look(data: Columns, tree: Tree, v: int, rows: Rows, work: Scratch) -> Node:
    """Note the weights at a node and the classes that occur."""
    start, stop, unit, number = tree.start[v], tree.start[v] + tree.length[v], True, 0
    if not data.complete:
        for i in range(start, stop):
            unit = unit and rows.weights[i] == 1.0
    if not unit:
        for i in range(start, stop):
            work.weight[rows.ids[i]] = rows.weights[i]
    for c in range(data.n_classes):  # without branches: which classes occur is hard to predict
        work.present[number] = c
        number += tree.counts[v, c] > 0.0
    work.present[-1] = number
    return Node(start, stop, tree.spot[v], tree.total[v], unit)


@inner_kernel
def _numeric(data: Columns, lists: Lists, tree: Tree, v: int, node: Node, rule: Rule, work: Scratch) -> None:
    """The best cut of each numeric attribute."""
    k, ready, flanks = -1, False, 0
    usual = smallest_branch(node.total, data.n_classes, rule.min_instances)
    for a in range(data.n_values.size):
        if data.n_values[a] > 0:
            continue
        k += 1
        number, known, least = node.stop - node.start, node.total, usual
        if data.gaps[a]:
            number, known = known_rows(k, data, lists, node, work)
            least = smallest_branch(known, data.n_classes, rule.min_instances)
        elif not ready:
            for j in range(work.present[-1]):
                work.right[work.present[j]] = tree.counts[v, work.present[j]]
        if number < 2 * least - SMALL:
            continue
        if node.unit and (data.gaps[a] or not ready):
            flanks = tabulate_cuts(number, work)
            ready = not data.gaps[a]
        numeric_merit(a, k, number, known, least, flanks, data, lists, node, rule, work)


@inner_kernel
def best_split(data: Columns, lists: Lists, tree: Tree, v: int, rows: Rows, rule: Rule, work: Scratch) -> int:
    """The attribute to test at node `v`, or −1; a numeric attribute's cut comes after `work.place`.

    `lists` holds the node's rows sorted by each numeric attribute, from place ``tree.spot[v]`` on.
    """
    node = _look(data, tree, v, rows, work)
    for a in range(data.n_values.size):
        work.merit[a] = -1.0
        if data.n_values[a] > 0:
            _nominal(a, data, rows, node, rule, work)
    _numeric(data, lists, tree, v, node, rule, work)
    if not node.unit:
        for i in range(node.start, node.stop):
            work.weight[rows.ids[i]] = 1.0
    return _choose(data, node, rule, tree.length[0], work)
