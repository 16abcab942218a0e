"""The size of a difference over data sets, whatever the unit: the rank-biserial correlation of paired differences."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.validation import numbers
from foldwise.inference.many.blocks import rank_rows

__all__ = ["rank_biserial"]


def rank_biserial(differences: ArrayLike) -> float:
    r"""How far the ranks of the differences are on one side, from −1 to 1.

    Parameters
    ----------
    differences
        a − b on each data set.

    Notes
    -----
    With :math:`R^+` and :math:`R^-` the sums of the ranks of :math:`|d|` over positive and over negative differences,
    zeros left out, it is :math:`(R^+ - R^-)/(R^+ + R^-)` [1]_: 1 where a is ahead everywhere, 0 where the two balance,
    and 0 where no two scores differ.

    References
    ----------
    .. [1] Kerby (2014), The simple difference formula, Comprehensive Psychology 3.

    Examples
    --------
    >>> rank_biserial([0.1, 0.2, -0.05]), rank_biserial([0.0, 0.0])
    (0.6666666666666666, 0.0)
    """
    x = numbers(differences, "differences", min_ndim=1)
    x = x[x != 0]
    if len(x) == 0:
        return 0.0
    ranks = rank_rows(np.abs(x))
    return float((np.sign(x) * ranks).sum() / ranks.sum())
