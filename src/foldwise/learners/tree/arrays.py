"""The arrays that the tree kernels share.

Rows are never copied: a node holds row numbers into column-wise `cells` and one weight per row. A row whose
value is missing at a split goes down every branch with part of its weight.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foldwise.core.kernels import bare_kernel

Ints = NDArray[np.integer[Any]]  # Whole numbers of whatever width suits.
Reals = NDArray[np.float64]

_SPAN = 4  # Whole numbers are sorted by counting if at most so many times as many as the rows lie between them.
SMALL = 1e-6  # Weka's tolerance: numbers closer than this count as equal.


class TreeData(NamedTuple):
    """Examples by column."""

    cells: Reals  #: (attributes, rows); NaN is missing, a nominal value is its index.
    n_values: Ints  #: Per attribute its number of nominal values; 0 is numeric.
    gaps: NDArray[np.bool_]  #: Per attribute whether any value is missing.
    complete: bool  #: Whether no value is missing at all, so that every row keeps its whole weight.
    classes: Ints
    n_classes: int
    low: Reals  #: Per attribute its least value.
    #: Per attribute how many whole numbers lie between its least and its largest value; 0 if not all values are whole
    #: or they are too far apart to sort them by counting.
    span: Ints


class Rule(NamedTuple):
    """What the kernels need to know of the learner's options."""

    min_instances: float
    hypergeometric: bool
    stopping: float  #: The largest probability of chance at which the hypergeometric test still splits.
    collapse: bool
    prune: bool
    raising: bool
    confidence: float
    z: float  #: The normal quantile of 1 − confidence.
    estimates: Reals  #: Errors expected of small leaves by their size and their errors, both whole numbers.


class Rows(NamedTuple):
    """Rows and their weights, one segment per node."""

    ids: Ints
    weights: Reals


class Tree(NamedTuple):
    """A tree as parallel arrays over nodes; node 0 is the root, the sons of a node are consecutive."""

    attribute: Ints  #: The attribute tested, −1 at a leaf.
    cut: Reals  #: Numeric test: values up to this one go to the first son.
    son: Ints  #: The first son, and how many there are.
    branches: Ints
    share: Reals  #: The part of the parent's weight of known value that came here.
    total: Reals
    counts: Reals  #: Weight per class: (nodes, classes).
    vacant: NDArray[np.bool_]  #: True at a leaf that no training example reached.
    start: Ints  #: Where the node's segment of `Rows` begins, and its length.
    length: Ints
    spot: Ints  #: Scratch: a place belonging to the node.
    below: Ints  #: Scratch: the node beneath on a stack, −1 at its bottom.
    errors: Reals  #: Scratch: errors of the subtree, and what they were before a trial.
    before: Reals


def columns(values: Reals, n_values: Ints, classes: Ints, n_classes: int, survey: Callable[..., None]) -> TreeData:
    """Column-wise copy of (rows, attributes) values, and what `survey`, or its kernel, finds of the columns."""
    n, p = values.shape
    cells, low, high, broken, missing = np.empty((p, n)), np.full(p, np.inf), np.full(p, -np.inf), *np.zeros((2, p))
    survey(np.require(values, np.float64, ("C", "W")), cells, low, high, broken, missing)
    with np.errstate(over="ignore"):  # numbers may be as far apart as numbers can be
        width = high - low + 1
    countable = (broken == 0) & (width >= 1) & (width <= _SPAN * n)
    return TreeData(
        cells=cells, n_values=np.asarray(n_values, np.int64), gaps=missing > 0, complete=not missing.any(),
        classes=np.asarray(classes, np.uint16), n_classes=int(n_classes), low=low,
        span=np.where(countable, width, 0).astype(np.int64),
    )  # fmt: skip


@bare_kernel
def survey(values: Reals, cells: Reals, low: Reals, high: Reals, broken: Reals, missing: Reals) -> None:
    """Turn `values` and find the columns' least and largest values, and mark those with fractions and missing values.

    Row by row, so that the columns are compared side by side.
    """
    for r in range(values.shape[0]):
        for a in range(values.shape[1]):
            cells[a, r] = values[r, a]
        for a in range(values.shape[1]):
            value = values[r, a]
            low[a] = value if value < low[a] else low[a]
            high[a] = value if value > high[a] else high[a]
            broken[a] = 1.0 if value > np.floor(value) else broken[a]
            missing[a] = 1.0 if value != value else missing[a]


def new_tree(capacity: int, n_classes: int) -> Tree:
    whole = np.empty((7, capacity), np.int64)
    real = np.empty((5, capacity))
    return Tree(
        attribute=whole[0], cut=real[0], son=whole[1], branches=whole[2], share=real[1], total=real[2],
        counts=np.empty((capacity, n_classes)), vacant=np.empty(capacity, np.bool_), start=whole[3], length=whole[4],
        spot=whole[5], below=whole[6], errors=real[3], before=real[4],
    )  # fmt: skip
