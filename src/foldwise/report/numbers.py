"""Numbers as people write them: no exponents, and as many decimals in one column."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

__all__ = ["fixed", "number_text", "shared_decimals"]

NOISE = 1e-12
"""What is smaller is what rounding leaves of a zero."""

MOST_DECIMALS = 6


def number_text(value: float, digits: int) -> str:
    """A number to so many significant digits, without an exponent and without zeros at its end.

    Examples
    --------
    >>> number_text(0.0000708, 3), number_text(-1.48e-17, 3), number_text(1234567.0, 4), number_text(0.5, 3)
    ('0.0000708', '0', '1235000', '0.5')
    """
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if math.isnan(value):
        return "unknown"
    if abs(value) < NOISE:
        return "0"
    if abs(value) >= 1e15:
        mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
        return f"{mantissa} × 10^{int(power)}".replace("-", "−")
    rounded = float(f"{value:.{digits - 1}e}")
    return np.format_float_positional(rounded, trim="-").replace("-", "−")


def shared_decimals(values: Iterable[float], digits: int) -> int:
    """How many decimals show the largest of the values to so many significant digits.

    Examples
    --------
    >>> shared_decimals([0.95, 0.7], 4), shared_decimals([12.3, 0.2], 4), shared_decimals([], 4)
    (4, 2, 4)
    """
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    if largest < NOISE:
        return digits
    return min(max(digits - 1 - math.floor(math.log10(largest)), 0), MOST_DECIMALS) if largest >= 1 else digits


def fixed(value: float, decimals: int) -> str:
    """A number with so many decimals, and no minus before a zero.

    Examples
    --------
    >>> fixed(0.5, 3), fixed(-0.0001, 2), fixed(-1.25, 1)
    ('0.500', '0.00', '−1.2')
    """
    if not math.isfinite(value):
        return number_text(value, 3)
    text = f"{value:.{decimals}f}"
    return (text.removeprefix("-") if float(text) == 0 else text).replace("-", "−")
