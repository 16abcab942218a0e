"""Bayesian models of two or many learners on several data sets: sign test, signed ranks, Bradley–Terry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.random import stream
from foldwise.core.types import Array, Integers, Interval
from foldwise.core.validation import fraction, integer, numbers, positive
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.equivalence import Probabilities
from foldwise.inference.many.blocks import paired_differences, score_blocks


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
    return Probabilities(a_better=shares[..., 0], equivalent=shares[..., 1], b_better=shares[..., 2])


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
    rng, shape = stream(seed, "bayesian_signed_rank"), np.ones(n + 1)
    shape[0] = prior
    weights = np.empty((draws, n + 1), order="F")  # the weights of a data set side by side
    block = np.empty((min(_TURNED, draws), n + 1))
    for first in range(0, draws, _TURNED):
        some = block[: draws - first]
        if n < _LONG:
            some[:] = rng.standard_gamma(shape, size=some.shape)
        else:  # the same numbers sooner: Gamma(1) is exponential
            for row in some:
                row[0] = rng.standard_gamma(prior)
                rng.standard_exponential(out=row[1:])
        weights[first : first + len(some)] = some / some.sum(axis=1, keepdims=True)
    return weights


def signed_rank_shares(differences: Array, weights: Array, rope: float) -> Array:
    """Shares of the three regions for each draw of the weights, shape (draws, 3)."""
    sides = _Sides(differences, rope)
    step = max(16, min(_AT_ONCE, _MOST_NUMBERS // weights.shape[1]))
    shares = [sides.shares(weights[first : first + step].T) for first in range(0, len(weights), step)]
    better, worse = np.concatenate(shares, axis=1)
    return np.asarray(np.clip(np.stack([better, 1 - better - worse, worse], axis=1), 0.0, 1.0))


_TURNED, _LONG = 64, 100  # Draws that are turned over together, near the processor; data sets that are drawn as a row.
_AT_ONCE, _MOST_NUMBERS = 512, 1 << 22  # Draws, and their weights, that are added up side by side.


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
        sides = (sign * 2 * z - 2 * rope for sign in (1, -1))
        self.own = [np.where(np.abs(side) <= slack, 0.5, side > 0) for side in sides]

    def shares(self, weights: Array) -> tuple[Array, Array]:
        """The weight of all pairs above and of all below; shape (n + 1, …) gives shape (…)."""
        # all pairs by one cumulated sum: for each observation the weight of the partners up to a place
        ordered = weights[self._order]
        added = np.zeros((len(ordered) + 1, *ordered.shape[1:]))
        if ordered.ndim == 1:
            np.cumsum(ordered, out=added[1:])
        else:  # NumPy would add up one draw after the other, each over all of the memory
            for before, row, after in zip(added[:-1], ordered, added[1:], strict=True):
                np.add(before, row, out=after)
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


# ---- A Bayesian Bradley–Terry model: the strengths of many learners from who beats whom.


_CHAINS = 8
_WARMUP = 300
_THIN = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class BradleyTerryResult(Shown):
    """Posterior of the learners' strengths."""

    strengths: Array  #: Posterior mean of each learner's log-strength; they sum to 0
    #: k × k: posterior mean of the probability that the row's learner beats the column's on a new data set
    win_probability: Array
    #: k × k for each answer, the row's learner being a: its win probability is above 0.5 + `margin`, within, below
    probabilities: Probabilities
    best: Array  #: Posterior probability that each learner is the strongest
    draws: Array = field(repr=False)  #: Log-strengths, shape (draws, k)
    margin: float  #: Win probabilities this close to a half count as equivalent
    wins: Array  #: k × k: on how many data sets the row's learner beats the column's; ties count half for both

    def credible_interval(self, confidence_level: float = 0.95) -> Interval:
        """Equal-tailed interval of each learner's log-strength."""
        tail = (1 - fraction(confidence_level, "confidence_level")) / 2
        low, high = np.quantile(self.draws, [tail, 1 - tail], axis=0)
        return Interval(low=low, high=high)


def bradley_terry(
    table: ScoreTable | ArrayLike, *, rope: float = 0.0, margin: float = 0.05, draws: int = 4000, seed: int = 0
) -> BradleyTerryResult:
    r"""Estimate how strong each learner is from the data sets on which it beats the others.

    Parameters
    ----------
    table
        Scores of shape (data sets, learners), higher being better, or a `ScoreTable`.
    rope
        Differences of at most this size are ties, which count half for both sides.
    margin
        Win probabilities within 0.5 ± `margin` count as equivalent.
    draws, seed
        Number of posterior draws and the seed they depend on.

    Returns
    -------
    BradleyTerryResult
        The comparisons on one data set are taken as independent, which overstates the evidence when learners win
        and lose together.

    Notes
    -----
    i beats j with probability :math:`\lambda_i/(\lambda_i+\lambda_j)`; :math:`\lambda_i` are independent
    Exponential(1) a priori, so every pair's win probability is uniform on (0, 1). Gibbs sampling with latent
    :math:`Z_{ij} \sim \Gamma(n_{ij}, \lambda_i+\lambda_j)` and :math:`\lambda_i \sim \Gamma(1 + w_i, 1 + \sum_j
    Z_{ij})` [1]_; the scale, which the wins say nothing about, is redrawn from its prior.

    References
    ----------
    .. [1] Caron & Doucet (2012), Efficient Bayesian inference for generalized Bradley–Terry models, Journal of
       Computational and Graphical Statistics 21.
    .. [2] Wainer (2023), A Bayesian Bradley–Terry model to compare multiple ML algorithms on multiple data sets,
       Journal of Machine Learning Research 24.

    Examples
    --------
    >>> table = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.5], [0.9, 0.6, 0.7], [0.7, 0.6, 0.5], [0.8, 0.5, 0.6]]
    >>> bradley_terry(table).best.round(1)
    array([1., 0., 0.])
    """
    scores = score_blocks(table, min_datasets=1)
    if scores.ndim != 2:
        raise InvalidInput(f"table must be data sets × learners, got shape {scores.shape}")
    return bradley_terry_from_wins(win_matrix(scores, rope=rope), margin=margin, draws=draws, seed=seed)


