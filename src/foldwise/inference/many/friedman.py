"""Friedman's test: do several learners differ over several data sets?"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.types import Array
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many.blocks import rank_scores, score_blocks
from foldwise.inference.many.omnibus import OmnibusResult, chi_square_result

__all__ = ["friedman", "friedman_parts"]


def friedman(table: ScoreTable | ArrayLike, *, tie_correction: bool = True) -> OmnibusResult:
    r"""Test whether the mean ranks of several learners differ.

    Parameters
    ----------
    table
        Scores of shape (..., data sets, learners), higher being better, or a `ScoreTable`; leading axes are
        separate tables.
    tie_correction
        Whether the statistic is corrected for ties within data sets, as R and SciPy do; [1]_'s printed values are
        without.

    Returns
    -------
    OmnibusResult
        With every data set tied throughout there is no evidence: p = 1.

    Notes
    -----
    :math:`\chi^2_F = \frac{12N}{k(k+1)}\left[\sum_j R_j^2 - \frac{k(k+1)^2}{4}\right]` for N data sets, k learners
    and mean ranks :math:`R_j` is referred to χ² with k − 1 degrees of freedom. The correction divides it by
    :math:`1 - \sum(t^3 - t)/(N(k^3 - k))`, t running over the sizes of the ties.

    References
    ----------
    .. [1] Demšar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine
       Learning Research 7, section 3.2.2.

    Examples
    --------
    >>> result = friedman([[0.9, 0.8, 0.7], [0.8, 0.7, 0.5], [0.9, 0.6, 0.7], [0.7, 0.6, 0.5]])
    >>> float(result.statistic), round(float(result.pvalue), 4)
    (6.5, 0.0388)
    """
    scores = score_blocks(table)
    n, k = scores.shape[-2:]
    ranks, between, within = friedman_parts(rank_scores(scores))
    if not tie_correction:
        within = np.full(between.shape, n * k * (k + 1) * (k - 1) / 12)
    statistic = np.where(within > 0, n * (k - 1) * between / np.where(within > 0, within, 1.0), 0.0)
    return chi_square_result("friedman", statistic, ranks, df=k - 1, n_datasets=n, n_learners=k)


def friedman_parts(ranks: Array) -> tuple[Array, Array, Array]:
    """Of ranks within data sets: means, the sum of squares between learners and the total one within data sets.

    Without ties the total is N·k(k²−1)/12; with ties the ratio of the two is Friedman's corrected statistic.

    Examples
    --------
    >>> means, between, within = friedman_parts(np.array([[1.0, 2.0], [1.0, 2.0]]))
    >>> float(between), float(within)
    (1.0, 1.0)
    """
    n, k = ranks.shape[-2:]
    centred = ranks - (k + 1) / 2
    mean = centred.mean(axis=-2)
    return np.asarray(mean + (k + 1) / 2), n * (mean**2).sum(axis=-1), (centred**2).sum(axis=(-2, -1))
