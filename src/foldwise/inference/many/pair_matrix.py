"""k × k matrices of pairwise p-values: checks, and the way to a list of pairs and back."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array

__all__ = ["from_pairs", "learner_pairs", "pairs_of"]


def learner_pairs(
    k: int,
) -> tuple[np.ndarray[tuple[int], np.dtype[np.intp]], np.ndarray[tuple[int], np.dtype[np.intp]]]:
    """Index of the first and the second learner of every pair.

    Examples
    --------
    >>> learner_pairs(3)
    (array([0, 0, 1]), array([1, 2, 2]))
    """
    return np.triu_indices(k, 1)


def pairs_of(matrix: ArrayLike, name: str = "pvalues") -> tuple[Array, int]:
    """The p-values above the diagonal of a symmetric matrix, and k; the diagonal itself is not looked at.

    Examples
    --------
    >>> pairs_of([[1, 0.2], [0.2, 1]])
    (array([0.2]), 2)
    """
    try:
        square = np.asarray(matrix, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"{name} must be a k × k matrix of numbers: {error}") from error
    if square.ndim != 2 or square.shape[0] != square.shape[1] or len(square) < 2:
        raise InvalidInput(f"{name} must be a k × k matrix for at least two learners, got shape {square.shape}")
    i, j = learner_pairs(len(square))
    if not np.array_equal(square[i, j], square[j, i], equal_nan=True):
        raise InvalidInput(f"{name} must be symmetric: the p-value of a pair does not depend on its order")
    p = square[i, j]
    bad = ~((p >= 0) & (p <= 1))
    if bad.any():
        place = f"{name}[{i[bad][0]}, {j[bad][0]}]"
        raise InvalidInput(f"{name} must lie between 0 and 1, but {place} is {p[bad][0]:g}")
    return p, len(square)


def from_pairs(values: Array, k: int, *, diagonal: float = 1.0) -> Array:
    """The symmetric matrix with these values above and below the diagonal.

    Examples
    --------
    >>> from_pairs(np.array([0.2]), 2)
    array([[1. , 0.2],
           [0.2, 1. ]])
    """
    matrix = np.full((k, k), diagonal)
    i, j = learner_pairs(k)
    matrix[i, j] = matrix[j, i] = values
    return matrix
