"""Which test a node makes."""

from __future__ import annotations

import math

import numpy as np

from foldwise.core.kernels import inner_kernel, stands_for
from foldwise.learners.tree.arrays import SMALL, Ints, Reals, Rows, Rule, Tree, TreeData
from foldwise.learners.tree.criterion import Node, Scratch, ratio, table_term, tabulate_cuts, term
from foldwise.learners.tree.lists import GAP, RANK, ROW, Lists


@inner_kernel
def known_rows(k: int, data: TreeData, lists: Lists, node: Node, work: Scratch) -> tuple[int, float]:
    """Put the class weights of the rows of known value in `work.right`; their number and weight.

    Missing values are last in the sorted lists.
    """
    for j in range(work.present[-1]):
        work.right[work.present[j]] = 0.0
    weight, number = 0.0, 0
    for i in range(node.spot, node.spot + node.stop - node.start):
        entry = lists.entries[k, i]
        if math.isnan(lists.levels[k, entry >> RANK]):
            break
        r = entry & ROW
        number += 1
        weight += work.weight[r]
        work.right[data.classes[r]] += work.weight[r]
    return number, weight


@inner_kernel
def _scan_rows(
    k: int, entries: Ints, levels: Reals, spaced: bool, number: int, first: int, tolerance: float, data: TreeData,
    work: Scratch,
) -> tuple[float, int, int]:  # fmt: skip
    """Best merit over the cuts when every row weighs 1, the last row left of it, and how many cuts there are.

    `first` rows are the least. Moving one row changes one other term, that of its class. Unsigned numbers spare numba's
    test for negative indices.
    """
    following, within, edges, z = work.following[k], work.within, work.edges, np.uint64(0)
    inside, one = work.f[number], np.uint64(1)
    for i in range(number - first):  # without branches: where values change is hard to predict
        entry, successor = entries[i], entries[i + 1]
        apart = (entry ^ successor) > ROW if spaced else levels[entry >> RANK] + GAP < levels[successor >> RANK]
        edges[z] = i
        z += np.uint64(apart)
        c = data.classes[entry & ROW]
        here = following[c]
        following[c] = here + np.uint32(1)
        inside += work.change[here]
        within[i] = inside
    j = np.uint64(0)
    while j < z and edges[j] + 1 < first:
        j += one
    bar, place, cuts = tolerance, np.int64(-1), np.int64(z - j)
    for i in edges[j:z]:
        merit = within[i] - work.flanks[i + one]
        if merit > bar:
            bar, place = merit + tolerance, np.int64(i)
    return bar - tolerance, int(place), int(cuts)


@stands_for(_scan_rows)
def _scan_whole(
    k: int, entries: Ints, levels: Reals, spaced: bool, number: int, first: int, tolerance: float, data: TreeData,
    work: Scratch,
) -> tuple[float, int, int]:  # fmt: skip
    """The same, all rows at once: sums are added up in the same order."""
    last = number - first
    left, right, classes = entries[:last], entries[1 : last + 1], data.classes[entries[:last] & ROW]
    apart = (left ^ right) > ROW if spaced else levels[left >> RANK] + GAP < levels[right >> RANK]
    steps = np.empty(last + 1)
    steps[0], moved = work.f[number], steps[1:]
    for c in work.present[: work.present[-1]].tolist():
        here, begin = (classes == c).nonzero()[0], int(work.following[k, c])
        moved[here] = work.change[begin : begin + here.size]
    edges = apart[first - 1 :].nonzero()[0] + first
    merits = np.add.accumulate(steps)[edges] - work.flanks[edges]
    bar, place = tolerance, 0
    for i, merit in zip(edges.tolist(), merits.tolist(), strict=True):
        if merit > bar:
            bar, place = merit + tolerance, i
    return bar - tolerance, place - 1, edges.size


