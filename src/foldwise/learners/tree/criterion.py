"""How good a test is: C4.5's gain ratio, or Martin's hypergeometric probability.

Both criteria are one expression of the table of classes by branches with margins n_c and n_b and total N,

    m = f(N) − Σ f(n_c) − Σ f(n_b) + Σ f(n_bc).

With f(x) = x log2 x, m / N is the information gain. With f(x) = log Γ(x + 1), −m is the logarithm of the
multiple hypergeometric probability of the table given its margins, the point probability of Fisher's exact test.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from foldwise.learners.compile import inner_kernel, kernel
from foldwise.learners.tree.arrays import SMALL, Columns, Ints, Reals, Rule

__all__ = ["Node", "Scratch", "ratio", "scratch", "table_term", "tables", "tabulate_cuts", "term", "terms"]

_LN2 = math.log(2.0)


class Node(NamedTuple):
    """Where the rows of a node are: from `start` to `stop` in `Rows`, from `spot` on in the sorted lists."""

    start: int
    stop: int
    spot: int
    total: float
    unit: bool
    """Whether every row weighs 1, so that sums are whole and f comes from a table."""


class Scratch(NamedTuple):
    """Working space of the split search, and its answer per attribute."""

    f: Reals
    """The criterion's f at whole numbers, and its increments."""
    step: Reals
    logs: Reals
    """log2 of whole numbers."""
    left: Reals
    right: Reals
    change: Reals
    """By how much Σ f(n_bc) changes when a class sends its first row to the left of a cut, its second, and so on."""
    outside: Reals
    """The other terms of m when 1, 2, … rows are left of a cut."""
    begin: Ints
    """Per class where its part of `change` begins, and where its next row is."""
    following: Ints
    within: Reals
    """Σ f(n_bc) with a cut after the first row, the second, and so on."""
    edges: Ints
    """The rows after which the value changes."""
    table: Reals
    bags: Reals
    present: Ints
    """The classes that occur at the node; the last place says how many."""
    weight: Reals
    """The weight of each row at the node."""
    rank: Ints
    """Per numeric attribute which of the sorted lists is its own."""
    merit: Reals
    """Per attribute its gain (or −log probability); −1 without an admissible split."""
    sides: Reals
    """Per attribute Σ f(n_b), and the weight of the rows of known value."""
    known: Reals
    place: Ints
    """Per numeric attribute the place in the node's sorted list of the last row left of the cut."""


@inner_kernel
def term(x: float, hypergeometric: bool) -> float:
    """The criterion's f."""
    if hypergeometric:
        return math.lgamma(x + 1.0)
    return x * math.log(x) / _LN2 if x >= SMALL else 0.0


@kernel
def terms(n: int, hypergeometric: bool) -> Reals:
    """f(0), …, f(n)."""
    f = np.empty(n + 1)
    for i in range(n + 1):
        f[i] = term(float(i), hypergeometric)
    return f


@lru_cache(maxsize=8)
def tables(n: int, hypergeometric: bool) -> tuple[Reals, Reals, Reals]:
    """f(0), …, f(n), the increments of f, and log2(0), …, log2(n), of which the first is not defined."""
    f = terms(n, hypergeometric)
    logs = np.array([math.nan, *(math.log2(i) for i in range(1, n + 1))])
    return f, np.diff(f), logs


def scratch(data: Columns, f: tuple[Reals, Reals, Reals]) -> Scratch:
    """Working space for one data set; `f` from `tables`, for at least as many rows."""
    k, p, widest, n = data.n_classes, len(data.n_values), max(2, int(data.n_values.max())), len(f[0])
    real, counts, answers = np.empty((2, k)), np.empty((2, k), np.uint32), np.empty((3, p))
    cuts, numeric = np.empty((3, n)), data.n_values == 0
    return Scratch(
        f=f[0],
        step=f[1],
        logs=f[2],
        left=real[0],
        right=real[1],
        change=cuts[0],
        outside=cuts[1],
        begin=counts[0],
        following=counts[1],
        within=cuts[2],
        edges=np.empty(n, np.uint32),
        table=np.empty((widest, k)),
        bags=np.empty(widest),
        present=np.empty(k + 1, np.int64),
        weight=np.ones(len(data.classes)),
        rank=np.cumsum(numeric) - numeric,
        merit=answers[0],
        sides=answers[1],
        known=answers[2],
        place=np.empty(p, np.int64),
    )


@inner_kernel
def table_term(x: float, unit: bool, rule: Rule, work: Scratch) -> float:
    """The criterion's f, from the table if all weights are whole."""
    return float(work.f[int(x)]) if unit else term(x, rule.hypergeometric)


@inner_kernel
def ratio(a: int, node: Node, rule: Rule, work: Scratch) -> float:
    """The gain ratio of attribute `a`, or what stands for it."""
    if rule.hypergeometric:
        return float(work.merit[a])
    unknown = table_term(node.total - work.known[a], node.unit, rule, work)
    spread = table_term(node.total, node.unit, rule, work) - work.sides[a] - unknown
    return work.merit[a] / (spread / node.total) if abs(spread) > SMALL else 0.0


@inner_kernel
def tabulate_cuts(number: int, work: Scratch) -> float:
    """Tabulate the terms of m for cuts of `number` rows whose class weights, which are whole, are in `work.right`.

    Returns Σ f(n_c). All attributes whose value is known for all rows of a node share the tables.
    """
    f, step, inside, place = work.f, work.step, 0.0, 0
    for j in range(work.present[-1]):
        c = work.present[j]
        size = int(work.right[c])
        work.begin[c] = place
        inside += f[size]
        for i in range(size):
            work.change[place + i] = step[i] - step[size - 1 - i]
        place += size
    base = f[number] - inside
    for i in range(1, number):
        work.outside[i] = base - f[i] - f[number - i]
    return inside
