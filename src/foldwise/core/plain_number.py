"""One number as people write it: a few digits and no exponent."""

from __future__ import annotations

import math

import numpy as np

__all__ = ["NOISE", "level_text", "number_text"]

NOISE = 1e-12
"""What is smaller is what rounding leaves of a zero."""


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


def level_text(level: float) -> str:
    """A confidence level in percent, with as many digits as it takes not to be called certainty.

    Examples
    --------
    >>> level_text(0.95), level_text(0.99999)
    ('95 %', '99.999 %')
    """
    texts = [f"{100 * level:.{digits}g}" for digits in range(4, 18)]
    return f"{next((text for text in texts if text != '100'), texts[-1])} %"
