"""Kernels of naive Bayes: products of frequencies, normal and kernel densities, and how those densities are learnt."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foldwise.core.compile import kernel, nested_kernel
from foldwise.core.types import Array, Integers
from foldwise.learners.naive_bayes_plain import (
    DEFAULT_PRECISION,
    DEVIATIONS,
    FLOOR,
    LIFT,
    NO_DEVIATION,
    SQRT_HALF,
)


@kernel
def multiply(product: Array, factors: Array) -> None:
    """Multiply one attribute's probabilities into the classes' products, in place.

    When all products have become smaller than `FLOOR` they are lifted together.
    """
    largest = 0.0
    for c in range(product.shape[0]):
        product[c] *= max(FLOOR, factors[c])
        largest = max(largest, product[c])
    if 0.0 < largest < FLOOR:
        for c in range(product.shape[0]):
            product[c] *= LIFT


@kernel
def first_largest(product: Array) -> int:
    """The first class whose share of the sum is largest; equal shares are equal after rounding."""
    best = 0
    total = 0.0
    for c in range(product.shape[0]):
        total += product[c]
        if product[c] > product[best]:
            best = c
    for c in range(best):
        if product[c] / total == product[best] / total:
            return c
    return best


@kernel
def normal_cdf(z: float) -> float:
    """Standard normal distribution function; above zero it is 1 − tail, so tiny upper tails vanish, as in Weka."""
    x = z * SQRT_HALF
    if abs(x) < SQRT_HALF:
        return 0.5 + 0.5 * math.erf(x)
    tail = 0.5 * math.erfc(abs(x))
    return 1.0 - tail if x > 0.0 else tail


@kernel
def _interval(delta: float, half: float, deviation: float) -> float:
    """The probability of the interval of width 2·half around a value that lies by delta above the mean."""
    return normal_cdf((delta + half) / deviation) - normal_cdf((delta - half) / deviation)


# ---- Normal densities per class for numeric attributes, as naive Bayes estimates them.
#
# Values are rounded to the attribute's precision, the mean gap between its distinct training values. In units of the
# precision all sums are whole numbers, hence exact: adding up the training examples and subtracting a fold from a
# total give the same bits.


@nested_kernel
def precision_of(levels: Array, left: Integers) -> tuple[float, int]:
    """(precision, first): the mean gap between the levels that are left, and the first of them (−1: none).

    `levels` are the distinct values in ascending order, `left` says how many training examples have each.
    """
    first = -1
    last = 0.0
    gaps = 0.0
    n_gaps = 0
    for u in range(levels.shape[0]):
        if left[u] > 0:
            if first < 0:
                first = u
            else:
                gaps += levels[u] - last
                n_gaps += 1
            last = levels[u]
    return (gaps / n_gaps if n_gaps > 0 else DEFAULT_PRECISION), first


@nested_kernel
def steps(levels: Array, left: Integers, precision: float, first: int, k: Integers) -> float:
    """Write each level that is left as a whole number of precisions above `first`; return where that lies."""
    base = np.rint(levels[first] / precision) if first >= 0 else 0.0
    for u in range(levels.shape[0]):
        if left[u] > 0:
            k[u] = np.int64(np.rint(levels[u] / precision) - base)
    return base


@nested_kernel
def training_sums(
    index: NDArray[np.int32], k: Integers, codes: Integers, fold_of: Integers, fold: int, sums: Integers
) -> None:
    """Per class the number, sum and sum of squares of the training examples' steps: sums is int64 (classes, 3).

    `index` is the level of each example (−1: missing), `k` the steps of each level; examples of `fold` are left out.
    """
    for c in range(sums.shape[0]):
        for power in range(3):
            sums[c, power] = 0
    for i in range(index.shape[0]):
        if index[i] >= 0 and fold_of[i] != fold:
            step = k[index[i]]
            own = sums[codes[i]]
            own[0] += 1
            own[1] += step
            own[2] += step * step


@nested_kernel
def normal_parameters(sums: Integers, base: float, precision: float, mean: Array, deviation: Array) -> None:
    """Write mean and standard deviation per class; a class without values keeps 0 and the least deviation."""
    for c in range(mean.shape[0]):
        n, total, squares = sums[c]
        mean[c] = 0.0
        deviation[c] = precision / DEVIATIONS
        if n > 0:
            mean[c] = precision * (base + total / n)
            estimate = precision * math.sqrt(abs(squares - total * (total / n)) / n)
            if estimate > NO_DEVIATION:
                deviation[c] = max(deviation[c], estimate)


@nested_kernel
def normal_probabilities(value: float, precision: float, mean: Array, deviation: Array, out: Array) -> None:
    """Per class the probability of the interval around the rounded value."""
    rounded = np.rint(value / precision) * precision
    for c in range(mean.shape[0]):
        out[c] = _interval(rounded - mean[c], precision / 2.0, deviation[c])


# ---- Kernel densities per class for numeric attributes, as naive Bayes may use them (John & Langley 1995).

# The sum over kernels stops when the rest can't add more than this share, as in Weka.
_SHARE = 0.01

_LEAST_PRECISION = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelDensities:
    """One normal kernel per distinct rounded value of an attribute in each class.

    The kernels of class c are start[c]:start[c + 1], in ascending order of their centres.
    """

    centres: Array
    weights: Array
    start: Integers
    deviation: Array
    precision: float

    @classmethod
    def fit(cls, column: Array, codes: Integers, n_classes: int, precision: float) -> KernelDensities:
        """Estimate; in each class the bandwidth is the range of its values over √n."""
        unit = max(precision, _LEAST_PRECISION)
        known = ~np.isnan(column)
        rounded = np.rint(column / unit) * unit
        parts = [np.unique(rounded[known & (codes == c)], return_counts=True) for c in range(n_classes)]
        return cls(
            centres=np.concatenate([centres for centres, _ in parts]),
            weights=np.concatenate([counts for _, counts in parts]).astype(np.float64),
            start=np.cumsum([0, *(len(centres) for centres, _ in parts)]).astype(np.int64),
            deviation=np.array([_bandwidth(centres, counts, unit) for centres, counts in parts]),
            precision=unit,
        )

    def probabilities(self, value: float) -> Array:
        """Per class the probability of an interval of length `precision` around `value`."""
        out = np.empty(len(self.deviation))
        kernel_probabilities(value, self.centres, self.weights, self.start, self.deviation, self.precision, out)
        return out

    def multiply(self, column: Array, products: Array) -> None:
        """Multiply the attribute's probabilities into the examples' products, in place."""
        _multiply_kernels(column, self.centres, self.weights, self.start, self.deviation, self.precision, products)


def _bandwidth(centres: Array, counts: Integers, unit: float) -> float:
    least = unit / 6.0
    if len(centres) < 2:
        return least
    return max(least, float((centres[-1] - centres[0]) / np.sqrt(counts.sum())))


@kernel
def kernel_probabilities(
    value: float, centres: Array, weights: Array, start: Integers, deviation: Array, precision: float, out: Array
) -> None:
    """Write the probability of each class; one without kernels has a normal distribution around 0."""
    half = precision / 2.0
    for c in range(out.shape[0]):
        own = slice(start[c], start[c + 1])
        if start[c] == start[c + 1]:
            out[c] = _interval(value, half, deviation[c])
        else:
            out[c] = _mixture(value, centres[own], weights[own], deviation[c], half)


@kernel
def _mixture(value: float, centres: Array, weights: Array, deviation: float, half: float) -> float:
    """Kernels are added upwards from the value, then downwards; either way stops when the rest can't matter."""
    whole = weights.sum()
    first = np.searchsorted(centres, value)
    total = 0.0
    seen = 0.0
    for u in range(first, centres.shape[0]):
        share = _interval(centres[u] - value, half, deviation)
        total += share * weights[u]
        seen += weights[u]
        if share * (whole - seen) < total * _SHARE:
            break
    for u in range(first - 1, -1, -1):
        share = _interval(centres[u] - value, half, deviation)
        total += share * weights[u]
        seen += weights[u]
        if share * (whole - seen) < total * _SHARE:
            break
    return float(total / whole)


@kernel
def _multiply_kernels(
    column: Array, centres: Array, weights: Array, start: Integers, deviation: Array, precision: float, products: Array
) -> None:
    factors = np.empty(deviation.shape[0])
    for i in range(column.shape[0]):
        if not np.isnan(column[i]):
            kernel_probabilities(column[i], centres, weights, start, deviation, precision, factors)
            multiply(products[i], factors)
