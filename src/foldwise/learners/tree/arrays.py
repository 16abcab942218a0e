"""The arrays that the tree kernels share.

Rows are never copied: a node holds row numbers into column-wise `cells` and one weight per row. A row whose
value is missing at a split goes down every branch with part of its weight.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["SMALL", "Columns", "Ints", "Reals", "Rows", "Rule", "Tree", "columns", "new_tree"]

Ints = NDArray[Any]
Reals = NDArray[np.float64]

SMALL = 1e-6
"""Weka's tolerance: numbers closer than this count as equal."""


class Columns(NamedTuple):
    """Examples by column."""

    cells: Reals
    """(attributes, rows); NaN is missing, a nominal value is its index."""
    n_values: Ints
    """Per attribute its number of nominal values; 0 is numeric."""
    gaps: NDArray[np.bool_]
    """Per attribute whether any value is missing."""
    complete: bool
    """Whether no value is missing at all, so that every row keeps its whole weight."""
    classes: Ints
    n_classes: int


class Rule(NamedTuple):
    """What the kernels need to know of the learner's options."""

    min_instances: float
    hypergeometric: bool
    stopping: float
    """The largest probability of chance at which the hypergeometric test still splits."""
    collapse: bool
    prune: bool
    raising: bool
    confidence: float
    z: float
    """The normal quantile of 1 − confidence."""
    estimates: Reals
    """Errors expected of small leaves by their size and their errors, both whole numbers."""


class Rows(NamedTuple):
    """Rows and their weights, one segment per node."""

    ids: Ints
    weights: Reals


class Tree(NamedTuple):
    """A tree as parallel arrays over nodes; node 0 is the root, the sons of a node are consecutive."""

    attribute: Ints
    """The attribute tested, −1 at a leaf."""
    cut: Reals
    """Numeric test: values up to this one go to the first son."""
    son: Ints
    """The first son, and how many there are."""
    branches: Ints
    share: Reals
    """The part of the parent's weight of known value that came here."""
    total: Reals
    counts: Reals
    """Weight per class: (nodes, classes)."""
    vacant: NDArray[np.bool_]
    """True at a leaf that no training example reached."""
    start: Ints
    """Where the node's segment of `Rows` begins, and its length."""
    length: Ints
    spot: Ints
    """Scratch: a place belonging to the node."""
    below: Ints
    """Scratch: the node beneath on a stack, −1 at its bottom."""
    errors: Reals
    """Scratch: errors of the subtree."""


def columns(values: Reals, n_values: Ints, classes: Ints, n_classes: int) -> Columns:
    """Column-wise copy of (rows, attributes) values."""
    cells = np.array(values.T, dtype=np.float64, order="C")
    gaps = np.asarray(np.isnan(cells).any(axis=1))
    widths, codes = np.asarray(n_values, np.int64), np.asarray(classes, np.uint16)
    return Columns(cells, widths, gaps, not gaps.any(), codes, int(n_classes))


def new_tree(capacity: int, n_classes: int) -> Tree:
    """Room for `capacity` nodes, not initialised."""
    whole = np.empty((7, capacity), np.int64)
    real = np.empty((4, capacity))
    return Tree(
        attribute=whole[0],
        cut=real[0],
        son=whole[1],
        branches=whole[2],
        share=real[1],
        total=real[2],
        counts=np.empty((capacity, n_classes)),
        vacant=np.empty(capacity, np.bool_),
        start=whole[3],
        length=whole[4],
        spot=whole[5],
        below=whole[6],
        errors=real[3],
    )
