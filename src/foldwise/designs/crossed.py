"""Models trained several times, with seeds or on disjoint training sets, and always marked on the same items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from foldwise.core.metric import direction_caveats, unit_caveats
from foldwise.core.types import Array, Flags, Integers, Labels
from foldwise.designs.guarantee import DIETTERICH, STABLE, approximate
from foldwise.designs.kind import Batch, Procedure
from foldwise.designs.resampled import Design, Resampled, Shape, Simulated, split_ids
from foldwise.designs.scores import ONE_DATA_SET, ONE_SOURCE, about_algorithms
from foldwise.designs.student import KNOWN_SPREAD, NO_POWER, StudentKind, constant_known, known_power
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.seed_marks import SeedMarks
from foldwise.inference.crossed_designs import (
    CrossedResult,
    MeanSquares,
    VarianceSource,
    VarianceSplit,
    crossed,
    unpaired_seeds,
)
from foldwise.inference.joint_differences import ModelMeans, model_means
from foldwise.inference.student import StudentResult

if TYPE_CHECKING:
    from foldwise.engine.result import RunResult
    from foldwise.resampling.plan import Plan
    from foldwise.resampling.random_splits import CrossedParts

SATTERTHWAITE = "Satterthwaite (1946), Biometrics Bulletin 2"

FEW_SEEDS = 5  # Seeds below which their variance is hardly known.
FEW_CLUSTERS = 10  # Clusters below which their sizes and the shape of their differences matter.


class SeedKind(StudentKind[SeedMarks], Simulated[SeedMarks]):
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

    def about(self, evidence: SeedMarks, procedure: Procedure, result: StudentResult) -> list[str]:
        caveats = []
        least = min(map(len, evidence.values))
        if least < FEW_SEEDS:
            called = evidence.trainings
            caveats.append(f"{least} {called} say little about how much {called} vary, so that the interval is wide")
        if evidence.groups is not None and int(evidence.groups.max()) + 1 < FEW_CLUSTERS:
            caveats.append(
                "few clusters: p, interval and probabilities hold only as far as their means are about normal"
            )
        if not result.degenerate and result.df < KNOWN_SPREAD - 1e-6:
            caveats.append(NO_POWER.format(f"{evidence.trainings} or {evidence.units}"))
        return caveats

    def estimand(self, evidence: SeedMarks, procedure: Procedure) -> str:
        difference = procedure.difference_words(evidence.metric, evidence.names, "mean")
        return f"over items like these and over seeds, {difference}, trained anew on the same training set."

    def caveats(self, evidence: SeedMarks, procedure: Procedure, *, alpha: float, rope: float) -> list[str]:
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
        return design.runs


class Crossed(SeedKind):
    name = "crossed"
    words = "the marks of both models on the same items, trained several times with the same seeds"
    recommended = "crossed"
    because = (
        "the difference varies with the seed and with the item, and both are samples: it accounts for both at once, "
        "where a test over items alone takes one training for all"
    )

    def fits(self, evidence: Evidence) -> bool:
        return isinstance(evidence, SeedMarks) and evidence.paired

    def batch(self, evidence: SeedMarks, alpha: float) -> Batch:
        return Batch(data=evidence.differences, alpha=alpha, groups=evidence.groups)

    def numbers(self, design: Design) -> int:
        return design.runs * design.n

    def mean_difference(self, data: Array) -> Array:
        return np.asarray(data.mean(axis=(-2, -1)))

    def analysed(self, evidence: SeedMarks, procedure: Procedure, batch: Batch) -> tuple[StudentResult, VarianceSplit]:
        with constant_known():
            result: CrossedResult = crossed(evidence.differences, evidence.groups)
        squares = result.squares
        adds = float(squares.item_variance) / squares.items
        units = evidence.units
        items = VarianceSource(name=units, variance=float(squares.item_variance), adds=adds, over=(units,))
        sources = sources_of(squares, units=units, trainings=evidence.trainings)
        error = float(result.student.standard_error)
        return result.student, VarianceSplit(standard_error=error, sources=(sources[0], items, sources[1]))


CROSSED = Crossed()


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


def _run(batch: Batch) -> Any:
    return crossed(batch.data, batch.groups).student


class UnpairedSeeds(SeedKind):
    """Seeds of one model have nothing to do with those of the other."""

    name = "unpaired_seeds"
    words = "the marks of both models on the same items, each trained several times with seeds of its own"
    recommended = "unpaired_seeds"
    because = (
        "each model was trained with seeds of its own, and all trainings were marked on the same items: seeds of "
        "either and items are samples, and it accounts for all three"
    )

    def fits(self, evidence: Evidence) -> bool:
        return isinstance(evidence, SeedMarks) and not evidence.paired

    def batch(self, evidence: SeedMarks, alpha: float) -> Batch:
        """The marks of both models, those of b below those of a; `groups` tells the rows apart."""
        rows = np.repeat([0, 1], [len(evidence.a), len(evidence.b)])
        return Batch(data=np.concatenate([evidence.a, evidence.b]), alpha=alpha, groups=rows, given=evidence)

    def numbers(self, design: Design) -> int:
        return 2 * design.runs * design.n

    def mean_difference(self, data: Array) -> Array:
        a, b = np.split(data.mean(axis=-1), 2, axis=-1)
        return np.asarray(a.mean(axis=-1) - b.mean(axis=-1))

    def drawn(self, data: Array, design: Design, alpha: float) -> Batch:
        return Batch(data=data, alpha=alpha, groups=np.repeat([0, 1], data.shape[-2] // 2))

    def analysed(self, evidence: SeedMarks, procedure: Procedure, batch: Batch) -> tuple[StudentResult, VarianceSplit]:
        with constant_known():
            result = unpaired_seeds(evidence.a, evidence.b, evidence.groups)
        units = evidence.units
        seeds, rest = sources_of(result.a, result.b, units=units)
        adds = max(float(result.item_term) - rest.adds, 0.0)
        items = VarianceSource(name=units, variance=adds * result.a.items, adds=adds, over=(units,))
        error = float(result.student.standard_error)
        return result.student, VarianceSplit(standard_error=error, sources=(seeds, items, rest))


UNPAIRED_SEEDS = UnpairedSeeds()


def _unpaired(batch: Batch) -> Any:
    if isinstance(batch.given, SeedMarks):
        return unpaired_seeds(batch.given.a, batch.given.b, batch.given.groups).student
    first = np.asarray(batch.groups) == 0
    return unpaired_seeds(batch.data[..., first, :], batch.data[..., ~first, :]).student


TRAINING_SETS = 5  # As many as usual: with fewer their variance is hardly known, with more they are small.


class CrossedTrainings(Crossed, Resampled[SeedMarks]):
    """Training sets crossed with test examples: the quasi-F design of dietterich1998, question 7."""

    name = "crossed_trainings"
    words = "scores of both learners from disjoint training sets on the same test examples"
    plots: ClassVar[tuple[str, ...]] = ()
    assumes: ClassVar[tuple[str, ...]] = (
        ONE_SOURCE,
        "effects of training sets, of examples, and of both together are about normally distributed",
    )
    limit = ONE_DATA_SET
    recommended = "crossed_trainings"
    because = "disjoint training sets and test examples are both samples: it accounts for both at once"
    by_example = True
    usual_runs = TRAINING_SETS
    partition = "training set"
    least_partitions = 2  # one training set says nothing about the variance between them

    def natural(self, evidence: Evidence) -> bool:
        return False  # marks do not tell that their trainings are of disjoint sets

    def estimand(self, evidence: SeedMarks, procedure: Procedure) -> str:
        return about_algorithms(procedure, evidence)

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        return _parts(runs)

    def from_run(self, result: RunResult, groups: Labels | None, pieces: int | None) -> SeedMarks:
        from foldwise.engine.result import tested_scores

        return SeedMarks.build(
            {name: tested_scores(result, place) for place, name in enumerate(result.names)},
            metric=result.scoring,
            higher_is_better=result.greater_is_better,
            trainings="training sets",
            n_train=float(result.sizes()[0].mean()),
        )

    def shape(self, design: Design) -> Shape:
        return Shape(TRAINING_SETS, 2, 1)

    def ratio(self, design: Design) -> float:
        train, test = _parts().sizes(design.n)
        return test / train

    def n_train(self, design: Design) -> int:
        return _parts().sizes(design.n)[0]

    def trainings(self, design: Design) -> int:
        return TRAINING_SETS

    def numbers(self, design: Design) -> int:
        return TRAINING_SETS * (design.n // 2)

    def fold_ids(self, y: Labels, shape: Shape, seed: int) -> Integers:
        return split_ids(_parts(shape.runs).splits(len(y), seed=seed), shape.runs, len(y))

    def measured(self, ids: Integers, right: tuple[Flags, Flags]) -> Array:
        return (right[0].astype(np.float64) - right[1])[:, ids[0] == 0]


CROSSED_TRAININGS = CrossedTrainings()


def _parts(training_sets: int = TRAINING_SETS) -> CrossedParts:
    from foldwise.resampling.random_splits import CrossedParts

    return CrossedParts(training_sets)


def _of_trainings(batch: Batch) -> StudentResult:
    return crossed(batch.data).student


KINDS = (CROSSED, UNPAIRED_SEEDS, CROSSED_TRAININGS)

PROCEDURES = (
    Procedure(
        name="crossed", title="crossed analysis of seeds and items", kind=CROSSED, run=_run, reference=SATTERTHWAITE,
        guarantee=approximate(counted="seeds"), power=known_power,
    ),
    Procedure(
        name="unpaired_seeds", title="analysis of unpaired seeds and items", kind=UNPAIRED_SEEDS, run=_unpaired,
        reference=SATTERTHWAITE, guarantee=approximate(counted="seeds"), power=known_power,
    ),
    Procedure(
        name="crossed_trainings", title="crossed analysis of training sets and examples", kind=CROSSED_TRAININGS,
        run=_of_trainings, reference=DIETTERICH, guarantee=approximate(STABLE, counted="sources"), power=known_power,
        note="training sets are small, half of the data divided by their number: the answer is about such ones",
    ),
)  # fmt: skip
