"""The power of each kind of comparison as a function of its size and of the true difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.errors import InvalidInput
from foldwise.core.formatting import number_text
from foldwise.core.validation import fraction, integer, numbers, positive
from foldwise.inference._detectable_difference import student_power
from foldwise.inference.binomial_power import mcnemar_power, two_rates_power
from foldwise.inference.many.wilcoxon import wilcoxon_power
from foldwise.inference.student import moments

__all__ = ["Mcnemar", "PowerModel", "RepeatedCv", "TwoRates", "Wilcoxon"]


class PowerModel(Protocol):
    """A design whose power can be computed."""

    unit: ClassVar[str]
    least: ClassVar[int]

    @property
    def largest(self) -> float:
        """The largest difference there can be."""

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the figures rest on."""

    def power(self, size: int, difference: float, alpha: float) -> float:
        """Probability of finding a true difference."""

    def power_at_most(self, difference: float, alpha: float) -> float:
        """What the power approaches as the size grows without bound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mcnemar:
    """McNemar's mid-p test on one test set, by exact enumeration.

    Attributes
    ----------
    discordance
        Share of test examples that exactly one of the two classifiers gets wrong.
    """

    discordance: float

    unit: ClassVar[str] = "test examples"
    least: ClassVar[int] = 5

    def __post_init__(self) -> None:
        fraction(self.discordance, "discordance")

    @property
    def largest(self) -> float:
        """All disagreements go one way."""
        return self.discordance

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the figures rest on."""
        return (f"exactly one classifier is wrong on {number_text(100 * self.discordance, 3)} % of the examples",)

    def power(self, size: int, difference: float, alpha: float) -> float:
        """Exact power of the mid-p test."""
        return float(mcnemar_power(size, self.discordance, difference, alpha=alpha))

    def power_at_most(self, difference: float, alpha: float) -> float:
        """Enough examples find any difference."""
        return 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoRates:
    """Two error rates on independent test sets of the same size, by exact enumeration of the pooled z test.

    Attributes
    ----------
    rate
        Error rate of the worse classifier; the better one's is lower by the difference.
    """

    rate: float

    unit: ClassVar[str] = "examples in each test set"
    least: ClassVar[int] = 5

    def __post_init__(self) -> None:
        fraction(self.rate, "rate")

    @property
    def largest(self) -> float:
        """The better classifier makes no error."""
        return self.rate

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the figures rest on."""
        return (
            f"the worse classifier errs on {number_text(100 * self.rate, 3)} % of the examples, and the test sets are "
            "independent",
        )

    def power(self, size: int, difference: float, alpha: float) -> float:
        """Exact power of the pooled z test."""
        return two_rates_power(size, self.rate, difference, alpha=alpha)

    def power_at_most(self, difference: float, alpha: float) -> float:
        """Enough examples find any difference."""
        return 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedCv:
    """The corrected repeated k-fold cv t test.

    Attributes
    ----------
    sigma
        Standard deviation of the difference between folds.
    folds
        Folds of each run.
    """

    sigma: float
    folds: int = 10

    unit: ClassVar[str] = "runs"
    least: ClassVar[int] = 1

    def __post_init__(self) -> None:
        positive(self.sigma, "sigma")
        integer(self.folds, "folds", minimum=2)

    @classmethod
    def from_pilot(cls, differences: ArrayLike) -> RepeatedCv:
        """From the differences of a pilot study, of shape (runs, folds)."""
        x = numbers(differences, "pilot", min_ndim=2)
        sigma = float(np.sqrt(moments(x.reshape(-1)).variance))
        if sigma == 0:
            raise InvalidInput("pilot has the same difference on every fold, so it says nothing about their variance")
        return cls(sigma=sigma, folds=int(x.shape[-1]))

    @property
    def largest(self) -> float:
        """Without bound."""
        return float("inf")

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the figures rest on."""
        return (
            f"the difference has a standard deviation of {number_text(self.sigma, 3)} between the folds of "
            f"{self.folds}-fold cross-validation",
            "more runs remove the chance of partitioning, not that of the data set: the standard error never falls "
            f"below {number_text(self.sigma * (self.folds - 1) ** -0.5, 3)}",
        )

    def power(self, size: int, difference: float, alpha: float) -> float:
        """Noncentral t with the corrected standard error."""
        n = size * self.folds
        error = self.sigma * np.sqrt(1 / n + 1 / (self.folds - 1))
        return float(student_power(difference, error, n - 1, alpha=alpha))

    def power_at_most(self, difference: float, alpha: float) -> float:
        """Power of infinitely many runs: the known standard error that is left, and a normal distribution."""
        distance = difference / self.sigma * np.sqrt(self.folds - 1)
        critical = -special.ndtri(alpha / 2)
        return float(special.ndtr(distance - critical) + special.ndtr(-distance - critical))


@dataclass(frozen=True, slots=True, kw_only=True)
class Wilcoxon:
    """Wilcoxon's signed-rank test over data sets, by the exact law up to 30 of them.

    Attributes
    ----------
    sigma
        Standard deviation of the difference between data sets.
    """

    sigma: float

    unit: ClassVar[str] = "data sets"
    least: ClassVar[int] = 2

    def __post_init__(self) -> None:
        positive(self.sigma, "sigma")

    @property
    def largest(self) -> float:
        """Without bound."""
        return float("inf")

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the figures rest on."""
        return (f"differences between data sets are about normal with standard deviation {number_text(self.sigma, 3)}",)

    def power(self, size: int, difference: float, alpha: float) -> float:
        """Power of the test as `wilcoxon_signed_rank` runs it."""
        return wilcoxon_power(size, difference / self.sigma, alpha=alpha)

    def power_at_most(self, difference: float, alpha: float) -> float:
        """Enough data sets find any difference."""
        return 1.0
