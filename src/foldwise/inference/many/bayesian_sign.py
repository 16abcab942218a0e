"""The Bayesian sign test with a region of practical equivalence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.random import stream
from foldwise.core.types import Array, Integers
from foldwise.core.validation import integer, positive
from foldwise.inference.many.blocks import paired_differences
from foldwise.inference.probabilities import Probabilities


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionPosterior(Shown):
    """What several data sets say about the shares θ of the population's data sets that fall into the three regions."""

    #: Posterior probability that each region holds the largest share: the answer to "what happens most often?"
    probabilities: Probabilities
    expected: Probabilities  #: Posterior mean of the shares: the probability of each answer on the next data set
    #: Posterior draws of the shares, shape (..., draws, 3): a better, equivalent, b better
    draws: Array = field(repr=False)
    rope: float  #: Half the width of the region of practical equivalence


def region_posterior(draws: Array, *, rope: float, expected: Array | None = None) -> RegionPosterior:
    """Summarise posterior draws of the three shares, shape (..., draws, 3); equal largest shares are split."""
    largest = draws >= draws.max(axis=-1, keepdims=True) - 1e-12
    shares = (largest / largest.sum(axis=-1, keepdims=True)).mean(axis=-2)
    mean = draws.mean(axis=-2) if expected is None else expected
    return RegionPosterior(probabilities=_three(shares), expected=_three(mean), draws=draws, rope=rope)


def _three(shares: Array) -> Probabilities:
    return Probabilities(a_better=shares[..., 0][()], equivalent=shares[..., 1][()], b_better=shares[..., 2][()])


def rope_width(rope: float) -> float:
    """Return `rope` as a finite float of at least 0."""
    if isinstance(rope, (int, float, np.floating, np.integer)) and np.isfinite(rope) and rope >= 0:
        return float(rope)
    raise InvalidInput(f"rope must be a number of at least 0, got {rope!r}")


def bayesian_sign_test(
    a: ArrayLike, b: ArrayLike, *, rope: float = 0.01, prior: float = 1.0, draws: int = 20_000, seed: int = 0
) -> RegionPosterior:
    r"""How probable is it that a is mostly better, mostly the same, or mostly worse than b?

    Parameters
    ----------
    a, b
        Scores of the two learners on the same data sets, higher being better, shape (..., n).
    rope
        Differences of at most this size count as none.
    prior
        Weight of the prior, in data sets, all of it on equivalence.
    draws, seed
        Number of posterior draws and the seed they depend on.

    Returns
    -------
    RegionPosterior
        Of the shares of data sets on which a is better, equivalent, worse.

    Notes
    -----
    With n data sets of which :math:`n_a, n_e, n_b` fall into the regions, the shares are
    :math:`\theta \sim \mathrm{Dir}(n_a, n_e + s, n_b)`, s the prior's weight; their mean is
    :math:`(n_a, n_e + s, n_b)/(n + s)`.

    References
    ----------
    .. [1] Benavoli, Corani, Demšar & Zaffalon (2017), Time for a change: a tutorial for comparing multiple
       classifiers through Bayesian analysis, Journal of Machine Learning Research 18, section 4.1.

    Examples
    --------
    >>> result = bayesian_sign_test([0.9, 0.8, 0.7, 0.9, 0.6], [0.8, 0.6, 0.7, 0.5, 0.1])
    >>> result.expected.as_tuple()
    (np.float64(0.6666666666666666), np.float64(0.3333333333333333), np.float64(0.0))
    """
    width = rope_width(rope)
    weight = positive(prior, "prior")
    differences = paired_differences(a, b)
    better, worse = (differences > width).sum(axis=-1), (differences < -width).sum(axis=-1)
    counts = np.stack([better, differences.shape[-1] - better - worse + weight, worse], axis=-1).astype(float)
    # Dir(α) is a vector of Gamma(α) variables over their sum; Gamma(0) is 0
    size = (*counts.shape[:-1], integer(draws, "draws", minimum=1), 3)
    gammas = stream(seed, "bayesian_sign_test").standard_gamma(np.broadcast_to(counts[..., None, :], size))
    shares = gammas / gammas.sum(axis=-1, keepdims=True)
    return region_posterior(shares, rope=width, expected=counts / counts.sum(axis=-1, keepdims=True))


