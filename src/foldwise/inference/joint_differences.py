"""How far the differences of several estimates go by chance, all together: draws from their joint normal law."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from foldwise.core.errors import InvalidInput
from foldwise.core.random import stream
from foldwise.core.types import Array
from foldwise.core.validation import fraction, integer, numbers
from foldwise.inference.clusters import ClusterNumbers, find_clusters, variance_quality

# ---- Means of several models on the same items, and the covariance of these means over items or clusters of them.

CHUNK = 1 << 16  # Items that are looked at together: more of them do not fit the processor's cache.

NOISE = 1e-13  # Share of the variances of two models up to which the variance of their difference is rounding.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelMeans:
    """Mean values of k models, and how they vary together."""

    means: Array  #: Shape (..., k)
    covariance: Array  #: Of the means, shape (..., k, k): over independent items, or over clusters (CR2)
    df: float  #: Degrees of freedom of any contrast of them
    units: int  #: Number of independent pieces: items, or clusters


def model_means(values: ArrayLike, groups: ArrayLike | None = None) -> ModelMeans:
    r"""Means of k models on n items, with their covariance.

    With the sums :math:`S_c` of the clusters (vectors of k numbers), :math:`p_c=n_c/n` and
    :math:`R_c=S_c-p_c\sum S`, the covariance is :math:`n^{-2}\sum R_cR_c'/(1-p_c)`: of a difference of two means that
    is the CR2 variance of `clustered_difference`, and of single items that of the paired t test.

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
        means=means, covariance=covariance / n**2,
        df=units - 1.0 if groups is None else float(variance_quality(sizes, np.array(0.0))[1]), units=units,
    )  # fmt: skip


def units_of(values: ArrayLike, groups: ArrayLike | None) -> tuple[Array, Array]:
    """The sum of each model's values over each cluster, or the values themselves, and how many items are in each."""
    given = numbers(values, "values", min_ndim=2)
    k, n = given.shape[-2:]
    if k < 2 or n < 2:
        raise InvalidInput(f"values must be models × items, at least 2 × 2, got shape {given.shape}")
    if groups is None:
        return given, np.ones(n)
    clusters: ClusterNumbers = find_clusters(groups, n)
    return clusters.sums(given), clusters.sizes


def pair_variances(covariance: Array) -> Array:
    """Variance of the difference of any two, shape (..., k, k); what is rounding alone is 0.

    >>> pair_variances(np.array([[2.0, 1.0], [1.0, 2.0]]))
    array([[0., 2.],
           [2., 0.]])
    """
    own = np.diagonal(covariance, axis1=-2, axis2=-1)
    both = own[..., :, None] + own[..., None, :]
    variances = both - covariance - np.swapaxes(covariance, -1, -2)
    return np.where(variances <= NOISE * both, 0.0, variances)


DRAWS = 1 << 17  # Draws by default: the standard error of an adjusted p-value of 0.05 is 0.0006.

MOST_WORK = 100_000_000  # Pairs × draws beyond which fewer draws are made, but never fewer than `FEWEST`.

FEWEST = 1 << 14

BLOCK = 1 << 14  # Draws that are looked at together, so that they stay in the processor's cache.

TILE = 256
"""Draws whose differences from one estimate are taken at once: those of several hundred estimates fit the cache."""

