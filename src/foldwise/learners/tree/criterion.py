"""How good a test is: C4.5's gain ratio, or Martin's hypergeometric probability.

Both criteria are one expression of the table of classes by branches with margins n_c and n_b and total N,

    m = f(N) − Σ f(n_c) − Σ f(n_b) + Σ f(n_bc).

With f(x) = x log2 x, m / N is the information gain. With f(x) = log Γ(x + 1), −m is the logarithm of the
multiple hypergeometric probability of the table given its margins, the point probability of Fisher's exact test.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from foldwise.core.kernels import inner_kernel, kernel
from foldwise.learners.tree.arrays import SMALL, Ints, Reals, Rule, TreeData

_LN2 = math.log(2.0)


class Tables(NamedTuple):
    """What depends on numbers of rows only."""

    f: Reals  #: f(0), f(1), …, and the increments f(1) − f(0), f(2) − f(1), …
    step: Reals
    logs: Reals  #: log2 of whole numbers.


@inner_kernel
def term(x: float, hypergeometric: bool) -> float:
    if hypergeometric:
        return math.lgamma(x + 1.0)
    return x * math.log(x) / _LN2 if x >= SMALL else 0.0


@kernel
def terms(n: int, hypergeometric: bool) -> Reals:
    f = np.empty(n + 1)
    for i in range(n + 1):
        f[i] = term(float(i), hypergeometric)
    return f


@lru_cache(maxsize=8)
def tables(n: int, hypergeometric: bool, terms: Callable[[int, bool], Reals]) -> Tables:
    """Tables for at least `n` rows, by `terms` or its kernel."""
    f = terms(n, hypergeometric)
    logs = np.full(len(f), math.nan)
    logs[1:] = np.fromiter(map(math.log2, range(1, len(f))), np.float64, len(f) - 1)  # NumPy's differs in the last bit
    return Tables(f, np.diff(f), logs)


class Node(NamedTuple):
    """Where the rows of a node are: from `start` to `stop` in `Rows`, from `spot` on in the sorted lists."""

    start: int
    stop: int
    spot: int
    total: float
    unit: bool  #: Whether every row weighs 1, so that sums are whole and f comes from a table.


class Scratch(NamedTuple):
    f: Reals  #: The criterion's f at whole numbers, and its increments.
    step: Reals
    logs: Reals  #: log2 of whole numbers.
    left: Reals
    right: Reals
    #: By how much Σ f(n_bc) changes when a class sends its first row to the left of a cut, its second, and so on.
    change: Reals
    flanks: Reals  #: Σ f(n_b) when 0, 1, 2, … rows are left of a cut.
    following: Ints  #: Per numeric attribute and class where in `change` its next row is.
    within: Reals  #: m without Σ f(n_b) with a cut after the first row, the second, and so on.
    edges: Ints  #: The rows after which the value changes.
    table: Reals
    bags: Reals
    present: Ints  #: The classes that occur at the node; the last place says how many.
    weight: Reals  #: The weight of each row at the node.
    rank: Ints  #: Per numeric attribute which of the sorted lists is its own.
    merit: Reals  #: Per attribute its gain (or −log probability); −1 without an admissible split.
    sides: Reals  #: Per attribute Σ f(n_b), and the weight of the rows of known value.
    known: Reals
    place: Ints  #: Per numeric attribute the place in the node's sorted list of the last row left of the cut.


def scratch(data: TreeData, tables: Tables) -> Scratch:
    """Working space for one data set; the tables are for at least as many rows."""
    k, p, widest, n = data.n_classes, len(data.n_values), max(2, int(data.n_values.max())), len(tables.f)
    real, answers, numeric = np.empty((2, k)), np.empty((3, p)), data.n_values == 0
    return Scratch(
        f=tables.f, step=tables.step, logs=tables.logs, left=real[0], right=real[1],
        change=np.empty(n), flanks=np.empty(n),
        following=np.empty((int(numeric.sum()), k), np.uint32), within=np.empty(n), edges=np.empty(n, np.uint32),
        table=np.empty((widest, k)), bags=np.empty(widest), present=np.empty(k + 1, np.int64),
        weight=np.ones(len(data.classes)), rank=np.cumsum(numeric) - numeric, merit=answers[0], sides=answers[1],
        known=answers[2], place=np.empty(p, np.int64),
    )  # fmt: skip


@inner_kernel
def table_term(x: float, unit: bool, rule: Rule, work: Scratch) -> float:
    """The criterion's f, from the table if all weights are whole."""
    return float(work.f[int(x)]) if unit else term(x, rule.hypergeometric)


@inner_kernel
def ratio(a: int, node: Node, rule: Rule, work: Scratch) -> float:
    if rule.hypergeometric:
        return float(work.merit[a])
    unknown = table_term(node.total - work.known[a], node.unit, rule, work)
    spread = table_term(node.total, node.unit, rule, work) - work.sides[a] - unknown
    return work.merit[a] / (spread / node.total) if abs(spread) > SMALL else 0.0


@inner_kernel
def tabulate_cuts(number: int, work: Scratch) -> None:
    """Tabulate `work.change` and `work.flanks` for `number` rows, whose class weights, all whole, are in `work.right`.

    All attributes whose value is known for all rows of a node share the tables.
    """
    f, step, place = work.f, work.step, 0
    for j in range(work.present[-1]):
        c = work.present[j]
        size = int(work.right[c])
        for k in range(work.following.shape[0]):
            work.following[k, c] = place
        for i in range(size):
            work.change[place + i] = step[i] - step[size - 1 - i]
        place += size
    for i in range(1, number):
        work.flanks[i] = f[i] + f[number - i]
