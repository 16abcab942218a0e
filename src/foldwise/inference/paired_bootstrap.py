"""The paired bootstrap of the difference of two models' metrics, with BCa intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.display import Shown
from foldwise.core.errors import DegenerateData, InvalidInput
from foldwise.core.random import stream
from foldwise.core.types import Array, Interval, Numbers
from foldwise.core.validation import fraction, integer, not_negative, numbers
from foldwise.inference.clusters import variance_quality
from foldwise.inference.draws import resampled_counts
from foldwise.inference.probabilities import Probabilities
from foldwise.metrics.statistic import Statistic, blocks, spread

__all__ = ["PairedBootstrapResult", "paired_bootstrap", "unit_df"]

MOST_LOST = 0.1
"""Share of resamples that may have no value, before nothing can be said."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairedBootstrapResult(Shown):
    """Outcome of the paired bootstrap.

    Attributes
    ----------
    estimate
        Metric of the first model minus that of the second, on all items.
    standard_error
        From the effects of the units on it.
    df
        Degrees of freedom of that standard error.
    bias, acceleration
        BCa's corrections: of the resamples' median, and for a standard error that changes with the difference.
    differences
        The resampled differences, in ascending order.
    units
        Number of independent units, items or clusters.
    normal
        Whether `differences` are the quantiles of the normal limit, because there are too many units to draw.
    """

    estimate: float
    standard_error: float
    df: float
    bias: float
    acceleration: float
    differences: Array
    units: int
    normal: bool

    @property
    def degenerate(self) -> bool:
        """Whether no resample differs from another, so that nothing is known of the spread."""
        return self.standard_error == 0 or self.differences[0] == self.differences[-1]

    @property
    def pvalue(self) -> float:
        """Two-sided, dual to the interval: the least level at which it excludes 0; 1 without a spread."""
        if self.degenerate:
            return 1.0
        below = float(self.cdf(0.0))
        return min(1.0, 2 * min(below, 1 - below))

    def confidence_interval(self, confidence_level: float = 0.95) -> Interval:
        """BCa interval, for few units as much wider as Student's is than the normal one; unbounded without a spread."""
        tail = (1 - fraction(confidence_level, "confidence_level")) / 2
        if self.degenerate:
            return Interval(low=-np.inf, high=np.inf)
        low, high = (float(self._quantile(level)) for level in (tail, 1 - tail))
        return Interval(low=low, high=high)

    def cdf(self, difference: ArrayLike) -> Numbers:
        """Confidence that the true difference is at most `difference`: the inverse of the interval's limits."""
        point = numbers(difference, "difference")
        ranks = (np.searchsorted(self.differences, point) + np.searchsorted(self.differences, point, "right")) / 2
        # half a resample beyond either end: what none of them shows is rare, not impossible
        share = (ranks + 0.5) / (len(self.differences) + 1)
        z = special.ndtri(share) - self.bias
        normal = z / (1 + self.acceleration * z) - self.bias
        return np.asarray(special.stdtr(self.df, normal / self._widening))[()]

    def probabilities(self, rope: float = 0.01) -> Probabilities:
        """That the first metric is higher by more than `rope`, that they are equivalent, that the second is higher."""
        region = not_negative(rope, "rope")
        low, high = float(self.cdf(-region)), 1 - float(self.cdf(region))
        return Probabilities(a_better=high, equivalent=max(0.0, 1 - low - high) if rope > 0 else 0.0, b_better=low)

    @property
    def _widening(self) -> float:
        """A bootstrap's spread is that of all units, not of all but one (Hesterberg 2015, section 4.4)."""
        return float(np.sqrt(self.units / (self.units - 1)))

    def _quantile(self, level: float) -> Numbers:
        z = self.bias + special.stdtrit(self.df, level) * self._widening
        share = special.ndtr(self.bias + z / (1 - self.acceleration * z))
        place = share * (len(self.differences) + 1) - 1  # the place whose cdf this is
        return np.asarray(np.interp(place, np.arange(len(self.differences)), self.differences))[()]


