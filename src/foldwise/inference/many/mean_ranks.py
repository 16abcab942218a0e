"""Tests by ranks within data sets: Friedman's and its relatives, Nemenyi's of all pairs, Bonferroni–Dunn's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import DegenerateData, InvalidInput, UnknownName
from foldwise.core.formatting import LEAST_PVALUE
from foldwise.core.types import Array, Numbers
from foldwise.core.validation import floats, fraction, missing_as_nan
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many._adjust import from_pairs, learner_pairs
from foldwise.inference.many.blocks import NOISE, mean_ranks, rank_rows, rank_scores, score_blocks


@dataclass(frozen=True, slots=True, kw_only=True)
class OmnibusResult(Shown):
    """Outcome of a test of the hypothesis that no learner differs from the others."""

    test: str  #: The procedure's name
    statistic: Numbers  #: χ² or F, as `df_error` tells
    df: Numbers  #: Degrees of freedom (of the numerator)
    df_error: int | None  #: Degrees of freedom of F's denominator; None for χ²
    pvalue: Numbers  #: Probability under the null hypothesis of a statistic at least this large
    ranks: Array  #: Mean rank of each learner within the data sets, 1 for the best; aligned ranks for the aligned test
    #: n_datasets, n_learners: Size of the table
    n_datasets: int
    n_learners: int


def _result(
    test: str, statistic: Array, pvalue: Array, ranks: Array, shape: tuple[int, ...], df_error: int | None
) -> OmnibusResult:
    """The outcome on a table of this shape, (..., data sets, learners)."""
    n_datasets, n_learners = shape[-2:]
    return OmnibusResult(
        test=test, statistic=statistic, df=n_learners - 1, df_error=df_error, pvalue=np.maximum(pvalue, LEAST_PVALUE),
        ranks=ranks, n_datasets=n_datasets, n_learners=n_learners,
    )  # fmt: skip


def _chi_square(test: str, statistic: Array, ranks: Array, shape: tuple[int, ...]) -> OmnibusResult:
    pvalue = np.asarray(special.chdtrc(shape[-1] - 1, statistic))
    return _result(test, statistic, pvalue, ranks, shape, None)


def _f(test: str, numerator: Array, denominator: Array, ranks: Array, *, rows: Array) -> OmnibusResult:
    """Refer (N − 1)·numerator/denominator to F; complete agreement of all data sets has a defined answer.

    A denominator of 0 with a numerator above it means that all data sets order the learners alike: the statistic is
    infinite and p is what that has under the null hypothesis, by which each row of ranks (`rows`, of shape (..., data
    sets, learners)) comes in any order: with ties of sizes t in a row, (∏ t!/k!)^(N−1) (Conover 1999). Both 0 is p = 1.

    Conover (1999), Practical nonparametric statistics, section 5.8.
    """
    n_datasets, n_learners = rows.shape[-2:]
    df, df_error = n_learners - 1, (n_learners - 1) * (n_datasets - 1)
    # sums of ranks are multiples of 1/4: what is this close to 0 is 0
    agreed = denominator <= 1e-9 * np.maximum(numerator, 1e-300)
    nothing = agreed & (numerator <= 1e-9)
    ratio = (n_datasets - 1) * numerator / np.where(agreed, 1.0, denominator)
    statistic = np.where(nothing, 0.0, np.where(agreed, np.inf, ratio))
    pvalue = special.fdtrc(df, df_error, np.where(agreed, 0.0, ratio))
    # all rows being alike, any of them tells the number of arrangements; of a row without differences there is one
    pvalue = np.asarray(pvalue)
    pvalue[agreed] = np.exp(-(n_datasets - 1) * _log_arrangements(rows[..., 0, :][agreed]))
    return _result(test, statistic, pvalue, ranks, rows.shape, df_error)


def _log_arrangements(ranks: Array) -> Array:
    """Logarithm of the number of different orders in which each row's ranks can come: k!/∏ t!, t being ties' sizes."""
    sizes = (ranks[..., :, None] == ranks[..., None, :]).sum(axis=-1)
    # each of the t members of a tie brings its t-th part of log t!
    return np.asarray(special.gammaln(ranks.shape[-1] + 1) - (special.gammaln(sizes + 1) / sizes).sum(axis=-1))


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
    rows, ranks, between, within = _ranked(table, tie_correction)
    n, k = rows.shape[-2:]
    statistic = np.where(within > 0, n * (k - 1) * between / np.where(within > 0, within, 1.0), 0.0)
    return _chi_square("friedman", statistic, ranks, rows.shape)


def _ranked(table: ScoreTable | ArrayLike, tie_correction: bool) -> tuple[Array, Array, Array, Array]:
    """Ranks within data sets with their `friedman_parts`, of which the last may be that of ranks without ties."""
    rows = rank_scores(score_blocks(table))
    n, k = rows.shape[-2:]
    ranks, between, within = friedman_parts(rows)
    return rows, ranks, between, within if tie_correction else np.full(between.shape, n * k * (k + 1) * (k - 1) / 12)


def friedman_parts(ranks: Array) -> tuple[Array, Array, Array]:
    """Of ranks within data sets: means, the sum of squares between learners and the total one within data sets.

    Without ties the total is N·k(k²−1)/12; with ties the ratio of the two is Friedman's corrected statistic.
    """
    n, k = ranks.shape[-2:]
    centred = ranks - (k + 1) / 2
    mean = centred.mean(axis=-2)
    return np.asarray(mean + (k + 1) / 2), n * (mean**2).sum(axis=-1), (centred**2).sum(axis=(-2, -1))


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
    rows, ranks, between, within = _ranked(table, tie_correction)
    return _f("iman_davenport", between, within - between, ranks, rows=rows)


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
    # ranks of all cells together after each data set's mean is taken off; 1 for the best cell
    aligned = scores - scores.mean(axis=-1, keepdims=True)
    flat = aligned.reshape(*scores.shape[:-2], -1)
    # means are sums of rounded decimals: two digits more are noise than in a difference
    size = 100 * np.abs(scores).max(axis=(-2, -1))[..., None]
    ranks = rank_rows(-flat, noise=NOISE * size).reshape(scores.shape)
    # centred on the mean of all n·k ranks
    sums = ranks.sum(axis=-2) - n * (n * k + 1) / 2
    within = (ranks**2).sum(axis=(-2, -1)) - (ranks.sum(axis=-1) ** 2).sum(axis=-1) / k
    positive = within > 1e-9
    statistic = np.where(positive, (k - 1) * (sums**2).sum(axis=-1) / np.where(positive, within, 1.0), 0.0)
    return _chi_square("friedman_aligned", statistic, ranks.mean(axis=-2), scores.shape)


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
    # a data set counts by the rank of its range: where learners differ much, it says more
    weighted = rank_rows(np.ptp(scores, axis=-1), noise=NOISE * size)[..., None] * (ranks - (k + 1) / 2)
    total = (weighted**2).sum(axis=(-2, -1))
    between = (weighted.sum(axis=-2) ** 2).sum(axis=-1) / n
    return _f("quade", between, total - between, ranks.mean(axis=-2), rows=ranks)


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
    k = scores.shape[1]
    sizes = present.sum(axis=1)
    ranks = rank_scores(scores)
    centred = np.where(present, ranks - (sizes[:, None] + 1) / 2, 0.0)
    sums = (np.sqrt(12 / (sizes + 1))[:, None] * centred).sum(axis=0)
    # the sums add up to 0, so that Σ has no inverse
    # Σ, after checking that a chain of shared data sets leads from every learner to every other
    shared = present.T.astype(np.float64) @ present
    np.fill_diagonal(shared, 0.0)
    reach = np.linalg.matrix_power((shared + np.eye(len(shared)) > 0).astype(np.float64), len(shared))
    if len(present) < 2 or not (reach > 0).all():
        raise DegenerateData(
            "the table falls into learners that share no data set with the others, so they can't be compared"
        )
    inverse = np.linalg.pinv((np.diag(shared.sum(axis=1)) - shared), hermitian=True)
    statistic = np.asarray(max(float(sums @ inverse @ sums), 0.0))
    scaled = np.nanmean((ranks - 1) / (sizes[:, None] - 1) * (k - 1) + 1, axis=0)
    return _chi_square("skillings_mack", statistic, scaled, scores.shape)


def _scores(table: ScoreTable | ArrayLike) -> Array:
    if isinstance(table, ScoreTable):
        return table.oriented
    scores = floats(missing_as_nan(table), "table")
    if scores.ndim != 2 or scores.shape[1] < 2:
        raise InvalidInput(f"table must be data sets × learners with at least two learners, got shape {scores.shape}")
    if np.isinf(scores).any():
        raise InvalidInput("table must be finite or NaN, but it holds an infinite score")
    return scores


# ---- Comparisons by mean ranks: Nemenyi's of all pairs, and Bonferroni–Dunn's with a control.


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
        ranks=ranks, pvalues=from_pairs(np.clip(tail, 0.0, 1.0)[inverse], k),
        critical_difference=critical_difference(k, n, alpha=alpha), alpha=alpha, n_datasets=n,
    )  # fmt: skip


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
        control=column, ranks=ranks, statistic=z, pvalues=pvalues, adjusted=np.minimum(1.0, (k - 1) * pvalues),
        critical_difference=float(-special.ndtri(alpha / (2 * (k - 1))) * error), alpha=alpha,
    )  # fmt: skip


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
