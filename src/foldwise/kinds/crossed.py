"""Two models trained several times with the same seeds, every training marked on the same items."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from foldwise.core.errors import DegenerateVariance
from foldwise.core.metric import direction_caveats, unit_caveats
from foldwise.core.types import Array
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.seed_marks import SeedMarks
from foldwise.inference.crossed_designs import CrossedResult, MeanSquares, crossed
from foldwise.inference.joint_differences import ModelMeans, model_means
from foldwise.inference.student import StudentResult
from foldwise.inference.variance_split import VarianceSource, VarianceSplit
from foldwise.kinds.curves import PosteriorCurve
from foldwise.kinds.design import Design
from foldwise.kinds.findings import Findings
from foldwise.kinds.guarantee import approximate
from foldwise.kinds.power import StudentPower
from foldwise.kinds.procedure import Batch, Procedure
from foldwise.kinds.simulated import Simulated
from foldwise.kinds.student import KNOWN_SPREAD, NO_POWER, known_power, student_curve, student_findings

__all__ = ["CROSSED", "KINDS", "PROCEDURES", "SATTERTHWAITE", "SeedKind", "seed_power", "sources_of"]

SATTERTHWAITE = "Satterthwaite (1946), Biometrics Bulletin 2"

FEW_SEEDS = 5
"""Seeds below which their variance is hardly known."""

FEW_CLUSTERS = 10
"""Clusters below which their sizes and the shape of their differences matter."""


HIGHEST = 0.061
"""Highest Type I error at .05 that was measured: docs/explanation/seeds.md has the table."""


class SeedKind(Simulated[SeedMarks]):
    """What the kinds share whose evidence are marks of several trainings on the same items."""

    grows_with: ClassVar[str | None] = "runs"
    plots: ClassVar[tuple[str, ...]] = ("seeds",)
    assumes: ClassVar[tuple[str, ...]] = (
        "the items, or the clusters where there are some, are independent draws from the source that matters, and none "
        "was trained on",
        "the seeds were drawn, not chosen by their results, and training differs by them alone",
        "effects of seeds, of items, and of both together are about normally distributed",
    )
    limit = "one training set: the answer is about these models trained anew on it, not on other data"

    @abstractmethod
    def analysed(self, evidence: SeedMarks) -> tuple[StudentResult, VarianceSplit]:
        """The test, and where its variance comes from."""

    def natural(self, evidence: Evidence) -> bool:
        """Seeds of this sort."""
        return self.fits(evidence)

    def findings(self, evidence: SeedMarks, procedure: Procedure, *, alpha: float, rope: float) -> Findings:
        """Everything from the Student distribution of the test."""
        result, split = self._quietly(evidence)
        return student_findings(
            result,
            alpha=alpha,
            rope=rope,
            higher_is_better=evidence.higher_is_better,
            power=seed_power(evidence, result),
            variance=split,
            caveats=tuple(_few(evidence, result)),
        )

    def posterior(
        self, evidence: SeedMarks, procedure: Procedure, *, alpha: float, rope: float
    ) -> PosteriorCurve | None:
        """The distribution that the interval comes from."""
        return student_curve(self._quietly(evidence)[0], rope)

    def _quietly(self, evidence: SeedMarks) -> tuple[StudentResult, VarianceSplit]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DegenerateVariance)  # among the caveats
            return self.analysed(evidence)

    def estimand(self, evidence: SeedMarks, procedure: Procedure) -> str:
        """About the training procedures on this training set."""
        difference = procedure.difference_words(evidence.metric, evidence.names, "mean")
        return f"over items like these and over seeds, {difference}, trained anew on the same training set."

    def caveats(self, evidence: SeedMarks, procedure: Procedure, *, alpha: float, rope: float) -> list[str]:
        """What the marks themselves make one notice."""
        caveats = []
        if len(evidence.names) == 2 and np.ptp(evidence.differences) == 0:
            caveats.append("the difference is the same everywhere, so its spread is unknown, and whether it is chance")
        if evidence.missing is not None:
            caveats.append(evidence.missing.words(evidence.names))
        caveats += direction_caveats(evidence.metric, evidence.higher_is_better)
        return caveats + unit_caveats(evidence.unit, rope, np.concatenate(evidence.values))

    def together(self, evidence: SeedMarks) -> ModelMeans:
        """Over the items, on which each model's trainings are averaged, or over clusters of them."""
        return model_means(np.array([part.mean(axis=0) for part in evidence.values]), evidence.groups)

    def trainings(self, design: Design) -> int:
        """Once with each seed."""
        return design.runs


