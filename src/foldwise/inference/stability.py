"""Would the same test on the same data, partitioned anew, say the same again?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Answers, Array, Numbers
from foldwise.core.validation import counts, fraction, numbers, positive
from foldwise.inference._round_robin import Parts, block_tables, freedom, standard_error, variance_parts


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicabilitySummary(Shown):
    """Replicability over several data sets."""

    data_sets: int  #: How many there are
    R: float  #: Mean of R over them
    #: consistent, almost_consistent: On how many of them the test is consistent, or almost
    consistent: int
    almost_consistent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicabilityResult(Shown):
    """Replicability of a test on each data set."""

    R: Numbers  #: The estimated probability that two runs of the test on the same data agree; from about ½ to 1
    consistent: Answers  #: Whether all repetitions agree
    almost_consistent: Answers  #: Whether at most one repetition disagrees with the rest

    def summary(self) -> ReplicabilitySummary:
        """The same over all data sets together."""
        return ReplicabilitySummary(
            data_sets=int(np.size(self.R)), R=float(np.mean(self.R)), consistent=int(np.sum(self.consistent)),
            almost_consistent=int(np.sum(self.almost_consistent)),
        )  # fmt: skip


def replicability(rejections: ArrayLike, repetitions: ArrayLike) -> ReplicabilityResult:
    r"""How well a test agrees with itself when it is repeated on the same data with other random partitions.

    Parameters
    ----------
    rejections
        How often the test rejected on each data set; any shape. (Counting acceptances gives the same result.)
    repetitions
        How often it was run, at least 2.

    Returns
    -------
    ReplicabilityResult
        One value for each data set; its `summary()` is over all of them.

    Notes
    -----
    With k rejections in n repetitions, :math:`R = (k(k-1) + (n-k)(n-k-1))/(n(n-1))` is the share of the pairs of
    repetitions that agree. Consistent: k is 0 or n; almost consistent: k ≤ 1 or k ≥ n − 1 [1]_.

    References
    ----------
    .. [1] Bouckaert & Frank (2004), Evaluating the replicability of significance tests for comparing learning
       algorithms, PAKDD, section 2.

    Examples
    --------
    >>> result = replicability([10, 9, 5, 0], 10)
    >>> result.R.round(3).tolist()
    [1.0, 0.8, 0.444, 1.0]
    >>> result.summary().consistent
    2
    """
    k, n = np.broadcast_arrays(counts(rejections, "rejections"), counts(repetitions, "repetitions"))
    if k.size == 0:
        raise InvalidInput("rejections must have at least 1 value, got none")
    if (n < 2).any():
        raise InvalidInput(f"repetitions must be at least 2, got {n.min():g}")
    above = k > n
    if above.any():
        raise InvalidInput(f"rejections must be at most repetitions = {n[above][0]:g}, got {k[above][0]:g}")
    r = (k * (k - 1) + (n - k) * (n - k - 1)) / (n * (n - 1))
    fewer = np.minimum(k, n - k)
    return ReplicabilityResult(
        R=np.asarray(r), consistent=np.asarray(fewer == 0), almost_consistent=np.asarray(fewer <= 1)
    )


# ---- How far a verdict depends on the partitioning.


# ---- Would another partitioning give the same verdict? The Monte-Carlo error of a statistic over runs.

SETTLED = 2.6  # Standard errors between statistic and threshold at which a verdict counts as settled: 99 % two-sided.


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionStability(Shown):
    r"""How far a verdict is from depending on the partitioning."""

    statistic: Numbers  #: The test statistic over all runs
    monte_carlo_error: Numbers  #: Its standard error over the random partitionings, by the jackknife over runs
    threshold: Numbers  #: The critical value of \|statistic\|
    distance: Numbers  #: Distance of \|statistic\| from the threshold in Monte-Carlo standard errors
    #: df, pvalue: Of the test itself
    df: Numbers
    pvalue: Numbers
    needed: float = SETTLED  #: The distance that settles a verdict

    @property
    def settled(self) -> Answers:
        """Whether practically everybody who runs the test would come to the same verdict."""
        return self.distance >= self.needed


def partition_stability(x: ArrayLike, *, multiplier: float, df: float, alpha: float = 0.05) -> PartitionStability:
    r"""Measure how much the verdict of a repeated cross-validation test depends on the partitioning.

    Parameters
    ----------
    x
        Differences of shape (..., runs, folds), at least two runs.
    multiplier
        The constant c of the statistic :math:`c\,\bar x/\hat\sigma`; it must not grow with the number of runs, or
        more runs would manufacture significance.
    df
        Degrees of freedom of the test, fixed likewise.
    alpha
        Significance level.

    Notes
    -----
    Runs of cross-validation on the same data are independent draws of the partitioning. With t the statistic over
    all r runs and :math:`t_{(j)}` the one without run j, the jackknife standard error is
    :math:`\sqrt{\tfrac{r-1}{r}\sum_j(t_{(j)}-\bar t)^2}` [1]_. All differences zero: statistic 0, settled.

    References
    ----------
    .. [1] Efron & Tibshirani (1993), An introduction to the bootstrap, chapter 11.

    Examples
    --------
    >>> x = [[0.1, 0.2], [0.15, 0.12], [0.11, 0.18]]
    >>> bool(partition_stability(x, multiplier=11**0.5, df=10).settled)
    True
    """
    scores = numbers(x, "x", min_ndim=2)
    runs = scores.shape[-2]
    if runs < 2:
        raise InvalidInput(f"x must have at least 2 runs to compare partitionings, got shape {scores.shape}")
    scale, freedom = positive(multiplier, "multiplier"), positive(df, "df")
    # the statistic over all runs, and over all runs but one, for each run left out
    folds = scores.shape[-1]
    mean, squares = scores.mean(axis=-1), scores.var(axis=-1) * folds
    noise = 1e-12 * np.abs(scores).max(axis=(-2, -1))  # rounding of a constant, not variance
    centre, total = _pooled(mean, squares, folds)
    count = mean.shape[-1] * folds
    statistic = _statistic(centre, total, count, noise, scale)
    left = _without_one(mean, squares, centre, total, folds)
    without = _statistic(*left, count - folds, noise[..., None], scale)
    return stability_of(statistic, without, df=freedom, alpha=fraction(alpha, "alpha"))


def stability_of(
    statistic: Array, without: Array, *, df: Numbers, alpha: float, needed: float = SETTLED
) -> PartitionStability:
    """How far a verdict is from depending on the partitioning, from the statistic and those without each partition."""
    threshold = special.stdtrit(df, 1 - alpha / 2)
    # the error is unknown, hence infinite, where leaving out a run leaves no variance
    runs = without.shape[-1]
    known = np.asarray(np.isfinite(without).all(axis=-1))
    values = np.where(known[..., None], without, 0.0)
    deviations = values - values.mean(axis=-1, keepdims=True)
    error = np.where(known, np.sqrt((runs - 1) / runs * np.sum(deviations**2, axis=-1)), np.inf)
    gap = np.abs(np.abs(statistic) - threshold)
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = np.where(gap == 0, 0.0, np.where(np.isinf(gap), np.inf, gap / error))
    return PartitionStability(
        statistic=statistic, monte_carlo_error=error, threshold=threshold, distance=distance, df=df,
        pvalue=2 * special.stdtr(df, -np.abs(statistic)), needed=needed,
    )  # fmt: skip


def _pooled(means: Array, squares: Array, folds: int) -> tuple[Array, Array]:
    """Mean and sum of squared deviations over the runs on the last axis; pooling runs avoids cancellation."""
    centre = means.mean(axis=-1)
    return centre, squares.sum(axis=-1) + folds * np.sum((means - centre[..., None]) ** 2, axis=-1)


def _without_one(means: Array, squares: Array, centre: Array, total: Array, folds: int) -> tuple[Array, Array]:
    r"""The same without each run j: the mean moves by :math:`-d_j/(r-1)`, the sum loses its share of run j."""
    runs = means.shape[-1]
    away = means - centre[..., None]
    centres = centre[..., None] - away / (runs - 1)
    totals = total[..., None] - squares - folds * away**2 * (runs / (runs - 1))
    # where one run held nearly all the variance, the subtraction has lost its digits
    for place in np.argwhere(totals < 1e-6 * total[..., None]):
        *batch, run = place.tolist()
        rest = [np.delete(values[tuple(batch)], run) for values in (means, squares)]
        centres[tuple(place)], totals[tuple(place)] = _pooled(rest[0], rest[1], folds)
    return centres, totals


def _statistic(centre: Array, total: Array, count: int, noise: Array, multiplier: float) -> Array:
    """Multiplier · mean / σ̂, with 0/0 = 0."""
    spread = np.sqrt(total / (count - 1))
    spread, centre = np.where(spread <= noise, 0.0, spread), np.where(np.abs(centre) <= noise, 0.0, centre)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(centre == 0, 0.0, multiplier * centre / spread))


# ---- Would other dealings give the same verdict? The Monte-Carlo error of the round-robin statistic over dealings.

SURE = 0.995
"""Quantile of Student's distribution that counts as settled: 99 % two-sided, however few dealings there are."""


