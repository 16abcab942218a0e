"""Supervised discretisation of numeric attributes by Fayyad and Irani's minimum description length rule."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from foldwise.core.compile import kernel
from foldwise.core.types import Array

__all__ = ["cut_points", "intervals"]

_LOG2 = math.log(2.0)


@kernel
def _x_log_x(x: float) -> float:
    return x * math.log(x) if x > 0.0 else 0.0


@kernel
def _entropy(counts: Array) -> float:
    """Entropy in bits, summed in Weka's order."""
    negative, total = 0.0, 0.0
    for c in counts:
        negative -= _x_log_x(c)
        total += c
    return (negative + _x_log_x(total)) / (total * _LOG2) if total > 0.0 else 0.0


@kernel
def _split_entropy(counts: Array) -> float:
    """Mean entropy in bits of the two rows of counts, weighted by their totals."""
    value, total = 0.0, 0.0
    for side in range(2):
        row_total = 0.0
        for c in counts[side]:
            value += _x_log_x(c)
            row_total += c
        value -= _x_log_x(row_total)
        total += row_total
    return -value / (total * _LOG2)


@kernel
def _best_cut(values: Array, classes: NDArray[np.int64], first: int, last: int, sides: Array) -> int:
    """Index before which to cut the sorted examples first … last − 1 for least entropy; −1 if no cut gains.

    On return `sides` has the class counts of the two parts.
    """
    running = np.zeros((2, sides.shape[1]))
    for i in range(first, last):
        running[1, classes[i]] += 1.0
    least, best = _entropy(running[1]), -1
    for i in range(first, last - 1):
        running[0, classes[i]] += 1.0
        running[1, classes[i]] -= 1.0
        if values[i] < values[i + 1]:
            entropy = _split_entropy(running)
            if entropy < least:
                least, best = entropy, i + 1
                for c in range(sides.shape[1]):
                    sides[0, c], sides[1, c] = running[0, c], running[1, c]
    return best


@kernel
def _occurring(counts: Array) -> int:
    """How many classes occur."""
    number = 0
    for c in counts:
        number += c > 0.0
    return number


@kernel
def _worth_cutting(sides: Array, n: int) -> bool:
    """Whether the gain pays for the description of the cut (Fayyad & Irani 1993, with n − 1 candidate cuts)."""
    whole = sides[0] + sides[1]
    before, left, right = _entropy(whole), _entropy(sides[0]), _entropy(sides[1])
    k, k_left, k_right = _occurring(whole), _occurring(sides[0]), _occurring(sides[1])
    gain = before - _split_entropy(sides)
    delta = math.log(3.0**k - 2.0) / _LOG2 - (k * before - k_right * right - k_left * left)
    return gain > (math.log(n - 1.0) / _LOG2 + delta) / n


@kernel
def _cut(values: Array, classes: NDArray[np.int64], n_classes: int, cuts: Array) -> int:
    """Write the cut points into `cuts`, in no particular order; return their number."""
    found = 0
    firsts, lasts = np.empty(values.shape[0] + 1, np.int64), np.empty(values.shape[0] + 1, np.int64)
    waiting, firsts[0], lasts[0] = 1, 0, values.shape[0]
    sides = np.zeros((2, n_classes))
    while waiting > 0:
        waiting -= 1
        first, last = firsts[waiting], lasts[waiting]
        if last - first < 2:
            continue
        cut = _best_cut(values, classes, first, last, sides)
        if cut >= 0 and _worth_cutting(sides, last - first):
            cuts[found] = (values[cut - 1] + values[cut]) / 2.0
            found += 1
            firsts[waiting], lasts[waiting] = first, cut
            firsts[waiting + 1], lasts[waiting + 1] = cut, last
            waiting += 2
    return found


def cut_points(values: Array, classes: NDArray[np.int64], n_classes: int) -> Array:
    r"""Cut points of a numeric attribute, in ascending order.

    Parameters
    ----------
    values
        Sorted, without missing values.
    classes
        Class of each example, in the order of `values`.
    n_classes
        Number of classes.

    Notes
    -----
    Recursively cuts where the class entropy is least, as long as [1]_

    .. math:: \mathrm{gain} > \frac{\log_2 (n-1) + \log_2(3^k - 2) - (k E - k_1 E_1 - k_2 E_2)}{n}.

    The same as Weka's ``weka.filters.supervised.attribute.Discretize`` with its defaults.

    References
    ----------
    .. [1] U. M. Fayyad, K. B. Irani (1993), Multi-interval discretization of continuous-valued attributes for
       classification learning, IJCAI, 1022–1027.
    """
    cuts = np.empty(len(values))
    return np.sort(cuts[: _cut(values, classes, n_classes, cuts)])


def intervals(values: Array, cuts: Array) -> Array:
    """Number of the interval of each value: that of the first cut point not below it. Missing stays missing.

    Examples
    --------
    >>> intervals(np.array([0.5, 1.0, 1.5, np.nan]), np.array([1.0])).tolist()
    [0.0, 0.0, 1.0, nan]
    """
    return np.where(np.isnan(values), np.nan, np.searchsorted(cuts, values, side="left"))
