"""Intervals for an error rate from the incomplete beta function: posteriors for any prior, and Clopper–Pearson."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from foldwise.core.types import Array

__all__ = ["EMPIRICAL_PRIOR", "JEFFREYS_PRIOR", "UNIFORM_PRIOR", "Posterior", "beta", "clopper_pearson", "posterior"]

Limits = tuple[Array, Array]
Prior = tuple[float, float]

JEFFREYS_PRIOR: Prior = (0.5, 0.5)
"""Jeffreys' prior: the least informative one for intervals."""

UNIFORM_PRIOR: Prior = (1.0, 1.0)
"""Every error rate equally likely beforehand."""

EMPIRICAL_PRIOR: Prior = (1.0, 3.67)
"""Be(1, 3.67), fitted by martinhirschberg1996 (A.4) to error rates reported in the literature."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Posterior:
    """Mean, mode and variance of the Beta posterior of an error rate."""

    mean: Array
    mode: Array
    variance: Array


def beta(errors: Array, n: Array, alpha: float, prior: Prior) -> Limits:
    """Equal-tailed quantiles of Be(m + u, M − m + v); the lower limit is 0 at m = 0, the upper one 1 at m = M.

    Examples
    --------
    >>> low, high = beta(np.array(2.0), np.array(20.0), 0.05, JEFFREYS_PRIOR)
    >>> round(float(low), 4), round(float(high), 4)
    (0.0214, 0.2839)
    """
    a, b = errors + prior[0], n - errors + prior[1]
    low = np.where(errors == 0, 0.0, special.betaincinv(a, b, alpha / 2))
    high = np.where(errors == n, 1.0, special.betainccinv(a, b, alpha / 2))
    return low, high


def posterior(errors: Array, n: Array, prior: Prior) -> Posterior:
    """Summaries of Be(m + u, M − m + v).

    The mode is 0 or 1 where the density has its peak at an end, as it does for Jeffreys' prior at m = 0 or m = M.

    Examples
    --------
    >>> summary = posterior(np.array(2.0), np.array(20.0), JEFFREYS_PRIOR)
    >>> round(float(summary.mean), 4), round(float(summary.mode), 4), round(float(summary.variance), 4)
    (0.119, 0.0789, 0.0048)
    """
    a, b = errors + prior[0], n - errors + prior[1]
    mean = a / (a + b)
    # n ≥ 1 leaves at most one of a, b at or below 1, so the denominator is positive wherever it is used
    inner = (a - 1) / np.where(a + b > 2, a + b - 2, 1)
    mode = np.where(a <= 1, 0.0, np.where(b <= 1, 1.0, inner))
    return Posterior(mean=mean, mode=mode, variance=mean * (1 - mean) / (a + b + 1))


def clopper_pearson(errors: Array, n: Array, alpha: float) -> Limits:
    """The rates that neither one-sided exact binomial test rejects at alpha/2.

    Examples
    --------
    >>> low, high = clopper_pearson(np.array(0.0), np.array(10.0), 0.05)
    >>> float(low), round(float(high), 4)
    (0.0, 0.3085)
    """
    # where a parameter would be 0 the limit is the end of the scale
    low = np.where(errors == 0, 0.0, special.betaincinv(np.maximum(errors, 1), n - errors + 1, alpha / 2))
    high = np.where(errors == n, 1.0, special.betainccinv(errors + 1, np.maximum(n - errors, 1), alpha / 2))
    return low, high