def dealing_stability(
    d: ArrayLike, *, df: float | None = None, pieces: int | None = None, alpha: float = 0.05
) -> PartitionStability:
    r"""Measure how much the verdict of the round-robin test depends on how the examples were dealt.

    Parameters
    ----------
    d
        Differences of shape (..., dealings, g, g) as `round_robin` takes them, at least two dealings.
    df, pieces
        Degrees of freedom of the test, or what bounds them, as `round_robin` takes them.
    alpha
        Significance level.

    Notes
    -----
    Dealings of the same data are independent draws. With t the statistic over all R of them and :math:`t_{(j)}` the one
    without dealing j, the jackknife standard error is :math:`\sqrt{\tfrac{R-1}{R}\sum_j(t_{(j)}-\bar t)^2}`. It comes
    from few dealings, so that the distance that settles a verdict is a quantile of Student's distribution with R − 1
    degrees of freedom. Where there is no variance, the statistic counts as 0: nothing can be told, however often the
    examples are dealt.

    Examples
    --------
    >>> d = np.random.default_rng(0).normal(0.5, 0.1, size=(6, 4, 4))
    >>> bool(dealing_stability(d).settled)
    True
    """
    tables = block_tables(d)
    dealings = tables.shape[-3]
    if dealings < 2:
        raise InvalidInput(f"d must have at least 2 dealings to compare them, got shape {tables.shape}")
    parts, largest = variance_parts(tables), np.abs(tables).max(axis=(-3, -2, -1))
    means, blocks = parts.averaged(), tables.shape[-1]
    own = freedom(means, shape=tables.shape, pieces=pieces) if df is None else np.asarray(positive(df, "df"))
    statistic = _dealing_stability_statistic(means, blocks, largest)
    without = Parts(*((part.sum(axis=-1, keepdims=True) - part) / (dealings - 1) for part in parts))
    return stability_of(
        statistic, _dealing_stability_statistic(without, blocks, largest[..., None]), df=own[()],
        alpha=fraction(alpha, "alpha"), needed=max(SETTLED, float(special.stdtrit(dealings - 1, SURE))),
    )  # fmt: skip


def _dealing_stability_statistic(parts: Parts, blocks: int, largest: Array) -> Array:
    """θ/√V; 0 without variance."""
    error = standard_error(parts, blocks, largest)
    return np.where(error > 0, parts.estimate / np.where(error > 0, error, 1.0), 0.0)
