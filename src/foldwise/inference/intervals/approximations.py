"""Hand-computable approximations of the Jeffreys interval, from a time when its exact quantiles were hard to get."""

from __future__ import annotations

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array

__all__ = ["abramowitz_stegun", "approximate_beta"]

Limits = tuple[Array, Array]

FITTED_UP_TO = 200
"""Test examples that the formulas for few errors were fitted to; at 10,000 they are off several times."""


def approximate_beta(errors: Array, n: Array, confidence_level: float) -> Limits:
    r"""Centre ± half-width of martinhirschberg1996 eq. 5, for 95 % only.

    Notes
    -----
    For :math:`m\le M/2`: centre :math:`A+(1-2A)\varepsilon`, half-width the centre if m ≤ 1, otherwise
    :math:`2B\sqrt{\varepsilon(1-\varepsilon)}`, with :math:`A=1.96\sqrt{0.5}/(M+3)` and
    :math:`B=1.96/(2\sqrt{M+2.5})`; mirrored for :math:`m>M/2`.

    Examples
    --------
    >>> low, high = approximate_beta(np.array(2.0), np.array(20.0), 0.95)
    >>> round(float(low), 4), round(float(high), 4)
    (0.0242, 0.2722)
    """
    if confidence_level != 0.95:
        raise InvalidInput(f"confidence_level must be 0.95 for method 'approximate_beta', got {confidence_level:g}")
    fewer = np.minimum(errors, n - errors)
    rate = fewer / n
    shift = 1.96 * np.sqrt(0.5) / (n + 3)
    centre = shift + (1 - 2 * shift) * rate
    half = np.where(fewer <= 1, centre, 1.96 / np.sqrt(n + 2.5) * np.sqrt(rate * (1 - rate)))
    return _mirrored(errors, n, centre - half, centre + half)


def abramowitz_stegun(errors: Array, n: Array, z: float, confidence_level: float) -> Limits:
    r"""Handbook inverse of the incomplete beta function, with the small-m formulas of martinhirschberg1996 A.3.

    Notes
    -----
    For 5 < m < M − 5, with a = m + ½ and b = M − m + ½, :math:`\tau=a/(a+b\,e^{2w})` where
    :math:`w=\pm z\sqrt{h+\lambda}/h+t(\lambda+\tfrac56-\tfrac2{3h})`, :math:`h=4m(M-m)/M`,
    :math:`t=(M-2m)/(2m(M-m))` and :math:`\lambda=(z^2-3)/6`. The print drops the factor 2 in the exponent and has
    :math:`+\tfrac2{3h}`; the handbook's own formula (26.5.22), used here, has the accuracy that the report states.

    Closer to the ends the empirical formulas, which exist for 95 % and for up to 200 examples only. Two constants are
    wrong in the print: b₂ is +0.093773 and the intercept of A_m is 0.273901 (digits swapped); with them the largest
    deviation of the upper limit is 0.0046 at M = 10, m = 4, as the report states.

    References
    ----------
    .. [1] Abramowitz & Stegun (1972), Handbook of Mathematical Functions, 26.5.22.

    Examples
    --------
    >>> low, high = abramowitz_stegun(np.array(20.0), np.array(100.0), 1.959964, 0.95)
    >>> round(float(low), 4), round(float(high), 4)
    (0.1307, 0.2863)
    """
    fewer = np.minimum(errors, n - errors)
    few = fewer <= 5
    if confidence_level != 0.95 and few.any():
        raise InvalidInput(
            "confidence_level must be 0.95 for method 'abramowitz_stegun' with at most 5 errors or at most 5 "
            f"right answers, got {confidence_level:g}"
        )
    if (few & (n > FITTED_UP_TO)).any():
        largest = n[few & (n > FITTED_UP_TO)].max()
        raise InvalidInput(
            f"n must be at most {FITTED_UP_TO} for method 'abramowitz_stegun' with at most 5 errors or at most 5 right "
            f"answers, got {largest:g}"
        )
    near, far = _few_errors(np.minimum(fewer, 5), n), _handbook(np.where(few, n / 2, fewer), n, z)
    low, high = (np.where(few, at_end, inside) for at_end, inside in zip(near, far, strict=True))
    return _mirrored(errors, n, low, high)


def _handbook(errors: Array, n: Array, z: float) -> Limits:
    a, b = errors + 0.5, n - errors + 0.5
    h = 4 * errors * (n - errors) / n
    slope = (n - 2 * errors) / (2 * errors * (n - errors))
    shrink = (z**2 - 3) / 6
    spread = z * np.sqrt(h + shrink) / h
    shift = slope * (shrink + 5 / 6 - 2 / (3 * h))
    return a / (a + b * np.exp(2 * (shift + spread))), a / (a + b * np.exp(2 * (shift - spread)))


def _few_errors(m: Array, n: Array) -> Limits:
    log_n = np.log(n)
    low = np.exp(-2.03763 + 1.874143 * np.log(np.maximum(m, 1)) - (1 + 0.01545 * m) * log_n)
    none = np.exp(0.132893 - 0.539755 * log_n - 0.093773 * log_n**2 + 0.00657 * log_n**3)
    some = np.exp(
        (0.273901 + 0.207148 * m - 0.05118 * m**2 + 0.002488 * m**3)
        - (0.500124 - 0.148240 * m) * log_n
        - (0.099266 + 0.032337 * m) * log_n**2
        + (0.006670 + 0.002430 * m) * log_n**3
    )
    # far below the sizes they were fitted to, the formulas run past 1
    return np.where(m == 0, 0.0, low), np.minimum(np.where(m == 0, none, some), 1)


def _mirrored(errors: Array, n: Array, low: Array, high: Array) -> Limits:
    """Limits computed for min(m, M − m), turned over where m > M/2."""
    turned = errors > n / 2
    return np.where(turned, 1 - high, low), np.where(turned, 1 - low, high)