Indices = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JointDifferences:
    """The chance law of the largest of several standardised differences."""

    #: first, second: The two estimates of each pair that is compared
    first: Indices
    second: Indices
    largest: Array  #: Draws of the largest absolute difference of a compared pair, in standard errors; ascending
    #: Shape (k, draws): draws of the largest lead of another estimate over each, in standard errors; ascending
    leads: Array

    def adjust(self, pvalues: Array) -> Array:
        """Two-sided p-values of the compared pairs, adjusted for all of them: the chance of any p-value this small.

        Never below the p-value itself nor above Bonferroni's, whatever the draws.
        """
        p = np.asarray(pvalues, dtype=np.float64)
        # the size of a normal deviate that has these two-sided p-values
        share = _exceeding(self.largest, np.asarray(-special.ndtri(np.clip(p, np.finfo(np.float64).tiny, 1.0) / 2)))
        return np.clip(share, p, np.minimum(1.0, len(self.first) * p))

    def level(self, alpha: float) -> float:
        """The level for one pair at which no pair is called different by chance, but with probability alpha.

        A p-value is below it exactly when its adjusted one is below alpha; intervals of level 1 − this one hold for
        all pairs at once with probability 1 − alpha.
        """
        rank = int(np.ceil(fraction(alpha, "alpha") * (len(self.largest) + 1) - 1))
        if rank < 1:
            raise InvalidInput(f"alpha must be at least {2 / len(self.largest):.2g} for so few draws, got {alpha!r}")
        critical = float(self.largest[-rank])
        return float(np.clip(2 * special.ndtr(-critical), alpha / max(1, len(self.first)), alpha))

    def adjust_leads(self, pvalues: Array) -> Array:
        """One-sided p-values that somebody is better than each estimate, of the clearest lead, adjusted for all leads.

        `pvalues` has one p-value for each estimate, the least over the others; NaN where nobody differs from it.
        """
        known = ~np.isnan(pvalues)
        p = np.where(known, pvalues, 1.0)
        others = len(self.leads) - 1
        sizes = -special.ndtri(np.clip(p, np.finfo(np.float64).tiny, 1.0))
        share = np.array([_exceeding(draws, size) for draws, size in zip(self.leads, sizes, strict=True)])
        bounded = np.clip(share, p, np.minimum(1.0, others * p))
        return np.where(known & (p < 0.5), bounded, 1.0)


