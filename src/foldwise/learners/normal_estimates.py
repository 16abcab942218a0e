"""Normal densities per class for numeric attributes, as naive Bayes estimates them.

Values are rounded to the attribute's precision, the mean gap between its distinct training values. In units of the
precision all sums are whole numbers, hence exact: adding up the training examples and subtracting a fold from a
total give the same bits.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from foldwise.core.types import Array, Integers
from foldwise.learners.bayes import normal_cdf
from foldwise.learners.compile import nested_kernel
from foldwise.learners.naive_bayes_plain import DEFAULT_PRECISION, DEVIATIONS, NO_DEVIATION

__all__ = [
    "interval_probability",
    "normal_parameters",
    "normal_probabilities",
    "precision_of",
    "steps",
    "training_sums",
]


@nested_kernel
def precision_of(levels: Array, left: Integers) -> tuple[float, int]:
    """(precision, first): the mean gap between the levels that are left, and the first of them (−1: none).

    Parameters
    ----------
    levels
        The attribute's distinct values in ascending order.
    left
        How many training examples have each level.
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

    Parameters
    ----------
    index
        Per example the attribute's level, or −1 if missing.
    k
        Per level its steps.
    codes
        Per example its class.
    fold_of, fold
        Examples of this fold are left out.
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
def interval_probability(rounded: float, precision: float, mean: float, deviation: float) -> float:
    """The probability of the interval of length `precision` around a rounded value."""
    half = precision / 2.0
    return normal_cdf((rounded - mean + half) / deviation) - normal_cdf((rounded - mean - half) / deviation)


@nested_kernel
def normal_probabilities(value: float, precision: float, mean: Array, deviation: Array, out: Array) -> None:
    """Per class the probability of the interval around the rounded value."""
    rounded = np.rint(value / precision) * precision
    for c in range(mean.shape[0]):
        out[c] = interval_probability(rounded, precision, mean[c], deviation[c])
