"""The power of each kind of comparison as a function of its size and of the true difference."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from foldwise.core.errors import InvalidInput
from foldwise.core.formatting import number_text
from foldwise.core.validation import fraction, integer, numbers, positive
from foldwise.designs.human_labels import JudgedItems
from foldwise.evidence.items import Items
from foldwise.inference.clusters import clustered_t
from foldwise.inference.human_labels import ppi
from foldwise.inference.many.wilcoxon import wilcoxon_power
from foldwise.inference.power import mcnemar_power, student_power, two_rates_power
from foldwise.inference.student import moments

LEAST_LABELS = 5  # Labels of both models from which a pilot says how they vary.


class PowerModel(ABC):
    """Differences without a bound, of which enough units find any, where a model does not say otherwise."""

    __slots__ = ()
    least: ClassVar[int]
    unit: str  #: What size counts

    @property
    def largest(self) -> float:
        """The largest difference there can be."""
        return math.inf

    @property
    @abstractmethod
    def assumptions(self) -> tuple[str, ...]:
        """What the figures rest on."""

    @abstractmethod
    def power(self, size: int, difference: float, alpha: float) -> float:
        """Probability of finding a true difference."""

    def power_at_most(self, difference: float, alpha: float) -> float:
        """What the power approaches as the size grows without bound."""
        return 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Mcnemar(PowerModel):
    """McNemar's mid-p test on one test set, by exact enumeration."""

    discordance: float  #: Share of test examples that exactly one of the two classifiers gets wrong

    unit = "test examples"
    least: ClassVar[int] = 5

    def __post_init__(self) -> None:
        fraction(self.discordance, "discordance")

    @property
    def largest(self) -> float:
        return self.discordance

    @property
    def assumptions(self) -> tuple[str, ...]:
        return (f"exactly one classifier is wrong on {number_text(100 * self.discordance, 3)} % of the examples",)

    def power(self, size: int, difference: float, alpha: float) -> float:
        return float(mcnemar_power(size, self.discordance, difference, alpha=alpha))


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoRates(PowerModel):
    """Two error rates on independent test sets of the same size, by exact enumeration of the pooled z test."""

    rate: float  #: Error rate of the worse classifier; the better one's is lower by the difference

    unit = "examples in each test set"
    least: ClassVar[int] = 5

    def __post_init__(self) -> None:
        fraction(self.rate, "rate")

    @property
    def largest(self) -> float:
        return self.rate

    @property
    def assumptions(self) -> tuple[str, ...]:
        return (
            f"the worse classifier errs on {number_text(100 * self.rate, 3)} % of the examples, and the test sets are "
            "independent",
        )

    def power(self, size: int, difference: float, alpha: float) -> float:
        return two_rates_power(size, self.rate, difference, alpha=alpha)


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedCv(PowerModel):
    """The corrected repeated k-fold cv t test."""

    sigma: float  #: Standard deviation of the difference between folds
    folds: int = 10  #: Folds of each run

    unit = "runs"
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
    def assumptions(self) -> tuple[str, ...]:
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
class Wilcoxon(PowerModel):
    """Wilcoxon's signed-rank test over data sets, by the exact law up to 30 of them."""

    sigma: float  #: Standard deviation of the difference between data sets

    unit = "data sets"
    least: ClassVar[int] = 2

    def __post_init__(self) -> None:
        positive(self.sigma, "sigma")

    @property
    def assumptions(self) -> tuple[str, ...]:
        return (f"differences between data sets are about normal with standard deviation {number_text(self.sigma, 3)}",)

    def power(self, size: int, difference: float, alpha: float) -> float:
        """Power of the test as `wilcoxon_signed_rank` runs it."""
        return wilcoxon_power(size, difference / self.sigma, alpha=alpha)


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels(PowerModel):
    """A judge corrected by labels of people: `ppi` of the differences of two models."""

    #: judge, people: Standard deviation of the judge's differences, and of people's
    judge: float
    people: float
    correlation: float  #: Between the two
    items: int  #: How many items the judge scored
    labelled: int  #: How many labels the pilot had
    #: effect: How many times as large the variance is because items come in clusters; clusters: their number, 0 without
    effect: float = 1.0
    clusters: int = 0

    unit = "labelled items"
    least: ClassVar[int] = 5

    @classmethod
    def of(cls, evidence: JudgedItems) -> Labels:
        """From a judge's scores of two models and what people said of some of their answers."""
        judge, people = evidence.differences, evidence.labels
        known = np.isfinite(people)
        labelled, spread = int(known.sum()), float(judge.std(ddof=1))
        if labelled < LEAST_LABELS:
            raise InvalidInput(
                f"pilot must have labels of both models on at least {LEAST_LABELS} items, got {labelled}"
            )
        of_people = float(people[known].std(ddof=1))
        if spread == 0 or of_people == 0:
            raise InvalidInput("pilot has the same difference on every item, so it says nothing about their variance")
        together = float(np.cov(judge[known], people[known])[0, 1]) / (spread * of_people)
        effect, clusters = 1.0, 0
        if evidence.groups is not None:
            alone, clustered = (ppi(judge, people, groups=groups).standard_error for groups in (None, evidence.groups))
            effect, clusters = max(float(clustered / alone) ** 2, 1.0), int(evidence.groups.max()) + 1
        return cls(
            judge=spread, people=of_people, correlation=float(np.clip(together, -1, 1)), items=evidence.n,
            labelled=labelled, effect=effect, clusters=clusters,
        )  # fmt: skip

    @classmethod
    def unseen(cls, evidence: Items) -> Labels:
        """Without any label: people's are taken to vary like the judge's scores, and the judge to be no help."""
        spread = float(evidence.differences.std(ddof=1))
        if spread == 0:
            raise InvalidInput("pilot has the same difference on every item, so it says nothing about their variance")
        effect, clusters = 1.0, 0
        if evidence.groups is not None:
            error = float(clustered_t(evidence.differences, evidence.groups).standard_error)
            effect, clusters = max(error**2 * evidence.n / spread**2, 1.0), int(evidence.groups.max()) + 1
        return cls(
            judge=spread, people=spread, correlation=0.0, items=evidence.n, labelled=0, effect=effect, clusters=clusters
        )

    @property
    def assumptions(self) -> tuple[str, ...]:
        known = (
            "no labels are there yet: people's are taken to vary like the judge's scores, and the judge to be no help"
            if self.labelled == 0
            else f"the judge and people agree as on the {self.labelled} labels of the pilot (correlation of their "
            f"differences {number_text(self.correlation, 2)})"
        )
        drawn = f"labels are of a random sample of the {self.items:,} items that the judge scored"
        together = (
            f"items of a cluster are alike as in the pilot, whose {self.clusters:,} clusters make the variance "
            f"{number_text(self.effect, 2)} times as large"
        )
        return (known, drawn, together) if self.clusters else (known, drawn)

    def error(self, size: float) -> float:
        rest = max(self.items - size, 0)
        covariance = self.correlation * self.judge * self.people
        weight = min(max(covariance / ((1 + size / rest) * self.judge**2), 0.0), 1.0) if rest else 0.0
        left = self.people**2 - 2 * weight * covariance + weight**2 * self.judge**2
        alone = max(left, 0) / size + (weight**2 * self.judge**2 / rest if rest else 0.0)
        return float(np.sqrt(self.effect * alone))

    def power(self, size: int, difference: float, alpha: float) -> float:
        """Noncentral t on the labels; more labels than items there are none."""
        size = min(size, self.items)
        pieces = min(size, self.clusters) if self.clusters else size
        return float(student_power(difference, self.error(size), pieces - 1, alpha=alpha))

    def power_at_most(self, difference: float, alpha: float) -> float:
        return self.power(self.items, difference, alpha)


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemRuns(PowerModel):
    """The paired t test over items that were tried several times."""

    #: between, items, within: Variance of the difference between clusters, between items of one, and of one run of both
    #: models within an item; without clusters the items are in `between`
    between: float
    items: float
    within: float
    runs: int  #: Runs of each item by each model
    per: float  #: Items of each cluster; 1 without clusters
    unit: str  #: What size counts: "items", or "clusters"
    pilot: str  #: What the pilot had, for people

    least: ClassVar[int] = 3

    @classmethod
    def of(cls, evidence: Items, runs: int | None = None, per: int | None = None) -> ItemRuns:
        """From two models' marks of items that were tried several times."""
        trials, counted = evidence.trials, evidence.groups
        if trials is None or np.isnan(trials.share):
            raise InvalidInput("pilot must have several runs of some items by both models: one says nothing of runs")
        difference = evidence.differences
        sizes = np.ones(len(difference)) if counted is None else np.bincount(counted).astype(np.float64)
        unit = "items" if counted is None else "clusters"
        if len(sizes) < 3:
            raise InvalidInput(f"pilot must have at least 3 {unit}, got {len(sizes)}")
        if per is not None and counted is None:
            raise InvalidInput("items is for a pilot whose items come in clusters, but these do not")
        made = float(np.mean(trials.counts))
        asked = round(made) if runs is None else integer(runs, "runs", minimum=1)
        within, share = float(sum(trials.pooled)), float(trials.share)
        if counted is None:
            between, items = max(float(difference.var(ddof=1)) - share, 0.0), 0.0
        else:
            means = np.bincount(counted, weights=difference) / sizes
            left, free = difference - means[counted], len(difference) - len(sizes)
            spread = (
                float(left @ left) / free if free else share
            )  # where every cluster has one item nothing tells them apart
            items = max(spread - share, 0.0)
            between = max(float(means.var(ddof=1)) - spread * float(np.mean(1 / sizes)), 0.0)
        wanted = float(sizes.mean()) if per is None else float(integer(per, "items", minimum=1))
        return cls(
            between=between, items=items, within=within, runs=asked, per=wanted, unit=unit, pilot=evidence.design
        )

    @property
    def variance(self) -> float:
        """Of the mean difference of one cluster, or item."""
        return self.between + (self.items + self.within / self.runs) / self.per

    @property
    def assumptions(self) -> tuple[str, ...]:
        share = 100 * self.between / self.variance if self.variance > 0 else 0.0
        each = "each" if self.unit == "items" else f"each of {number_text(self.per, 3)} items of a cluster"
        more = "runs" if self.unit == "items" else "items of a cluster and more runs"
        return (
            f"{self.unit} and runs vary as in the pilot ({self.pilot})",
            f"with {self.runs} run{'s' * (self.runs != 1)} of {each}, {share:.0f} % of the variance is between "
            f"{self.unit}, which more {more} don't reduce",
        )

    def power(self, size: int, difference: float, alpha: float) -> float:
        error = float(np.sqrt(self.variance / size))
        return float(student_power(difference, error, size - 1, alpha=alpha)) if error > 0 else 1.0
