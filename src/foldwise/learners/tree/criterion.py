"""How good a test is: C4.5's gain ratio, or Martin's hypergeometric probability.

Both criteria are one expression of the table of classes by branches with margins n_c and n_b and total N,

    m = f(N) − Σ f(n_c) − Σ f(n_b) + Σ f(n_bc).

With f(x) = x log2 x, m / N is the information gain. With f(x) = log Γ(x + 1), −m is the logarithm of the
multiple hypergeometric probability of the table given its margins, the point probability of Fisher's exact test.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from foldwise.learners.compile import inner_kernel, kernel
from foldwise.learners.tree.arrays import SMALL, Columns, Ints, Reals, Rule

__all__ = ["LN2", "Node", "Scratch", "scratch", "settle", "table_term", "term", "terms"]

LN2 = math.log(2.0)


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
    left: Reals
    right: Reals
    less: Ints
    """Whole counts left and right of a cut."""
    more: Ints
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
    ratio: Reals
    cut: Reals


@inner_kernel
def term(x: float, hypergeometric: bool) -> float:
    """The criterion's f."""
    if hypergeometric:
        return math.lgamma(x + 1.0)
    return x * math.log(x) / LN2 if x >= SMALL else 0.0


@kernel
def terms(n: int, hypergeometric: bool) -> Reals:
    """f(0), …, f(n)."""
    f = np.empty(n + 1)
    for i in range(n + 1):
        f[i] = term(float(i), hypergeometric)
    return f


@inner_kernel
def scratch(data: Columns, f: Reals) -> Scratch:
    """Working space for one data set; `f` from `terms`, for at least as many rows."""
    p, k = data.n_values.size, data.n_classes
    step, rank, widest, numeric = np.empty(f.size), np.empty(p, np.int64), 2, 0
    for i in range(f.size - 1):
        step[i] = f[i + 1] - f[i]
    for a in range(p):
        widest = max(widest, data.n_values[a])
        rank[a] = numeric
        numeric += data.n_values[a] == 0
    return Scratch(
        f=f,
        step=step,
        left=np.empty(k),
        right=np.empty(k),
        less=np.empty(k, np.uint64),
        more=np.empty(k, np.uint64),
        table=np.empty((widest, k)),
        bags=np.empty(widest),
        present=np.empty(k + 1, np.int64),
        weight=np.ones(data.classes.size),
        rank=rank,
        merit=np.empty(p),
        ratio=np.empty(p),
        cut=np.empty(p),
    )


@inner_kernel
def table_term(x: float, unit: bool, rule: Rule, work: Scratch) -> float:
    """The criterion's f, from the table if all weights are whole."""
    return float(work.f[int(x)]) if unit else term(x, rule.hypergeometric)


@inner_kernel
def settle(a: int, merit: float, sides: float, known: float, node: Node, rule: Rule, work: Scratch) -> None:
    """Store merit and ratio of attribute `a`; `sides` is Σ f(n_b)."""
    work.merit[a] = max(merit, 0.0)
    work.ratio[a] = merit
    if not rule.hypergeometric:
        spread = (
            table_term(node.total, node.unit, rule, work)
            - sides
            - table_term(node.total - known, node.unit, rule, work)
        )
        work.ratio[a] = merit / (spread / node.total) if abs(spread) > SMALL else 0.0
