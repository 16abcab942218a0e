"""Test items in clusters: how alike their items are, and the cluster-robust tests of marks and of right and wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Alternative, Array, Counts, Interval, Numbers
from foldwise.core.validation import fraction, not_negative, numbers, one_of
from foldwise.inference.equivalence import Probabilities
from foldwise.inference.paired_tables import mcnemar, tango_statistic
from foldwise.inference.roots import bisect
from foldwise.inference.student import StudentResult, moments, student_result


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterNumbers:
    """Which items belong together."""

    #: order, starts: An order that puts clusters side by side, and where each of them starts in it
    order: NDArray[np.intp]
    starts: NDArray[np.intp]
    sizes: Array  #: Number of items of each cluster

    def sums(self, values: Array) -> Array:
        return np.asarray(np.add.reduceat(values[..., self.order], self.starts, axis=-1))

    def residual_sums(self, values: Array) -> Array:
        """Sum over each cluster of what is left when the mean of all items is subtracted; 0 up to rounding is 0."""
        share = self.sizes / values.shape[-1]
        sums = self.sums(values)
        left = sums - share * sums.sum(axis=-1, keepdims=True)
        noise = 16 * np.finfo(np.float64).eps * np.abs(values).sum(axis=-1, keepdims=True)
        return np.where(np.abs(left) <= noise, 0.0, left)


def find_clusters(groups: ArrayLike, n: int) -> ClusterNumbers:
    """The clusters of n items, at least two of them."""
    labels = np.asarray(groups)
    if labels.shape != (n,):
        raise InvalidInput(f"groups must name one group per item, shape ({n},), got shape {labels.shape}")
    _, index, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    if len(sizes) < 2:
        raise InvalidInput(f"groups must hold at least 2 different groups, got {len(sizes)}")
    return ClusterNumbers(
        order=np.argsort(index, kind="stable"), starts=np.cumsum(sizes) - sizes, sizes=sizes.astype(np.float64)
    )


def working_correlation(values: Array, clusters: ClusterNumbers) -> Array:
    r"""Intraclass correlation by the analysis of variance, kept within 0 and 1; 1 where nothing varies.

    :math:`(MSB-MSW)/(MSB+(n_0-1)MSW)` with :math:`n_0=(n-\sum n_c^2/n)/(G-1)` (Donner 1986). Items that do not vary at
    all can't tell how alike they are: the least informative answer is taken.

    Donner (1986), A review of inference procedures for the intraclass correlation coefficient in the one-way random
    effects model, International Statistical Review 54, 67-82.
    """
    n, sizes = values.shape[-1], clusters.sizes
    # mean squares between and within clusters; `typical` is their size where all are equal
    means = clusters.sums(values) / sizes
    between = (clusters.residual_sums(values) ** 2 / sizes).sum(axis=-1) / (len(sizes) - 1)
    within = ((values**2).sum(axis=-1) - (sizes * means**2).sum(axis=-1)) / max(n - len(sizes), 1)
    typical = (n - (sizes**2).sum() / n) / (len(sizes) - 1)
    within = np.maximum(within, 0.0)
    total = between + (typical - 1) * within
    return np.where(total > 0, np.clip((between - within) / np.where(total > 0, total, 1.0), 0, 1), 1.0)


def robust_variance(values: Array, clusters: ClusterNumbers) -> tuple[Array, Array]:
    """The CR2 variance of the mean of items in clusters, without its bias, and its degrees of freedom.

    CR2 is unbiased when items are independent, and too small when clusters differ in size and their items are alike: it
    is divided by its expected share, and the degrees of freedom are taken, at the intraclass correlation that the items
    show. For clusters of one size nothing changes.
    """
    n = values.shape[-1]
    share, df = variance_quality(clusters.sizes, working_correlation(values, clusters))
    squares = clusters.residual_sums(values) ** 2 / (1 - clusters.sizes / n)
    return np.asarray(squares.sum(axis=-1) / np.minimum(share, 1.0) / n**2), df


def variance_quality(sizes: Array, correlation: Array) -> tuple[Array, Array]:
    r"""What the CR2 variance of a mean is worth if the items of a cluster correlate like this.

    Returns its expectation as a share of the true variance, and Satterthwaite's degrees of freedom.

    With :math:`p_c=n_c/n`, cluster sums of variance :math:`\omega_c=n_c(1-\rho)+n_c^2\rho` and residuals
    :math:`r_c=S_c-p_c\sum S`, CR2 is :math:`n^{-2}\sum r_c^2/(1-p_c)`. The covariance of the residuals is
    :math:`K=\mathrm{diag}(\omega)-p\omega'-\omega p'+(\sum\omega)pp'`; the expectation is the trace of DK and the
    degrees of freedom are :math:`\mathrm{tr}(DK)^2/\mathrm{tr}(DKDK)` for D = diag(1/(1 − p)), here in sums over
    clusters instead of matrices. At ρ = 0 the share is 1 and the degrees of freedom are Bell and McCaffrey's [1]_;
    for clusters of equal size both are the same at every ρ.

    .. [1] Bell & McCaffrey (2002), Bias reduction in standard errors for linear regression with multi-stage
       samples, Survey Methodology 28, 169-181.
    """
    rho = np.asarray(correlation)[..., None]
    p = sizes / sizes.sum()
    inverse = 1 / (1 - p)
    variances = sizes * (1 - rho) + sizes**2 * rho
    total = variances.sum(axis=-1)
    # what K's diagonal has beside ω: the rest of K is of rank two
    low_rank = total[..., None] * p**2 - 2 * p * variances
    expected = (inverse * (variances + low_rank)).sum(axis=-1)
    # traces of products with diag(1/(1 − p)), as sums over clusters
    pp, vv, pv = ((inverse * part).sum(axis=-1) for part in (p**2, variances**2, p * variances))
    diagonal = (inverse**2 * (variances**2 + 2 * variances * low_rank)).sum(axis=-1)
    squares = diagonal + 2 * pp * vv + 2 * pv**2 + (total * pp) ** 2 - 4 * total * pp * pv
    return np.asarray(expected / total), np.asarray(expected**2 / squares)


def clustered_t(x: ArrayLike, groups: ArrayLike, *, alternative: Alternative = "two-sided") -> StudentResult:
    r"""Test whether the mean of paired differences is zero when items of one cluster are correlated.

    Parameters
    ----------
    x
        Differences a − b, shape (..., n); leading axes are separate experiments on the same items.
    groups
        The cluster of each item, as numbers or text; at least two clusters.

    Returns
    -------
    StudentResult
        Its standard error is 0 only where all differences are the same.

    Notes
    -----
    `clustered_difference` (CR2 with Satterthwaite's degrees of freedom [1]_) with two guards:

    - CR2 is unbiased when items are independent, and too small when clusters differ in size and their items are alike:
      it is divided by its expected share, and the degrees of freedom are taken, at the intraclass correlation that the
      items show (`working_correlation`). For clusters of one size nothing changes.
    - Clusters may have equal means by chance: the standard error is never below that of `paired_t`, which takes the
      items as independent.

    References
    ----------
    .. [1] Bell & McCaffrey (2002), Bias reduction in standard errors for linear regression with multi-stage
       samples, Survey Methodology 28, 169-181.

    Examples
    --------
    >>> result = clustered_t([0.2, 0.3, 0.1, 0.0, -0.1, 0.4], ["p", "p", "q", "q", "r", "r"])
    >>> round(float(result.estimate), 4), round(float(result.df), 4), round(float(result.pvalue), 4)
    (0.15, 2.0, 0.1885)
    """
    values = numbers(x, "x", min_ndim=1)
    n = values.shape[-1]
    clusters = find_clusters(groups, n)
    m = moments(values)
    between, df = robust_variance(values, clusters)
    return student_result(m.mean, np.sqrt(np.maximum(between, m.variance / n)), df, alternative)


# ---- The paired difference when test items come in clusters: several images of one patient, sentences of one text.

Method = Literal["CR2", "CR0"]


def clustered_difference(
    differences: ArrayLike, groups: ArrayLike, *, method: Method = "CR2", alternative: Alternative = "two-sided"
) -> StudentResult:
    r"""Test whether the mean difference is zero when items of one group are correlated.

    Parameters
    ----------
    differences
        Per test item error(A) − error(B), that is −1, 0 or 1, or any other paired difference; the last axis
        runs over the items, the leading ones are a batch.
    groups
        The group of each item, as numbers or text; at least two groups.
    method
        ``"CR2"`` is unbiased when items are independent and takes Satterthwaite's degrees of freedom, which
        matters with few groups or unequal ones [1]_; ``"CR0"`` is the plain sandwich with G − 1 degrees.

    Notes
    -----
    With residuals :math:`r_i=e_i-\bar e` and groups c of :math:`n_c` items, CR0 is
    :math:`SE^2=n^{-2}\sum_c(\sum_{i\in c}r_i)^2`; CR2 divides each square by :math:`1-n_c/n`, which is
    Bell and McCaffrey's correction for a model that has a mean only. Its degrees of freedom are
    :math:`n^2/(\sum n_c^2+((\sum w_c)^2-\sum w_c^2)/n^2)` with :math:`w_c=n_c^2/(1-n_c/n)`: G − 1 for groups of
    equal size. With one item per group CR2 is the paired t test.

    References
    ----------
    .. [1] Bell & McCaffrey (2002), Bias reduction in standard errors for linear regression with multi-stage
       samples, Survey Methodology 28, 169-181.

    Examples
    --------
    >>> result = clustered_difference([1, 1, 0, 0, -1, 0], ["p", "p", "q", "q", "r", "r"])
    >>> round(float(result.estimate), 4), round(float(result.df), 4), round(float(result.pvalue), 4)
    (0.1667, 2.0, 0.7418)
    """
    one_of(method, "method", ("CR2", "CR0"))
    values = numbers(differences, "differences", min_ndim=1)
    n = values.shape[-1]
    clusters = find_clusters(groups, n)
    sizes = clusters.sizes
    shrink = 1 - sizes / n if method == "CR2" else np.ones_like(sizes)
    standard_error = np.sqrt((clusters.residual_sums(values) ** 2 / shrink).sum(axis=-1)) / n
    df = float(variance_quality(sizes, np.array(0.0))[1]) if method == "CR2" else len(sizes) - 1
    return student_result(np.asarray(values.mean(axis=-1)), np.asarray(standard_error), df, alternative)


# ---- Two classifiers on test items that come in clusters: right and wrong answers, few clusters, clusters all alike.


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
            low=np.where(accepted, np.minimum(low, 0.0), low), high=np.where(accepted, np.maximum(high, 0.0), high)
        )

    def probabilities(self, rope: float = 0.01) -> Probabilities:
        """That A is better by more than `rope`, that the two are equivalent, that B is better."""
        region = np.asarray(not_negative(rope, "rope"))
        b_better = self._below(self.estimate, self.only_a, self.only_b, -region)
        a_better = self._below(-self.estimate, self.only_b, self.only_a, -region)
        equivalent = np.clip(1 - a_better - b_better, 0, 1) if rope > 0 else np.zeros_like(a_better)
        return Probabilities(a_better=a_better, equivalent=equivalent, b_better=b_better)

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
    r"""Test whether two classifiers are equally accurate when items of one group are correlated.

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
        estimate=estimate, standard_error=np.maximum(between, np.sqrt(only_a + only_b) / n), statistic=statistic,
        df=df, pvalue=np.maximum(robust, independent), clusters=len(clusters.sizes), between=between,
        independent=independent, only_a=only_a, only_b=only_b, n=n,
    )  # fmt: skip


def _statistic(estimate: Numbers, between: Numbers, plus: Counts, minus: Counts, n: int, difference: Array) -> Array:
    """T(Δ): of the clusters' distance and that of independent items the one nearer to 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        robust = np.where(estimate == difference, 0.0, (estimate - difference) / between)
    only_a, only_b, items = (np.asarray(count, dtype=np.float64) for count in (plus, minus, n))
    independent = tango_statistic(only_a, only_b, items, difference)
    return np.where(np.abs(robust) < np.abs(independent), robust, independent)
