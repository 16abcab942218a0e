"""Cochran's Q: are several classifiers equally accurate on one test set?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Numbers
from foldwise.core.validation import numbers

__all__ = [
    "CochranQResult",
    "cochran_q",
]


# ---- Cochran's Q: are several classifiers equally accurate on one test set?


@dataclass(frozen=True, slots=True, kw_only=True)
class CochranQResult(Shown):
    """Outcome of Cochran's Q test.

    Attributes
    ----------
    statistic
        Q; 0 where no item tells any two models apart.
    df
        Number of models minus 1.
    pvalue
        By the χ² approximation; 1 where no item tells any two models apart.
    """

    statistic: Numbers
    df: int
    pvalue: Numbers


def cochran_q(correct: ArrayLike) -> CochranQResult:
    r"""Test whether k classifiers have the same accuracy on the population behind one test set.

    Parameters
    ----------
    correct
        Shape (..., k, n): 1 or true where a model is right on an item, 0 where it is wrong; the items must be
        independent of each other.

    Returns
    -------
    CochranQResult
        With two models it is McNemar's uncorrected χ².

    Notes
    -----
    With :math:`C_j` right answers of model j, :math:`R_i` models that are right on item i, and N right answers in
    all, :math:`Q=(k-1)(k\sum C_j^2-N^2)/(kN-\sum R_i^2)`, which is referred to χ² with k − 1 degrees of freedom
    [1]_. Items on which all models are right, or all wrong, do not count. The approximation wants some 24 numbers
    (models × items that count) or more.

    References
    ----------
    .. [1] Cochran (1950), The comparison of percentages in matched samples, Biometrika 37, 256-266.

    Examples
    --------
    >>> result = cochran_q([[1, 1, 1, 1, 1, 0], [1, 0, 1, 1, 0, 0], [0, 0, 1, 0, 0, 0]])
    >>> round(float(result.statistic), 3), round(float(result.pvalue), 3)
    (6.0, 0.05)
    """
    right = numbers(correct, "correct", min_ndim=2)
    k, n = right.shape[-2:]
    if k < 2 or n < 1:
        raise InvalidInput(f"correct must be models × items, at least 2 × 1, got shape {right.shape}")
    if not ((right == 0) | (right == 1)).all():
        raise InvalidInput("correct must be 1 or 0, right or wrong, for each model and item")
    by_model, by_item = right.sum(axis=-1), right.sum(axis=-2)
    total = by_model.sum(axis=-1)
    between = (k - 1) * (k * (by_model**2).sum(axis=-1) - total**2)
    within = k * total - (by_item**2).sum(axis=-1)
    statistic = np.where(within > 0, between / np.where(within > 0, within, 1.0), 0.0)
    return CochranQResult(statistic=statistic[()], df=k - 1, pvalue=special.chdtrc(k - 1, statistic)[()])
