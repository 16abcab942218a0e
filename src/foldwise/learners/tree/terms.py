"""The function f of which the criteria are made, and tables of it for rows of weight 1."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from foldwise.learners.marks import inner_kernel, kernel
from foldwise.learners.tree.arrays import SMALL, Reals

__all__ = ["LONG_BEGIN", "SHORT", "Tables", "short_begin", "tables", "term", "terms"]

SHORT = 48
"""For fewer rows everything is tabulated once, for more at every node."""
LONG_BEGIN = SHORT * (SHORT - 1) // 2
"""Where the short tables end, and those made at every node begin."""
_LN2 = math.log(2.0)


class Tables(NamedTuple):
    """What depends on numbers of rows only.

    The short tables are for 0, 1, …, SHORT − 1 rows, one after another: that for n rows has n numbers.
    """

    f: Reals
    """f(0), f(1), …, and the increments f(1) − f(0), f(2) − f(1), …"""
    step: Reals
    logs: Reals
    """log2 of whole numbers."""
    flanks: Reals
    """Short tables of f(i) + f(n − i) for i = 0, …, n − 1."""
    change: Reals
    """Short tables of how f(i) + f(n − i) changes from i to i + 1."""


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
def tables(n: int, hypergeometric: bool, terms: Callable[[int, bool], Reals]) -> Tables:
    """Tables for at least `n` rows, by `terms` or its kernel."""
    f = terms(max(n, SHORT), hypergeometric)
    step, logs = np.diff(f), np.full(len(f), math.nan)
    logs[1:] = np.fromiter(map(math.log2, range(1, len(f))), np.float64, len(f) - 1)  # NumPy's differs in the last bit
    flanks = [f[:size] + f[size:0:-1] for size in range(SHORT)]
    change = [step[:size] - step[:size][::-1] for size in range(SHORT)]
    return Tables(f, step, logs, np.concatenate(flanks), np.concatenate(change))


@inner_kernel
def short_begin(n: int) -> int:
    """Where the short table for `n` rows begins."""
    return n * (n - 1) // 2
