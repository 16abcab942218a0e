"""Balanced 5×2 McNemar: ten tables of five halvings that overlap evenly, as one that counts as much as they do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Answers, Array, Interval, Numbers
from foldwise.core.validation import counts, fraction

__all__ = [
    "BalancedMcNemarResult",
    "balanced_5x2_mcnemar",
]


# ---- Balanced 5×2 McNemar: ten tables of five halvings that overlap evenly, as one that counts as much as they do.

TABLES = 10
EFFECTIVE = 20 / 11
"""How many independent tables the ten are worth, all correlations being taken as ½."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BalancedMcNemarResult(Shown):
    """Outcome of the test.

    Attributes
    ----------
    estimate
        Accuracy of a minus that of b.
    standard_error
        Of that difference, if there were none: √(b + c)/N of the effective counts.
    statistic, df, pvalue
        χ² with continuity correction, 1, and its p-value.
    effective
        The effective counts n00, n01, n10, n11 along the last axis.
    """

    estimate: Numbers
    standard_error: Numbers
    statistic: Numbers
    df: float
    pvalue: Numbers
    effective: Array

    @property
    def degenerate(self) -> Answers:
        """Whether the two never disagree, so that nothing can be told."""
        return self.standard_error == 0

    def confidence_interval(self, confidence_level: float = 0.95) -> Interval:
        """Interval dual to the test: it excludes 0 exactly when the p-value is below 1 − confidence_level."""
        z = -special.ndtri((1 - fraction(confidence_level, "confidence_level")) / 2)
        reach = z * self.standard_error + 1 / self.effective.sum(axis=-1)
        low, high = np.maximum(self.estimate - reach, -1.0), np.minimum(self.estimate + reach, 1.0)
        return Interval(low=low[()], high=high[()])


def balanced_5x2_mcnemar(tables: ArrayLike) -> BalancedMcNemarResult:
    r"""Test whether two classifiers differ, from the ten tables of a balanced 5×2 cross-validation.

    Parameters
    ----------
    tables
        The counts n00 (both wrong), n01 (only a wrong), n10 (only b wrong), n11 (both right) on the test half of each
        training: (..., 10, 4). Leading axes are separate experiments. The five halvings must be balanced: any two
        training halves share a quarter of the examples.

    Returns
    -------
    BalancedMcNemarResult
        Without disagreements: statistic 0 and p = 1.

    Notes
    -----
    The effective counts are 20/11 times the mean of the ten tables, which is what they are worth if the correlations
    between them are ½ [1]_; with b and c the effective n01 and n10, :math:`\chi^2 = (|b-c|-1)^2/(b+c)`, the numerator
    never below 0, has one degree of freedom.

    References
    ----------
    .. [1] Yang, Wang, Song & Li (2023), Block-regularized 5×2 cross-validated McNemar's test for comparing two
       classification algorithms, arXiv 2304.03990.

    Examples
    --------
    >>> result = balanced_5x2_mcnemar([[10, 22, 8, 110]] * 10)
    >>> float(round(result.statistic, 3)), float(round(result.pvalue, 4))
    (10.964, 0.0009)
    """
    given = counts(tables, "tables")
    if given.ndim < 2 or given.shape[-2:] != (TABLES, 4) or (given.sum(axis=-1) == 0).any():
        raise InvalidInput(f"tables must be ten tables of four counts, (..., 10, 4), none empty, got {given.shape}")
    effective = EFFECTIVE * given.mean(axis=-2)
    only_a, only_b, n = effective[..., 1], effective[..., 2], effective.sum(axis=-1)
    disagree, apart = only_a + only_b, np.maximum(np.abs(only_a - only_b) - 1, 0.0)
    statistic = apart**2 / np.where(disagree > 0, disagree, 1.0)
    return BalancedMcNemarResult(
        estimate=((only_b - only_a) / n)[()],
        standard_error=(np.sqrt(disagree) / n)[()],
        statistic=statistic[()],
        df=1.0,
        pvalue=special.chdtrc(1, statistic)[()],
        effective=effective,
    )