def joint_differences(
    estimates: Array, covariance: Array, *, control: int | None = None, draws: int | None = None, seed: int = 0
) -> JointDifferences:
    r"""Draw from the joint law of the standardised differences of k estimates when all are equal.

    The estimates may be anything: means over items, areas under curves, scores on folds. With `control` all others are
    compared with that one; there are 131072 `draws` by default, fewer for more than 39 estimates.

    The differences are taken as jointly normal with the covariance estimated [1]_: for means over items that is the
    Gaussian multiplier bootstrap [2]_ exactly, because given the items a mean of values times independent normal
    multipliers is normal with this covariance. Tests of single pairs enter by their p-values: each is compared with
    the law on the scale of normal deviates, so that with one pair the p-value stays as it is, and the tails of small
    samples are those of the pair's own test.

    The estimates are put in an order of their own before anything is drawn, and the symmetric root of the covariance
    is taken, so that the order in which they are given does not matter.

    .. [1] Hothorn, Bretz & Westfall (2008), Simultaneous inference in general parametric models, Biometrical Journal
       50, 346-363.
    .. [2] Chernozhukov, Chetverikov & Kato (2013), Gaussian approximations and multiplier bootstrap for maxima of sums
       of high-dimensional random vectors, Annals of Statistics 41, 2786-2819.

    >>> law = joint_differences(np.zeros(3), np.eye(3))
    >>> round(float(law.adjust(np.array([0.0191, 0.5, 0.9]))[0]), 2)  # Tukey's test for three groups
    0.05
    """
    k = len(estimates)
    first, second = compared_pairs(k, control)
    if draws is None:
        draws = max(FEWEST, min(DRAWS, MOST_WORK // (k * (k - 1) // 2)))
    draws = integer(draws, "draws", minimum=100)
    # an order of the estimates that depends on nothing but their numbers, up to rounding
    keys = [covariance.sum(axis=-1), np.diagonal(covariance), estimates - estimates.mean()]
    order = np.lexsort([np.round(key / (np.abs(key).max() or 1.0), 9) for key in keys])
    place = np.argsort(order)
    # z = root · N(0, I) has the covariance of the estimates when all are equal
    variances = pair_variances(covariance)[np.ix_(order, order)]
    with one_thread(k):
        values, vectors = np.linalg.eigh(covariance[np.ix_(order, order)])
    root = np.asarray((vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T)
    rng = stream(seed, "joint differences")
    largest, leads = np.zeros(draws), np.full((k, draws), -np.inf)
    for start in range(0, draws, BLOCK):
        part = slice(start, min(draws, start + BLOCK))
        z = root @ rng.standard_normal((k, part.stop - part.start))
        _fill_leads(z, variances, leads[:, part])
        if control is not None:
            one = int(place[control])
            known = variances[one] > 0
            sizes = np.abs(z[one] - z[known]) / np.sqrt(variances[one, known])[:, None]
            largest[part] = sizes.max(axis=0, initial=0.0)
    if control is None:  # the largest difference is the largest lead of anybody
        largest = np.maximum(largest, leads.max(axis=0))
    # pairs that differ without any variance were not drawn: they take part as unrelated ones
    fixed = np.abs(estimates[first] - estimates[second]) > 0
    fixed &= variances[place[first], place[second]] == 0
    # pairs that differ by the same amount everywhere have no covariance with others: they count as unrelated
    count = int(fixed.sum())
    if count:
        shares = rng.random(len(largest)) ** (1 / count)
        np.maximum(largest, special.ndtri((1 + shares) / 2), out=largest)
    return JointDifferences(first=first, second=second, largest=np.sort(largest), leads=np.sort(leads[place], axis=-1))


def one_thread(k: int) -> AbstractContextManager[object]:
    """For systems of k equations: several threads wait for each other there, and long on a busy machine."""
    if k < MANY:
        return nullcontext()
    from threadpoolctl import threadpool_limits

    limited: AbstractContextManager[object] = threadpool_limits(limits=1)
    return limited


MANY = 50  # Models from which BLAS takes several threads; of fewer, to ask for one would take longer than the work.


def compared_pairs(k: int, control: int | None) -> tuple[Indices, Indices]:
    """Index of the first and the second estimate of each pair; a control is the first of every pair.

    >>> compared_pairs(3, 1)
    (array([1, 1]), array([0, 2]))
    """
    if control is None:
        return np.triu_indices(k, 1)
    others = np.delete(np.arange(k), control)
    return np.full(k - 1, control), others


def _fill_leads(z: Array, variances: Array, leads: Array) -> None:
    """The largest lead of another over each estimate in every draw, into the array given."""
    k, draws = z.shape
    unknown = variances <= 0
    # single precision is far below the error of the draws, and twice as many of its numbers fit the cache
    scale = (1 / np.sqrt(np.where(unknown, 1.0, variances))).astype(np.float32)
    room = np.empty((k, TILE), dtype=np.float32)
    for start in range(0, draws, TILE):
        # copies lie together in the cache, columns of the whole arrays do not
        tile, found = (of[:, start : start + TILE].astype(np.float32) for of in (z, leads))
        for i in range(k - 1):
            lead = np.subtract(tile[i], tile[i + 1 :], out=room[i + 1 :, : tile.shape[1]])
            lead *= scale[i, i + 1 :, None]
            no = unknown[i, i + 1 :]
            if some := bool(no.any()):
                lead[no] = -np.inf
            np.maximum(found[i + 1 :], lead, out=found[i + 1 :])
            if some:
                lead[no] = np.inf
            np.maximum(found[i], -lead.min(axis=0), out=found[i])
        leads[:, start : start + TILE] = found


def _exceeding(ascending: Array, sizes: Array) -> Array:
    """Share of the draws that are at least as large, the observed ones counted among them."""
    draws = len(ascending)
    return np.asarray((1 + draws - np.searchsorted(ascending, sizes, side="left")) / (draws + 1))
