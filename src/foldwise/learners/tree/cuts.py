"""The best cut of a numeric attribute, found in one pass over the rows in sorted order."""

from __future__ import annotations

import math

import numpy as np

from foldwise.learners.compile import inner_kernel
from foldwise.learners.tree.arrays import SMALL, Columns, Ints, Rule
from foldwise.learners.tree.criterion import Node, Scratch, settle, table_term, term, whole_counts

__all__ = ["numeric_merit"]

_GAP = 1e-5  # two values no further apart are one value to C4.5
_ONE = np.uint64(1)


@inner_kernel
def _known(a: int, data: Columns, lists: Ints, node: Node, work: Scratch) -> tuple[int, float]:
    """Put the class weights of the rows of known value in `work.right`; their number and weight.

    Missing values are last in the sorted lists.
    """
    for j in range(work.present[-1]):
        work.right[work.present[j]] = 0.0
    weight, number, k = 0.0, 0, work.rank[a]
    for i in range(node.spot, node.spot + node.stop - node.start):
        r = lists[k, i]
        if math.isnan(data.cells[a, r]):
            break
        number += 1
        weight += work.weight[r]
        work.right[data.classes[r]] += work.weight[r]
    return number, weight


@inner_kernel
def _scan_whole(
    a: int,
    data: Columns,
    lists: Ints,
    spot: int,
    number: int,
    first: int,
    tolerance: float,
    inside: float,
    work: Scratch,
) -> tuple[float, int, int]:
    """Best merit over the cuts when every row weighs 1, the last row left of it, and how many cuts there are.

    `work.whole` counts the rows of known value by class, and `inside` is their Σ f(n_c); `first` rows are the least.
    Moving one row changes two cells of the table, so each cut costs a few table look-ups. Unsigned numbers spare
    numba's test for negative indices.
    """
    f, step, less, whole, k = work.f, work.step, work.less, work.whole, work.rank[a]
    for j in range(work.present[-1]):
        less[work.present[j]] = 0
    base = f[number] - inside
    best, place, cuts = 0.0, -1, 0
    r = lists[k, spot]
    following = data.cells[a, r]
    for i in range(1, number - first + 1):
        c = data.classes[r]
        here = less[c] + _ONE
        inside += step[here - _ONE] - step[whole[c] - here]
        less[c] = here
        r = lists[k, spot + i]
        value, following = following, data.cells[a, r]
        if value + _GAP < following and i >= first:
            merit = base - f[i] - f[number - i] + inside
            cuts += 1
            if merit - best > tolerance:
                best, place = merit, i - 1
    return best, place, cuts


@inner_kernel
def _scan_parts(
    a: int,
    data: Columns,
    lists: Ints,
    spot: int,
    number: int,
    least: float,
    tolerance: float,
    hyper: bool,
    work: Scratch,
) -> tuple[float, int, int]:
    """As `_scan_whole` when some rows carry part of their weight."""
    left, right, present, k = work.left, work.right, work.present, work.rank[a]
    here, there, base = 0.0, 0.0, 0.0
    for j in range(present[-1]):
        left[present[j]] = 0.0
        there += right[present[j]]
        base -= term(right[present[j]], hyper)
    base += term(there, hyper)
    best, place, cuts = 0.0, -1, 0
    for i in range(1, number):
        r = lists[k, spot + i - 1]
        c, weight = data.classes[r], work.weight[r]
        left[c] += weight
        right[c] -= weight
        here += weight
        there -= weight
        apart = data.cells[a, r] + _GAP < data.cells[a, lists[k, spot + i]]
        if apart and here >= least - SMALL and there >= least - SMALL:
            merit = base - term(here, hyper) - term(there, hyper)
            for j in range(present[-1]):
                merit += term(left[present[j]], hyper) + term(right[present[j]], hyper)
            cuts += 1
            if merit - best > tolerance:
                best, place = merit, i - 1
    return best, place, cuts


@inner_kernel
def _smallest_branch(known: float, n_classes: int, min_instances: float) -> float:
    """C4.5's least weight of a numeric test's branch: a tenth of the average class, between the minimum and 25."""
    least = 0.1 * known / n_classes
    if least - min_instances < SMALL:
        return min_instances
    return 25.0 if least - 25.0 > SMALL else least


@inner_kernel
def _left_weight(a: int, place: int, lists: Ints, node: Node, work: Scratch) -> float:
    """The weight of the rows up to `place` of the sorted list."""
    if node.unit:
        return place + 1.0
    weight = 0.0
    for i in range(node.spot, node.spot + place + 1):
        weight += work.weight[lists[work.rank[a], i]]
    return weight


@inner_kernel
def numeric_merit(a: int, data: Columns, lists: Ints, node: Node, rule: Rule, work: Scratch) -> None:
    """The best cut of a numeric attribute; its gain pays for having chosen among many cuts."""
    number, known, hyper, spot = node.stop - node.start, node.total, rule.hypergeometric, node.spot
    inside = node.inside
    if data.gaps[a]:
        number, known = _known(a, data, lists, node, work)
        if node.unit:
            inside = whole_counts(work)
    least = _smallest_branch(known, data.n_classes, rule.min_instances)
    if number < 2 * least - SMALL:
        return
    k = work.rank[a]
    if data.cells[a, lists[k, spot]] + _GAP >= data.cells[a, lists[k, spot + number - 1]]:
        return
    tolerance = SMALL if hyper else SMALL * node.total
    if node.unit:
        first = math.ceil(least - SMALL)
        merit, place, cuts = _scan_whole(a, data, lists, spot, number, first, tolerance, inside, work)
    else:
        merit, place, cuts = _scan_parts(a, data, lists, spot, number, least, tolerance, hyper, work)
    if place < 0:
        return
    if not hyper:
        merit = (merit - math.log2(cuts)) / node.total
    if merit < SMALL:
        return
    low, high = data.cells[a, lists[k, spot + place]], data.cells[a, lists[k, spot + place + 1]]
    middle = (low + high) / 2
    work.cut[a] = low if middle == high else middle
    here = _left_weight(a, place, lists, node, work)
    sides = table_term(here, node.unit, rule, work) + table_term(known - here, node.unit, rule, work)
    settle(a, merit, sides, known, node, rule, work)
