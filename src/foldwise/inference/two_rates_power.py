"""What the test of two independent error rates can see: its power by exact enumeration."""

from __future__ import annotations

import numpy as np
from scipy import special

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array
from foldwise.core.validation import fraction, integer, not_negative
from foldwise.inference.likely_counts import binomial_cdf, likely_counts
from foldwise.inference.two_rates import two_rates

__all__ = ["two_rates_power"]


def two_rates_power(n: int, rate: float, difference: float, *, alpha: float = 0.05) -> float:
    r"""Probability that the textbook test of two rates rejects, on two independent test sets of n examples each.

    Parameters
    ----------
    n
        Examples in each test set.
    rate
        Error rate of the worse classifier.
    difference
        By how much the better one's is lower, at most `rate`.
    alpha
        The test rejects when its p-value is below this.

    Notes
    -----
    With k errors of the worse classifier, the test rejects where the other's errors j are few or many enough: the roots
    of :math:`(k-j)^2 = z^2 s(2n-s)/(2n)`, :math:`s=k+j`. Their binomial tails are summed over k, weighted by its
    probability; for more than some thousand likely k, over every few of them.

    Examples
    --------
    >>> round(two_rates_power(150, 0.3, 0.1), 4)
    0.5195
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
