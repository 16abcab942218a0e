"""Growing a tree."""

from __future__ import annotations

import numpy as np

from foldwise.core.kernels import ZERO, bare_kernel, inner_kernel
from foldwise.core.types import Flags
from foldwise.learners.tree.arrays import SMALL, Ints, Reals, Rows, Rule, Tree, TreeData
from foldwise.learners.tree.criterion import Scratch
from foldwise.learners.tree.lists import RANK, Lists, divide, divide_in_two, fill, send_halves_down
from foldwise.learners.tree.route import Crossing, send_down
from foldwise.learners.tree.split import best_split

_ONE = np.uint64(1)


@inner_kernel
def largest_class(tree: Tree, v: int) -> float:
    largest = 0.0
    for count in tree.counts[v]:
        largest = count if count > largest else largest
    return largest


@inner_kernel
def _observed_cut(place: int, entries: Ints, levels: Reals, column: Reals, ids: Ints) -> float:
    """The largest training value not above the middle of the cut after `place`, as C4.5 has it.

    Among values closer than Weka's tolerance, the first in the order of the examples counts.
    """
    rank, above = entries[place] >> RANK, entries[place + 1] >> RANK
    cut = (levels[rank] + levels[above]) / 2
    cut = levels[rank] if cut == levels[above] else cut
    while rank + _ONE < above:
        middle = (rank + above) >> _ONE
        if levels[middle] <= cut + SMALL:
            rank = middle
        else:
            above = middle
    while levels[rank + _ONE] <= cut + SMALL:  # with numbers so large that the tolerance is lost
        rank += _ONE
    if rank == 0 or levels[rank] - levels[rank - _ONE] > SMALL:
        return float(levels[rank])
    found = -np.inf
    for r in ids:
        if column[r] - found > SMALL and column[r] - cut < SMALL:
            found = column[r]
    return found


@inner_kernel
def _cut_in_two(
    data: TreeData, ids: Ints, lists: Lists, tree: Tree, v: int, rows: Rows, free: int, work: Scratch, way: Crossing
) -> int:
    """Set the cut of node `v`, which tests a numeric attribute, and do what `send_down` does."""
    a = tree.attribute[v]
    k, place = work.rank[a], work.place[a]
    entries = lists.entries[k, tree.spot[v] : tree.spot[v] + tree.length[v]]
    tree.cut[v] = _observed_cut(place, entries, lists.levels[k], data.cells[a], ids)
    if data.complete and lists.spaced[k]:  # then the cut on an observed value is where it was found
        return send_halves_down(entries, place + 1, data, tree, v, rows, free, way)
    return send_down(data, tree, v, rows, free, way)


@inner_kernel
def _add_sons(tree: Tree, v: int, rule: Rule, top: int, way: Crossing, half: int, complete: bool) -> int:
    """Initialise the sons of `v` and stack those worth a split on `top`; the new top of the stack.

    A son is worth a split when it is large enough and has more than one class. With missing values, for which places
    may be short, the sorted lists of the others are sent to the last places, where nobody reads them.
    """
    spot = tree.spot[v] + (half if tree.spot[v] < half else -half)
    for b in range(tree.branches[v]):
        s = tree.son[v] + b
        tree.attribute[s], tree.son[s], tree.branches[s], tree.cut[s] = -1, 0, 0, 0.0
        tree.vacant[s] = tree.total[s] <= SMALL
        small = 2 * rule.min_instances - tree.total[s] > SMALL
        if small or abs(tree.total[s] - largest_class(tree, s)) <= SMALL:
            way.ends[b] = spot if complete else 2 * half
            spot += tree.length[s] if complete else 0
        else:
            way.ends[b] = spot
            tree.spot[s] = spot
            tree.below[s] = top
            top = s
            spot += tree.length[s]
    way.ends[tree.branches[v]] = spot
    return top


@inner_kernel
def _plant(data: TreeData, ids: Ints, tree: Tree, rows: Rows) -> None:
    """The root, with all rows."""
    for c in range(data.n_classes):
        tree.counts[0, c] = 0.0
    for i in range(ids.size):
        rows.ids[i] = ids[i]
        rows.weights[i] = 1.0
        tree.counts[0, data.classes[ids[i]]] += 1.0
    tree.attribute[0], tree.son[0], tree.branches[0], tree.cut[0], tree.vacant[0] = -1, 0, 0, 0.0, False
    tree.spot[0], tree.below[0], tree.start[0] = 0, -1, 0
    tree.length[0], tree.total[0], tree.share[0] = ids.size, ids.size, 1.0


@bare_kernel
def grow(
    data: TreeData, ids: Ints, order: Ints, left_out: Flags, rule: Rule, tree: Tree, rows: Rows, lists: Lists,
    work: Scratch, way: Crossing,
) -> tuple[int, int]:  # fmt: skip
    """Grow the full tree on the rows `ids`; all others are `left_out`, and `order` comes from `presort`.

    Returns the number of nodes and of places filled in `rows`; (0, 0) if the arrays are too short.
    """
    n = ids.size
    _plant(data, ids, tree, rows)
    fill(lists, ids, order, left_out, data)
    used, free, top = 1, n, ZERO
    while top >= 0:
        v, top = top, tree.below[top]
        a = best_split(data, lists, tree, v, rows, rule, work)
        if a < 0:
            continue
        branches = max(data.n_values[a], 2)
        if used + branches > tree.attribute.size:
            return 0, 0
        tree.attribute[v], tree.son[v], tree.branches[v] = a, used, branches
        used += branches
        if data.n_values[a] > 0:
            tree.cut[v] = 0.0
            free = send_down(data, tree, v, rows, free, way)
        else:
            free = _cut_in_two(data, ids, lists, tree, v, rows, free, work, way)
        if free < 0:
            return 0, 0
        simple = branches == 2 and way.sizes[0] + way.sizes[1] == tree.length[v]
        waiting = top
        top = _add_sons(tree, v, rule, top, way, lists.half, data.complete)
        if way.ends[branches] > (lists.half if tree.spot[v] >= lists.half else 2 * lists.half):
            return 0, 0
        if top == waiting:  # no son is worth a split
            continue
        for k in range(lists.entries.shape[0]):
            if simple:
                divide_in_two(lists.entries, k, tree.spot[v], tree.length[v], way)
            else:
                divide(lists.entries, k, tree.spot[v], tree.length[v], branches, way)
    return used, free
