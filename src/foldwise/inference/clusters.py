"""Test items in clusters: their sums, how alike their items are, and what the variance estimate is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Alternative, Array
from foldwise.core.validation import numbers, one_of
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

    Notes
    -----
    :math:`(MSB-MSW)/(MSB+(n_0-1)MSW)` with :math:`n_0=(n-\sum n_c^2/n)/(G-1)` [1]_. Items that do not vary at all
    can't tell how alike they are: the least informative answer is taken.

    References
    ----------
    .. [1] Donner (1986), A review of inference procedures for the intraclass correlation coefficient in the one-way
       random effects model, International Statistical Review 54, 67-82.
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
    r"""Test whether the mean of paired differences is zero when items of one cluster resemble each other.

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
    r"""Test whether the mean difference is zero when items of one group resemble each other.

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
