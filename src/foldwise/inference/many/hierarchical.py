"""The hierarchical correlated t model: two learners on several data sets, with the scores of every split."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import DegenerateVariance, InvalidInput
from foldwise.core.random import stream
from foldwise.core.types import Array, Interval
from foldwise.core.validation import fraction, integer, numbers
from foldwise.inference.equivalence import Probabilities
from foldwise.inference.many.bayesian import region_posterior, rope_width
from foldwise.inference.many.meta import ROUNDING

_SLICE_WIDTH = 6.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Summaries:
    """All that the likelihood needs of each data set's differences; arrays of shape (chains or 1, data sets)."""

    mean: Array  #: x̄, the mean difference
    squares: Array  #: SS, the sum of squared deviations from it; above 0
    n: Array  #: Number of splits
    correlation: Array  #: ρ between two splits

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
class PosteriorDraws:
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
    """
    df = np.geomspace(0.2, 200.0, 48)
    alpha = np.linspace(0.5, 5.0, 91)[:, None, None]
    beta = np.linspace(0.05, 0.15, 41)[:, None]
    log_density = alpha * np.log(beta) - special.gammaln(alpha) + alpha * np.log(df) - beta * df
    weights = np.exp(log_density).mean(axis=(0, 1))
    return df, weights / weights.sum()


def sample(
    data: Summaries, prior: Prior, rng: np.random.Generator, *, chains: int, warmup: int, iterations: int, thin: int = 1
) -> PosteriorDraws:
    r"""Draw from the posterior of the hierarchical model.

    Model: the differences of data set i are normal with mean δᵢ, variance σᵢ² and correlation ρ; δᵢ ~ t_ν(δ₀, σ₀).
    With t as a scale mixture, δᵢ ~ N(δ₀, σ₀²/λᵢ), λᵢ ~ Γ(ν/2, ν/2), each sweep draws the block (σ₀, δ₀, δ) with δ₀
    and δ integrated out of σ₀'s conditional (so that small σ₀ does not freeze the chain), then σᵢ, then the block
    (ν, λ) with λ integrated out of ν's.
    """
    # a Gibbs sampler: each unknown is drawn in turn given all others, all chains side by side. Student's distribution
    # of the true differences δᵢ around δ₀ is written as a normal one whose precision is multiplied by a Gamma variable
    # (`mixing`), so that every step but those for σ₀ and ν is a textbook draw
    means = np.broadcast_to(data.mean, (chains, data.mean.shape[-1]))
    precision_shape = (data.n - 1) / 2
    noise = np.sqrt(data.squares / np.maximum(data.n - 1, 1)) * np.ones_like(means)
    mixing = np.ones_like(means)
    sigma0 = np.minimum(means.std(axis=1) + noise.mean(axis=1), prior.sigma0 / 2)
    kept: list[tuple[Array, Array, Array, Array]] = []
    for step in range(warmup + iterations * thin):
        # σ₀ and δ₀ are drawn with the δᵢ integrated out: given them, σ₀ could hardly move when it is small
        variance = noise**2 * data.inflation
        sigma0 = _draw_sigma0(sigma0, means, variance, mixing, prior, rng)
        delta0 = _draw_delta0(means, variance + (sigma0**2)[:, None] / mixing, prior.delta0, rng)
        precision = mixing / (sigma0**2)[:, None]
        total = 1 / variance + precision
        centre = (means / variance + precision * delta0[:, None]) / total
        delta = np.asarray(centre + rng.standard_normal(centre.shape) / np.sqrt(total))
        # of each data set: δᵢ between its mean and δ₀, σᵢ from how the mean and the splits spread
        spread = (means - delta) ** 2 / data.inflation + data.squares / (1 - data.correlation)
        noise = _draw_noise(precision_shape, spread, prior.sigma, rng)
        # ν from how far out the δᵢ are, and with it the weight of each
        distance = (delta - delta0[:, None]) / sigma0[:, None]
        # ν from its grid given the standardised δ, by the Gumbel-max rule
        df, weights = df_grid()
        constant = special.gammaln((df + 1) / 2) - special.gammaln(df / 2) - np.log(df) / 2
        tails = np.log1p(distance[:, :, None] ** 2 / df).sum(axis=1)
        log_mass = np.log(weights) + distance.shape[1] * constant - (df + 1) / 2 * tails
        df = np.asarray(df[(log_mass + rng.gumbel(size=log_mass.shape)).argmax(axis=1)])
        rate = (df[:, None] + distance**2) / 2
        mixing = np.maximum(rng.standard_gamma(np.broadcast_to((df[:, None] + 1) / 2, rate.shape)) / rate, 1e-12)
        if step >= warmup and (step - warmup) % thin == 0:
            kept.append((delta0, sigma0, df, delta))
    delta0, sigma0, df, delta = map(np.array, zip(*kept, strict=True))
    return PosteriorDraws(delta0=delta0, sigma0=sigma0, df=df, delta=delta)


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


def _draw_noise(shape: Array, spread: Array, bound: float, rng: np.random.Generator) -> Array:
    """σ with density σ^−n exp(−spread/2σ²) below `bound`: 1/σ² is a Gamma variable, truncated from below."""
    least = special.gammainc(shape, spread / (2 * bound**2))
    u = least + (1 - least) * rng.uniform(size=spread.shape)
    precision = special.gammaincinv(shape, np.minimum(u, 1 - 1e-15)) / (spread / 2)
    return np.asarray(1 / np.sqrt(np.maximum(precision, bound**-2.0)))


_CHAINS = 16
_WARMUP = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class HierarchicalResult(Shown):
    """Posterior of the hierarchical model."""

    probabilities: Probabilities  #: Posterior probability that each region is the most probable one for a new data set
    expected: Probabilities  #: Posterior probability that the difference on a new data set falls into each region
    #: Posterior draws of those three probabilities, shape (draws, 3): a better, equivalent, b better
    draws: Array = field(repr=False)
    estimate: float  #: Posterior mean of δ₀, the mean difference over the population of data sets
    per_dataset: Array  #: Posterior mean of each data set's own difference, drawn towards the others'
    #: delta0, sigma0, df: Draws of the population's location, scale and degrees of freedom
    delta0: Array = field(repr=False)
    sigma0: Array = field(repr=False)
    df: Array = field(repr=False)
    rhat: float  #: Largest split-R̂ of δ₀, log σ₀ and log ν over the chains: near 1 when they have mixed
    rope: float  #: Half the width of the region of practical equivalence

    def credible_interval(self, confidence_level: float = 0.95) -> Interval:
        """Equal-tailed interval of δ₀, the mean difference over the population of data sets."""
        tail = (1 - fraction(confidence_level, "confidence_level")) / 2
        low, high = np.quantile(self.delta0, [tail, 1 - tail])
        return Interval(low=float(low), high=float(high))


def hierarchical_correlated_t(
    x: ArrayLike | Sequence[ArrayLike], *, correlation: ArrayLike, rope: float = 0.01, draws: int = 8000, seed: int = 0
) -> HierarchicalResult:
    r"""How probable is it that a is practically better, the same, or worse than b on a new data set?

    Parameters
    ----------
    x
        Differences a − b, higher being better, shape (data sets, splits), or one sequence per data set.
    correlation
        ρ between the splits of a data set: n_test/(n_train + n_test), one number or one per data set.
    rope
        Differences of at most this size count as none.
    draws, seed
        Number of posterior draws and the seed they depend on.

    Returns
    -------
    HierarchicalResult
        Where no data set's splits vary there is nothing to judge by: all probabilities are NaN then, with a
        `DegenerateVariance` warning.

    Notes
    -----
    The differences of data set i are normal with mean :math:`\delta_i`, variance :math:`\sigma_i^2` and correlation
    ρ; :math:`\delta_i \sim t_\nu(\delta_0, \sigma_0)`. Only (x̄, SS, n) of each data set enter, by
    :math:`-n\log\sigma - \frac12[n(\bar x-\delta)^2/(1+(n-1)\rho) + SS/(1-\rho)]/\sigma^2`. Priors as in [1]_:
    :math:`\sigma_i` uniform up to 1000 times the mean standard deviation within data sets, :math:`\sigma_0` up to
    1000 times the one between, :math:`\delta_0` within ± the largest difference seen, and :math:`\nu \sim
    \Gamma(\alpha, \beta)`, :math:`\alpha \sim U(0.5, 5)`, :math:`\beta \sim U(0.05, 0.15)`. The spread
    of a data set whose few splits happen to agree is unknown, not 0: it is given the mean of the others'.

    References
    ----------
    .. [1] Corani, Benavoli, Demšar, Mangili & Zaffalon (2017), Statistical comparison of classifiers through
       Bayesian hierarchical modelling, Machine Learning 106.

    Examples
    --------
    >>> x = np.random.default_rng(0).normal(0.05, 0.02, size=(8, 10))
    >>> round(float(hierarchical_correlated_t(x, correlation=0.1, draws=500).probabilities.a_better), 2)
    1.0
    """
    rows = [numbers(row, f"x[{i}]", min_ndim=1) for i, row in enumerate(x)]  # type: ignore[arg-type]
    if any(row.ndim != 1 or len(row) < 2 for row in rows):
        raise InvalidInput("x must hold at least two splits for each data set")
    largest = max((float(np.abs(row).max()) for row in rows), default=0.0)
    return hierarchical_from_summaries(
        [row.mean() for row in rows], [((row - row.mean()) ** 2).sum() for row in rows], [len(row) for row in rows],
        correlation=correlation, rope=rope, largest=largest, draws=draws, seed=seed,
    )  # fmt: skip


def hierarchical_from_summaries(
    means: ArrayLike, squares: ArrayLike, n: ArrayLike, *, correlation: ArrayLike, rope: float = 0.01,
    largest: float | None = None, draws: int = 8000, seed: int = 0,
) -> HierarchicalResult:  # fmt: skip
    """The same from each data set's mean difference, sum of squared deviations and number of splits.

    `largest` bounds the mean difference a priori; without it, three times the largest mean.

    Examples
    --------
    >>> r = hierarchical_from_summaries([0.05, 0.04, 0.06], [0.01] * 3, [10] * 3, correlation=0.1, draws=200)
    >>> r.draws.shape
    (200, 3)
    """
    width = rope_width(rope)
    mean, ss, count = numbers(means, "means"), numbers(squares, "squares"), numbers(n, "n")
    rho = numbers(correlation, "correlation")
    if mean.ndim != 1 or len(mean) < 2 or ss.shape != mean.shape or count.shape != mean.shape:
        raise InvalidInput(f"there must be one mean, sum of squares and n for at least two data sets, got {mean.shape}")
    if (ss < 0).any() or (count < 2).any():
        raise InvalidInput("squares must not be negative and n must be at least 2")
    if ((rho < 0) | (rho >= 1)).any() or rho.shape not in ((), mean.shape):
        raise InvalidInput(f"correlation must be from 0 to below 1, one or one per data set, got {correlation!r}")
    shared = np.broadcast_to(rho, (1, len(mean)))
    data = Summaries(mean=mean[None], squares=ss[None], n=count[None], correlation=shared)
    size = integer(draws, "draws", minimum=1)
    spread = np.sqrt(data.squares / (data.n - 1))
    known = spread > ROUNDING * np.abs(data.mean).max()
    if not known.any():
        return _nothing_known(data.mean, size, width)
    typical = float(spread[known].mean())
    within = np.where(known, spread, typical)
    between = float(data.mean.std()) or typical
    top = largest if largest else 3 * float(np.abs(data.mean).max())
    prior = Prior(delta0=max(top, 0.01 * typical), sigma0=1000 * between, sigma=1000 * float(within.mean()))
    clean = Summaries(mean=data.mean, squares=within**2 * (data.n - 1), n=data.n, correlation=data.correlation)
    kept = sample(
        clean, prior, stream(seed, "hierarchical"), chains=_CHAINS, warmup=_WARMUP, iterations=-(-size // _CHAINS)
    )
    delta0, sigma0, df = (part.ravel()[:size] for part in (kept.delta0, kept.sigma0, kept.df))
    better = special.stdtr(df, (delta0 - width) / sigma0)
    worse = special.stdtr(df, (-delta0 - width) / sigma0)
    regions = region_posterior(np.stack([better, 1 - better - worse, worse], axis=1), rope=width)
    chains = [kept.delta0, np.log(kept.sigma0), np.log(kept.df)]
    return HierarchicalResult(
        probabilities=regions.probabilities, expected=regions.expected, draws=regions.draws,
        estimate=float(delta0.mean()), per_dataset=kept.delta.mean(axis=(0, 1)), delta0=delta0, sigma0=sigma0, df=df,
        rhat=max(_split_rhat(chain) for chain in chains), rope=width,
    )  # fmt: skip


def _nothing_known(means: Array, size: int, rope: float) -> HierarchicalResult:
    warnings.warn(
        "the differences of every data set are all the same, so their variance is unknown and there is no posterior",
        DegenerateVariance,
        stacklevel=3,
    )
    unknown = Probabilities(a_better=np.nan, equivalent=np.nan, b_better=np.nan)
    nothing = np.full(size, np.nan)
    return HierarchicalResult(
        probabilities=unknown, expected=unknown, draws=np.full((size, 3), np.nan), estimate=float(means.mean()),
        per_dataset=means[0], delta0=nothing, sigma0=nothing, df=nothing, rhat=1.0, rope=rope,
    )  # fmt: skip


def _split_rhat(chains: Array) -> float:
    """Gelman and Rubin's R̂ of chains cut in halves, shape (iterations, chains)."""
    half = len(chains) // 2
    if half < 2:
        return 1.0
    halves = np.concatenate([chains[:half], chains[half : 2 * half]], axis=1)
    within = float(halves.var(axis=0, ddof=1).mean())
    between = half * float(halves.mean(axis=0).var(ddof=1))
    return float(np.sqrt((half - 1) / half + between / (half * within))) if within > 0 else 1.0