def bayesian_signed_rank(
    a: ArrayLike, b: ArrayLike, *, rope: float = 0.01, prior: float = 0.5, draws: int = 10_000, seed: int = 0
) -> RegionPosterior:
    r"""How probable is it that a is practically better than, the same as, or worse than b?

    Parameters
    ----------
    a, b
        Scores of the two learners on the same data sets, higher being better, shape (..., n).
    rope
        Differences of at most this size count as none.
    prior
        Weight of the prior's pseudo-observation at difference 0, in data sets.
    draws, seed
        Number of posterior draws and the seed they depend on.

    Returns
    -------
    RegionPosterior
        Of the shares of pairs of data sets whose mean difference falls into the regions; `expected` is exact.

    Notes
    -----
    With :math:`z_0 = 0` and weights :math:`w \sim \mathrm{Dir}(s, 1, \dots, 1)`, s = ½ by default, the shares are
    :math:`\theta_a = \sum_{ij} w_i w_j [z_i + z_j > 2r]` and likewise for the other regions; a pair exactly on the
    border counts half. Their mean follows from :math:`E\,w_iw_j = \alpha_i(\alpha_j + [i=j])/(A(A+1))`.

    References
    ----------
    .. [1] Benavoli, Corani, Demšar & Zaffalon (2017), Time for a change: a tutorial for comparing multiple
       classifiers through Bayesian analysis, Journal of Machine Learning Research 18, section 4.2.

    Examples
    --------
    >>> result = bayesian_signed_rank([0.9, 0.8, 0.7, 0.9, 0.6], [0.8, 0.6, 0.7, 0.5, 0.1])
    >>> round(float(result.probabilities.a_better), 2)
    0.98
    """
    width = rope_width(rope)
    weight = positive(prior, "prior")
    differences = paired_differences(a, b)
    size = integer(draws, "draws", minimum=1)
    weights = dirichlet_weights(differences.shape[-1], size, prior=weight, seed=seed)
    rows = differences.reshape(-1, differences.shape[-1])
    shares = np.stack([signed_rank_shares(row, weights, width) for row in rows])
    expected = np.stack([_expected(row, width, weight) for row in rows])
    batch = differences.shape[:-1]
    return region_posterior(shares.reshape(*batch, size, 3), rope=width, expected=expected.reshape(*batch, 3))


def dirichlet_weights(n: int, draws: int, *, prior: float = 0.5, seed: int = 0) -> Array:
    """Draws of the weights of the pseudo-observation and n data sets, shape (draws, n + 1)."""
    shape = np.ones(n + 1)
    shape[0] = prior
    gammas = stream(seed, "bayesian_signed_rank").standard_gamma(shape, size=(draws, n + 1))
    return np.asfortranarray(gammas / gammas.sum(axis=1, keepdims=True))  # the weights of a data set side by side


def signed_rank_shares(differences: Array, weights: Array, rope: float) -> Array:
    """Shares of the three regions for each draw of the weights, shape (draws, 3)."""
    sides = _Sides(differences, rope)
    shares = [sides.shares(weights[first : first + _AT_ONCE].T) for first in range(0, len(weights), _AT_ONCE)]
    better, worse = np.concatenate(shares, axis=1)
    return np.asarray(np.clip(np.stack([better, 1 - better - worse, worse], axis=1), 0.0, 1.0))


_AT_ONCE = 256
"""Draws whose weights of some thousand data sets fit into a processor's cache."""


class _Sides:
    """Which pairs of observations, the pseudo-observation first, lie above and below the ROPE; ½ on its border.

    In the order of their differences the partners with which an observation lies above are all from some place on, and
    below all up to some place. So the weights of the n × n pairs are sums up to n places, of weights added up once.
    """

    def __init__(self, differences: Array, rope: float) -> None:
        z = np.concatenate([[0.0], differences])
        slack = 1e-12 * max(2 * float(np.abs(z).max()), 2 * rope)
        self._order = np.argsort(z, kind="stable")
        found = z[self._order]
        # how many partners lie not above (surely, or at most on the border), and how many lie below
        self._not_above = [np.searchsorted(found, 2 * rope - found + s, side) for s, side in _borders(slack)]
        self._below = [np.searchsorted(found, -2 * rope - found + s, side) for s, side in _borders(slack)]
        self.own = [_half_on_border(sign * 2 * z - 2 * rope, slack) for sign in (1, -1)]

    def shares(self, weights: Array) -> tuple[Array, Array]:
        """The weight of all pairs above and of all below; shape (n + 1, …) gives shape (…)."""
        # all pairs by one cumulated sum: for each observation the weight of the partners up to a place
        ordered = weights[self._order]
        added = np.concatenate([np.zeros_like(ordered[:1]), np.cumsum(ordered, axis=0)])
        not_above, worse = (self._mean_sum(ordered, added, places) for places in (self._not_above, self._below))
        return added[-1] * added[-1] - not_above, worse

    @staticmethod
    def _mean_sum(ordered: Array, added: Array, places: Sequence[Integers]) -> Array:
        """The weight of all pairs up to the places; the mean of both where some pairs lie on a border."""
        if np.array_equal(places[0], places[1]):
            places = places[:1]
        return np.asarray(sum(np.einsum("i...,i...->...", ordered, added[p]) for p in places) / len(places))


def _borders(slack: float) -> tuple[tuple[float, Literal["left", "right"]], ...]:
    """Where a search ends with the border on either side."""
    return (-slack, "left"), (slack, "right")


def _half_on_border(side: Array, slack: float) -> Array:
    return np.where(np.abs(side) <= slack, 0.5, side > 0)


def _expected(differences: Array, rope: float, prior: float) -> Array:
    """Posterior mean of the three shares in closed form."""
    alpha = np.ones(len(differences) + 1)
    alpha[0] = prior
    total = alpha.sum()
    sides = _Sides(differences, rope)
    better, worse = (
        (pairs + alpha @ own) / (total * (total + 1)) for pairs, own in zip(sides.shares(alpha), sides.own, strict=True)
    )
    return np.array([better, 1 - better - worse, worse])
