"""Decimal numbers of up to 15 digits, read from many places of a text at once.

A whole number below 10¹⁵ and a power of ten up to 10²² are exact in float64, and division rounds correctly, so that the
quotient is the number nearest to what is written (Clinger 1990, How to read floating point numbers accurately): what
Python reads, to the bit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foldwise.core.types import Array, Flags, Integers

__all__ = ["read_decimals"]

DIGITS = 15
"""Digits, leading zeros among them, with which a number is surely exact."""

PIECE = 1 << 14
"""Numbers that are read together: what is computed of them stays in the processor's cache."""

_TENS = 10.0 ** np.arange(DIGITS + 1)
_POINT, _MINUS, _ZERO = (np.uint8(ord(sign)) for sign in ".-0")


def read_decimals(raw: NDArray[np.uint8], start: Integers, stop: Integers) -> tuple[Array, Flags]:
    """The numbers between places, and which were read: those written with digits, a minus and a point only.

    Examples
    --------
    >>> raw = np.frombuffer(b"-1.25;1e5;7", np.uint8)
    >>> read_decimals(raw, np.array([0, 6, 10]), np.array([5, 9, 11]))
    (array([-1.25,  0.  ,  7.  ]), array([ True, False,  True]))
    """
    values, read = np.zeros(len(start)), np.zeros(len(start), np.bool_)
    for first in range(0, len(start), PIECE):
        part = slice(first, first + PIECE)
        length = stop[part] - start[part]
        short = first + np.flatnonzero((length > 0) & (length <= DIGITS + 2))
        values[short], read[short] = _read_short(raw, start[short], stop[short])
    return values, read


def _read_short(raw: NDArray[np.uint8], start: Integers, stop: Integers) -> tuple[Array, Flags]:
    """The same for places that are not empty and not too far from each other."""
    negative = raw[start] == _MINUS
    first = start + negative
    width = (stop - first).astype(np.uint8)
    read, after = np.ones(len(start), np.bool_), np.zeros(len(start), np.bool_)
    points, broken = np.zeros(len(start), np.uint8), np.zeros(len(start), np.uint8)
    whole = np.zeros(len(start), np.int64)
    for at in range(int(width.max(initial=0))):
        byte = raw[np.minimum(first + at, len(raw) - 1)]
        here, digits, point = width > at, byte - _ZERO, byte == _POINT  # below "0" digits are 200 and more
        digit = here & (digits < 10)
        point &= here
        read &= digit | point | ~here
        whole = np.where(digit, whole * 10 + digits, whole)
        broken += digit & after
        after |= point
        points += point
    read &= (points <= 1) & (width > points) & (width - points <= DIGITS)
    values = np.where(read, whole, 0) / _TENS[np.where(read, broken, 0)]
    return np.where(negative, -values, values), read
