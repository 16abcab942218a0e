"""Intervals for an error rate that approximate the binomial by a normal distribution."""

from __future__ import annotations

import numpy as np

from foldwise.core.types import Array

__all__ = ["agresti_coull", "textbook", "textbook_continuity", "wilson"]

Limits = tuple[Array, Array]


def textbook(errors: Array, n: Array, z: float) -> Limits:
    """ε ± z√(ε(1−ε)/M), Anderson & Sclove's limits without the continuity term; may leave [0, 1].

    Examples
    --------
    >>> low, high = textbook(np.array(20.0), np.array(100.0), 1.96)
    >>> round(float(low), 4), round(float(high), 4)
    (0.1216, 0.2784)
    """
    rate = errors / n
    reach = z * np.sqrt(rate * (1 - rate) / n)
    return rate - reach, rate + reach


def textbook_continuity(errors: Array, n: Array, z: float) -> Limits:
    """ε ± (0.5/M + z√(ε(1−ε)/M)), martinhirschberg1996 eq. 2; may leave [0, 1].

    Examples
    --------
    >>> low, high = textbook_continuity(np.array(20.0), np.array(100.0), 1.96)
    >>> round(float(low), 4), round(float(high), 4)
    (0.1166, 0.2834)
    """
    low, high = textbook(errors, n, z)
    return low - 0.5 / n, high + 0.5 / n


def wilson(errors: Array, n: Array, z: float) -> Limits:
    """The rates that the score test does not reject, martinhirschberg1996 eq. 3; never leaves [0, 1].

    Examples
    --------
    >>> low, high = wilson(np.array(0.0), np.array(10.0), 1.96)
    >>> float(low), round(float(high), 4)
    (0.0, 0.2775)
    """
    rate = errors / n
    # solving (ε − τ)² = z²τ(1 − τ)/M for τ
    centre = (rate + z**2 / (2 * n)) / (1 + z**2 / n)
    reach = z * np.sqrt(rate * (1 - rate) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    low, high = np.clip(centre - reach, 0, 1), np.clip(centre + reach, 0, 1)
    # at the ends the limit is the end itself, up to rounding
    return np.where(errors == 0, 0.0, low), np.where(errors == n, 1.0, high)


def agresti_coull(errors: Array, n: Array, z: float) -> Limits:
    """The textbook form after adding z²/2 errors and z²/2 successes, cut at 0 and 1.

    Examples
    --------
    >>> low, high = agresti_coull(np.array(20.0), np.array(100.0), 1.96)
    >>> round(float(low), 4), round(float(high), 4)
    (0.1326, 0.2896)
    """
    low, high = textbook(errors + z**2 / 2, n + z**2, z)
    return np.clip(low, 0, 1), np.clip(high, 0, 1)
