"""Comparisons by mean ranks: Nemenyi's of all pairs, and Bonferroni–Dunn's with a control."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.types import Array
from foldwise.core.validation import fraction
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many._adjust import from_pairs, learner_pairs
from foldwise.inference.many.blocks import mean_ranks, score_blocks


@dataclass(frozen=True, slots=True, kw_only=True)
class NemenyiResult(Shown):
    """Outcome of Nemenyi's procedure."""

    ranks: Array  #: Mean rank of each learner, 1 for the best
    pvalues: Array  #: k × k matrix of p-values, already adjusted for the number of pairs; 1 on the diagonal
    #: Two learners differ at level `alpha` when their mean ranks are at least this far apart
    critical_difference: float
    alpha: float  #: The level
    n_datasets: int  #: Number of data sets


def nemenyi(table: ScoreTable | ArrayLike, *, alpha: float = 0.05) -> NemenyiResult:
    r"""Compare all pairs of learners by the distance of their mean ranks.

    Parameters
    ----------
    table
        Scores of shape (data sets, learners), higher being better, or a `ScoreTable`.
    alpha
        Level of the critical difference.

    Returns
    -------
    NemenyiResult
        The outcome for a pair depends on which other learners are in the table [2]_; pairwise Wilcoxon tests with
        Holm's adjustment do not have that defect.

    Notes
    -----
    :math:`CD = q_\alpha\sqrt{k(k+1)/(6N)}` with :math:`q_\alpha` the quantile of the Studentised range for k groups
    and infinitely many degrees of freedom, divided by √2.

    References
    ----------
    .. [1] Demšar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine
       Learning Research 7, section 3.2.2.
    .. [2] Benavoli, Corani & Mangili (2016), Should we really use post-hoc tests based on mean-ranks? Journal of
       Machine Learning Research 17.

    Examples
    --------
    >>> result = nemenyi([[0.9, 0.8, 0.7], [0.8, 0.7, 0.5], [0.9, 0.6, 0.7], [0.7, 0.6, 0.5]])
    >>> round(result.critical_difference, 3), result.pvalues[0].round(3)
    (1.657, array([1.   , 0.181, 0.036]))
    """
    # scipy.stats is slow to import and only this distribution needs it
    from scipy.stats import studentized_range

    fraction(alpha, "alpha")
    scores = score_blocks(table)
    n, k = scores.shape
    ranks = mean_ranks(scores)
    i, j = learner_pairs(k)
    distance = np.abs(ranks[i] - ranks[j]) / rank_standard_error(n, k)
    unique, inverse = np.unique(distance.round(12), return_inverse=True)
    tail = np.where(unique == 0, 1.0, studentized_range.sf(unique * np.sqrt(2), k, np.inf))
    return NemenyiResult(
        ranks=ranks,
        pvalues=from_pairs(np.clip(tail, 0.0, 1.0)[inverse], k),
        critical_difference=critical_difference(k, n, alpha=alpha),
        alpha=alpha,
        n_datasets=n,
    )


def critical_difference(n_learners: int, n_datasets: int, *, alpha: float = 0.05) -> float:
    """Nemenyi's critical difference of mean ranks.

    Examples
    --------
    >>> round(critical_difference(4, 14), 2)
    1.25
    """
    from scipy.stats import studentized_range

    quantile = float(studentized_range.ppf(1 - alpha, n_learners, np.inf)) / np.sqrt(2)
    return float(quantile * rank_standard_error(n_datasets, n_learners))


def rank_standard_error(n_datasets: int, n_learners: int) -> float:
    """Standard deviation of the difference of two mean ranks under the null hypothesis, without ties."""
    return float(np.sqrt(n_learners * (n_learners + 1) / (6 * n_datasets)))


@dataclass(frozen=True, slots=True, kw_only=True)
class BonferroniDunnResult(Shown):
    """Outcome of the comparison with a control."""

    control: int  #: Column of the control
    ranks: Array  #: Mean rank of each learner, 1 for the best
    #: Rank of the control minus each learner's, in standard errors: positive when the learner is ahead
    statistic: Array
    pvalues: Array  #: Two-sided p-values, not adjusted; 1 for the control itself
    adjusted: Array  #: The same times the number of comparisons, k − 1, at most 1
    #: A learner differs from the control at level `alpha` when its mean rank is at least this far away
    critical_difference: float
    alpha: float  #: The level


def bonferroni_dunn(
    table: ScoreTable | ArrayLike, *, control: int | str = 0, alpha: float = 0.05
) -> BonferroniDunnResult:
    r"""Compare every learner with a control by the distance of their mean ranks.

    Parameters
    ----------
    table
        Scores of shape (data sets, learners), higher being better, or a `ScoreTable`.
    control
        Column of the control, or its name when `table` is a `ScoreTable`.
    alpha
        Level of the critical difference.

    Returns
    -------
    BonferroniDunnResult
        With the critical difference as well as p-values.

    Notes
    -----
    :math:`z = (R_c - R_j)/\sqrt{k(k+1)/(6N)}` is referred to the normal distribution and its p-value multiplied by
    k − 1; the critical difference uses the normal quantile at :math:`\alpha/(2(k-1))`.

    References
    ----------
    .. [1] Demšar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine
       Learning Research 7, section 3.2.2.

    Examples
    --------
    >>> result = bonferroni_dunn([[0.9, 0.8, 0.7], [0.8, 0.7, 0.5], [0.9, 0.6, 0.7], [0.7, 0.6, 0.5]])
    >>> result.adjusted.round(3)
    array([1.   , 0.154, 0.027])
    """
    fraction(alpha, "alpha")
    scores = score_blocks(table)
    n, k = scores.shape
    column = control_index(table, control, k)
    ranks = mean_ranks(scores)
    error = rank_standard_error(n, k)
    z = (ranks[column] - ranks) / error
    pvalues = 2 * special.ndtr(-np.abs(z))
    return BonferroniDunnResult(
        control=column,
        ranks=ranks,
        statistic=z,
        pvalues=pvalues,
        adjusted=np.minimum(1.0, (k - 1) * pvalues),
        critical_difference=float(-special.ndtri(alpha / (2 * (k - 1))) * error),
        alpha=alpha,
    )


def control_index(table: ScoreTable | ArrayLike, control: int | str, k: int) -> int:
    """Column of the control, given as a number or as a learner's name."""
    if isinstance(control, str):
        names = table.learners if isinstance(table, ScoreTable) else ()
        if control not in names:
            raise UnknownName("control", control, names)
        return names.index(control)
    if isinstance(control, bool) or not isinstance(control, (int, np.integer)) or not 0 <= control < k:
        raise InvalidInput(f"control must be a learner's name or a column from 0 to {k - 1}, got {control!r}")
    return int(control)
