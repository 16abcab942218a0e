"""Would another partitioning give the same verdict? The Monte-Carlo error of a statistic over runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array
from foldwise.core.validation import fraction, numbers, positive

__all__ = ["SETTLED", "PartitionStability", "partition_stability"]

SETTLED = 2.6
"""Standard errors between statistic and threshold at which a verdict counts as settled: 99 % two-sided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionStability(Shown):
    r"""How far a verdict is from hinging on the partitioning.

    Attributes
    ----------
    statistic
        The test statistic over all runs.
    monte_carlo_error
        Its standard error over the random partitionings, by the jackknife over runs.
    threshold
        The critical value of \|statistic\|.
    distance
        Distance of \|statistic\| from the threshold in Monte-Carlo standard errors.
    df, pvalue
        Of the test itself.
    """

    statistic: Any
    monte_carlo_error: Any
    threshold: Any
    distance: Any
    df: float
    pvalue: Any

    @property
    def settled(self) -> Any:
        """Whether practically everybody who runs the test would come to the same verdict."""
        return self.distance >= SETTLED


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
    threshold = float(special.stdtrit(freedom, 1 - fraction(alpha, "alpha") / 2))
    statistic, without = _statistics(scores, scale)
    error = _jackknife_error(without)
    gap = np.abs(np.abs(statistic) - threshold)
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = np.where(gap == 0, 0.0, np.where(np.isinf(gap), np.inf, gap / error))
    return PartitionStability(
        statistic=statistic[()],
        monte_carlo_error=error[()],
        threshold=threshold,
        distance=distance[()],
        df=freedom,
        pvalue=(2 * special.stdtr(freedom, -np.abs(statistic)))[()],
    )


def _jackknife_error(without: Array) -> Array:
    """The error is unknown, hence infinite, where leaving out a run leaves no variance."""
    runs = without.shape[-1]
    known = np.asarray(np.isfinite(without).all(axis=-1))
    values = np.where(known[..., None], without, 0.0)
    deviations = values - values.mean(axis=-1, keepdims=True)
    return np.where(known, np.sqrt((runs - 1) / runs * np.sum(deviations**2, axis=-1)), np.inf)


def _statistics(x: Array, multiplier: float) -> tuple[Array, Array]:
    """The statistic over all runs, and over all runs but one, for each run left out."""
    runs, folds = x.shape[-2:]
    mean, squares = x.mean(axis=-1), x.var(axis=-1) * folds
    # row j of `others` lists the runs without run j; pooling runs by mean and squares avoids cancellation
    others = np.array([[i for i in range(runs) if i != j] for j in range(runs)])
    noise = 1e-12 * np.abs(x).max(axis=(-2, -1))  # rounding of a constant, not variance
    whole = _pooled(mean, squares, folds, noise, multiplier)
    return whole, _pooled(mean[..., others], squares[..., others], folds, noise[..., None], multiplier)


def _pooled(means: Array, squares: Array, folds: int, noise: Array, multiplier: float) -> Array:
    """Multiplier · mean / σ̂ over the runs on the last axis, with 0/0 = 0."""
    centre = means.mean(axis=-1)
    total = squares.sum(axis=-1) + folds * np.sum((means - centre[..., None]) ** 2, axis=-1)
    spread = np.sqrt(total / (means.shape[-1] * folds - 1))
    spread, centre = np.where(spread <= noise, 0.0, spread), np.where(np.abs(centre) <= noise, 0.0, centre)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(centre == 0, 0.0, multiplier * centre / spread))
