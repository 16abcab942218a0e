"""Tango's score statistic for the difference of two paired proportions, and the interval it implies."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from foldwise.core.types import Array

__all__ = ["tango_limits", "tango_statistic"]

# a bracket of width 2 halves to the spacing of doubles near 1
HALVINGS = 54


def tango_statistic(only_a: Array, only_b: Array, n: Array, difference: Array) -> Array:
    r"""Score statistic of the hypothesis that the paired difference of error rates is `difference`.

    Parameters
    ----------
    only_a, only_b
        Number of examples that only A, only B gets wrong.
    n
        Number of examples.
    difference
        The hypothetical error rate of A minus that of B, from −1 to 1.

    Notes
    -----
    :math:`T(\Delta)=(b-c-N\Delta)/\sqrt{N(2q+\Delta(1-\Delta))}`, where q is the maximum likelihood estimate of
    the probability that only B errs when the difference is Δ: :math:`q=(\sqrt{B^2-8NC}-B)/(4N)`,
    :math:`B=-b-c+(2N-b+c)\Delta`, :math:`C=-c\Delta(1-\Delta)`. At Δ = 0 it is the signed root of McNemar's
    uncorrected χ². It is ±∞ where the hypothesis leaves no variance but the data differ from it, and 0 where
    they do not.

    References
    ----------
    .. [1] Tango (1998), Equivalence test and confidence interval for the difference in proportions for the
       paired-sample design, Statistics in Medicine 17, 891-908.

    Examples
    --------
    >>> float(tango_statistic(np.array(25.0), np.array(10.0), np.array(100.0), np.array(0.0)).round(4))
    2.5355
    """
    distance = only_a - only_b - n * difference
    root = np.sqrt(n * _variance(only_a, only_b, n, difference))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(distance == 0, 0.0, distance / root)


def tango_limits(only_a: Array, only_b: Array, n: Array, z: float) -> tuple[Array, Array]:
    """Lower and upper limit: the differences at which Tango's statistic is z and −z.

    Examples
    --------
    >>> low, high = tango_limits(np.array(25.0), np.array(10.0), np.array(100.0), 1.959963984540054)
    >>> round(float(low), 4), round(float(high), 4)
    (0.0356, 0.2633)
    """
    # the upper limit is the lower one with the classifiers exchanged, so that swapping mirrors to the last bit
    return _lower(only_a, only_b, n, z), -_lower(only_b, only_a, n, z)


def _lower(only_a: Array, only_b: Array, n: Array, z: float) -> Array:
    """The difference below the estimate at which the statistic is z; −1 when the estimate is −1."""

    def excess(difference: Array) -> Array:
        # the sign of T(Δ) − z, written without a division because the variance is 0 at Δ = −1
        reach = z * np.sqrt(n * _variance(only_a, only_b, n, difference))
        return np.asarray(only_a - only_b - n * difference - reach)

    return _bisect(excess, np.full_like(n, -1.0), (only_a - only_b) / n)


def _bisect(falling: Callable[[Array], Array], low: Array, high: Array) -> Array:
    """Where a function that falls from positive to negative crosses 0, element by element."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        above = falling(middle) > 0
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return (low + high) / 2


def _variance(only_a: Array, only_b: Array, n: Array, difference: Array) -> Array:
    """2q + Δ(1 − Δ): the variance of one paired difference when its mean is Δ."""
    # exchanging the classifiers changes Δ to −Δ and nothing else; with Δ ≥ 0 no step below cancels badly
    negative = difference < 0
    b, c = np.where(negative, only_b, only_a), np.where(negative, only_a, only_b)
    delta = np.abs(difference)
    linear = (2 * n - b + c) * delta - b - c
    product = 2 * c * delta * (1 - delta)
    root = np.sqrt(linear**2 + 4 * n * product)
    # the root of a quadratic in the form that does not subtract nearly equal numbers
    with np.errstate(divide="ignore", invalid="ignore"):
        q = np.where(linear > 0, product / (root + linear), (root - linear) / (4 * n))
    return np.asarray(2 * q + delta * (1 - delta))
