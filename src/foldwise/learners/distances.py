"""The differences between attribute values that nearest neighbours add up."""

from __future__ import annotations

import numpy as np

from foldwise.core.compile import kernel
from foldwise.core.types import Array

__all__ = ["difference", "normalise", "widen_range"]


@kernel
def normalise(value: float, low: float, high: float) -> float:
    """The place of `value` in a range, 0…1 inside it; 0 if the range has no width; NaN stays NaN."""
    if np.isnan(value):
        return value
    return (value - low) / (high - low) if high > low else 0.0


@kernel
def widen_range(value: float, a: int, low: Array, high: Array) -> bool:
    """Extend the range of attribute `a` to `value`; whether that changed it."""
    changed = False
    if value < low[a]:
        low[a] = value
        changed = True
    if value > high[a]:
        high[a] = value
        changed = True
    return changed


@kernel
def difference(x: float, z: float, numeric: bool) -> float:
    """The difference of two normalised or nominal values, either of which may be missing (NaN)."""
    if not numeric:
        return 0.0 if x == z else 1.0
    if np.isnan(x):
        return 1.0 if np.isnan(z) else max(z, 1.0 - z)
    return max(x, 1.0 - x) if np.isnan(z) else x - z
