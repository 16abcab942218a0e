"""Where a function of one number is 0: `scipy.optimize` takes longer to import than a command that needs it once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array

MOST_STEPS = 200


def find_root(function: Callable[[float], float], low: float, high: float, *, within: float) -> float:
    """A root between two points at which the function has different signs, by Chandrupatla's method.

    `within` is how close to a change of sign the answer must be.

    Inverse quadratic interpolation through the last three points where these lie so that it can be trusted, and
    halving elsewhere: never many more steps than halving alone, and about as few as Brent's method.

    .. [1] Chandrupatla (1997), A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function
       without using derivatives, Advances in Engineering Software 28(3):145–149.
    """
    b, a = low, high  # a is the newest point, b the other end of the bracket, c the point before
    at_b, at_a = function(b), function(a)
    if at_b * at_a > 0:
        raise InvalidInput(f"the function must have different signs at {low:g} and {high:g}")
    step = 0.5
    for _ in range(MOST_STEPS):
        tried = a + step * (b - a)
        at_tried = function(tried)
        if (at_tried > 0) == (at_a > 0):
            c, at_c = a, at_a
        else:
            c, b, at_c, at_b = b, a, at_b, at_a
        a, at_a = tried, at_tried
        nearest = a if abs(at_a) < abs(at_b) else b
        share = within / max(abs(b - a), within)
        if at_a == 0 or share > 0.5:
            return float(nearest)
        x, y = (a - b) / (c - b), (at_a - at_b) / (at_c - at_b)
        step = 0.5
        if y**2 < x and (1 - y) ** 2 < 1 - x:  # the three points lie on a curve that has one root between them
            step = at_a / (at_b - at_a) * at_c / (at_b - at_c)
            step += (c - a) / (b - a) * at_a / (at_c - at_a) * at_b / (at_c - at_b)
        step = min(1 - share, max(share, step))
    return float(nearest)


HALVINGS = 54  # A bracket of width 2 halves so often to the spacing of doubles near 1.


def bisect(falling: Callable[[Array], Array], low: Array, high: Array) -> Array:
    """Where a function that falls from positive to negative crosses 0, element by element."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        above = falling(middle) > 0
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.asarray((low + high) / 2)
