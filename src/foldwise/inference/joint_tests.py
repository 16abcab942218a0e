"""All models on the same items at once: max-T, and the frontier of cost and quality."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.random import RandomState, seed_of, stream
from foldwise.core.types import Array, Flags, Interval
from foldwise.core.validation import fraction, integer, numbers, one_of
from foldwise.inference.joint_differences import (
    Indices,
    JointDifferences,
    compared_pairs,
    joint_differences,
    model_means,
    pair_variances,
    units_of,
)

# ---- The joint law of the statistics of all pairs of models when the signs of items, or of clusters, are exchanged.

FLIPS = 10_000  # Sign flips by default; where there are no more than this in all, each is taken once.

MOST_NUMBERS = 2_000_000  # Flips × items and flips × pairs that are looked at together.

ROUNDING = 1 - 1e-9  # Statistics that differ by less than this are the same.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FlippedLaw:
    """What the sign flips say, the observed signs among them."""

    largest: Array  #: The largest absolute statistic of all pairs under each flip; ascending
    pvalue: Array  #: Of each pair alone: the share of the flips whose statistic is at least as large
    exact: bool  #: Whether these are all flips that there are

    def adjusted(self, statistic: Array) -> Array:
        """The share of the flips whose largest statistic is at least as large."""
        below = np.searchsorted(self.largest, np.abs(statistic) * ROUNDING, side="left")
        return np.asarray(1 - below / len(self.largest))

    def critical(self, alpha: float) -> float:
        """The size beyond which the adjusted p-value is below alpha; infinite where no flip allows that."""
        rank = int(np.ceil(alpha * len(self.largest)))
        return float(self.largest[-rank]) if rank > 1 else np.inf


def flipped_law(
    sums: Array, sizes: Array, first: Indices, second: Indices, *, draws: int | None = None, seed: int = 0
) -> FlippedLaw:
    r"""Flip the signs of all models' values on an item, or a cluster, together, and compute all statistics anew.

    `sums` (k models × units) are the values summed over each unit, `sizes` the items in it; all flips are taken where
    there are no more than `draws`.

    With :math:`u_c` the difference of a pair summed over unit c, signs :math:`s_c`, :math:`p_c=n_c/n` and
    :math:`S=\sum s_cu_c`, the squared standard error is :math:`n^{-2}\sum(s_cu_c-p_cS)^2/(1-p_c)`
    :math:`=n^{-2}(\sum u_c^2/(1-p_c)-2S\sum s_cu_cp_c/(1-p_c)+S^2\sum p_c^2/(1-p_c))`. Its first sum does not change,
    and the others are differences of one number per model: no pair has to be formed item by item.
    """
    units = len(sizes)
    draws = integer(FLIPS if draws is None else draws, "draws", minimum=100)
    exact = units < 60 and 2**units <= draws
    share = sizes / sizes.sum()
    weights = share / (1 - share)
    square = pair_variances((sums / (1 - share)) @ sums.T)[first, second]
    square_of_sum = float((share * weights).sum())

    def statistics(signs: Array) -> Array:
        # the squared error of each pair under these signs, from the expansion above: its first sum never changes
        total, weighted = signs @ sums.T, signs @ (sums * weights).T
        s, w = (x[:, first] - x[:, second] for x in (total, weighted))
        variance = square - 2 * s * w + s**2 * square_of_sum
        varies = variance > 1e-12 * square
        size = np.abs(s) / np.sqrt(np.where(varies, variance, 1.0))
        return np.where(varies, size, np.where(s == 0, 0.0, np.inf))

    observed = statistics(np.ones((1, units)))[0]
    blocks = _all_signs(units) if exact else _random_signs(units, draws, max(units, len(first)), seed)
    largest, counts = [], np.zeros(len(first))
    for signs in blocks:
        found = statistics(signs)
        counts += (found >= observed * ROUNDING).sum(axis=0)
        largest.append(found.max(axis=1))
    together = np.sort(np.concatenate(largest))
    return FlippedLaw(largest=together, pvalue=counts / len(together), exact=exact)


def _all_signs(units: int) -> Iterator[Array]:
    places = np.arange(units)
    for start in range(0, 2**units, 4096):
        numbers = np.arange(start, min(2**units, start + 4096))
        yield np.where((numbers[:, None] >> places) & 1, -1.0, 1.0)


def _random_signs(units: int, draws: int, width: int, seed: int) -> Iterator[Array]:
    """The observed signs, then random ones."""
    yield np.ones((1, units))
    rng = stream(seed, "sign flips")
    size = max(1, MOST_NUMBERS // width)
    for start in range(0, draws, size):
        bits = rng.integers(0, 2, (min(size, draws - start), units), dtype=np.int8)
        yield np.where(bits, -1.0, 1.0)


Method = Literal["gaussian", "sign_flip"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MaxTResult(Shown):
    """Outcome of comparing several models pair by pair."""

    #: first, second: Row of the first and the second model of each pair
    first: Indices
    second: Indices
    #: estimate, standard_error, statistic: Mean difference first − second, its standard error, and their ratio: 0 where
    #: both are 0
    estimate: Array
    standard_error: Array
    statistic: Array
    df: float  #: Degrees of freedom of the standard errors
    pvalue: Array  #: Two-sided, of each pair alone
    #: Of each pair as one of all: below alpha for some pair, if all models are the same, with probability alpha
    adjusted: Array
    law: JointDifferences | FlippedLaw  #: The joint law of all statistics

    @property
    def exact(self) -> bool:
        """Whether the law is that of all sign flips, so that nothing was drawn."""
        return isinstance(self.law, FlippedLaw) and self.law.exact

    def critical(self, alpha: float) -> float:
        """The size of a statistic beyond which its adjusted p-value is below alpha."""
        if isinstance(self.law, FlippedLaw):
            return self.law.critical(alpha)
        return float(-special.stdtrit(self.df, self.law.level(alpha) / 2))

    def confidence_interval(self, confidence_level: float = 0.95) -> Interval:
        """Simultaneous intervals, dual to the adjusted p-values: unbounded without variance."""
        reach = self.critical(1 - fraction(confidence_level, "confidence_level")) * self.standard_error
        reach = np.where(self.standard_error > 0, reach, np.inf)
        return Interval(low=self.estimate - reach, high=self.estimate + reach)


def max_t(
    values: ArrayLike, *, groups: ArrayLike | None = None, control: int | None = None, method: Method = "gaussian",
    draws: int | None = None, seed: int = 0,
) -> MaxTResult:  # fmt: skip
    r"""Compare the means of k models on the same items, all pairs at once.

    Parameters
    ----------
    values
        Shape (k, n): a number for each model and item, right/wrong as 1 and 0, a mark, a loss.
    groups
        The cluster of each item, where items come in clusters.
    control
        Row of the model that all others are compared with; without it all pairs are.
    method
        ``"gaussian"``: the joint normal law with the covariance of the items or clusters, which is the Gaussian
        multiplier bootstrap (see `joint_differences`); a pair alone is judged by Student's distribution.
        ``"sign_flip"``: the values of all models on an item, or a cluster, change their sign together, which for two
        models exchanges them; exact where differences are symmetric about 0 under the hypothesis.
    draws, seed
        Number of draws, by default 131072 or 10000 sign flips (all of them where there are no more), and their seed.

    Returns
    -------
    MaxTResult
        A pair whose difference does not vary has statistic 0, p = 1 and an unbounded interval: nothing can be told.

    Notes
    -----
    The statistic of a pair is its mean difference over its standard error, that of `clustered_difference` (CR2), which
    without clusters is the paired t test's. The adjusted p-value is single-step: the probability that the *largest*
    statistic of all pairs is as large by chance, so that p-values and simultaneous intervals never contradict each
    other. Because the statistic of a pair depends on its own two models only, the adjusted p-values also keep the
    chance of any false finding at the level when some of the models differ (subset pivotality [1]_, [2]_).

    References
    ----------
    .. [1] Westfall & Young (1993), Resampling-based multiple testing, Wiley.
    .. [2] Romano & Wolf (2005), Exact and approximate stepdown methods for multiple hypothesis testing, Journal of the
       American Statistical Association 100, 94-108.

    Examples
    --------
    >>> right = [[1] * 60 + [0] * 20, [1] * 45 + [0] * 25 + [1] * 10, [1] * 40 + [0] * 40]
    >>> result = max_t(right)
    >>> result.estimate.tolist(), result.adjusted.round(2).tolist()
    ([0.0625, 0.25, 0.1875], [0.57, 0.0, 0.0])
    """
    one_of(method, "method", ("gaussian", "sign_flip"))
    found = model_means(values, groups)
    if found.means.ndim != 1:
        raise InvalidInput(f"values must have shape (models, items), got {np.shape(values)}")
    k = len(found.means)
    if control is not None and integer(control, "control", minimum=0) >= k:
        raise InvalidInput(f"control must be a row of values, 0 to {k - 1}, got {control}")
    first, second = compared_pairs(k, control)
    estimate = found.means[first] - found.means[second]
    error = np.sqrt(pair_variances(found.covariance)[first, second])
    statistic = np.where(error > 0, estimate / np.where(error > 0, error, 1.0), 0.0)
    law: JointDifferences | FlippedLaw
    if method == "gaussian":
        law = joint_differences(found.means, found.covariance, control=control, draws=draws, seed=seed)
        pvalue = 2 * special.stdtr(found.df, -np.abs(statistic))
        adjusted = law.adjust(pvalue)
    else:
        law = flipped_law(*units_of(values, groups), first, second, draws=draws, seed=seed)
        pvalue, adjusted = law.pvalue, law.adjusted(statistic)
    return MaxTResult(
        first=first, second=second, estimate=estimate, standard_error=error, statistic=statistic, df=found.df,
        pvalue=np.where(error > 0, pvalue, 1.0), adjusted=np.where(error > 0, adjusted, 1.0), law=law,
    )  # fmt: skip


# ---- Cost and quality of several models on the same items: who is on the frontier, by their joint law.


Status = Literal["on it", "dominated", "undecided"]

DRAWS = 4000  # Draws of the joint law of all means that are looked at together.

MOST_DRAWS = 25 * DRAWS
"""Draws behind the critical value, whose error by chance they leave at .01; of very many models fewer, but `DRAWS`."""

MOST_LOOKED_AT = 50_000_000  # Draws × differences.

NOISE = 1e-12  # Share of a mean below which a standard error is rounding.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FrontierResult(Shown):
    """Outcome of `frontier`, all in the order of the models."""

    quality: Array  #: Mean quality of each model
    cost: Array  #: Mean cost of each model
    status: tuple[Status, ...]
    probability: Array  #: Share of draws of the joint law in which no other dominates the model
    better: Flags  #: Whether the row's model is shown to have the higher quality than the column's
    cheaper: Flags  #: Whether it is shown to cost less
    #: Whether the model is shown to be worse than no other by more than the margin; None where none was asked for
    near_best: Flags | None
    critical: float  #: Standard errors beyond which a difference is shown
    units: int  #: Items, or clusters of them

    @property
    def cheapest_near_best(self) -> int | None:
        """The cheapest of those that are near the best; None where none is shown to be."""
        if self.near_best is None or not self.near_best.any():
            return None
        return int(np.argmin(np.where(self.near_best, self.cost, np.inf)))


def frontier(
    quality: ArrayLike, cost: ArrayLike, *, groups: ArrayLike | None = None, margin: float | None = None,
    alpha: float = 0.05, random_state: RandomState = 0,
) -> FrontierResult:  # fmt: skip
    r"""Find the models that no other dominates, being better and cheaper.

    Parameters
    ----------
    quality, cost
        Shape (models, items): quality, higher is better, and cost, lower is better.
    groups
        The cluster of each item.
    margin
        By how much a model may be worse than any other to count as near the best.
    alpha
        Level of everything that is shown, together.
    random_state
        Determines the draws.

    Notes
    -----
    All means of quality and cost have a joint covariance over items (or clusters). A difference is shown where it is
    more than c standard errors, c being the 1 − alpha quantile of the largest of all studentised differences, of
    quality and of cost, in draws of their joint law [1]_. A model is dominated where some other is shown to be better
    and cheaper, and on the frontier where it is shown to be better or cheaper than each of the others.

    References
    ----------
    .. [1] Hothorn, Bretz & Westfall (2008), Simultaneous inference in general parametric models, Biometrical Journal
       50.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> quality = rng.random((3, 400)) < np.array([[0.8], [0.6], [0.5]])
    >>> cost = rng.gamma(2, [[2.0], [1.0], [2.0]], (3, 400))
    >>> frontier(quality, cost).status
    ('on it', 'on it', 'dominated')
    """
    q, c = numbers(np.asarray(quality, dtype=np.float64), "quality"), numbers(cost, "cost")
    if q.ndim != 2 or q.shape != c.shape or len(q) < 2 or q.shape[1] < 2:
        raise InvalidInput(
            f"quality and cost must be models × items of the same models and items, 2 × 2 or more, got {q.shape} and "
            f"{c.shape}"
        )
    if margin is not None and not margin > 0:
        raise InvalidInput(f"margin must be above 0, got {margin!r}")
    level, k = fraction(alpha, "alpha"), len(q)
    joint = model_means(np.concatenate([q, -c]), groups)
    means, covariance = joint.means, joint.covariance
    first, second = np.triu_indices(k, 1)
    i, j = np.concatenate([first, first + k]), np.concatenate([second, second + k])
    difference = means[i] - means[j]
    variance = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
    scale = NOISE * np.maximum(np.abs(means[i]), np.abs(means[j]))
    error = np.sqrt(np.where(variance > scale**2, variance, 0.0))
    moved = error > 0
    rng, law = stream(seed_of(random_state), "frontier"), np.linalg.eigh(covariance)
    draws, critical = _draws(rng, *law, joint.df), 0.0
    if moved.any():
        more = min(MOST_DRAWS, MOST_LOOKED_AT // int(moved.sum())) // DRAWS - 1
        blocks = chain([draws], (_draws(rng, *law, joint.df) for _ in range(more)))
        differ = (one.T[i[moved]] - one.T[j[moved]] for one in blocks)
        largest = np.concatenate([np.abs(one / error[moved, None]).max(axis=0) for one in differ])
        critical = float(np.quantile(largest, 1 - level))
    # a difference that is the same on every item is a price: it has no spread to be wrong by
    shown = np.where(moved, np.abs(difference) > critical * error, np.abs(difference) > scale)
    ahead = np.zeros((2 * k, 2 * k), dtype=np.bool_)
    ahead[i, j], ahead[j, i] = shown & (difference > 0), shown & (difference < 0)
    better, cheaper = ahead[:k, :k], ahead[k:, k:]
    dominated = np.asarray((better & cheaper).any(axis=0))
    safe = np.asarray((better | cheaper | np.eye(k, dtype=np.bool_)).all(axis=1))
    near = None
    if margin is not None:
        lead, width = np.zeros((k, k)), np.zeros((k, k))
        of_quality = slice(0, len(first))
        lead[first, second], width[first, second] = difference[of_quality], error[of_quality]
        lead, width = lead - lead.T, width + width.T
        near = np.asarray((lead - critical * width > -margin).all(axis=1))
    status: list[Status] = [
        "dominated" if worse else "on it" if sure else "undecided" for worse, sure in zip(dominated, safe, strict=True)
    ]
    return FrontierResult(
        quality=means[:k], cost=-means[k:], status=tuple(status), probability=_undominated(means + draws, k),
        better=better, cheaper=cheaper, near_best=near, critical=critical, units=joint.units
    )  # fmt: skip


def _draws(rng: np.random.Generator, values: Array, vectors: Array, df: float) -> Array:
    """Errors of all means: normal, with the spread that their degrees of freedom leave uncertain."""
    normal = rng.standard_normal((DRAWS, len(values))) * np.sqrt(np.clip(values, 0, None)) @ vectors.T
    return np.asarray(normal * np.sqrt(df / rng.chisquare(max(df, 1.0), (DRAWS, 1))))


def _undominated(draws: Array, k: int) -> Array:
    """Share of the draws in which no model is at least as good and as cheap, and more so in one."""
    out = np.empty(k)
    for m in range(k):
        q, c = draws[:, :k] - draws[:, [m]], draws[:, k:] - draws[:, [k + m]]
        out[m] = 1 - ((q >= 0) & (c >= 0) & ((q > 0) | (c > 0))).any(axis=1).mean()
    return out
