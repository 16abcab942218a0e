"""The Skillings–Mack test: Friedman's for tables with missing cells."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import DegenerateData, InvalidInput
from foldwise.core.types import Array
from foldwise.core.validation import floats, missing_as_nan
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many.blocks import rank_scores
from foldwise.inference.many.omnibus import OmnibusResult, chi_square_result

__all__ = ["skillings_mack"]


def skillings_mack(table: ScoreTable | ArrayLike) -> OmnibusResult:
    r"""Test whether several learners differ when some were not run on some data sets.

    Parameters
    ----------
    table
        Scores of shape (data sets, learners), higher being better, NaN where there is none, or a `ScoreTable`.
        The cells must be missing for reasons that have nothing to do with the scores.

    Returns
    -------
    OmnibusResult
        `ranks` are mean ranks over the data sets each learner was run on, scaled to the full number of learners.
        Data sets with fewer than two scores say nothing and do not count in `n_datasets`.

    Notes
    -----
    A data set with :math:`k_i` scores contributes :math:`\sqrt{12/(k_i+1)}\,(r_{ij} - (k_i+1)/2)` to each learner's
    sum :math:`A_j`, 0 where the cell is missing. Under the null hypothesis the covariance Σ of A has
    :math:`-n_{jl}` off the diagonal, the number of data sets with both learners, and rows that sum to 0;
    :math:`A^T\Sigma^-A` is referred to χ² with k − 1 degrees of freedom. Without missing cells and ties it is
    Friedman's statistic.

    References
    ----------
    .. [1] Skillings & Mack (1981), On the use of a Friedman-type statistic in balanced and unbalanced block designs,
       Technometrics 23.

    Examples
    --------
    >>> result = skillings_mack([[0.9, 0.8, 0.7], [0.8, np.nan, 0.5], [0.9, 0.6, 0.7], [0.7, 0.6, 0.5]])
    >>> round(float(result.statistic), 4), round(float(result.pvalue), 4)
    (5.6655, 0.0589)
    """
    scores = _scores(table)
    scores = scores[(~np.isnan(scores)).sum(axis=1) >= 2]
    present = ~np.isnan(scores)
    n, k = scores.shape
    sizes = present.sum(axis=1)
    ranks = rank_scores(scores)
    centred = np.where(present, ranks - (sizes[:, None] + 1) / 2, 0.0)
    sums = (np.sqrt(12 / (sizes + 1))[:, None] * centred).sum(axis=0)
    inverse = np.linalg.pinv(_covariance(present), hermitian=True)
    statistic = np.asarray(max(float(sums @ inverse @ sums), 0.0))
    scaled = np.nanmean((ranks - 1) / (sizes[:, None] - 1) * (k - 1) + 1, axis=0)
    return chi_square_result("skillings_mack", statistic, scaled, df=k - 1, n_datasets=n, n_learners=k)


def _scores(table: ScoreTable | ArrayLike) -> Array:
    if isinstance(table, ScoreTable):
        return table.oriented
    scores = floats(missing_as_nan(table), "table")
    if scores.ndim != 2 or scores.shape[1] < 2:
        raise InvalidInput(f"table must be data sets × learners with at least two learners, got shape {scores.shape}")
    if np.isinf(scores).any():
        raise InvalidInput("table must be finite or NaN, but it holds an infinite score")
    return scores


def _covariance(present: Array) -> Array:
    """Σ, after checking that a chain of shared data sets leads from every learner to every other."""
    shared = present.T.astype(np.float64) @ present
    np.fill_diagonal(shared, 0.0)
    reach = np.linalg.matrix_power((shared + np.eye(len(shared)) > 0).astype(np.float64), len(shared))
    if len(present) < 2 or not (reach > 0).all():
        raise DegenerateData(
            "the table falls into learners that share no data set with the others, so they can't be compared"
        )
    return np.diag(shared.sum(axis=1)) - shared
