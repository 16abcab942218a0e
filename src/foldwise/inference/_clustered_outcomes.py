"""Two classifiers on test items that come in clusters: right and wrong answers, few clusters, clusters all alike."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Counts, Interval, Numbers
from foldwise.core.validation import fraction, not_negative, numbers
from foldwise.inference._mcnemar import mcnemar
from foldwise.inference._paired_difference import tango_statistic
from foldwise.inference.clusters import find_clusters, robust_variance
from foldwise.inference.probabilities import Probabilities
from foldwise.inference.roots import bisect


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusteredOutcomes(Shown):
    """Outcome of the cluster-robust comparison of two accuracies."""

    estimate: Numbers  #: Accuracy of A minus accuracy of B
    standard_error: Numbers  #: Its standard error over clusters, never below that of independent items
    statistic: Numbers  #: estimate / standard_error; 0 when both are 0
    df: Numbers  #: Degrees of freedom of the standard error over clusters
    pvalue: Numbers  #: Two-sided, never below that of McNemar's mid-p test on the same items
    clusters: int  #: Number of clusters
    between: Numbers  #: The standard error over clusters alone: 0 where all clusters have the same mean
    independent: Numbers  #: McNemar's mid-p on the same items taken as independent
    #: only_a, only_b, n: Number of items that only A and only B got right, and of all items
    only_a: Counts
    only_b: Counts
    n: int

    @property
    def ignorance(self) -> float:
        """Weight of knowing nothing: the mid-p of clusters that all point the same way, 2 to the −clusters."""
        return float(0.5**self.clusters)

    def cdf(self, difference: ArrayLike) -> Numbers:
        """Confidence that accuracy(A) − accuracy(B) is at most `difference`."""
        return self._below(self.estimate, self.only_a, self.only_b, numbers(difference, "difference"))

    def confidence_interval(self, confidence_level: float = 0.95) -> Interval:
        """Interval dual to the test: it excludes 0 exactly when the p-value is below 1 − confidence_level."""
        alpha = 1 - fraction(confidence_level, "confidence_level")
        # the upper limit is the lower one with the classifiers exchanged, so that swapping mirrors to the last bit
        low = self._quantile(self.estimate, self.only_a, self.only_b, alpha / 2)
        high = -self._quantile(-self.estimate, self.only_b, self.only_a, alpha / 2)
        accepted = self.pvalue >= alpha
        return Interval(
            low=np.where(accepted, np.minimum(low, 0.0), low)[()],
            high=np.where(accepted, np.maximum(high, 0.0), high)[()],
        )

    def probabilities(self, rope: float = 0.01) -> Probabilities:
        """That A is better by more than `rope`, that the two are equivalent, that B is better."""
        region = np.asarray(not_negative(rope, "rope"))
        b_better = self._below(self.estimate, self.only_a, self.only_b, -region)
        a_better = self._below(-self.estimate, self.only_b, self.only_a, -region)
        equivalent = np.clip(1 - a_better - b_better, 0, 1) if rope > 0 else np.zeros_like(a_better)
        return Probabilities(a_better=a_better, equivalent=equivalent[()], b_better=b_better)

    def _below(self, estimate: Numbers, plus: Counts, minus: Counts, difference: Array) -> Numbers:
        point = np.clip(difference, -1.0, 1.0)
        distance = _statistic(estimate, self.between, plus, minus, self.n, point)
        share = (1 - self.ignorance) * special.stdtr(self.df, -distance) + self.ignorance * (1 + point) / 2
        return np.where(difference < -1, 0.0, np.where(difference >= 1, 1.0, share))[()]

    def _quantile(self, estimate: Numbers, plus: Counts, minus: Counts, tail: float) -> Array:
        def excess(point: Array) -> Array:
            return tail - np.asarray(self._below(estimate, plus, minus, point))

        return bisect(excess, np.full(np.shape(estimate), -1.0), np.ones(np.shape(estimate)))


def clustered_outcomes(differences: ArrayLike, groups: ArrayLike) -> ClusteredOutcomes:
    r"""Test whether two classifiers are equally accurate when items of one group resemble each other.

    Parameters
    ----------
    differences
        Per test item right(A) − right(B): −1, 0 or 1; the last axis runs over the items, the leading ones are a
        batch.
    groups
        The group of each item, as numbers or text; at least two groups.

    Notes
    -----
    The t statistic of `clustered_difference` (CR2), with three guards against certainty that the items do not give:

    - CR2 is unbiased when items are independent, and too small when clusters differ in size and their items
      are alike; it is divided by its expected share, and Satterthwaite's degrees of freedom are taken, at the
      intraclass correlation that the items show (`variance_quality`). For clusters of one size nothing changes.
    - Clusters may have equal sums by chance. The hypothesis Δ is tested by
      :math:`T(\Delta)=(\hat\Delta-\Delta)/\max(SE, SE_0(\Delta))` with Student's distribution, where
      :math:`SE_0(\Delta)` is Tango's standard error of independent items; p is at least McNemar's mid-p.
    - G clusters that all point the same way do so by chance with a sign test's mid-p of :math:`2^{-G}`. This
      weight is given to knowing nothing (Δ uniform between −1 and 1): fewer than 5 clusters never reject at 0.05.

    Test, interval and probabilities come from one distribution, :math:`H(\Delta)=(1-2^{-G})F_\nu(-T(\Delta))+
    2^{-G}(1+\Delta)/2`, so that they never contradict each other; where mid-p is the larger p, the interval is
    extended to 0 if need be.

    References
    ----------
    .. [1] Bell & McCaffrey (2002), Bias reduction in standard errors for linear regression with multi-stage
       samples, Survey Methodology 28, 169-181.
    .. [2] Tango (1998), Equivalence test and confidence interval for the difference in proportions for the
       paired-sample design, Statistics in Medicine 17, 891-908.

    Examples
    --------
    Four clusters of five items, each with one item that only A gets right:

    >>> result = clustered_outcomes([1, 0, 0, 0, 0] * 4, [1] * 5 + [2] * 5 + [3] * 5 + [4] * 5)
    >>> float(result.between), round(float(result.pvalue), 3)
    (0.0, 0.193)
    """
    values = numbers(differences, "differences", min_ndim=1)
    if not np.isin(values, (-1.0, 0.0, 1.0)).all():
        raise InvalidInput("differences must be −1, 0 or 1: right(A) − right(B) of each item")
    n = values.shape[-1]
    clusters = find_clusters(groups, n)
    variance, df = robust_variance(values, clusters)
    between = np.sqrt(variance)
    only_a, only_b = (values == 1).sum(axis=-1), (values == -1).sum(axis=-1)
    estimate = (only_a - only_b) / n
    statistic = _statistic(estimate, between, only_a, only_b, n, np.zeros_like(estimate))
    ignorance = 0.5 ** len(clusters.sizes)
    independent = mcnemar(only_b, only_a, method="midp").pvalue
    robust = (1 - ignorance) * 2 * special.stdtr(df, -np.abs(statistic)) + ignorance
    return ClusteredOutcomes(
        estimate=estimate[()],
        standard_error=np.maximum(between, np.sqrt(only_a + only_b) / n)[()],
        statistic=statistic[()],
        df=df[()],
        pvalue=np.maximum(robust, independent)[()],
        clusters=len(clusters.sizes),
        between=between[()],
        independent=independent,
        only_a=only_a[()],
        only_b=only_b[()],
        n=n,
    )


def _statistic(estimate: Numbers, between: Numbers, plus: Counts, minus: Counts, n: int, difference: Array) -> Array:
    """T(Δ): of the clusters' distance and that of independent items the one nearer to 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        robust = np.where(estimate == difference, 0.0, (estimate - difference) / between)
    only_a, only_b, items = (np.asarray(count, dtype=np.float64) for count in (plus, minus, n))
    independent = tango_statistic(only_a, only_b, items, difference)
    return np.where(np.abs(robust) < np.abs(independent), robust, independent)
