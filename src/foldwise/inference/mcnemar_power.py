"""What McNemar's test can see: power by exact enumeration, the detectable difference, the sample size."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Numbers
from foldwise.core.validation import fraction, integer, numbers
from foldwise.inference.likely_counts import binomial_cdf, likely_counts
from foldwise.inference.mcnemar import Method, mcnemar

__all__ = ["connor_sample_size", "mcnemar_detectable_difference", "mcnemar_power"]

MANY = 1e7  # disagreements from which the normal approximation decides as the exact tests do


def mcnemar_power(
    n: int, discordance: float, difference: ArrayLike, *, alpha: float = 0.05, method: Method = "midp"
) -> Numbers:
    r"""Probability that McNemar's test on n examples rejects, by exact enumeration.

    Parameters
    ----------
    n
        Number of test examples.
    discordance
        Probability that exactly one of the two classifiers is wrong, from 0 to 1.
    difference
        True difference of the error rates, between −discordance and discordance; an array gives a power curve.
    alpha
        The test rejects when its p-value is below this.
    method
        The version of the test, as in `mcnemar`.

    Notes
    -----
    The number of disagreements is binomial, :math:`D\sim Bin(n, p_d)`, and given D the number that only A gets
    wrong is :math:`Bin(D, \tfrac12(1+\delta/p_d))`; the power is the sum over D of its probability times the
    probability of the rejection region at D. At a difference of 0 it is the actual Type I error. Where more than some
    thousand D are likely, the sum is over every few of them.

    Examples
    --------
    >>> round(float(mcnemar_power(200, 0.2, 0.1)), 4)
    0.9027
    """
    size = integer(n, "n", minimum=1)
    rate = fraction(discordance, "discordance", closed=True)
    deltas = numbers(difference, "difference")
    if (np.abs(deltas) > rate).any():
        worst = deltas.flat[np.argmax(np.abs(deltas))]
        raise InvalidInput(f"difference must lie between −discordance and discordance ({rate:g}), got {worst:g}")
    if rate == 0:
        return np.zeros_like(deltas)[()]
    return _design(size, rate, fraction(alpha, "alpha"), method).power(deltas)[()]


def mcnemar_detectable_difference(
    n: int, discordance: float, *, power: float = 0.8, alpha: float = 0.05, method: Method = "midp"
) -> float | None:
    """The true difference of error rates that McNemar's test on n examples detects with the given power.

    Parameters
    ----------
    n
        Number of test examples.
    discordance
        Probability that exactly one of the two classifiers is wrong. A difference can't exceed it; where none
        up to it is detected, the answer is the larger one at which all disagreements go one way.
    power
        Probability of rejecting at that difference.
    alpha, method
        Level and version of the test, as in `mcnemar_power`.

    Returns
    -------
    float or None
        None when n examples can't reach that power whatever the difference.

    Examples
    --------
    >>> round(mcnemar_detectable_difference(200, 0.2), 4)
    0.087
    >>> mcnemar_detectable_difference(3, 0.2) is None
    True
    """
    size = integer(n, "n", minimum=1)
    rate = fraction(discordance, "discordance", closed=True)
    goal, level = fraction(power, "power"), fraction(alpha, "alpha")
    if level >= goal:
        raise InvalidInput(f"power must be above alpha = {level:g}, got {goal:g}")
    if rate > 0:
        design = _design(size, rate, level, method)
        if design.power(np.array(rate)) >= goal:
            guess = float(special.ndtri(goal) - special.ndtri(level / 2)) * math.sqrt(rate / size)
            return _first(lambda delta: float(design.power(np.array(delta))), goal, (0.0, rate), guess)

    def one_sided(delta: float) -> float:
        return float(_design(size, delta, level, method).power(np.array(delta))) if delta > 0 else 0.0

    return _first(one_sided, goal, (rate, 1.0), 8 / size) if one_sided(1.0) >= goal else None


def connor_sample_size(discordance: float, difference: float, *, power: float = 0.8, alpha: float = 0.05) -> int:
    r"""Number of test examples for which McNemar's uncorrected test has the given power, approximately.

    Parameters
    ----------
    discordance
        Probability that exactly one of the two classifiers is wrong.
    difference
        True difference of the error rates: not 0, and at most `discordance` in size.
    power, alpha
        The power wanted, and the level of the two-sided test.

    Notes
    -----
    :math:`n=(z_{1-\alpha/2}\sqrt{p_d}+z_{power}\sqrt{p_d-\delta^2})^2/\delta^2`, rounded up.

    References
    ----------
    .. [1] Connor (1987), Sample size for testing differences in proportions for the paired-sample design,
       Biometrics 43, 207-211.

    Examples
    --------
    >>> connor_sample_size(0.2, 0.1)
    155
    """
    rate = fraction(discordance, "discordance", closed=True)
    if not 0 < abs(difference) <= rate:
        raise InvalidInput(
            f"difference must be non-zero and at most discordance ({rate:g}) in size, got {difference!r}"
        )
    z_alpha = -float(special.ndtri(fraction(alpha, "alpha") / 2))
    z_power = float(special.ndtri(fraction(power, "power")))
    root = z_alpha * math.sqrt(rate) + z_power * math.sqrt(rate - difference**2)
    return math.ceil(root**2 / difference**2)


@dataclass(frozen=True, slots=True)
class _Design:
    """Numbers of disagreements that can occur, their probabilities, and where the test rejects."""

    rate: float
    disagreements: Array
    weight: Array
    critical: Array

    def power(self, difference: Array) -> Array:
        """Probability of rejecting at each difference."""
        share = np.clip((1 + np.asarray(difference)[..., None] / self.rate) / 2, 0, 1)
        few_a = binomial_cdf(self.critical, self.disagreements, share, 1 - share)
        few_b = binomial_cdf(self.critical, self.disagreements, 1 - share, share)
        return np.asarray((self.weight * (few_a + few_b)).sum(axis=-1))


def _design(n: int, rate: float, alpha: float, method: Method) -> _Design:
    likely = likely_counts(n, rate)
    return _Design(rate, likely.values, likely.weights, _critical(likely.values, alpha, method))


def _critical(disagreements: Array, alpha: float, method: Method) -> Array:
    """Largest count of the rarer kind of disagreement at which the test rejects; −1 where it never does."""
    if disagreements[0] > MANY:
        # exact and mid-p are the two χ² tests by now, to a fraction of a count
        correction = 1 if method in ("corrected", "exact") else 0
        limit = (disagreements - correction + special.ndtri(alpha / 2) * np.sqrt(disagreements)) / 2
        return np.asarray(np.maximum(np.ceil(limit) - 1, -1))
    half = np.floor(disagreements / 2)
    reject_all = mcnemar(half, disagreements - half, method=method).pvalue < alpha
    # the normal approximation is off by a count or two: narrow the bracket to it where the test agrees
    near = np.floor((disagreements + special.ndtri(alpha / 2) * np.sqrt(disagreements)) / 2)
    low, high = np.full_like(disagreements, -1.0), half
    for guess in (near - 3, near + 3):
        low, high = _narrowed(low, high, np.clip(guess, low, high), disagreements, alpha, method)
    while (high - low > 1).any():
        low, high = _narrowed(low, high, np.floor((low + high) / 2), disagreements, alpha, method)
    return np.where(reject_all, half, low)


def _narrowed(
    low: Array, high: Array, middle: Array, disagreements: Array, alpha: float, method: Method
) -> tuple[Array, Array]:
    """The part of a bracket, low rejected and high not, that the outcome at `middle` leaves."""
    count = np.maximum(middle, 0)
    rejects = (mcnemar(count, disagreements - count, method=method).pvalue < alpha) | (middle < 0)
    return np.where(rejects, np.maximum(low, middle), low), np.where(rejects, high, np.minimum(high, middle))


def _first(power: Callable[[float], float], goal: float, bracket: tuple[float, float], guess: float) -> float:
    """Where a rising power curve reaches the goal, between a point below it and one that reaches it."""
    # imported here: scipy.optimize would double the time that `import foldwise` takes
    from scipy.optimize import brentq

    low, high = bracket
    for near in (1.2 * guess, 0.8 * guess):
        if low < near < high:
            low, high = (low, near) if power(near) >= goal else (near, high)
    return float(brentq(lambda delta: power(delta) - goal, low, high, xtol=1e-10 * high, rtol=1e-9))
