"""Bad distance weights: find those that give nearest neighbours a wanted accuracy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from foldwise.core.errors import DegenerateData

__all__ = ["BadWeights", "bad_attribute", "find_weights"]

Measure = Callable[[Sequence[Sequence[float]]], list[float]]
"""Accuracies with each of several lists of weights."""

TOLERANCE = 0.0005
"""The search ends this near to the target: half of what is promised, 0.1 points."""

PROMISED = 0.001
LARGEST_EXPONENT = 12.0
MOST_STEPS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class BadWeights:
    """Weights, the exponent s that they come from, and the accuracy with them."""

    weights: tuple[float, ...]
    exponent: float
    accuracy: float


def bad_attribute(measure: Measure, columns: int) -> int:
    """The attribute that nearest neighbours do worst with when they have no other."""
    alone = measure([[float(other == column) for other in range(columns)] for column in range(columns)])
    return alone.index(min(alone))


def find_weights(measure: Measure, kept: int, columns: int, *, start: float, target: float) -> BadWeights:
    """The weights, 1 for the attribute `kept` and 10⁻ˢ for all others, with which the accuracy is the target.

    Parameters
    ----------
    measure
        Gives accuracies.
    kept, columns
        Which attribute keeps its weight, of how many.
    start
        Accuracy with equal weights, above the target.
    target
        Accuracy wanted.

    Notes
    -----
    The exponent is doubled until the accuracy is below the target, and then found between by the Illinois variant of
    false position, which needs no derivative and about half the steps of bisection.
    """

    def at(exponent: float) -> BadWeights:
        weights = tuple(1.0 if column == kept else 10**-exponent for column in range(columns))
        return BadWeights(weights=weights, exponent=exponent, accuracy=measure([weights])[0])

    low, gap_low = 0.0, start - target
    high = at(0.5)
    while high.accuracy > target + TOLERANCE and high.exponent < LARGEST_EXPONENT:
        low, gap_low = high.exponent, high.accuracy - target
        high = at(min(2 * high.exponent, LARGEST_EXPONENT))
    best = high if high.accuracy > target else _between(at, low, gap_low, high, target)
    if abs(best.accuracy - target) > PROMISED:
        raise DegenerateData(
            f"bad weights bring the accuracy to {best.accuracy:.4f}, not to {target:.4f}: use method='errors'"
        )
    return best


def _between(
    at: Callable[[float], BadWeights], low: float, gap_low: float, high: BadWeights, target: float
) -> BadWeights:
    best, right, gap_high = high, high.exponent, high.accuracy - target
    side = 0
    for _ in range(MOST_STEPS):
        if abs(best.accuracy - target) <= TOLERANCE:
            break
        found = at((low * gap_high - right * gap_low) / (gap_high - gap_low))
        gap = found.accuracy - target
        best = min(best, found, key=lambda weights: abs(weights.accuracy - target))
        if gap > 0:
            low, gap_low = found.exponent, gap
            gap_high = gap_high / 2 if side == 1 else gap_high
            side = 1
        else:
            right, gap_high = found.exponent, gap
            gap_low = gap_low / 2 if side == -1 else gap_low
            side = -1
    return best
