"""Power of a two-sided t-type test, and the difference it would detect, by the noncentral t distribution."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Numbers
from foldwise.core.validation import fraction, numbers

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
    return two_sided_power(noncentrality, freedom, _critical(freedom, level))[()]


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
    noncentrality = noncentrality_for(wanted, freedom, _critical(freedom, level))[place].reshape(np.shape(df))
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


def _critical(df: Array, alpha: float) -> Array:
    return np.asarray(-special.stdtrit(df, alpha / 2))
