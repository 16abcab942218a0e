"""Gibbs sampler of the hierarchical model of two learners on several data sets; every chain may have its own data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import special

from foldwise.core.types import Array

__all__ = ["Draws", "Prior", "Summaries", "df_grid", "sample"]

_SLICE_WIDTH = 6.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Summaries:
    """All that the likelihood needs of each data set's differences; arrays of shape (chains or 1, data sets).

    Attributes
    ----------
    mean
        x̄, the mean difference.
    squares
        SS, the sum of squared deviations from it; above 0.
    n
        Number of splits.
    correlation
        ρ between two splits.
    """

    mean: Array
    squares: Array
    n: Array
    correlation: Array

    @property
    def inflation(self) -> Array:
        """Variance of x̄ in units of σ²: (1 + (n−1)ρ)/n."""
        return np.asarray((1 + (self.n - 1) * self.correlation) / self.n)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prior:
    """Upper ends of the uniform priors: |δ₀|, σ₀ and σᵢ."""

    delta0: float
    sigma0: float
    sigma: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Draws:
    """Posterior draws: of shape (iterations, chains), and (iterations, chains, data sets) for `delta`."""

    delta0: Array
    sigma0: Array
    df: Array
    delta: Array


@lru_cache(maxsize=1)
def df_grid() -> tuple[Array, Array]:
    """Values of ν and their prior probabilities.

    ν ~ Gamma(α, β) with α ~ U(0.5, 5) and β ~ U(0.05, 0.15), both integrated out, on 48 values from 0.2 to 200 that
    are equally spaced in log ν.

    Examples
    --------
    >>> values, weights = df_grid()
    >>> float(weights.sum().round(12))
    1.0
    """
    df = np.geomspace(0.2, 200.0, 48)
    alpha = np.linspace(0.5, 5.0, 91)[:, None, None]
    beta = np.linspace(0.05, 0.15, 41)[:, None]
    log_density = alpha * np.log(beta) - special.gammaln(alpha) + alpha * np.log(df) - beta * df
    weights = np.exp(log_density).mean(axis=(0, 1))
    return df, weights / weights.sum()


def sample(
    data: Summaries, prior: Prior, rng: np.random.Generator, *, chains: int, warmup: int, iterations: int, thin: int = 1
) -> Draws:
    r"""Draw from the posterior of the hierarchical model.

    Notes
    -----
    Model: the differences of data set i are normal with mean δᵢ, variance σᵢ² and correlation ρ; δᵢ ~ t_ν(δ₀, σ₀).
    With t as a scale mixture, δᵢ ~ N(δ₀, σ₀²/λᵢ), λᵢ ~ Γ(ν/2, ν/2), each sweep draws the block (σ₀, δ₀, δ) with δ₀
    and δ integrated out of σ₀'s conditional (so that small σ₀ does not freeze the chain), then σᵢ, then the block
    (ν, λ) with λ integrated out of ν's.
    """
    means = np.broadcast_to(data.mean, (chains, data.mean.shape[-1]))
    precision_shape = (data.n - 1) / 2
    noise = np.sqrt(data.squares / np.maximum(data.n - 1, 1)) * np.ones_like(means)
    mixing = np.ones_like(means)
    sigma0 = np.minimum(means.std(axis=1) + noise.mean(axis=1), prior.sigma0 / 2)
    kept: list[tuple[Array, Array, Array, Array]] = []
    for step in range(warmup + iterations * thin):
        variance = noise**2 * data.inflation
        sigma0 = _draw_sigma0(sigma0, means, variance, mixing, prior, rng)
        delta0 = _draw_delta0(means, variance + (sigma0**2)[:, None] / mixing, prior.delta0, rng)
        delta = _draw_delta(means, variance, mixing / (sigma0**2)[:, None], delta0, rng)
        spread = (means - delta) ** 2 / data.inflation + data.squares / (1 - data.correlation)
        noise = _draw_noise(precision_shape, spread, prior.sigma, rng)
        distance = (delta - delta0[:, None]) / sigma0[:, None]
        df = _draw_df(distance, rng)
        rate = (df[:, None] + distance**2) / 2
        mixing = np.maximum(rng.standard_gamma(np.broadcast_to((df[:, None] + 1) / 2, rate.shape)) / rate, 1e-12)
        if step >= warmup and (step - warmup) % thin == 0:
            kept.append((delta0, sigma0, df, delta))
    return Draws(
        delta0=np.array([k[0] for k in kept]),
        sigma0=np.array([k[1] for k in kept]),
        df=np.array([k[2] for k in kept]),
        delta=np.array([k[3] for k in kept]),
    )


def _draw_sigma0(
    current: Array, means: Array, variance: Array, mixing: Array, prior: Prior, rng: np.random.Generator
) -> Array:
    """Slice sampling of log σ₀ with shrinking brackets, all chains in step (Neal 2003, section 4)."""

    def log_density(u: Array) -> Array:
        inside = u < np.log(prior.sigma0)
        value = _log_marginal(np.exp(np.minimum(u, np.log(prior.sigma0))), means, variance, mixing, prior.delta0)
        # the Jacobian: a flat prior on σ₀ is e^u on u = log σ₀
        return np.where(inside, value + u, -np.inf)

    at = np.log(current)
    height = log_density(at) - rng.standard_exponential(at.shape)
    low = at - _SLICE_WIDTH * rng.uniform(size=at.shape)
    high = low + _SLICE_WIDTH
    new, waiting = at, np.ones(at.shape, dtype=bool)
    while waiting.any():
        proposal = np.where(waiting, low + (high - low) * rng.uniform(size=at.shape), new)
        accepted = log_density(proposal) >= height
        new = np.where(waiting & accepted, proposal, new)
        waiting &= ~accepted
        low = np.where(waiting & (proposal < at), proposal, low)
        high = np.where(waiting & (proposal >= at), proposal, high)
    return np.asarray(np.exp(new))


def _log_marginal(sigma0: Array, means: Array, variance: Array, mixing: Array, bound: float) -> Array:
    """Log p(x̄ | σ₀, σ, λ) with δ₀ ~ U(−bound, bound) and δ integrated out."""
    total = variance + (sigma0**2)[:, None] / mixing
    weight = (1 / total).sum(axis=1)
    centre = (means / total).sum(axis=1) / weight
    misfit = ((means - centre[:, None]) ** 2 / total).sum(axis=1)
    root = np.sqrt(weight)
    inside = special.ndtr((bound - centre) * root) - special.ndtr((-bound - centre) * root)
    return np.asarray(-(np.log(total).sum(axis=1) + np.log(weight) + misfit) / 2 + np.log(np.maximum(inside, 1e-300)))


def _draw_delta0(means: Array, total: Array, bound: float, rng: np.random.Generator) -> Array:
    """Normal, truncated to ±bound by the inverse distribution function."""
    weight = (1 / total).sum(axis=1)
    centre, root = (means / total).sum(axis=1) / weight, np.sqrt(weight)
    low, high = special.ndtr((-bound - centre) * root), special.ndtr((bound - centre) * root)
    u = low + (high - low) * rng.uniform(size=centre.shape)
    return np.asarray(np.clip(centre + special.ndtri(np.clip(u, 1e-300, 1 - 1e-16)) / root, -bound, bound))


def _draw_delta(means: Array, variance: Array, precision: Array, delta0: Array, rng: np.random.Generator) -> Array:
    total = 1 / variance + precision
    centre = (means / variance + precision * delta0[:, None]) / total
    return np.asarray(centre + rng.standard_normal(centre.shape) / np.sqrt(total))


def _draw_noise(shape: Array, spread: Array, bound: float, rng: np.random.Generator) -> Array:
    """σ with density σ^−n exp(−spread/2σ²) below `bound`: 1/σ² is a Gamma variable, truncated from below."""
    least = special.gammainc(shape, spread / (2 * bound**2))
    u = least + (1 - least) * rng.uniform(size=spread.shape)
    precision = special.gammaincinv(shape, np.minimum(u, 1 - 1e-15)) / (spread / 2)
    return np.asarray(1 / np.sqrt(np.maximum(precision, bound**-2.0)))


def _draw_df(distance: Array, rng: np.random.Generator) -> Array:
    """ν from its grid given the standardised δ, by the Gumbel-max rule."""
    df, weights = df_grid()
    constant = special.gammaln((df + 1) / 2) - special.gammaln(df / 2) - np.log(df) / 2
    tails = np.log1p(distance[:, :, None] ** 2 / df).sum(axis=1)
    log_mass = np.log(weights) + distance.shape[1] * constant - (df + 1) / 2 * tails
    return np.asarray(df[(log_mass + rng.gumbel(size=log_mass.shape)).argmax(axis=1)])
