"""The result that every test of "are all learners the same?" returns, and the two distributions behind it."""

from __future__ import annotations

from dataclasses import dataclass
from math import lgamma
from typing import Any

import numpy as np
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.types import Array

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
    statistic: Any
    df: Any
    df_error: int | None
    pvalue: Any
    ranks: Array
    n_datasets: int
    n_learners: int


def chi_square_result(
    test: str, statistic: Array, ranks: Array, *, df: Any, n_datasets: int, n_learners: int
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


def f_result(
    test: str, numerator: Array, denominator: Array, ranks: Array, *, n_datasets: int, n_learners: int
) -> OmnibusResult:
    """Refer (N − 1)·numerator/denominator to F; complete agreement of all data sets has a defined answer.

    A denominator of 0 with a numerator above it means that all data sets order the learners alike: the statistic is
    infinite and p is what that order has under the null hypothesis, (1/k!)^(N−1) [1]_. Both 0 is p = 1.

    References
    ----------
    .. [1] Conover (1999), Practical nonparametric statistics, section 5.8.

    Examples
    --------
    >>> same = f_result("quade", np.array(2.0), np.array(0.0), np.array([1, 2, 3]), n_datasets=3, n_learners=3)
    >>> float(same.statistic), round(float(same.pvalue), 4)
    (inf, 0.0278)
    """
    df, df_error = n_learners - 1, (n_learners - 1) * (n_datasets - 1)
    # sums of ranks are multiples of 1/4: what is this close to 0 is 0
    agreed = denominator <= 1e-9 * np.maximum(numerator, 1e-300)
    nothing = agreed & (numerator <= 1e-9)
    ratio = (n_datasets - 1) * numerator / np.where(agreed, 1.0, denominator)
    statistic = np.where(nothing, 0.0, np.where(agreed, np.inf, ratio))
    whole = np.exp(-(n_datasets - 1) * lgamma(n_learners + 1))
    pvalue = np.where(agreed, np.where(nothing, 1.0, whole), special.fdtrc(df, df_error, ratio))
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
