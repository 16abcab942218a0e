"""Differences of values on the same items, in which what rounding alone tells apart is the same."""

from __future__ import annotations

import numpy as np

from foldwise.core.types import Array

__all__ = ["item_differences"]


def item_differences(a: Array, b: Array) -> Array:
    """A − b along the last axis; what is 0, or the same on every item, but for rounding is exactly so.

    Notes
    -----
    0.9 − 0.8 and 0.8 − 0.7 differ in the last bit, and a variance of 10⁻³⁴ would make any difference significant.

    Examples
    --------
    >>> x = item_differences(np.array([0.9, 0.8]), np.array([0.8, 0.7]))
    >>> bool(x[0] == x[1])
    True
    """
    x = a - b
    largest = np.maximum(np.abs(a).max(axis=-1, keepdims=True), np.abs(b).max(axis=-1, keepdims=True))
    noise = 8 * np.finfo(np.float64).eps * largest
    x[np.abs(x) <= noise] = 0.0
    constant = np.ptp(x, axis=-1, keepdims=True) <= noise
    return np.where(constant, x[..., :1], x) if constant.any() else x
