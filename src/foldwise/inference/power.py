"""What a test can see: power and detectable difference of t-type tests, of McNemar's and of two rates."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Numbers
from foldwise.core.validation import fraction, integer, not_negative, numbers
from foldwise.inference.independent_samples import two_rates
from foldwise.inference.paired_tables import McNemarMethod, mcnemar
from foldwise.inference.roots import find_root

_FAR = 1e4  # nctdtr slows down and then fails beyond; neglecting the numerator's noise costs 1/_FAR² there


def student_power(effect: ArrayLike, standard_error: ArrayLike, df: ArrayLike, *, alpha: float = 0.05) -> Numbers:
    r"""Probability that a two-sided t-type test rejects when the true difference is `effect`.

    Parameters
    ----------
    effect
        True difference; its sign does not matter.
    standard_error
        Standard error of the estimate, above 0.
    df
        Degrees of freedom of the test, above 0.
    alpha
        Level of the test.

    Notes
    -----
    :math:`P(|T| > t_{1-\alpha/2})` with T noncentral t with `df` degrees of freedom and noncentrality
    effect/standard_error [1]_; both tails count. The three arguments broadcast.

    References
    ----------
    .. [1] Johnson, Kotz & Balakrishnan (1995), Continuous univariate distributions 2, chapter 31.

    Examples
    --------
    >>> float(round(student_power(0.03, 0.01, 9, alpha=0.05), 4))
    0.7612
    """
    level = fraction(alpha, "alpha")
    freedom = numbers(df, "df", above=0)
    noncentrality = np.abs(numbers(effect, "effect")) / numbers(standard_error, "standard_error", above=0)
    return two_sided_power(noncentrality, freedom, _critical_t(freedom, level))[()]


def detectable_difference(
    standard_error: ArrayLike, df: ArrayLike, *, alpha: float = 0.05, power: float = 0.8
) -> Numbers:
    r"""Smallest true difference that a two-sided t-type test rejects with probability `power`.

    Parameters
    ----------
    standard_error
        Standard error of the estimate, at least 0 (0 gives 0).
    df
        Degrees of freedom of the test, above 0.
    alpha
        Level of the test.
    power
        Probability of rejection that is asked for, above `alpha`.

    Notes
    -----
    The noncentrality at which `student_power` equals `power`, times the standard error. It takes the standard error
    for known and the test's distribution for right; the figure is as rough as they are.

    Examples
    --------
    >>> float(round(detectable_difference(0.01, 99), 5))
    0.02829
    """
    level, wanted = fraction(alpha, "alpha"), fraction(power, "power")
    if wanted <= level:
        raise InvalidInput(f"power must be above alpha = {level:g}, got {wanted:g}")
    error = numbers(standard_error, "standard_error", least=0)
    # the noncentrality depends on df alone, which rarely takes many values in a batch
    freedom, place = np.unique(numbers(df, "df", above=0), return_inverse=True)
    noncentrality = noncentrality_for(wanted, freedom, _critical_t(freedom, level))[place].reshape(np.shape(df))
    return (noncentrality * error)[()]


def two_sided_power(noncentrality: Array, df: Array, critical: Array) -> Array:
    """P(|T| > critical) for noncentral t."""
    near = np.minimum(noncentrality, _FAR)
    # the upper tail is the lower tail of the mirrored distribution: nctdtr has no complement of its own
    upper = special.nctdtr(df, -near, -critical)
    lower = special.nctdtr(df, near, -critical)
    # far out the normal numerator is as good as constant and only the χ² denominator varies
    without_noise = special.chdtr(df, df * (noncentrality / critical) ** 2)
    upper = np.where(noncentrality > _FAR, without_noise, upper)
    return np.asarray(upper + np.nan_to_num(lower))  # NaN stands for a tail below 1e-12 in nctdtr


def noncentrality_for(power: float, df: Array, critical: Array) -> Array:
    """Bisection, element by element, to the last bit: power increases with the noncentrality."""
    low, high = np.zeros_like(df), np.ones_like(df)
    while (short := two_sided_power(high, df, critical) < power).any():
        low, high = np.where(short, high, low), np.where(short, 2 * high, high)
    for _ in range(55):
        middle = (low + high) / 2
        short = two_sided_power(middle, df, critical) < power
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return np.asarray((low + high) / 2)


def _critical_t(df: Array, alpha: float) -> Array:
    return np.asarray(-special.stdtrit(df, alpha / 2))


# ---- Power of tests of counts by exact enumeration: McNemar's, and that of two independent rates.
#
# The binomial counts that carry weight, at most a few thousand of them however many trials there are.

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
    """Counts of Bin(n, rate) that matter, with their probabilities."""
    spread = SPREAD * math.sqrt(n * rate * (1 - rate)) + SPREAD**2
    first, last = max(0, math.floor(n * rate - spread)), min(n, math.ceil(n * rate + spread))
    # an odd step visits even and odd counts alike, on which exact tests differ
    step = (last - first) // THINNED | 1 if last - first >= MOST else 1
    values = np.arange(first, last + 1, step, dtype=np.float64)
    weights = np.exp(_log_mass(values, n, rate))
    # the logs of large factorials cancel to about 1e-9 and worse; the sum over all outcomes is exactly 1
    return LikelyCounts(values, weights / weights.sum())


def binomial_cdf(k: Array, n: Array, success: Array, failure: Array) -> Array:
    """P[X ≤ k] for X ~ Bin(n, success), with failure = 1 − success given as exactly as success is."""
    k, n, success, failure = np.broadcast_arrays(k, n, success, failure)
    large = n * success * failure > LARGE
    cdf = np.where(k < 0, 0.0, 1.0)
    inside = (k >= 0) & (k < n) & ~large
    cdf[inside] = special.betainc((n - k)[inside], k[inside] + 1, failure[inside])
    if large.any():
        deviation = np.sqrt((n * success * failure)[large])
        x = (k[large] + 0.5 - n[large] * success[large]) / deviation
        # the first term of Edgeworth's expansion
        skewness = (failure - success)[large] / deviation
        bend = skewness / 6 * (x**2 - 1) * np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)
        cdf[large] = np.clip(special.ndtr(x) - bend, 0.0, 1.0)
    return cdf


def _log_mass(k: Array, n: int, rate: float) -> Array:
    """Log probability of each count up to a constant; for many trials by Stirling's formula, which cancels nothing.

    Loader (2000), Fast and accurate computation of binomial probabilities.
    """
    mean, rest = n * rate, n * (1 - rate)
    if mean < 1e4 or rest < 1e4:
        choose = special.gammaln(n + 1.0) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
        return np.asarray(choose + special.xlogy(k, rate) + special.xlog1py(n - k, -rate))
    # n·KL(k/n, rate) with the two logarithms taken of ratios near 1
    deviance = k * np.log1p((k - mean) / mean) + (n - k) * np.log1p((mean - k) / rest)
    return np.asarray(-deviance - 0.5 * np.log(k / n * (1 - k / n)) - (1 / k + 1 / (n - k)) / 12)


# ---- What McNemar's test can see: power by exact enumeration, the detectable difference, the sample size.

MANY = 1e7  # disagreements from which the normal approximation decides as the exact tests do


def mcnemar_power(
    n: int, discordance: float, difference: ArrayLike, *, alpha: float = 0.05, method: McNemarMethod = "midp"
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
    n: int, discordance: float, *, power: float = 0.8, alpha: float = 0.05, method: McNemarMethod = "midp"
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


def _design(n: int, rate: float, alpha: float, method: McNemarMethod) -> _Design:
    likely = likely_counts(n, rate)
    last = int(likely.values[-1])
    if last < TABLED:
        critical = _critical_table(1 << last.bit_length(), alpha, method)[likely.values.astype(np.intp)]
    else:
        critical = _critical(likely.values, alpha, method)
    return _Design(rate, likely.values, likely.weights, critical)


TABLED = 1 << 14  # Disagreements up to which the critical counts are kept: pairs of models share them.


@lru_cache(maxsize=64)
def _critical_table(size: int, alpha: float, method: McNemarMethod) -> Array:
    return _critical(np.arange(float(size)), alpha, method)


def _critical(disagreements: Array, alpha: float, method: McNemarMethod) -> Array:
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
    low: Array, high: Array, middle: Array, disagreements: Array, alpha: float, method: McNemarMethod
) -> tuple[Array, Array]:
    """The part of a bracket, low rejected and high not, that the outcome at `middle` leaves."""
    count = np.maximum(middle, 0)
    rejects = (mcnemar(count, disagreements - count, method=method).pvalue < alpha) | (middle < 0)
    return np.where(rejects, np.maximum(low, middle), low), np.where(rejects, high, np.minimum(high, middle))


def _first(power: Callable[[float], float], goal: float, bracket: tuple[float, float], guess: float) -> float:
    """Where a rising power curve reaches the goal, between a point below it and one that reaches it."""
    low, high = bracket
    for near in (1.2 * guess, 0.8 * guess):
        if low < near < high:
            low, high = (low, near) if power(near) >= goal else (near, high)
    return find_root(lambda delta: power(delta) - goal, low, high, within=1e-9 * high)


def two_rates_power(n: int, rate: float, difference: float, *, alpha: float = 0.05) -> float:
    r"""Probability that the textbook test of two rates rejects, on two independent test sets of n examples each.

    `rate` is that of the worse classifier; the better one's is lower by `difference`.

    With k errors of the worse classifier, the test rejects where the other's errors j are few or many enough: the roots
    of :math:`(k-j)^2 = z^2 s(2n-s)/(2n)`, :math:`s=k+j`. Their binomial tails are summed over k, weighted by its
    probability; for more than some thousand likely k, over every few of them.
    """
    size = integer(n, "n", minimum=1)
    worse = fraction(rate, "rate", closed=True)
    level = fraction(alpha, "alpha")
    if not_negative(difference, "difference") > worse:
        raise InvalidInput(f"difference must be at most rate ({worse:g}), got {difference:g}")
    better = max(worse - difference, 0.0)
    likely = likely_counts(size, worse)
    few, many = _limits(likely.values, size, level)
    below, above = (
        binomial_cdf(*np.broadcast_arrays(count, float(size), share, 1 - share))
        for count, share in ((few, better), (size - many, 1 - better))
    )
    return min(1.0, float(likely.weights @ (below + above)))


def _limits(k: Array, n: int, alpha: float) -> tuple[Array, Array]:
    """For each k the largest j below it and the smallest above it that the test rejects; −1 and n + 1 for none."""
    z2 = float(special.ndtri(alpha / 2)) ** 2
    # in d = j − k: (1 + z²/2n)·d² − (z²/n)(n − 2k)·d − (z²/n)·2k(n − k) = 0, from the formula of the docstring
    a, b, c = 1 + z2 / (2 * n), z2 / n * (n - 2 * k), z2 / n * 2 * k * (n - k)
    root = np.sqrt(b**2 + 4 * a * c)
    few, many = np.floor(k + (b - root) / (2 * a)), np.ceil(k + (b + root) / (2 * a))
    # the test itself decides the counts next to the roots, where rounding could
    few = _furthest(few + 2, k, n, alpha, step=-1)
    return few, _furthest(many - 2, k, n, alpha, step=1)


def _furthest(start: Array, k: Array, n: int, alpha: float, *, step: int) -> Array:
    """The first of five counts from `start` on, away from k, that the test rejects."""
    found = start + 5 * step
    for steps in (4, 3, 2, 1, 0):
        j = start + steps * step
        inside = np.clip(j, 0, n)
        beyond = (j - k) * step > 0
        rejects = beyond & (j == inside) & (two_rates(k, n, inside, n).pvalue < alpha)
        found = np.where(rejects, j, found)
    return np.clip(found, -1, n + 1)
