"""Numbers as people write them: no exponents, and as many decimals in one column."""

from __future__ import annotations

import math
from collections.abc import Iterable

from foldwise.core.formatting import NOISE, number_text

__all__ = ["fixed", "number_text", "shared_decimals", "span"]

MOST_DECIMALS = 6


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


def span(low: float | None, high: float | None) -> str:
    """An interval to four significant digits; nothing where there is none.

    Examples
    --------
    >>> span(-1.25e-16, 6.356), span(None, None)
    ('0 to 6.356', '')
    """
    return "" if low is None or high is None else f"{number_text(low, 4)} to {number_text(high, 4)}"