class Crossed(SeedKind):
    """Seed i of both models means the same."""

    name = "crossed"
    words = "the marks of both models on the same items, trained several times with the same seeds"
    recommended = "crossed"
    because = (
        "the difference varies with the seed and with the item, and both are samples: it reckons with both at once, "
        "where a test over items alone takes one training for all"
    )

    def fits(self, evidence: Evidence) -> bool:
        """Paired seeds."""
        return isinstance(evidence, SeedMarks) and evidence.paired

    def batch(self, evidence: SeedMarks, alpha: float) -> Batch:
        """The differences, seeds by items."""
        return Batch(data=evidence.differences, alpha=alpha, groups=evidence.groups)

    def numbers(self, design: Design) -> int:
        """A difference for every seed and item."""
        return design.runs * design.n

    def mean_difference(self, data: Array) -> Array:
        """Mean over seeds and items."""
        return np.asarray(data.mean(axis=(-2, -1)))

    def analysed(self, evidence: SeedMarks) -> tuple[StudentResult, VarianceSplit]:
        """The crossed analysis of the differences."""
        result: CrossedResult = crossed(evidence.differences, evidence.groups)
        squares = result.squares
        adds = float(squares.item_variance) / squares.items
        units = evidence.units
        items = VarianceSource(name=units, variance=float(squares.item_variance), adds=adds, over=(units,))
        sources = sources_of(squares, units=units, trainings=evidence.trainings)
        error = float(result.student.standard_error)
        return result.student, VarianceSplit(standard_error=error, sources=(sources[0], items, sources[1]))


CROSSED = Crossed()
KINDS = (CROSSED,)


def sources_of(*squares: MeanSquares, units: str, trainings: str = "seeds") -> tuple[VarianceSource, VarianceSource]:
    """What seeds, and seeds and items (or clusters) together, add to the squared standard error, over models."""
    seeds = [float(one.seed_variance) for one in squares]
    rest = [float(one.rest) for one in squares]
    of_seeds = sum(value / one.seeds for value, one in zip(seeds, squares, strict=True))
    of_cells = sum(value / (one.seeds * one.items) for value, one in zip(rest, squares, strict=True))
    return (
        VarianceSource(name=trainings, variance=sum(seeds), adds=of_seeds, over=(trainings,)),
        VarianceSource(name=f"{trainings} with {units}", variance=sum(rest), adds=of_cells, over=(trainings, units)),
    )


def seed_power(_evidence: SeedMarks, result: StudentResult) -> StudentPower | None:
    """What the design can see, where the standard error is known well enough."""
    return known_power(float(result.standard_error), float(result.df))


def _few(evidence: SeedMarks, result: StudentResult) -> list[str]:
    caveats = []
    least = min(map(len, evidence.values))
    if least < FEW_SEEDS:
        caveats.append(
            f"{least} {evidence.trainings} hardly tell how much {evidence.trainings} vary, so that the interval is wide"
        )
    if evidence.groups is not None and int(evidence.groups.max()) + 1 < FEW_CLUSTERS:
        caveats.append("few clusters: p, interval and probabilities hold only as far as their means are about normal")
    if not result.degenerate and result.df < KNOWN_SPREAD - 1e-6:
        caveats.append(NO_POWER.format(f"{evidence.trainings} or {evidence.units}"))
    return caveats


def _run(batch: Batch) -> Any:
    return crossed(batch.data, batch.groups).student


PROCEDURES = (
    Procedure(
        name="crossed",
        title="crossed analysis of seeds and items",
        kind=CROSSED,
        run=_run,
        symbol="t",
        signed=True,
        reference=SATTERTHWAITE,
        guarantee=approximate(cited=(HIGHEST, "2 to 10 seeds")),
        power=seed_power,
    ),
)
