"""What a test says about one comparison: its numbers, how surely it finds a difference, and the curves behind them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from foldwise.core.formatting import LEAST_PVALUE
from foldwise.core.result import Result
from foldwise.core.types import Array, Interval, Json
from foldwise.inference.crossed_designs import VarianceSplit
from foldwise.inference.equivalence import Probabilities
from foldwise.inference.five_by_two_cv import five_by_two_f_detectable_difference, five_by_two_f_power
from foldwise.inference.paired_tables import McNemarMethod
from foldwise.inference.power import detectable_difference, mcnemar_detectable_difference, mcnemar_power, student_power
from foldwise.inference.student import StudentResult

ASKED = 0.8  # The power at which a difference counts as seen.


class Power(ABC):
    @abstractmethod
    def detectable(self, alpha: float) -> float | None:
        """The difference found with probability 0.8; None where there is none."""

    @abstractmethod
    def at(self, differences: Array, alpha: float) -> Array:
        """The probability of finding each difference."""

    @property
    def most(self) -> float:
        return float("inf")


PRACTICALLY_NORMAL = 1e6  # Degrees of freedom whose Student distribution is a normal one to all digits that are shown.


@dataclass(frozen=True, slots=True, kw_only=True)
class StudentPower(Power):
    """Of a t-type test, by the noncentral t distribution."""

    standard_error: float
    df: float

    def detectable(self, alpha: float) -> float | None:
        return self.standard_error * _detectable_errors(self.df, alpha)

    def at(self, differences: Array, alpha: float) -> Array:
        return np.asarray(student_power(differences, self.standard_error, self.df, alpha=alpha))


@lru_cache(maxsize=4096)
def _detectable_errors(df: float, alpha: float) -> float:
    """How many standard errors are detectable: the same for thousands of pairs of models."""
    return float(detectable_difference(1.0, df, alpha=alpha))


def student_power_of(_evidence: object, result: StudentResult) -> StudentPower:
    """The power of a t-type test, from its own standard error."""
    return StudentPower(standard_error=float(result.standard_error), df=min(float(result.df), PRACTICALLY_NORMAL))


@dataclass(frozen=True, slots=True, kw_only=True)
class CombinedFPower(Power):
    """Of the combined 5×2cv F test, by its own law, from the spread within replications."""

    within: float

    def detectable(self, alpha: float) -> float | None:
        return float(five_by_two_f_detectable_difference(self.within, alpha=alpha))

    def at(self, differences: Array, alpha: float) -> Array:
        return np.asarray(five_by_two_f_power(differences, self.within, alpha=alpha))


@dataclass(frozen=True, slots=True, kw_only=True)
class McNemarPower(Power):
    n: int  #: Test examples
    rate: float  #: Share of them on which the two classifiers disagree: the largest difference there can be
    method: McNemarMethod  #: The version of the test

    def detectable(self, alpha: float) -> float | None:
        return _mcnemar_detectable(self.n, self.rate, alpha, self.method)

    def at(self, differences: Array, alpha: float) -> Array:
        return np.asarray(mcnemar_power(self.n, self.rate, differences, alpha=alpha, method=self.method))

    @property
    def most(self) -> float:
        return self.rate


@lru_cache(maxsize=4096)
def _mcnemar_detectable(n: int, rate: float, alpha: float, method: McNemarMethod) -> float | None:
    """Many pairs of models disagree equally often."""
    return mcnemar_detectable_difference(n, rate, alpha=alpha, method=method)


@dataclass(frozen=True, slots=True, kw_only=True)
class _ScaledPower(Power):
    power: Power
    scale: float

    def detectable(self, alpha: float) -> float | None:
        found = self.power.detectable(alpha)
        return None if found is None else self.scale * found

    def at(self, differences: Array, alpha: float) -> Array:
        return self.power.at(differences / self.scale, alpha)

    @property
    def most(self) -> float:
        return self.scale * self.power.most


def scaled(power: Power | None, scale: float) -> Power | None:
    """The power of differences that are so many times as large as those that a law speaks of."""
    return power if power is None or scale == 1 else _ScaledPower(power=power, scale=scale)


def seen_with(power: Power | None, alpha: float) -> float | None:
    """The difference that is found with power 0.8; None where power is not known, or chance alone rejects as often."""
    return None if power is None or alpha >= ASKED else power.detectable(alpha)


POINTS = 201  # Points of a curve; odd, so that a symmetric one has its middle.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Curve(Result):
    page: ClassVar[str] = "curve"
    title: ClassVar[str]
    axis: ClassVar[str]

    #: difference, height: Points of the curve
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
        return self.height


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PowerCurve(Curve):
    """Probability that the test rejects, by the size of the true difference, from no difference on."""

    title: ClassVar[str] = "How surely each difference is found"
    axis: ClassVar[str] = "power"

    @property
    def power(self) -> Array:
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


# ---- What a test, its interval and its probabilities say about one comparison.


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The numbers of a comparison, as a − b in the metric's own unit."""

    estimate: float  #: The difference, as the test estimates it
    #: statistic, df, pvalue: As the test gives them; NaN where the evidence leaves it nothing to say. A p-value is at
    #: least `LEAST_PVALUE`
    statistic: float
    df: float | tuple[float, float] | None
    pvalue: float
    interval: Interval | None = None  #: Confidence interval of level 1 − alpha, or None where there is none
    common: bool = True  #: Whether some common difference fits the evidence: if not, the test names no winner
    #: Those that the region of practical equivalence leaves; None where nothing can be told
    probabilities: Probabilities | None = None
    power: Power | None = None  #: What the design can see, or None where that is not known
    standard_error: float | None = None  #: Of the estimate, where the test has one; else None
    variance: VarianceSplit | None = None  #: Where the variance comes from, where the evidence can tell; else None
    caveats: tuple[str, ...] = ()  #: What a reader should know of these numbers
    withheld: str = ""  #: Why there is no verdict although the differences vary; else empty

    def __post_init__(self) -> None:
        object.__setattr__(self, "pvalue", max(self.pvalue, LEAST_PVALUE))
