"""A Bayesian Bradley–Terry model: the strengths of many learners from who beats whom."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.random import stream
from foldwise.core.types import Array, Interval
from foldwise.core.validation import fraction, integer, numbers, positive
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many.bayesian_sign import rope_width
from foldwise.inference.many.blocks import paired_differences, score_blocks
from foldwise.inference.probabilities import Probabilities

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
        strengths=centred.mean(axis=0),
        win_probability=chance,
        probabilities=Probabilities(a_better=a_better, equivalent=1 - a_better - b_better, b_better=b_better),
        best=np.bincount(centred.argmax(axis=1), minlength=len(counts)) / len(centred),
        draws=centred,
        margin=width,
        wins=counts,
    )


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
