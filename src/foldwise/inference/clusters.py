"""Test items in clusters: their sums, how alike their items are, and what the variance estimate is worth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array

__all__ = ["Clusters", "find_clusters", "robust_variance", "variance_quality", "working_correlation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clusters:
    """Which items belong together.

    Attributes
    ----------
    order, starts
        An order that puts clusters side by side, and where each of them starts in it.
    sizes
        Number of items of each cluster.
    """

    order: NDArray[np.intp]
    starts: NDArray[np.intp]
    sizes: Array

    def sums(self, values: Array) -> Array:
        """Sum over each cluster, on the last axis."""
        return np.asarray(np.add.reduceat(values[..., self.order], self.starts, axis=-1))

    def residual_sums(self, values: Array) -> Array:
        """Sum over each cluster of what is left when the mean of all items is subtracted; 0 up to rounding is 0."""
        share = self.sizes / values.shape[-1]
        sums = self.sums(values)
        left = sums - share * sums.sum(axis=-1, keepdims=True)
        noise = 16 * np.finfo(np.float64).eps * np.abs(values).sum(axis=-1, keepdims=True)
        return np.where(np.abs(left) <= noise, 0.0, left)


def find_clusters(groups: ArrayLike, n: int) -> Clusters:
    """The clusters of n items, at least two of them.

    Examples
    --------
    >>> find_clusters(["p", "q", "p"], 3).sizes
    array([2., 1.])
    """
    labels = np.asarray(groups)
    if labels.shape != (n,):
        raise InvalidInput(f"groups must name one group per item, shape ({n},), got shape {labels.shape}")
    _, index, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    if len(sizes) < 2:
        raise InvalidInput(f"groups must hold at least 2 different groups, got {len(sizes)}")
    return Clusters(
        order=np.argsort(index, kind="stable"),
        starts=np.cumsum(sizes) - sizes,
        sizes=sizes.astype(np.float64),
    )


def working_correlation(values: Array, clusters: Clusters) -> Array:
    r"""Intraclass correlation by the analysis of variance, kept within 0 and 1; 1 where nothing varies.

    Notes
    -----
    :math:`(MSB-MSW)/(MSB+(n_0-1)MSW)` with :math:`n_0=(n-\sum n_c^2/n)/(G-1)` [1]_. Items that do not vary at all
    can't tell how alike they are: the least informative answer is taken.

    References
    ----------
    .. [1] Donner (1986), A review of inference procedures for the intraclass correlation coefficient in the one-way
       random effects model, International Statistical Review 54, 67-82.

    Examples
    --------
    >>> pairs = find_clusters([1, 1, 2, 2, 3, 3], 6)
    >>> float(working_correlation(np.array([1.0, 1, 0, 0, 1, 1]), pairs))
    1.0
    """
    n, sizes = values.shape[-1], clusters.sizes
    means = clusters.sums(values) / sizes
    between = (clusters.residual_sums(values) ** 2 / sizes).sum(axis=-1) / (len(sizes) - 1)
    within = ((values**2).sum(axis=-1) - (sizes * means**2).sum(axis=-1)) / max(n - len(sizes), 1)
    typical = (n - (sizes**2).sum() / n) / (len(sizes) - 1)
    within = np.maximum(within, 0.0)
    total = between + (typical - 1) * within
    return np.where(total > 0, np.clip((between - within) / np.where(total > 0, total, 1.0), 0, 1), 1.0)


def robust_variance(values: Array, clusters: Clusters) -> tuple[Array, Array]:
    """The CR2 variance of the mean of items in clusters, without its bias, and its degrees of freedom.

    CR2 is unbiased when items are independent, and too small when clusters differ in size and their items are alike: it
    is divided by its expected share, and the degrees of freedom are taken, at the intraclass correlation that the items
    show. For clusters of one size nothing changes.

    Examples
    --------
    >>> variance, df = robust_variance(np.array([1.0, 0, 0, 1]), find_clusters([1, 2, 3, 4], 4))
    >>> round(float(variance), 4), round(float(df), 4)
    (0.0833, 3.0)
    """
    n = values.shape[-1]
    share, df = variance_quality(clusters.sizes, working_correlation(values, clusters))
    squares = clusters.residual_sums(values) ** 2 / (1 - clusters.sizes / n)
    return np.asarray(squares.sum(axis=-1) / np.minimum(share, 1.0) / n**2), df


def variance_quality(sizes: Array, correlation: Array) -> tuple[Array, Array]:
    r"""What the CR2 variance of a mean is worth if the items of a cluster correlate like this.

    Parameters
    ----------
    sizes
        Number of items of each cluster.
    correlation
        Intraclass correlation, of any shape.

    Returns
    -------
    tuple of ndarray
        Its expectation as a share of the true variance, and Satterthwaite's degrees of freedom.

    Notes
    -----
    With :math:`p_c=n_c/n`, cluster sums of variance :math:`\omega_c=n_c(1-\rho)+n_c^2\rho` and residuals
    :math:`r_c=S_c-p_c\sum S`, CR2 is :math:`n^{-2}\sum r_c^2/(1-p_c)`. The covariance of the residuals is
    :math:`K=\mathrm{diag}(\omega)-p\omega'-\omega p'+(\sum\omega)pp'`; the expectation is the trace of DK and the
    degrees of freedom are :math:`\mathrm{tr}(DK)^2/\mathrm{tr}(DKDK)` for D = diag(1/(1 − p)), here in sums over
    clusters instead of matrices. At ρ = 0 the share is 1 and the degrees of freedom are Bell and McCaffrey's [1]_;
    for clusters of equal size both are the same at every ρ.

    References
    ----------
    .. [1] Bell & McCaffrey (2002), Bias reduction in standard errors for linear regression with multi-stage
       samples, Survey Methodology 28, 169-181.

    Examples
    --------
    >>> share, df = variance_quality(np.array([60.0, 20, 10, 10]), np.array([0.0, 1.0]))
    >>> share.round(3).tolist(), df.round(2).tolist()
    ([1.0, 0.657], [1.81, 1.31])
    """
    rho = np.asarray(correlation)[..., None]
    p = sizes / sizes.sum()
    inverse = 1 / (1 - p)
    variances = sizes * (1 - rho) + sizes**2 * rho
    total = variances.sum(axis=-1)
    low_rank = total[..., None] * p**2 - 2 * p * variances
    expected = (inverse * (variances + low_rank)).sum(axis=-1)
    pp, vv, pv = ((inverse * part).sum(axis=-1) for part in (p**2, variances**2, p * variances))
    diagonal = (inverse**2 * (variances**2 + 2 * variances * low_rank)).sum(axis=-1)
    squares = diagonal + 2 * pp * vv + 2 * pv**2 + (total * pp) ** 2 - 4 * total * pp * pv
    return np.asarray(expected / total), np.asarray(expected**2 / squares)
