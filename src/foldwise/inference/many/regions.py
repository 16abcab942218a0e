"""The posterior over the three regions that a region of practical equivalence (ROPE) leaves."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array
from foldwise.inference.probabilities import Probabilities

__all__ = ["RegionPosterior", "region_posterior", "rope_width"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionPosterior(Shown):
    """What several data sets say about the shares θ of the population's data sets that fall into the three regions.

    Attributes
    ----------
    probabilities
        Posterior probability that each region holds the largest share: the answer to "what happens most often?".
    expected
        Posterior mean of the shares: the probability of each answer on the next data set.
    draws
        Posterior draws of the shares, shape (..., draws, 3): a better, equivalent, b better.
    rope
        Half the width of the region of practical equivalence.
    """

    probabilities: Probabilities
    expected: Probabilities
    draws: Array = field(repr=False)
    rope: float


def region_posterior(draws: Array, *, rope: float, expected: Array | None = None) -> RegionPosterior:
    """Summarise posterior draws of the three shares, shape (..., draws, 3); equal largest shares are split.

    Examples
    --------
    >>> posterior = region_posterior(np.array([[0.6, 0.2, 0.2], [0.4, 0.4, 0.2]]), rope=0.01)
    >>> posterior.probabilities
    Probabilities(a_better=np.float64(0.75), equivalent=np.float64(0.25), b_better=np.float64(0.0))
    """
    largest = draws >= draws.max(axis=-1, keepdims=True) - 1e-12
    shares = (largest / largest.sum(axis=-1, keepdims=True)).mean(axis=-2)
    mean = draws.mean(axis=-2) if expected is None else expected
    return RegionPosterior(probabilities=_three(shares), expected=_three(mean), draws=draws, rope=rope)


def _three(shares: Array) -> Probabilities:
    return Probabilities(a_better=shares[..., 0][()], equivalent=shares[..., 1][()], b_better=shares[..., 2][()])


def rope_width(rope: float) -> float:
    """Return `rope` as a finite float of at least 0.

    Examples
    --------
    >>> rope_width(0.01)
    0.01
    """
    if isinstance(rope, (int, float, np.floating, np.integer)) and np.isfinite(rope) and rope >= 0:
        return float(rope)
    raise InvalidInput(f"rope must be a number of at least 0, got {rope!r}")
