"""Decimals: those of a few digits, counted in whole steps of the last one; those with commas between thousands."""

from __future__ import annotations

import re

import numpy as np

from foldwise.core.types import Array

MOST_DECIMALS = 7
FEW = 1000


def steps_per_one(values: Array, *, most: float) -> float | None:
    """The power of ten that makes all values whole numbers of at most this size; None where there is none.

    A value is the quotient of its step, ``rint(value * steps)``, and this power again, to the bit; −0.0 becomes 0.0.

    >>> steps_per_one(np.array([0.25, 1.5]), most=1000), steps_per_one(np.array([1 / 3]), most=1e9)
    (100.0, None)
    """
    flat = values.ravel()
    largest = max(abs(float(flat.max())), abs(float(flat.min())))
    for decimals in range(MOST_DECIMALS + 1):
        steps = 10.0**decimals
        if not largest * steps <= most:
            return None
        # a few values tell most of those that have more decimals
        if _whole(flat[:FEW], steps) and _whole(flat, steps):
            return steps
    return None


_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+\.\d+")


def without_thousands(text: str) -> str:
    """A number without commas between thousands, where a point shows that they can be nothing else.

    >>> without_thousands("1,234.5"), without_thousands("1,234")
    ('1234.5', '1,234')
    """
    return text.replace(",", "") if "," in text and "." in text and _THOUSANDS.fullmatch(text) else text


def _whole(values: Array, steps: float) -> bool:
    return bool((np.rint(values * steps) / steps == values).all())
