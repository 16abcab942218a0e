"""What the Bayesian learners share: the product of probabilities that decides, and the normal distribution."""

from __future__ import annotations

import math

from foldwise.core.types import Array
from foldwise.learners.compile import kernel
from foldwise.learners.naive_bayes_plain import FLOOR, LIFT, SQRT_HALF

__all__ = ["first_largest", "multiply", "normal_cdf"]


@kernel
def multiply(product: Array, factors: Array) -> None:
    """Multiply one attribute's probabilities into the classes' products, in place.

    When all products have become smaller than `FLOOR` they are lifted together.
    """
    largest = 0.0
    for c in range(product.shape[0]):
        product[c] *= max(FLOOR, factors[c])
        largest = max(largest, product[c])
    if 0.0 < largest < FLOOR:
        for c in range(product.shape[0]):
            product[c] *= LIFT


@kernel
def first_largest(product: Array) -> int:
    """The first class whose share of the sum is largest; equal shares are equal after rounding."""
    best = 0
    total = 0.0
    for c in range(product.shape[0]):
        total += product[c]
        if product[c] > product[best]:
            best = c
    for c in range(best):
        if product[c] / total == product[best] / total:
            return c
    return best


@kernel
def normal_cdf(z: float) -> float:
    """Standard normal distribution function; above zero it is 1 − tail, so tiny upper tails vanish, as in Weka."""
    x = z * SQRT_HALF
    if abs(x) < SQRT_HALF:
        return 0.5 + 0.5 * math.erf(x)
    tail = 0.5 * math.erfc(abs(x))
    return 1.0 - tail if x > 0.0 else tail
