"""The rows of each node sorted by every numeric attribute: sorted once, and handed on from a node to its sons.

An entry of a list is one word: the rank of the row's value in the high half, the row's number in the low half.
So a pass over a list reads no other column, and finds equal values by their ranks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foldwise.core.kernels import inner_kernel, stands_for
from foldwise.core.types import Flags
from foldwise.learners.tree.arrays import SMALL, Ints, Reals, Rows, Tree, TreeData
from foldwise.learners.tree.route import Crossing

RANK = np.uint64(32)  # By how much an entry is shifted to give the rank.
ROW = np.uint64(0xFFFFFFFF)  # The part of an entry that is the row.
GAP = 1e-5  # Two values no further apart are one value to C4.5.
_ONE = np.uint64(1)


class Lists(NamedTuple):
    """The sorted lists of all nodes that wait for their split."""

    #: (numeric attributes, places). A node's list lies in one half of the places, its sons' lists in the other; with
    #: missing values, the last places are for lists that nobody reads.
    entries: Ints
    levels: Reals  #: (numeric attributes, ranks): the value of each rank; NaN after the last.
    spaced: NDArray[np.bool_]  #: Per numeric attribute whether any two ranks are two values to C4.5.
    half: int  #: The number of places of one half.
    codes: Ints  #: Scratch: per row its whole number, counted from the least.
    places: Ints  #: Scratch: per whole number the next place of a row that has it, and its rank.


def new_lists(data: TreeData, n: int, room: int) -> Lists:
    """Space for the lists of `n` rows; missing values, which go down every branch, need more `room`."""
    numeric = int((data.n_values == 0).sum())
    # without missing values the sons' lists fit where the parent's would, all of them
    half, unread = (n, 0) if data.complete else ((1 + room) * n, n)
    return Lists(
        entries=np.empty((numeric, 2 * half + unread), np.uint64), levels=np.empty((numeric, n + 1)),
        spaced=np.empty(numeric, np.bool_), half=half, codes=np.empty(n, np.uint32),
        places=np.empty((int(data.span.max()) + 1, 2), np.uint64),
    )  # fmt: skip


def presort(data: TreeData) -> Ints:
    """Row numbers sorted by each numeric attribute that is not sorted by counting, missing values last.

    Equal values stay in the order of their rows, so that the order for a subset is what remains of the order for all.
    """
    compared = np.flatnonzero((data.n_values == 0) & (data.span == 0))
    order = np.empty((len(compared), len(data.classes)), np.uint32)
    for place, a in enumerate(compared):
        order[place] = np.argsort(data.cells[a], kind="stable")
    return order


@inner_kernel
def fill(lists: Lists, ids: Ints, order: Ints, left_out: Flags, data: TreeData) -> None:
    """Put the root's lists of the rows `ids` in the first half, and find the ranks.

    `order`, from `presort`, has all rows; those that are `left_out` are passed over.
    """
    k, compared = -1, 0
    for a in range(data.n_values.size):
        if data.n_values[a] > 0:
            continue
        k += 1
        if data.span[a] > 0:
            _fill_by_counting(k, a, lists, ids, data)
        else:
            _fill_in_order(k, a, lists, order[compared], left_out, data)
            compared += 1


@inner_kernel
def _count_row_by_row(k: int, a: int, lists: Lists, ids: Ints, data: TreeData) -> None:
    """The list of a column of whole numbers; after the last of them, number `span`, come the missing values."""
    column, low, span = data.cells[a], data.low[a], np.uint64(data.span[a])
    codes, places, levels, number = lists.codes, lists.places, lists.levels[k], np.uint64(ids.size)
    # counting sort: how often each number occurs, where its rows begin, then every row to its place
    for i in range(span + _ONE):
        places[i, 0] = 0
    for j in range(number):
        value = column[ids[j]]
        code = np.uint64(np.int64(value - low)) if value == value else span
        codes[j] = code
        places[code, 0] += _ONE
    before, rank = np.uint64(0), np.uint64(0)
    for i in range(span + _ONE):
        size, places[i, 0], places[i, 1] = places[i, 0], before, rank << RANK
        levels[rank] = low + i if i < span else np.nan
        before += size
        rank += np.uint64(size > 0)
    levels[rank] = np.nan
    for j in range(number):
        code = codes[j]
        place = places[code, 0]
        lists.entries[k, place] = places[code, 1] | np.uint64(ids[j])
        places[code, 0] = place + _ONE
    lists.spaced[k] = True


@stands_for(_count_row_by_row)
def _fill_by_counting(k: int, a: int, lists: Lists, ids: Ints, data: TreeData) -> None:
    whole = data.cells[a, ids] - data.low[a]
    order = np.argsort(whole, kind="stable")
    _fill_at_once(k, lists, ids[order], data.low[a] + whole[order])


@inner_kernel
def _fill_row_by_row(k: int, a: int, lists: Lists, order: Ints, left_out: Flags, data: TreeData) -> None:
    """The list of a column whose rows are sorted already."""
    first = 0
    while left_out[order[first]]:
        first += 1
    rank, before, spaced, place = np.uint64(0), data.cells[a, order[first]], True, 0
    lists.levels[k, 0] = before
    for i in range(first, order.size):
        if left_out[order[i]]:
            continue
        value = data.cells[a, order[i]]
        rank += np.uint64(before < value or (value != value and before == before))
        spaced &= before == value or not value <= before + GAP
        lists.levels[k, rank] = value
        lists.entries[k, place] = rank << RANK | np.uint64(order[i])
        place += 1
        before = value
    lists.levels[k, rank + _ONE] = np.nan
    lists.spaced[k] = spaced


@stands_for(_fill_row_by_row)
def _fill_in_order(k: int, a: int, lists: Lists, order: Ints, left_out: Flags, data: TreeData) -> None:
    ids = order[~left_out[order]]
    _fill_at_once(k, lists, ids, data.cells[a, ids])


def _fill_at_once(k: int, lists: Lists, ids: Ints, values: Reals) -> None:
    """The list of these rows, in this order, and the ranks of their values."""
    before, after, known = values[:-1], values[1:], values == values
    ranks = np.zeros(ids.size, np.uint64)
    np.cumsum((before < after) | (known[:-1] & ~known[1:]), out=ranks[1:], dtype=np.uint64)
    lists.levels[k, ranks] = values
    lists.levels[k, ranks[-1] + _ONE] = np.nan
    lists.entries[k, : ids.size] = ranks << RANK | ids.astype(np.uint64)
    lists.spaced[k] = bool(((before == after) | ~(after <= before + GAP)).all())


@inner_kernel
def _divide_row_by_row(entries: Ints, k: int, start: int, length: int, way: Crossing) -> None:
    """Split one sorted list into two, when no value is missing: no branch that the processor could mispredict."""
    row, given = entries[k], entries[k, start : start + length]
    low, high = np.uint64(way.ends[0]), np.uint64(way.ends[1])
    for i in range(length):
        entry = given[i]
        b = np.uint64(way.route[entry & ROW])
        row[high if b else low] = entry
        low += _ONE - b
        high += b


@stands_for(_divide_row_by_row)
def divide_in_two(entries: Ints, k: int, start: int, length: int, way: Crossing) -> None:
    given = entries[k, start : start + length]
    right = way.route[given & ROW] > 0
    for end, part in zip(way.ends, (given[~right], given[right]), strict=False):
        entries[k, end : end + part.size] = part


@inner_kernel
def divide(entries: Ints, k: int, start: int, length: int, branches: int, way: Crossing) -> None:
    """Split one sorted list into the sons' lists; `way.ends` says where each son's list begins."""
    for b in range(branches):
        way.sizes[b] = way.ends[b]
    for i in range(start, start + length):
        entry = entries[k, i]
        b = way.route[entry & ROW]
        if b >= 0:
            e = way.sizes[b]
            entries[k, e] = entry
            way.sizes[b] = e + 1
        else:
            for s in range(branches):
                if way.share[s] > SMALL:
                    entries[k, way.sizes[s]] = entry
                    way.sizes[s] += 1


@inner_kernel
def _take_row_by_row(
    entries: Ints, left: int, classes: Ints, ids: Ints, free: int, route: Ints, counts: Reals, first: bool
) -> None:
    """Put the rows of `entries` in `ids`, their branches in `route`, and the classes of one half in `counts`."""
    for i in range(entries.size):
        r = entries[i] & ROW
        ids[free + i] = r
        route[r] = i >= left
    for c in range(counts.size):
        counts[c] = 0.0
    for i in range(0 if first else left, left if first else entries.size):
        counts[classes[entries[i] & ROW]] += 1.0


@stands_for(_take_row_by_row)
def _take_halves(
    entries: Ints, left: int, classes: Ints, ids: Ints, free: int, route: Ints, counts: Reals, first: bool
) -> None:
    taken = entries & ROW
    ids[free : free + taken.size] = taken
    route[taken[:left]], route[taken[left:]] = 0, 1
    half = taken[:left] if first else taken[left:]
    counts[:] = np.bincount(classes[half], minlength=counts.size)


@inner_kernel
def send_halves_down(
    entries: Ints, left: int, data: TreeData, tree: Tree, v: int, rows: Rows, free: int, way: Crossing
) -> int:
    """As `send_down` with complete data when the first `left` of the node's sorted `entries` go to the first son."""
    length, s = entries.size, tree.son[v]
    if free + length > rows.ids.size:
        return -1
    counted, other = (s, s + 1) if 2 * left <= length else (s + 1, s)
    _take_halves(entries, left, data.classes, rows.ids, free, way.route, tree.counts[counted], counted == s)
    for c in range(data.n_classes):
        tree.counts[other, c] = tree.counts[v, c] - tree.counts[counted, c]
    way.sizes[0], way.sizes[1] = left, length - left
    tree.start[s], tree.start[s + 1] = free, free + left
    for b in range(2):
        tree.length[s + b], tree.total[s + b], tree.share[s + b] = way.sizes[b], way.sizes[b], way.sizes[b] / length
    return free + length
