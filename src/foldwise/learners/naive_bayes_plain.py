"""Naive Bayes in NumPy: estimates, and products that are the same to the bit as those of whole cross-validations.

Sums go from first to last (`cumsum`), as a loop adds, and the error function is Python's, which is the C library's, as
in the kernels: NumPy's own sums and SciPy's function differ in the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foldwise.core.table import Table
from foldwise.core.types import Array, Flags, Integers

Normal = tuple[float, Array, Array]  # The precision of an attribute, and its mean and standard deviation in each class.

FLOOR = 1e-75  # The least probability an attribute can contribute, as in Weka, so that no product of them vanishes.
LIFT = 1e75
SQRT_HALF = math.sqrt(0.5)

DEFAULT_PRECISION = 0.01  # The precision of an attribute with fewer than two distinct values.
# At most three standard deviations within one interval of the precision, on either side of its middle.
DEVIATIONS = 6.0
NO_DEVIATION = 1e-10  # Below this a standard deviation counts as zero.


def frequencies(index: NDArray[np.int32], width: int, codes: Integers, n_classes: int) -> Array:
    """Smoothed frequencies of a nominal attribute: values × classes."""
    known = index >= 0
    cells = index[known].astype(np.int64) * n_classes + codes[known]
    counts = np.bincount(cells, minlength=width * n_classes).reshape(width, n_classes)
    return np.asarray((counts + 1.0) / (counts.sum(axis=0) + width))


def normal_estimate(index: NDArray[np.int32], levels: Array, codes: Integers, n_classes: int) -> Normal:
    """The estimate of a numeric attribute from its distinct `levels` and each example's place among them (−1: none).

    In units of the precision all sums are whole numbers, hence exact.
    """
    with np.errstate(all="ignore"):  # numbers may be as large as numbers can be
        gaps = np.diff(levels)
        precision = float(np.cumsum(gaps)[-1] / len(gaps)) if len(gaps) else DEFAULT_PRECISION
        rounded = np.rint(levels / precision)
        base = rounded[0] if len(levels) else 0.0
        steps = (rounded - base).astype(np.int64)
        known = index >= 0
        own, step = codes[known], steps[index[known]]
        number = np.bincount(own, minlength=n_classes)
        total, squares = np.zeros((2, n_classes), np.int64)
        np.add.at(total, own, step)
        np.add.at(squares, own, step * step)
        mean = np.where(number > 0, precision * (base + total / number), 0.0)
        estimate = precision * np.sqrt(np.abs(squares - total * (total / number)) / number)
    least = precision / DEVIATIONS
    deviation = np.where((number > 0) & (estimate > NO_DEVIATION) & (estimate > least), estimate, least)
    return precision, mean, deviation


def multiply_frequencies(column: Array, estimate: Array, products: Array) -> None:
    known = ~np.isnan(column)
    _multiply(products, known, estimate[column[known].astype(np.int64)])


def multiply_normal(column: Array, estimate: Normal, products: Array) -> None:
    precision, mean, deviation = estimate
    known = ~np.isnan(column)
    levels, place = np.unique(column[known], return_inverse=True)  # the error function takes longest
    with np.errstate(all="ignore"):
        off = (np.rint(levels / precision) * precision)[:, None] - mean
        half = precision / 2.0
        factors = _normal_cdf((off + half) / deviation) - _normal_cdf((off - half) / deviation)
    _multiply(products, known, factors[place])


def _multiply(products: Array, rows: NDArray[np.bool_], factors: Array) -> None:
    """When all products of an example have become smaller than `FLOOR` they are lifted together."""
    after = products[rows] * np.where(factors > FLOOR, factors, FLOOR)
    largest = after.max(axis=1, initial=0.0)
    after[(largest > 0.0) & (largest < FLOOR)] *= LIFT
    products[rows] = after


def _normal_cdf(z: Array) -> Array:
    """Standard normal distribution function; above zero it is 1 − tail, so tiny upper tails vanish, as in Weka."""
    x = z * SQRT_HALF
    size = np.abs(x)
    near = size < SQRT_HALF
    result = np.empty_like(x)
    result[near] = 0.5 + 0.5 * _each(math.erf, x[near])
    tail = 0.5 * _each(math.erfc, size[~near])
    result[~near] = np.where(x[~near] > 0.0, 1.0 - tail, tail)
    return result


def _each(function: Callable[[float], float], values: Array) -> Array:
    return np.fromiter(map(function, values.tolist()), np.float64, len(values))


def first_largest_of_each(products: Array) -> Integers:
    best = products.argmax(axis=1)[:, None]
    shares = products / np.cumsum(products, axis=1)[:, -1:]
    equal = shares == np.take_along_axis(shares, best, axis=1)
    np.put_along_axis(equal, best, True, axis=1)
    return np.asarray(equal.argmax(axis=1), np.int64)


# ---- The columns of a table as indices into their distinct values.


class Levels(NamedTuple):
    """The columns of a table as indices into their distinct values."""

    cells: NDArray[np.int32]  #: (attributes, examples); −1 is missing.
    start: Integers  #: The levels of attribute a are values[start[a]:start[a + 1]].
    values: Array
    numeric: Flags

    @classmethod
    def of(cls, table: Table) -> Levels:
        """Index a table; a nominal attribute has its declared categories as levels."""
        cells = np.full(table.shape[::-1], -1, dtype=np.int32)
        levels: list[Array] = []
        for a, (column, width) in enumerate(zip(table.values.T, table.n_values, strict=True)):
            known = ~np.isnan(column)
            if width:
                levels.append(np.arange(width, dtype=np.float64))
                cells[a, known] = column[known]
            else:
                distinct, cells[a, known] = np.unique(column[known], return_inverse=True)
                levels.append(distinct)
        start = np.cumsum([0, *map(len, levels)]).astype(np.int64)
        return cls(cells, start, np.concatenate(levels), table.n_values == 0)