@inner_kernel
def _scan_parts(
    entries: Ints, levels: Reals, number: int, least: float, tolerance: float, hyper: bool, data: TreeData,
    work: Scratch,
) -> tuple[float, int, int]:  # fmt: skip
    """As `_scan_rows` when some rows carry part of their weight."""
    left, right, present = work.left, work.right, work.present
    here, there, base = 0.0, 0.0, 0.0
    # rows pass from the right of the cut to its left one by one; m is then added up anew, class by class
    for j in range(present[-1]):
        left[present[j]] = 0.0
        there += right[present[j]]
        base -= term(right[present[j]], hyper)
    base += term(there, hyper)
    best, place, cuts = 0.0, -1, 0
    for i in range(1, number):
        r = entries[i - 1] & ROW
        c, weight = data.classes[r], work.weight[r]
        left[c] += weight
        right[c] -= weight
        here += weight
        there -= weight
        apart = levels[entries[i - 1] >> RANK] + GAP < levels[entries[i] >> RANK]
        if apart and here >= least - SMALL and there >= least - SMALL:
            merit = base - term(here, hyper) - term(there, hyper)
            for j in range(present[-1]):
                merit += term(left[present[j]], hyper) + term(right[present[j]], hyper)
            cuts += 1
            if merit - best > tolerance:
                best, place = merit, i - 1
    return best, place, cuts


@inner_kernel
def smallest_branch(known: float, n_classes: int, min_instances: float) -> float:
    """C4.5's least weight of a numeric test's branch: a tenth of the average class, between the minimum and 25."""
    least = 0.1 * known / n_classes
    if least - min_instances < SMALL:
        return min_instances
    return 25.0 if least - 25.0 > SMALL else least


@inner_kernel
def _left_weight(place: int, entries: Ints, unit: bool, work: Scratch) -> float:
    """The weight of the rows up to `place` of the sorted list."""
    if unit:
        return place + 1.0
    weight = 0.0
    for i in range(place + 1):
        weight += work.weight[entries[i] & ROW]
    return weight


@inner_kernel
def numeric_merit(
    a: int, k: int, number: int, known: float, least: float, data: TreeData, lists: Lists, node: Node, rule: Rule,
    work: Scratch,
) -> None:  # fmt: skip
    """The best cut of numeric attribute `a`, the `k`-th such; its gain pays for having chosen among many cuts.

    `number` rows of weight `known` have a value, and either side needs `least`.
    """
    hyper, levels = rule.hypergeometric, lists.levels[k]
    entries = lists.entries[k, node.spot : node.spot + number]
    if levels[entries[0] >> RANK] + GAP >= levels[entries[number - 1] >> RANK]:
        return
    tolerance = SMALL if hyper else SMALL * node.total
    if node.unit:
        first = math.ceil(least - SMALL)
        spaced = lists.spaced[k]
        merit, place, cuts = _scan_whole(k, entries, levels, spaced, number, first, tolerance, data, work)
    else:
        merit, place, cuts = _scan_parts(entries, levels, number, least, tolerance, hyper, data, work)
    if place < 0:
        return
    if not hyper:
        # the best of many cuts gains something by chance: log2 of their number is its price (Quinlan 1996, release 8)
        merit = (merit - work.logs[cuts]) / node.total
    if merit < SMALL:
        return
    here = _left_weight(place, entries, node.unit, work)
    sides = table_term(here, node.unit, rule, work) + table_term(known - here, node.unit, rule, work)
    work.merit[a], work.sides[a], work.known[a], work.place[a] = merit, sides, known, place


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
def _tabulate(a: int, data: TreeData, rows: Rows, node: Node, work: Scratch) -> float:
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
def _nominal(a: int, data: TreeData, rows: Rows, node: Node, rule: Rule, work: Scratch) -> None:
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
def _choose(data: TreeData, node: Node, rule: Rule, n_rows: int, work: Scratch) -> int:
    """The attribute of largest ratio among those of at least average merit; −1 for none.

    Attributes with very many values do not count in the average, unless all are such.
    """
    # the gain ratio alone would prefer tests that hardly divide: C4.5 takes the best ratio among tests of at least
    # average gain (Quinlan 1993, section 2.2)
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
def _look(data: TreeData, tree: Tree, v: int, rows: Rows, work: Scratch) -> Node:
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
def _numeric(data: TreeData, lists: Lists, tree: Tree, v: int, node: Node, rule: Rule, work: Scratch) -> None:
    """The best cut of each numeric attribute."""
    k, ready = -1, False
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
            tabulate_cuts(number, work)
            ready = not data.gaps[a]
        numeric_merit(a, k, number, known, least, data, lists, node, rule, work)


@inner_kernel
def best_split(data: TreeData, lists: Lists, tree: Tree, v: int, rows: Rows, rule: Rule, work: Scratch) -> int:
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
