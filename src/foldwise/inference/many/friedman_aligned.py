"""Friedman's test on aligned ranks, which compares between data sets too."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.types import Array
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many.blocks import NOISE, rank_rows, score_blocks
from foldwise.inference.many.omnibus import OmnibusResult, chi_square_result

__all__ = ["aligned_ranks", "friedman_aligned"]


def friedman_aligned(table: ScoreTable | ArrayLike) -> OmnibusResult:
    r"""Test whether several learners differ, ranking all scores together after each data set's mean is taken off.

    Parameters
    ----------
    table
        Scores of shape (..., data sets, learners), higher being better, or a `ScoreTable`; the scores of different
        data sets must be on comparable scales.

    Returns
    -------
    OmnibusResult
        `ranks` are the mean aligned ranks, 1 for the best of all cells.

    Notes
    -----
    With aligned ranks :math:`\hat r_{ij}`, their sums :math:`\hat R_i` of data sets and :math:`\hat R_j` of learners,
    :math:`T = \frac{(k-1)\left[\sum_j \hat R_j^2 - \frac{kN^2}{4}(kN+1)^2\right]}{\sum_{ij} \hat r_{ij}^2 -
    \frac1k\sum_i \hat R_i^2}` is referred to χ² with k − 1 degrees of freedom; without ties the first term below is
    kN(kN+1)(2kN+1)/6 as in [1]_.

    References
    ----------
    .. [1] García, Fernández, Luengo & Herrera (2010), Advanced nonparametric tests for multiple comparisons in the
       design of experiments in computational intelligence and data mining, Information Sciences 180.
    .. [2] Hodges & Lehmann (1962), Rank methods for combination of independent experiments in analysis of variance,
       Annals of Mathematical Statistics 33.

    Examples
    --------
    >>> result = friedman_aligned([[0.9, 0.8, 0.7], [0.8, 0.7, 0.5], [0.9, 0.6, 0.7], [0.7, 0.6, 0.5]])
    >>> round(float(result.statistic), 4), round(float(result.pvalue), 4)
    (6.1415, 0.0464)
    """
    scores = score_blocks(table)
    n, k = scores.shape[-2:]
    ranks = aligned_ranks(scores)
    sums = ranks.sum(axis=-2) - n * (n * k + 1) / 2
    within = (ranks**2).sum(axis=(-2, -1)) - (ranks.sum(axis=-1) ** 2).sum(axis=-1) / k
    positive = within > 1e-9
    statistic = np.where(positive, (k - 1) * (sums**2).sum(axis=-1) / np.where(positive, within, 1.0), 0.0)
    return chi_square_result("friedman_aligned", statistic, ranks.mean(axis=-2), df=k - 1, n_datasets=n, n_learners=k)


def aligned_ranks(scores: Array) -> Array:
    """Ranks of all cells together after each data set's mean is taken off; 1 for the best cell.

    Examples
    --------
    >>> aligned_ranks(np.array([[0.9, 0.5], [0.2, 0.1]]))
    array([[1., 4.],
           [2., 3.]])
    """
    aligned = scores - scores.mean(axis=-1, keepdims=True)
    flat = aligned.reshape(*scores.shape[:-2], -1)
    # means are sums of rounded decimals: two digits more are noise than in a difference
    size = 100 * np.abs(scores).max(axis=(-2, -1))[..., None]
    return rank_rows(-flat, noise=NOISE * size).reshape(scores.shape)
