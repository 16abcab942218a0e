"""The sign test for two learners on several data sets: wins against losses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.types import Alternative, Array, Counts, Interval, Numbers
from foldwise.core.validation import fraction, one_of
from foldwise.inference.many.blocks import paired_differences


@dataclass(frozen=True, slots=True, kw_only=True)
class SignTestResult(Shown):
    """Outcome of the sign test."""

    #: wins, ties, losses: Data sets on which a is better, equal, worse
    wins: Counts
    ties: Counts
    losses: Counts
    statistic: Counts  #: The number of wins
    pvalue: Numbers  #: Exact binomial p-value given the number of wins and losses
    estimate: Numbers  #: Share of the wins among wins and losses; ½ when there are neither
    alternative: Alternative  #: Which side the alternative hypothesis allows

    def confidence_interval(self, confidence_level: float = 0.95) -> Interval:
        """Clopper–Pearson interval for the probability that a wins a data set that is not tied."""
        level = fraction(confidence_level, "confidence_level")
        tail = (1 - level) / 2 if self.alternative == "two-sided" else 1 - level
        wins, losses = np.asarray(self.wins, dtype=float), np.asarray(self.losses, dtype=float)
        low = np.where(wins > 0, special.betaincinv(np.maximum(wins, 1), losses + 1, tail), 0.0)
        high = np.where(losses > 0, special.betaincinv(wins + 1, np.maximum(losses, 1), 1 - tail), 1.0)
        low = np.zeros_like(low) if self.alternative == "less" else low
        high = np.ones_like(high) if self.alternative == "greater" else high
        return Interval(low=low[()], high=high[()])


def sign_test(a: ArrayLike, b: ArrayLike, *, alternative: Alternative = "two-sided") -> SignTestResult:
    r"""Test whether a beats b on more data sets than b beats a.

    Parameters
    ----------
    a, b
        Scores of the two learners on the same data sets, shape (..., n); leading axes are separate experiments.
    alternative
        Which side the alternative hypothesis allows.

    Returns
    -------
    SignTestResult
        Without wins and losses there is no evidence: p = 1.

    Notes
    -----
    Given the number of wins and losses, the wins are binomial with probability ½ under the null hypothesis; the
    two-sided p is twice the smaller tail, at most 1. Ties say nothing about who wins the others and are left out,
    which is the uniformly most powerful unbiased way [1]_; splitting them evenly, as [2]_ does, loses power.

    References
    ----------
    .. [1] Lehmann & Romano (2005), Testing statistical hypotheses, section 4.9.
    .. [2] Demšar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine
       Learning Research 7, section 3.1.4.

    Examples
    --------
    >>> result = sign_test([0.9, 0.8, 0.7, 0.9, 0.6], [0.8, 0.6, 0.7, 0.5, 0.1])
    >>> int(result.wins), int(result.ties), float(result.pvalue)
    (4, 1, 0.125)
    """
    one_of(alternative, "alternative", ("two-sided", "less", "greater"))
    differences = paired_differences(a, b)
    wins, losses = (differences > 0).sum(axis=-1), (differences < 0).sum(axis=-1)
    decided = wins + losses
    pvalue = sign_pvalue(wins, losses, alternative=alternative)
    return SignTestResult(
        wins=wins[()],
        ties=(differences.shape[-1] - decided)[()],
        losses=losses[()],
        statistic=wins[()],
        pvalue=pvalue[()],
        estimate=np.where(decided > 0, wins / np.maximum(decided, 1), 0.5)[()],
        alternative=alternative,
    )


def sign_pvalue(wins: Counts, losses: Counts, *, alternative: Alternative = "two-sided") -> Array:
    """The p-value of so many wins and losses; parameters as in `sign_test`."""
    decided = wins + losses
    at_least, at_most = _upper(wins, decided), _upper(losses, decided)
    if alternative == "two-sided":
        return np.asarray(np.minimum(1.0, 2 * np.minimum(at_least, at_most)))
    return at_least if alternative == "greater" else at_most


def _upper(k: Counts, n: Counts) -> Array:
    """P[X ≥ k] for X ~ Bin(n, ½)."""
    return np.where(k > 0, special.betainc(np.maximum(k, 1), n - k + 1, 0.5), 1.0)
