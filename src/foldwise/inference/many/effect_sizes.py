"""Sizes of a difference over data sets: limits of the median, and the rank-biserial correlation."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.types import Interval
from foldwise.core.validation import fraction, numbers, one_of
from foldwise.inference.many._sign_test import sign_pvalue
from foldwise.inference.many.blocks import rank_rows
from foldwise.inference.many.signed_ranks import interval_index, pair_means


def median_limits(differences: ArrayLike, *, test: Literal["wilcoxon", "sign"], alpha: float) -> Interval:
    r"""Limits that the median difference is beyond with probability at most α, each.

    ``"wilcoxon"`` is for the centre of symmetric differences, from the means of all pairs of them; ``"sign"`` for the
    median of any. From −∞ to ∞ where so few data sets bound nothing at this level.

    Both are order statistics: the k-th smallest and the k-th largest value, with the largest k for which
    :math:`P[T < k] \le \alpha` under the law of the signed-rank sum [1]_, or of Bin(n, ½) for the sign test [2]_. Ties
    make them conservative.

    .. [1] Hollander, Wolfe & Chicken (2014), Nonparametric statistical methods, section 3.3.
    .. [2] The same, section 3.6.
    """
    x = numbers(differences, "differences", min_ndim=1)
    one_of(test, "test", ("wilcoxon", "sign"))
    fraction(alpha, "alpha")
    if test == "sign":
        wins = np.arange(len(x))
        at_most = sign_pvalue(wins, len(x) - wins, alternative="less")
        values, depth = np.sort(x), int(np.count_nonzero(at_most <= alpha))
    else:
        values, depth = np.sort(pair_means(x)), interval_index(len(x), alpha)
    if depth == 0:
        return Interval(low=-np.inf, high=np.inf)
    return Interval(low=float(values[depth - 1]), high=float(values[-depth]))


def rank_biserial(differences: ArrayLike) -> float:
    r"""How far the ranks of the differences are on one side, from −1 to 1.

    With :math:`R^+` and :math:`R^-` the sums of the ranks of :math:`|d|` over positive and over negative differences,
    zeros left out, it is :math:`(R^+ - R^-)/(R^+ + R^-)` [1]_: 1 where a is ahead everywhere, 0 where the two balance,
    and 0 where no two scores differ.

    .. [1] Kerby (2014), The simple difference formula, Comprehensive Psychology 3.
    """
    x = numbers(differences, "differences", min_ndim=1)
    x = x[x != 0]
    if len(x) == 0:
        return 0.0
    ranks = rank_rows(np.abs(x))
    return float((np.sign(x) * ranks).sum() / ranks.sum())
