"""The power of each kind of comparison as a function of its size and of the true difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
from scipy import special

from foldwise.core.errors import InvalidInput
from foldwise.core.validation import fraction, integer, numbers, positive
from foldwise.inference.detectable_difference import student_power
from foldwise.inference.mcnemar_power import mcnemar_power
from foldwise.inference.moments import moments

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
        return (f"exactly one classifier is wrong on {100 * self.discordance:.3g} % of the examples",)

    def power(self, size: int, difference: float, alpha: float) -> float:
        """Exact power of the mid-p test."""
        return float(mcnemar_power(size, self.discordance, difference, alpha=alpha))


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
            f"the worse classifier errs on {100 * self.rate:.3g} % of the examples, and the test sets are independent",
        )

    def power(self, size: int, difference: float, alpha: float) -> float:
        """Sum of the probabilities of all pairs of error counts that the test rejects."""
        worse, better = (_likely_counts(size, p) for p in (self.rate, max(self.rate - difference, 0.0)))
        pooled = (worse[0][:, None] + better[0][None, :]) / (2 * size)
        spread = np.sqrt(np.maximum(pooled * (1 - pooled) * 2 / size, 1e-300))
        z = np.abs(worse[0][:, None] - better[0][None, :]) / size / spread
        rejects = 2 * special.ndtr(-z) < alpha
        return float(worse[1] @ (rejects @ better[1]))


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
    def from_pilot(cls, differences: Any) -> RepeatedCv:
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
            f"the difference has a standard deviation of {self.sigma:.3g} between the folds of {self.folds}-fold "
            "cross-validation",
            "more runs remove the chance of partitioning, not that of the data set: the standard error never falls "
            f"below {self.sigma * (self.folds - 1) ** -0.5:.3g}",
        )

    def power(self, size: int, difference: float, alpha: float) -> float:
        """Noncentral t with the corrected standard error."""
        n = size * self.folds
        error = self.sigma * np.sqrt(1 / n + 1 / (self.folds - 1))
        return float(student_power(difference, error, n - 1, alpha=alpha))


@dataclass(frozen=True, slots=True, kw_only=True)
class Wilcoxon:
    """Wilcoxon's signed-rank test over data sets, by the normal approximation.

    Attributes
    ----------
    sigma
        Standard deviation of the difference between data sets.
    """

    sigma: float

    unit: ClassVar[str] = "data sets"
    least: ClassVar[int] = 6  # fewer can't reach p < 0.05 (two-sided, exact)

    def __post_init__(self) -> None:
        positive(self.sigma, "sigma")

    @property
    def largest(self) -> float:
        """Without bound."""
        return float("inf")

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the figures rest on."""
        return (f"differences between data sets are about normal with standard deviation {self.sigma:.3g}",)

    def power(self, size: int, difference: float, alpha: float) -> float:
        """Normal approximation with the statistic's mean and variance under the alternative (Lehmann 1975, §4.2)."""
        shift, n = abs(difference) / self.sigma, float(size)
        p1, p2 = special.ndtr(shift), special.ndtr(np.sqrt(2) * shift)  # P(D > 0), P(D + D′ > 0)
        # P(D + D′ > 0 and D + D″ > 0): two normal variables with correlation ½, by Owen's T function
        p3 = p2 - 2 * special.owens_t(np.sqrt(2) * shift, np.sqrt(1 / 3))
        mean = n * p1 + n * (n - 1) / 2 * p2
        pairs = 2 * (p1 - p2) ** 2 + 3 * p2 * (1 - p2)
        variance = n * p1 * (1 - p1) + n * (n - 1) / 2 * pairs + n * (n - 1) * (n - 2) * (p3 - p2**2)
        critical = -special.ndtri(alpha / 2) * np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        # so large a difference that every rank is positive leaves no variance
        return float(special.ndtr((mean - n * (n + 1) / 4 - critical) / np.sqrt(max(variance, 1e-9))))


def _likely_counts(n: int, p: float) -> tuple[Any, Any]:
    """Error counts within nine standard deviations, and their probabilities."""
    reach = 9 * np.sqrt(n * p * (1 - p)) + 10
    k = np.arange(max(0, int(n * p - reach)), min(n, int(n * p + reach)) + 1, dtype=np.float64)
    log = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    return k, np.exp(log + special.xlogy(k, p) + special.xlog1py(n - k, -p))
