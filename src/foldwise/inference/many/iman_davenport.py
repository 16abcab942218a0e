"""Iman and Davenport's F version of Friedman's test."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many.blocks import rank_scores, score_blocks
from foldwise.inference.many.friedman import friedman_parts
from foldwise.inference.many.omnibus import OmnibusResult, f_result

__all__ = ["iman_davenport"]


def iman_davenport(table: ScoreTable | ArrayLike, *, tie_correction: bool = True) -> OmnibusResult:
    r"""Test whether the mean ranks of several learners differ, less conservatively than Friedman's χ².

    Parameters
    ----------
    table
        Scores of shape (..., data sets, learners), higher being better, or a `ScoreTable`.
    tie_correction
        Whether the χ² inside is corrected for ties; [1]_'s printed values are without.

    Returns
    -------
    OmnibusResult
        When all data sets order the learners alike, F is infinite and p is the share of such outcomes among all
        arrangements of the observed ranks: (1/k!)^(N−1) without ties.

    Notes
    -----
    :math:`F_F = \frac{(N-1)\chi^2_F}{N(k-1) - \chi^2_F}` is referred to F with k − 1 and (k − 1)(N − 1) degrees of
    freedom. With the tie correction it is the F of a two-way analysis of variance of the ranks.

    References
    ----------
    .. [1] Demšar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine
       Learning Research 7, section 3.2.2.
    .. [2] Iman & Davenport (1980), Approximations of the critical region of the Friedman statistic, Communications
       in Statistics A 9.

    Examples
    --------
    >>> result = iman_davenport([[0.9, 0.8, 0.7], [0.8, 0.7, 0.5], [0.9, 0.6, 0.7], [0.7, 0.6, 0.5]])
    >>> float(result.statistic), round(float(result.pvalue), 4)
    (13.0, 0.0066)
    """
    scores = score_blocks(table)
    n, k = scores.shape[-2:]
    ranks = rank_scores(scores)
    means, between, within = friedman_parts(ranks)
    if not tie_correction:
        within = np.full(between.shape, n * k * (k + 1) * (k - 1) / 12)
    return f_result("iman_davenport", between, within - between, means, rows=ranks)
