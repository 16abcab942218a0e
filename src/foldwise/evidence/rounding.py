"""Differences of scores, without those that rounding alone makes."""

from __future__ import annotations

import numpy as np

from foldwise.core.types import Array

__all__ = ["rounded_differences"]


def rounded_differences(a: Array, b: Array) -> Array:
    """A − b in the scores' own unit; what rounding alone tells apart is the same.

    Notes
    -----
    0.9 − 0.8 and 0.8 − 0.7 differ in the last bit, and a variance of 10⁻³⁴ would make any difference significant.

    Examples
    --------
    >>> x = rounded_differences(np.array([0.9, 0.8]), np.array([0.8, 0.7]))
    >>> bool(x[0] == x[1]), 0.9 - 0.8 == 0.8 - 0.7
    (True, False)
    """
    x = np.asarray(a - b)
    noise = 8 * np.finfo(np.float64).eps * max(np.abs(a).max(), np.abs(b).max())
    x = np.where(np.abs(x) <= noise, 0.0, x)
    values, place = np.unique(x, return_inverse=True)
    # each value becomes the first of its neighbours within the noise, so that equal decimals are equal
    starts = np.flatnonzero(np.diff(values, prepend=-np.inf) > noise)
    first = values[starts][np.searchsorted(starts, np.arange(len(values)), side="right") - 1]
    return np.asarray(first[place].reshape(x.shape))