def paired_bootstrap(statistic: Statistic, *, resamples: int | None = None, seed: int = 0) -> PairedBootstrapResult:
    r"""Resample units, items or whole clusters, with both models' outputs on them.

    Parameters
    ----------
    statistic
        The metric of two models (`foldwise.metrics.measure.measure`); of more, the first two are compared.
    resamples
        Number of resamples; by default 10,000, and fewer where that would take long.
    seed
        The same seed and the same data give the same answer.

    Notes
    -----
    A metric of sums needs none of the items: how often each kind of unit occurs in a resample is multinomial. The
    interval is BCa [1]_, with :math:`z_0` from the share of resamples below the estimate, and the acceleration
    :math:`\sum l^3/(6(\sum l^2)^{3/2})` from the units' effects *l*. For few units the normal quantiles become
    Student's times :math:`\sqrt{n/(n-1)}` [2]_, with n − 1 degrees of freedom, or Satterthwaite's for clusters of
    unequal size. Interval, p-value and probabilities come from one confidence distribution. Thousands of units that are
    all different, and share the variance among them, are not drawn: their normal limit is taken.

    References
    ----------
    .. [1] Efron (1987), Better bootstrap confidence intervals, Journal of the American Statistical Association 82,
       171-185.
    .. [2] Hesterberg (2015), What teachers should know about the bootstrap, The American Statistician 69, 371-386.

    Examples
    --------
    >>> from foldwise.metrics.catalogue import known_metric
    >>> from foldwise.metrics.measure import measure
    >>> from foldwise.metrics.truth import Truth
    >>> truth = Truth(values=np.arange(200) % 2, classes=("no", "yes"), positive=1)
    >>> a, b = (np.where(np.arange(200) % wrong == 0, 1 - truth.values, truth.values) for wrong in (9, 5))
    >>> result = paired_bootstrap(measure(known_metric("f1"), truth, [a, b]))
    >>> round(result.estimate, 3), round(result.pvalue, 2)
    (0.086, 0.02)
    """
    draws = statistic.draws if resamples is None else integer(resamples, "resamples", minimum=100)
    if len(statistic.values) < 2:
        raise InvalidInput(f"statistic must be of at least 2 models, got {len(statistic.values)}")
    effects = statistic.effects[0] - statistic.effects[1]
    estimate = float(statistic.values[0] - statistic.values[1])
    error = float(spread(effects, statistic.counts))
    normal = statistic.settled
    differences = _normal(estimate, error, draws) if normal else np.sort(_resampled(statistic, draws, seed))
    noise = 16 * np.finfo(np.float64).eps * float(np.abs(statistic.values[:2]).max())
    below = np.searchsorted(differences, estimate - noise) + np.searchsorted(differences, estimate + noise, "right")
    share = (below / 2 + 0.5) / (len(differences) + 1)
    squares = float((statistic.counts * effects**2).sum())
    cubes = float((statistic.counts * effects**3).sum())
    return PairedBootstrapResult(
        estimate=estimate,
        standard_error=error if error > noise else 0.0,
        df=unit_df(statistic),
        bias=float(special.ndtri(share)),
        acceleration=cubes / (6 * squares**1.5) if squares > 0 else 0.0,
        differences=differences,
        units=statistic.units,
        normal=normal,
    )


def unit_df(statistic: Statistic) -> float:
    """Degrees of freedom of a standard error over units; unequal clusters are worth fewer than they are."""
    if statistic.sizes is None:
        return statistic.units - 1.0
    sizes = np.repeat(statistic.sizes, statistic.counts.astype(np.int64))
    return float(variance_quality(sizes, np.array(1.0))[1])


def _normal(estimate: float, error: float, draws: int) -> Array:
    return np.asarray(estimate + error * special.ndtri((np.arange(draws) + 0.5) / draws))


def _resampled(statistic: Statistic, draws: int, seed: int) -> Array:
    rng, parts = stream(seed, "paired bootstrap"), []
    for part in blocks(draws, statistic.width):
        values = statistic.weighted(resampled_counts(statistic.counts, part.stop - part.start, rng))
        parts.append(values[:, 0] - values[:, 1])
    differences = np.concatenate(parts)
    known = differences[~np.isnan(differences)]
    if len(known) < (1 - MOST_LOST) * draws:
        raise DegenerateData(f"the metric has no value on {draws - len(known)} of {draws} resamples of these items")
    return known
