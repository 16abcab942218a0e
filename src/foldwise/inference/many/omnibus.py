"""The result that every test of "are all learners the same?" returns, and the two distributions behind it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.types import Array, Numbers

__all__ = ["OmnibusResult", "chi_square_result", "f_result"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OmnibusResult(Shown):
    """Outcome of a test of the hypothesis that no learner differs from the others.

    Attributes
    ----------
    test
        The procedure's name.
    statistic
        χ² or F, as `df_error` tells.
    df
        Degrees of freedom (of the numerator).
    df_error
        Degrees of freedom of F's denominator; None for χ².
    pvalue
        Probability under the null hypothesis of a statistic at least this large.
    ranks
        Mean rank of each learner within the data sets, 1 for the best; aligned ranks for the aligned test.
    n_datasets, n_learners
        Size of the table.
    """

    test: str
    statistic: Numbers
    df: Numbers
    df_error: int | None
    pvalue: Numbers
    ranks: Array
    n_datasets: int
    n_learners: int


def chi_square_result(
    test: str, statistic: Array, ranks: Array, *, df: Numbers, n_datasets: int, n_learners: int
) -> OmnibusResult:
    """Refer a statistic to χ².

    Examples
    --------
    >>> result = chi_square_result("friedman", np.array(0.0), np.array([1.5, 1.5]), df=1, n_datasets=4, n_learners=2)
    >>> float(result.pvalue)
    1.0
    """
    return OmnibusResult(
        test=test,
        statistic=statistic[()],
        df=df,
        df_error=None,
        pvalue=np.asarray(special.chdtrc(df, statistic))[()],
        ranks=ranks,
        n_datasets=n_datasets,
        n_learners=n_learners,
    )


def f_result(test: str, numerator: Array, denominator: Array, ranks: Array, *, rows: Array) -> OmnibusResult:
    """Refer (N − 1)·numerator/denominator to F; complete agreement of all data sets has a defined answer.

    A denominator of 0 with a numerator above it means that all data sets order the learners alike: the statistic is
    infinite and p is what that has under the null hypothesis, by which each row of ranks (`rows`, of shape (..., data
    sets, learners)) comes in any order: with ties of sizes t in a row, (∏ t!/k!)^(N−1) [1]_. Both 0 is p = 1.

    References
    ----------
    .. [1] Conover (1999), Practical nonparametric statistics, section 5.8.

    Examples
    --------
    >>> rows = np.array([[1.5, 1.5, 3.0]] * 3)
    >>> same = f_result("quade", np.array(4.5), np.array(0.0), rows[0], rows=rows)
    >>> float(same.statistic), round(float(same.pvalue), 4)  # one of three places for the worst, twice
    (inf, 0.1111)
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
    return OmnibusResult(
        test=test,
        statistic=statistic[()],
        df=df,
        df_error=df_error,
        pvalue=pvalue[()],
        ranks=ranks,
        n_datasets=n_datasets,
        n_learners=n_learners,
    )


def _log_arrangements(ranks: Array) -> Array:
    """Logarithm of the number of different orders in which each row's ranks can come: k!/∏ t!, t being ties' sizes."""
    sizes = (ranks[..., :, None] == ranks[..., None, :]).sum(axis=-1)
    # each of the t members of a tie brings its t-th part of log t!
    return np.asarray(special.gammaln(ranks.shape[-1] + 1) - (special.gammaln(sizes + 1) / sizes).sum(axis=-1))
