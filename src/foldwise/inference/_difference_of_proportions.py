"""The test for the difference of two proportions, which takes two paired error rates for independent ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.types import Interval, Numbers
from foldwise.core.validation import fraction
from foldwise.inference._paired_posterior import paired_table


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceOfProportionsResult(Shown):
    """Outcome of the test for the difference of two proportions."""

    estimate: Numbers  #: Error rate of A minus error rate of B
    #: √(2p(1−p)/n) with p the mean of the two error rates: what it would be if the two were independent
    standard_error: Numbers
    statistic: Numbers  #: z = estimate / standard_error; 0 when both are 0
    pvalue: Numbers  #: Two-sided p-value of z, standard normal under the null hypothesis
    #: z′ = (abs(n01 − n10) − 1)/√(n01 + n10), never below 0: the root of McNemar's corrected statistic
    corrected_statistic: Numbers
    corrected_pvalue: Numbers  #: Two-sided p-value of z′

    @property
    def df(self) -> None:
        """The normal distribution has none."""

    def confidence_interval(self, confidence_level: float = 0.95) -> Interval:
        """Interval dual to z: it excludes 0 exactly when the p-value is below 1 − confidence_level."""
        reach = -special.ndtri((1 - fraction(confidence_level, "confidence_level")) / 2) * self.standard_error
        return Interval(low=self.estimate - reach, high=self.estimate + reach)


def difference_of_proportions(
    n00: ArrayLike, n01: ArrayLike, n10: ArrayLike, n11: ArrayLike
) -> DifferenceOfProportionsResult:
    r"""Test the difference of two error rates as if they came from independent test sets.

    Known to be unsound for two classifiers on one test set, and offered for study: both error rates are measured
    on the same examples, so their difference does not have the variance the test assumes. Use `mcnemar`.

    Parameters
    ----------
    n00, n01, n10, n11
        Number of test examples that both classifiers get wrong, only A, only B, neither; arrays are tested
        element by element.

    Returns
    -------
    DifferenceOfProportionsResult
        Two classifiers without a single error, or without a right answer, give z = 0 and p = 1.

    Notes
    -----
    With :math:`p_A=(n_{00}+n_{01})/n`, :math:`p_B=(n_{00}+n_{10})/n` and :math:`p=(p_A+p_B)/2`,
    :math:`z=(p_A-p_B)/\sqrt{2p(1-p)/n}`. The corrected form takes the right variance and a continuity correction,
    :math:`z'=(|n_{01}-n_{10}|-1)/\sqrt{n_{01}+n_{10}}`, which is McNemar's test again.

    References
    ----------
    .. [1] Dietterich (1998), Approximate statistical tests for comparing supervised classification learning
       algorithms, Neural Computation 10, section 3.2.

    Examples
    --------
    Two tables with the same difference of proportions, only one of them with evidence for McNemar:

    >>> result = difference_of_proportions([0, 40], [40, 0], [60, 20], [0, 40])
    >>> result.pvalue.round(4).tolist(), result.corrected_pvalue.round(4).tolist()
    ([0.0047, 0.0047], [0.0574, 0.0])
    """
    table = paired_table(n00, n01, n10, n11)
    estimate = table.difference
    rate = (2 * table.both_wrong + table.only_a + table.only_b) / (2 * table.n)
    standard_error = np.sqrt(2 * rate * (1 - rate) / table.n)
    # a pooled rate of 0 or 1 means that both error rates are that rate, so the estimate is 0 as well
    statistic = estimate / np.where(standard_error > 0, standard_error, 1)
    distance = np.maximum(np.abs(table.only_a - table.only_b) - 1, 0)
    corrected = np.asarray(distance / np.sqrt(np.maximum(table.only_a + table.only_b, 1)))
    return DifferenceOfProportionsResult(
        estimate=estimate[()],
        standard_error=standard_error[()],
        statistic=statistic[()],
        pvalue=(2 * special.ndtr(-np.abs(statistic)))[()],
        corrected_statistic=corrected[()],
        corrected_pvalue=(2 * special.ndtr(-corrected))[()],
    )
