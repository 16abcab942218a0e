"""McNemar's test for two classifiers on one test set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.types import Array, Numbers
from foldwise.core.validation import counts, one_of

Method = Literal["corrected", "uncorrected", "exact", "midp"]


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemarResult(Shown):
    """Outcome of McNemar's test."""

    #: χ² with one degree of freedom for the two approximate methods; min(n01, n10) for the exact ones
    statistic: Numbers
    df: int | None  #: 1 for the approximate methods, None for the exact ones
    pvalue: Numbers  #: Two-sided p-value
    estimate: Numbers  #: Share of the disagreements in which only A is wrong; ½ when there are none
    method: Method  #: The method that was used


def mcnemar(n01: ArrayLike, n10: ArrayLike, *, method: Method = "midp") -> McNemarResult:
    r"""Test whether two classifiers have the same error rate on the population behind one test set.

    Parameters
    ----------
    n01, n10
        Number of test examples that only A, or only B, gets wrong; arrays are tested element by element.
    method
        ``"corrected"`` is the χ² of [1]_ with continuity correction, ``"uncorrected"`` the one without,
        ``"exact"`` the two-sided binomial test and ``"midp"`` its mid-p version, the recommended one [2]_.

    Returns
    -------
    McNemarResult
        With no disagreement at all there is no evidence: p = 1.

    Notes
    -----
    Corrected: :math:`\max(|n_{01}-n_{10}|-1, 0)^2/(n_{01}+n_{10})` is referred to χ² with one degree of freedom.
    Exact: :math:`n_{01}` is binomial with :math:`n_{01}+n_{10}` trials and probability ½;
    p is twice the smaller tail, at most 1. Mid-p subtracts the probability of the observed outcome, halved
    where the two tails meet.

    References
    ----------
    .. [1] Dietterich (1998), Approximate statistical tests for comparing supervised classification learning
       algorithms, Neural Computation 10, section 3.1.
    .. [2] Fagerland, Lydersen & Laake (2013), The McNemar test for binary matched-pairs data: mid-p and
       asymptotic are better than exact conditional, BMC Medical Research Methodology 13:91.

    Examples
    --------
    >>> result = mcnemar(10, 25, method="corrected")
    >>> float(round(result.statistic, 3)), float(round(result.pvalue, 4))
    (5.6, 0.018)
    """
    one_of(method, "method", get_args(Method))
    only_a, only_b = np.broadcast_arrays(counts(n01, "n01"), counts(n10, "n10"))
    total = only_a + only_b
    approximate = method in ("corrected", "uncorrected")
    if approximate:
        distance = np.maximum(np.abs(only_a - only_b) - float(method == "corrected"), 0)
        statistic = np.asarray(distance**2 / np.maximum(total, 1))
        pvalue = np.asarray(special.chdtrc(1, statistic))
    else:
        statistic = np.minimum(only_a, only_b)
        at_most = _binomial_cdf(statistic, total)
        pvalue = np.minimum(1, 2 * at_most)
        if method == "midp":
            # the outcome itself counts half in each tail; in a tie the two tails meet in it
            itself = at_most - _binomial_cdf(statistic - 1, total)
            pvalue = np.where(only_a == only_b, 1 - itself / 2, pvalue - itself)
            pvalue = np.where(total == 0, 1.0, pvalue)
    estimate = np.where(total > 0, only_a / np.maximum(total, 1), 0.5)
    return McNemarResult(
        statistic=statistic[()],
        df=1 if approximate else None,
        pvalue=pvalue[()],
        estimate=estimate[()],
        method=method,
    )


def _binomial_cdf(k: Array, n: Array) -> Array:
    """P[X ≤ k] for X ~ Bin(n, ½), by the incomplete beta function (no loop, no overflow)."""
    below = np.where(k < 0, 0.0, special.betainc(np.maximum(n - k, 1), np.maximum(k, 0) + 1, 0.5))
    return np.where(k >= n, 1.0, below)
