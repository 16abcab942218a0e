"""Curves behind a comparison: the posterior of the difference, and the power of the design."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from foldwise.core.result import Result
from foldwise.core.types import Array, Json
from foldwise.kinds.power import Power, seen_with

__all__ = ["POINTS", "Curve", "PosteriorCurve", "PowerCurve", "difference_grid", "power_curve"]

POINTS = 201
"""Points of a curve; odd, so that a symmetric one has its middle."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Curve(Result):
    """A curve over the difference a − b.

    Attributes
    ----------
    difference, height
        Points of the curve.
    """

    page: ClassVar[str] = "curve"
    title: ClassVar[str]
    axis: ClassVar[str]

    difference: Array
    height: Array

    def _content(self) -> dict[str, Json]:
        return {"difference": self.difference.tolist(), self.axis: self.height.tolist()}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PosteriorCurve(Curve):
    """Posterior density of the difference; the region of practical equivalence and 0 are among its points."""

    title: ClassVar[str] = "How probable each difference is"
    axis: ClassVar[str] = "density"

    @property
    def density(self) -> Array:
        """Height of the curve."""
        return self.height


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PowerCurve(Curve):
    """Probability that the test rejects, by the size of the true difference, from no difference on."""

    title: ClassVar[str] = "How surely each difference is found"
    axis: ClassVar[str] = "power"

    @property
    def power(self) -> Array:
        """Height of the curve."""
        return self.height


def power_curve(power: Power, alpha: float) -> PowerCurve | None:
    """The power of a design by the true difference, up to twice the detectable one; None where there is none."""
    detectable = seen_with(power, alpha)
    if detectable is None:
        return None
    x = np.linspace(0, min(2 * detectable, power.most), POINTS)
    return PowerCurve(difference=x, height=power.at(x, alpha))


def difference_grid(mean: float, reach: float, rope: float) -> Array:
    """Differences around a mean; the limits of the region are among them, so that its three parts meet."""
    low, high = min(mean - reach, -1.5 * rope, 0.0), max(mean + reach, 1.5 * rope, 0.0)
    return np.unique(np.concatenate([np.linspace(low, high, POINTS), [-rope, 0.0, rope]]))
