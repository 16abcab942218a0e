"""How surely a test finds a true difference: one law per kind of statistic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from foldwise.core.types import Array
from foldwise.inference._detectable_difference import detectable_difference, student_power
from foldwise.inference._mcnemar import Method
from foldwise.inference.binomial_power import mcnemar_detectable_difference, mcnemar_power
from foldwise.inference.five_by_two_cv import five_by_two_f_detectable_difference, five_by_two_f_power

__all__ = ["CombinedFPower", "McNemarPower", "Power", "StudentPower", "scaled", "seen_with"]

ASKED = 0.8
"""The power at which a difference counts as seen."""


class Power(Protocol):
    """What a design can see."""

    def detectable(self, alpha: float) -> float | None:
        """The difference found with probability 0.8; None where there is none."""

    def at(self, differences: Array, alpha: float) -> Array:
        """The probability of finding each difference."""

    @property
    def most(self) -> float:
        """The largest difference there can be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentPower:
    """Of a t-type test, by the noncentral t distribution."""

    standard_error: float
    df: float

    def detectable(self, alpha: float) -> float | None:
        """A multiple of the standard error."""
        return float(detectable_difference(self.standard_error, self.df, alpha=alpha))

    def at(self, differences: Array, alpha: float) -> Array:
        """By the noncentral t distribution."""
        return np.asarray(student_power(differences, self.standard_error, self.df, alpha=alpha))

    @property
    def most(self) -> float:
        """There is no limit."""
        return float("inf")


@dataclass(frozen=True, slots=True, kw_only=True)
class CombinedFPower:
    """Of the combined 5×2cv F test, by its own law."""

    within: float

    def detectable(self, alpha: float) -> float | None:
        """A multiple of the spread within replications."""
        return float(five_by_two_f_detectable_difference(self.within, alpha=alpha))

    def at(self, differences: Array, alpha: float) -> Array:
        """By the law of the test's statistic."""
        return np.asarray(five_by_two_f_power(differences, self.within, alpha=alpha))

    @property
    def most(self) -> float:
        """There is no limit."""
        return float("inf")


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemarPower:
    """Of McNemar's test, by enumeration.

    Attributes
    ----------
    n, rate
        Test examples, and the share of them on which the two classifiers disagree.
    method
        The version of the test.
    """

    n: int
    rate: float
    method: Method

    def detectable(self, alpha: float) -> float | None:
        """By enumeration."""
        return mcnemar_detectable_difference(self.n, self.rate, alpha=alpha, method=self.method)

    def at(self, differences: Array, alpha: float) -> Array:
        """By enumeration."""
        return np.asarray(mcnemar_power(self.n, self.rate, differences, alpha=alpha, method=self.method))

    @property
    def most(self) -> float:
        """They differ at most where they disagree."""
        return self.rate


@dataclass(frozen=True, slots=True, kw_only=True)
class _ScaledPower:
    """That of differences in another unit."""

    power: Power
    scale: float

    def detectable(self, alpha: float) -> float | None:
        """In the other unit."""
        found = self.power.detectable(alpha)
        return None if found is None else self.scale * found

    def at(self, differences: Array, alpha: float) -> Array:
        """Of differences in the other unit."""
        return self.power.at(differences / self.scale, alpha)

    @property
    def most(self) -> float:
        """In the other unit."""
        return self.scale * self.power.most


def scaled(power: Power | None, scale: float) -> Power | None:
    """The power of differences that are so many times as large as those that a law speaks of."""
    return power if power is None or scale == 1 else _ScaledPower(power=power, scale=scale)


def seen_with(power: Power | None, alpha: float) -> float | None:
    """The difference that is found with power 0.8; None where power is not known, or chance alone rejects as often."""
    return None if power is None or alpha >= ASKED else power.detectable(alpha)
