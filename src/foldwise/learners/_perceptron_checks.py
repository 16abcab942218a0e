"""What `train_many` and its nets refuse: whatever would make the compiled loops read outside their arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array
from foldwise.learners.base import Codes

__all__ = ["Rows", "check_nets", "check_rows", "indices", "inputs_of"]

Rows = Sequence[NDArray[np.int64]]
"""Per net the indices of its examples."""


def inputs_of(X: ArrayLike) -> Array:
    """`X` as numbers, of which NaN is a missing value."""
    try:
        values = np.ascontiguousarray(X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"X must be an array of numbers: {error}") from error
    if np.isinf(values).any():
        raise InvalidInput("X must not have infinite values")
    return values


def indices(value: ArrayLike, name: str) -> Codes:
    """`value` as whole numbers; a mask would be taken for the rows 0 and 1."""
    array = np.asarray(value)
    if array.ndim != 1 or (array.dtype.kind not in "iu" and array.size):
        raise InvalidInput(f"{name} must be a list of whole numbers, got {array.dtype} of shape {array.shape}")
    return np.ascontiguousarray(array, dtype=np.int64)


def check_nets(X: Array, codes: Codes, rows: Rows, n_classes: int, seeds: Sequence[int]) -> None:
    """Refuse what would make the compiled loops read outside their arrays."""
    if X.ndim != 2 or codes.shape != (len(X),):
        raise InvalidInput(f"codes must be one per row of X, got {codes.shape} for X of shape {X.shape}")
    if len(codes) and not (codes.min() >= 0 and codes.max() < n_classes):
        raise InvalidInput(f"codes must be from 0 to {n_classes - 1}, got {codes.min()} to {codes.max()}")
    if len(seeds) != len(rows):
        raise InvalidInput(f"seeds must be one per net ({len(rows)}), got {len(seeds)}")
    check_rows(rows, len(X))
    if any(len(r) == 0 for r in rows):
        raise InvalidInput("rows must name at least one training example per net, but one list is empty")


def check_rows(rows: Rows, n: int) -> None:
    """Refuse rows outside 0 to n − 1."""
    for chosen in rows:
        if len(chosen) and not (np.min(chosen) >= 0 and np.max(chosen) < n):
            raise InvalidInput(f"rows must be from 0 to {n - 1}, got {np.min(chosen)} to {np.max(chosen)}")
