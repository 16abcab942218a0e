"""Means of several models on the same items, and the covariance of these means over items or clusters of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array
from foldwise.core.validation import numbers
from foldwise.inference.clusters import Clusters, find_clusters, variance_quality

__all__ = ["ModelMeans", "model_means", "pair_variances", "units_of"]

CHUNK = 1 << 16
"""Items that are looked at together: more of them do not fit the processor's cache."""

NOISE = 1e-13
"""Share of the variances of two models up to which the variance of their difference is rounding."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelMeans:
    """Mean values of k models, and how they vary together.

    Attributes
    ----------
    means
        Shape (..., k).
    covariance
        Of the means, shape (..., k, k): over independent items, or over clusters (CR2).
    df
        Degrees of freedom of any contrast of them.
    units
        Number of independent pieces: items, or clusters.
    """

    means: Array
    covariance: Array
    df: float
    units: int


def model_means(values: ArrayLike, groups: ArrayLike | None = None) -> ModelMeans:
    r"""Means of k models on n items, with their covariance.

    Parameters
    ----------
    values
        Shape (..., k, n), with k and n of at least 2: a number for each model and item.
    groups
        The cluster of each item; without it every item is one.

    Notes
    -----
    With the sums :math:`S_c` of the clusters (vectors of k numbers), :math:`p_c=n_c/n` and
    :math:`R_c=S_c-p_c\sum S`, the covariance is :math:`n^{-2}\sum R_cR_c'/(1-p_c)`: of a difference of two means that
    is the CR2 variance of `clustered_difference`, and of single items that of the paired t test.

    Examples
    --------
    >>> found = model_means([[1, 0, 1, 1], [0, 0, 1, 0]])
    >>> found.means.tolist(), round(float(found.covariance[0, 1]), 4)
    ([0.75, 0.25], 0.0208)
    """
    sums, sizes = units_of(values, groups)
    n, units = float(sizes.sum()), len(sizes)
    means = sums.sum(axis=-1) / n
    shrink = 1 - sizes / n
    # equal values leave nothing but rounding when their mean is subtracted
    noise = 16 * np.finfo(np.float64).eps * np.abs(sums).max(axis=-1, keepdims=True)
    k = sums.shape[-2]
    covariance = np.zeros((*sums.shape[:-2], k, k))
    for start in range(0, units, CHUNK):
        part = slice(start, start + CHUNK)
        left = sums[..., part] - means[..., None] * sizes[part]
        left = np.where(np.abs(left) <= noise, 0.0, left)
        covariance += (left / shrink[part]) @ np.swapaxes(left, -1, -2)
    return ModelMeans(
        means=means,
        covariance=covariance / n**2,
        df=units - 1.0 if groups is None else float(variance_quality(sizes, np.array(0.0))[1]),
        units=units,
    )


def units_of(values: ArrayLike, groups: ArrayLike | None) -> tuple[Array, Array]:
    """The sum of each model's values over each cluster, or the values themselves, and how many items are in each."""
    given = numbers(values, "values", min_ndim=2)
    k, n = given.shape[-2:]
    if k < 2 or n < 2:
        raise InvalidInput(f"values must be models × items, at least 2 × 2, got shape {given.shape}")
    if groups is None:
        return given, np.ones(n)
    clusters: Clusters = find_clusters(groups, n)
    return clusters.sums(given), clusters.sizes


def pair_variances(covariance: Array) -> Array:
    """Variance of the difference of any two, shape (..., k, k); what is rounding alone is 0.

    Examples
    --------
    >>> pair_variances(np.array([[2.0, 1.0], [1.0, 2.0]]))
    array([[0., 2.],
           [2., 0.]])
    """
    own = np.diagonal(covariance, axis1=-2, axis2=-1)
    both = own[..., :, None] + own[..., None, :]
    variances = both - covariance - np.swapaxes(covariance, -1, -2)
    return np.where(variances <= NOISE * both, 0.0, variances)