def bradley_terry_from_wins(
    wins: ArrayLike, *, margin: float = 0.05, draws: int = 4000, seed: int = 0
) -> BradleyTerryResult:
    """The same from a k × k matrix of wins: the row's learner against the column's, a tie being half a win for both.

    Examples
    --------
    >>> result = bradley_terry_from_wins([[0, 9], [1, 0]])
    >>> round(float(result.win_probability[0, 1]), 2)  # a uniform prior and 9 of 10: mean 10/12
    0.83
    """
    counts = numbers(wins, "wins", min_ndim=2).copy()
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or len(counts) < 2:
        raise InvalidInput(f"wins must be a k × k matrix for at least two learners, got shape {counts.shape}")
    np.fill_diagonal(counts, 0.0)
    if (counts < 0).any():
        raise InvalidInput(f"wins must not be negative, got {counts.min():g}")
    width = positive(margin, "margin") if margin else 0.0
    if width >= 0.5:
        raise InvalidInput(f"margin must be below 0.5, got {margin!r}")
    strengths = _gibbs(counts, integer(draws, "draws", minimum=1), stream(seed, "bradley_terry"))
    centred = strengths - strengths.mean(axis=1, keepdims=True)
    chance, a_better, b_better = _pairwise(centred, width)
    return BradleyTerryResult(
        strengths=centred.mean(axis=0), win_probability=chance,
        probabilities=Probabilities(a_better=a_better, equivalent=1 - a_better - b_better, b_better=b_better),
        best=np.bincount(centred.argmax(axis=1), minlength=len(counts)) / len(centred), draws=centred, margin=width,
        wins=counts,
    )  # fmt: skip


def win_matrix(scores: Array, *, rope: float = 0.0) -> Array:
    """K × k numbers of data sets on which the row's learner beats the column's; ties within `rope` count half."""
    width = rope_width(rope)
    k = scores.shape[1]
    wins = np.zeros((k, k))
    for i in range(k):
        difference = paired_differences(scores[:, i], scores.T)
        wins[i] = (difference > width).sum(axis=1) + (np.abs(difference) <= width).sum(axis=1) / 2
    np.fill_diagonal(wins, 0.0)
    return wins


def _gibbs(wins: Array, draws: int, rng: np.random.Generator) -> Array:
    """Draws of the log-strengths, shape (draws, k), from several chains side by side."""
    # Caron and Doucet (2012): given the latent times of all games (Gamma), strengths are independent Gamma variables
    k = len(wins)
    i, j = np.triu_indices(k, 1)
    games = (wins + wins.T)[i, j]
    latent = np.zeros((_CHAINS, k, k))
    kept = -(-draws // _CHAINS)
    strength = rng.standard_gamma(1.0, size=(_CHAINS, k))
    out = np.empty((kept, _CHAINS, k))
    for step in range(_WARMUP + kept * _THIN):
        latent[:, i, j] = rng.standard_gamma(games, size=(_CHAINS, len(i))) / (strength[:, i] + strength[:, j])
        of_learner = latent.sum(axis=1) + latent.sum(axis=2)
        strength = rng.standard_gamma(1 + wins.sum(axis=1), size=(_CHAINS, k)) / (1 + of_learner)
        strength *= rng.standard_gamma(k, size=(_CHAINS, 1)) / strength.sum(axis=1, keepdims=True)
        if step >= _WARMUP and (step - _WARMUP) % _THIN == 0:
            out[(step - _WARMUP) // _THIN] = strength
    return np.log(out).reshape(-1, k)[:draws]


def _pairwise(strengths: Array, margin: float) -> tuple[Array, Array, Array]:
    """Mean win probability, and how often it is above and below a half by more than the margin; row by row."""
    k = strengths.shape[1]
    chance, above, below = np.full((k, k), 0.5), np.zeros((k, k)), np.zeros((k, k))
    for row in range(k):
        p = 1 / (1 + np.exp(strengths - strengths[:, [row]]))
        chance[row] = p.mean(axis=0)
        above[row], below[row] = (p > 0.5 + margin).mean(axis=0), (p < 0.5 - margin).mean(axis=0)
    return chance, above, below
