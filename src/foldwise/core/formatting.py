"""Numbers and moments as people write them."""

from __future__ import annotations

import math
from datetime import UTC, datetime

import numpy as np

# ---- One number as people write it: a few digits and no exponent.

NOISE = 1e-12  # What is smaller is what rounding leaves of a zero.


def number_text(value: float, digits: int) -> str:
    """A number to so many significant digits, without an exponent and without zeros at its end.

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

    >>> level_text(0.95), level_text(0.99999)
    ('95 %', '99.999 %')
    """
    texts = [f"{100 * level:.{digits}g}" for digits in range(4, 18)]
    return f"{next((text for text in texts if text != '100'), texts[-1])} %"


# ---- Moments as people and files write them.


def moment(made: int) -> str:
    """Seconds since 1970 as people write them.

    >>> moment(0)
    '1970-01-01T00:00:00Z'
    """
    return datetime.fromtimestamp(made, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def found_in_store(found: int, total: int, what: str, made: tuple[str, str] | None) -> str:
    """How many results came from a store, and from when they are.

    >>> found_in_store(3, 4, "fits", (moment(0), moment(60)))
    '3 of 4 fits were found in the store, made from 1970-01-01T00:00:00Z to 1970-01-01T00:01:00Z'
    """
    first, last = made or ("", "")
    when = f", made {first}" if first == last else f", made from {first} to {last}"
    return f"{found} of {total} {what} were found in the store{when if first else ''}"
