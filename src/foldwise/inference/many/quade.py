"""Quade's test, which gives more weight to data sets on which the learners differ more."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many.blocks import NOISE, rank_rows, rank_scores, score_blocks
from foldwise.inference.many.omnibus import OmnibusResult, f_result

__all__ = ["quade"]


def quade(table: ScoreTable | ArrayLike) -> OmnibusResult:
    r"""Test whether several learners differ, weighting each data set by the rank of its range of scores.

    Parameters
    ----------
    table
        Scores of shape (..., data sets, learners), higher being better, or a `ScoreTable`; the scores of different
        data sets must be on comparable scales.

    Returns
    -------
    OmnibusResult
        When all data sets order the learners alike, F is infinite and p is the share of such outcomes among all
        arrangements of the observed ranks: (1/k!)^(N−1) without ties.

    Notes
    -----
    With ranks :math:`r_{ij}` within data sets and :math:`Q_i` of the ranges, :math:`S_{ij} = Q_i(r_{ij} -
    \frac{k+1}{2})`, :math:`A = \sum_{ij} S_{ij}^2` and :math:`B = \frac1N \sum_j (\sum_i S_{ij})^2`, the statistic
    :math:`F = (N-1)B/(A-B)` has k − 1 and (N − 1)(k − 1) degrees of freedom. For two learners it is equivalent to
    the signed-rank test.

    References
    ----------
    .. [1] Quade (1979), Using weighted rankings in the analysis of complete blocks with additive block effects,
       Journal of the American Statistical Association 74.

    Examples
    --------
    >>> result = quade([[0.9, 0.8, 0.7], [0.8, 0.7, 0.5], [0.9, 0.6, 0.7], [0.7, 0.6, 0.5]])
    >>> round(float(result.statistic), 4), round(float(result.pvalue), 4)
    (5.9806, 0.0373)
    """
    scores = score_blocks(table)
    n, k = scores.shape[-2:]
    ranks = rank_scores(scores)
    size = np.abs(scores).max(axis=(-2, -1))[..., None]
    weighted = rank_rows(np.ptp(scores, axis=-1), noise=NOISE * size)[..., None] * (ranks - (k + 1) / 2)
    total = (weighted**2).sum(axis=(-2, -1))
    between = (weighted.sum(axis=-2) ** 2).sum(axis=-1) / n
    return f_result("quade", between, total - between, ranks.mean(axis=-2), rows=ranks)
