"""The binomial counts that carry weight, at most a few thousand of them however many trials there are."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from foldwise.core.types import Array

__all__ = ["LikelyCounts", "binomial_cdf", "likely_counts"]

# counts further than this many standard deviations from their mean have no weight left in double precision
SPREAD = 7.5

MOST, THINNED = 8192, 1024
"""More counts than the first are thinned out to the second: the sum becomes a trapezoidal rule over a bell curve."""

LARGE = 1e6  # variance from which a binomial distribution is normal but for its skewness, to 1e-7


@dataclass(frozen=True, slots=True)
class LikelyCounts:
    """Counts, ascending, and their weights, which sum to 1."""

    values: Array
    weights: Array


def likely_counts(n: int, rate: float) -> LikelyCounts:
    """Counts of Bin(n, rate) that matter, with their probabilities.

    Examples
    --------
    >>> likely_counts(2, 0.5).weights.round(4).tolist()
    [0.25, 0.5, 0.25]
    >>> len(likely_counts(10**14, 0.5).values) <= MOST
    True
    """
    spread = SPREAD * math.sqrt(n * rate * (1 - rate)) + SPREAD**2
    first, last = max(0, math.floor(n * rate - spread)), min(n, math.ceil(n * rate + spread))
    # an odd step visits even and odd counts alike, on which exact tests differ
    step = (last - first) // THINNED | 1 if last - first >= MOST else 1
    values = np.arange(first, last + 1, step, dtype=np.float64)
    weights = np.exp(_log_mass(values, n, rate))
    # the logs of large factorials cancel to about 1e-9 and worse; the sum over all outcomes is exactly 1
    return LikelyCounts(values, weights / weights.sum())


def binomial_cdf(k: Array, n: Array, success: Array, failure: Array) -> Array:
    """P[X ≤ k] for X ~ Bin(n, success), with failure = 1 − success given as exactly as success is.

    Examples
    --------
    >>> [float(binomial_cdf(np.array(k), np.array(2), np.array(0.5), np.array(0.5))) for k in (-1, 0, 2)]
    [0.0, 0.25, 1.0]
    """
    k, n, success, failure = np.broadcast_arrays(k, n, success, failure)
    large = n * success * failure > LARGE
    cdf = np.where(k < 0, 0.0, 1.0)
    inside = (k >= 0) & (k < n) & ~large
    cdf[inside] = special.betainc((n - k)[inside], k[inside] + 1, failure[inside])
    if large.any():
        deviation = np.sqrt((n * success * failure)[large])
        x = (k[large] + 0.5 - n[large] * success[large]) / deviation
        skewness = (failure - success)[large] / deviation
        bend = skewness / 6 * (x**2 - 1) * np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)
        cdf[large] = np.clip(special.ndtr(x) - bend, 0.0, 1.0)
    return cdf


def _log_mass(k: Array, n: int, rate: float) -> Array:
    """Log probability of each count up to a constant; for many trials by Stirling's formula, which cancels nothing.

    References
    ----------
    .. [1] Loader (2000), Fast and accurate computation of binomial probabilities.
    """
    mean, rest = n * rate, n * (1 - rate)
    if mean < 1e4 or rest < 1e4:
        choose = special.gammaln(n + 1.0) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
        return np.asarray(choose + special.xlogy(k, rate) + special.xlog1py(n - k, -rate))
    # n·KL(k/n, rate) with the two logarithms taken of ratios near 1
    deviance = k * np.log1p((k - mean) / mean) + (n - k) * np.log1p((mean - k) / rest)
    return np.asarray(-deviance - 0.5 * np.log(k / n * (1 - k / n)) - (1 / k + 1 / (n - k)) / 12)
