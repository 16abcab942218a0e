"""Two learners on every example of one cross-validation, and of several runs of it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foldwise.core.types import Array, Labels
from foldwise.evidence.scores import ExampleScores
from foldwise.inference._influence import InfluenceParts, InfluenceResult, influence_parts, influence_result
from foldwise.inference.other_cv_tests import cv_clt
from foldwise.kinds.design import Design, Shape
from foldwise.kinds.examples import ExampleKind
from foldwise.kinds.guarantee import STABLE, approximate, heuristic
from foldwise.kinds.procedure import Batch, Procedure, on_data
from foldwise.kinds.references import BAYLE, FOLDWISE_INFLUENCE
from foldwise.kinds.scores import ONE_SOURCE, student_power_of

if TYPE_CHECKING:
    from foldwise.resampling.plan import Plan

__all__ = ["CV_EXAMPLES", "KINDS", "PROCEDURES", "REPEATED_EXAMPLES"]

LEAST_OF_A_CLASS = 20
"""Examples of the rarest class below which the test was measured to reject too often."""


class CrossValidatedExamples(ExampleKind):
    """Each example is tested once, by the models of its fold."""

    name = "cv_examples"
    words = "scores of both learners on every example of one cross-validation"
    assumes = (
        ONE_SOURCE,
        "leaving out a single example hardly changes what the learners predict for others",
        "the mean difference over the examples is about normally distributed",
    )
    recommended = "cv_clt"
    because = "for stable learners the differences on the examples of a cross-validation are as good as independent"
    limit = "one cross-validation: the answer is about the models that it fitted"
    grows_with = "n"
    usual_runs = 1

    def estimand(self, evidence: ExampleScores, procedure: Procedure) -> str:
        """About the models of the folds."""
        first, second = evidence.names if len(evidence.names) == 2 else ("one learner", "another")
        return (
            f"over examples like these, the {procedure.measure_words(evidence.metric, 'mean')} of the models that "
            f"{first} fitted in this cross-validation minus that of those of {second}; another data set would "
            "give other models."
        )

    def summary(self, gained: Array, left_out: NDArray[np.int64]) -> Array:
        """The differences of the one run."""
        return np.asarray(gained[0])

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        """One cross-validation."""
        from foldwise.resampling.kfold import KFold

        return KFold(folds=folds, stratified=stratified)

    def shape(self, design: Design) -> Shape:
        """One run."""
        return Shape(1, design.folds, design.folds)

    def ratio(self, design: Design) -> float:
        """One fold is tested, the others train."""
        return 1 / (design.folds - 1)

    def n_train(self, design: Design) -> int:
        """All but one fold."""
        return design.n - math.ceil(design.n / design.folds)

    def numbers(self, design: Design) -> int:
        """One per example."""
        return design.n

    def mean_difference(self, data: Array) -> Array:
        """Mean over the examples."""
        return np.asarray(data.reshape(len(data), -1).mean(axis=1))


class RepeatedExamples(ExampleKind):
    """Each example is tested once in each run, without its fold-mates: whose training data it was, the folds tell."""

    name = "repeated_examples"
    words = "scores of both learners on every example of repeated cross-validation"
    assumes = (
        ONE_SOURCE,
        "what leaving out single examples changes is seen in the folds they are left out with",
        "the mean difference over runs and examples is about normally distributed",
    )
    recommended = "influence"
    because = "the folds show how much single training examples change the predictions for others"
    grows_with = "runs"

    def summary(self, gained: Array, left_out: NDArray[np.int64]) -> Array:
        """The parts of the variance."""
        return self._parts(gained, left_out, None, None)

    def batch(self, evidence: ExampleScores, alpha: float) -> Batch:
        """With classes and groups."""
        parts = self._parts(evidence.differences, evidence.left_out, evidence.classes, evidence.groups)
        return Batch(data=parts, alpha=alpha)

    def measured_of_classes(
        self, ids: NDArray[np.int64], right: tuple[NDArray[np.bool_], NDArray[np.bool_]], y: Labels
    ) -> Array:
        """With classes."""
        return self._parts(right[0].astype(np.float64) - right[1], ids, y, None)

    def _parts(
        self, gained: Array, left_out: NDArray[np.int64], classes: ArrayLike | None, groups: ArrayLike | None
    ) -> Array:
        return np.stack(influence_parts(gained, left_out, classes=classes, groups=groups), axis=-1)

    def caveats(self, evidence: ExampleScores, procedure: Procedure, *, alpha: float, rope: float) -> list[str]:
        """That rare classes, other numbers of runs and folds and few examples were not measured, or badly."""
        caveats = super().caveats(evidence, procedure, alpha=alpha, rope=rope)
        if evidence.classes is not None:
            counts = np.bincount(evidence.classes)
            if (fewest := int(counts[counts > 0].min())) < LEAST_OF_A_CLASS:
                caveats.append(
                    f"the rarest class has {fewest} examples: with fewer than {LEAST_OF_A_CLASS} the influence test "
                    "was measured to reject too often where rare examples decide what is learned"
                )
        if len(evidence.left_out) < self.usual_runs:
            caveats.append(
                f"{len(evidence.left_out)} runs: the influence test was measured with {self.usual_runs}, fewer show "
                "less of the influence"
            )
        return caveats

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        """Repeated cross-validation."""
        from foldwise.resampling.kfold import RepeatedKFold

        return RepeatedKFold(runs=runs, folds=folds, stratified=stratified)

    def least_partitions(self) -> int:
        """One run does not tell what another would change."""
        return 2

    def shape(self, design: Design) -> Shape:
        """All folds of all runs."""
        return Shape(design.runs, design.folds, design.folds)

    def ratio(self, design: Design) -> float:
        """One fold is tested, the others train."""
        return 1 / (design.folds - 1)

    def n_train(self, design: Design) -> int:
        """All but one fold."""
        return design.n - math.ceil(design.n / design.folds)

    def numbers(self, design: Design) -> int:
        """The parts of the variance."""
        return len(InfluenceParts._fields)

    def mean_difference(self, data: Array) -> Array:
        """The estimate is the first part."""
        return np.asarray(data.reshape(len(data), -1, self.numbers(Design()))[..., 0].mean(axis=1))


CV_EXAMPLES = CrossValidatedExamples()
REPEATED_EXAMPLES = RepeatedExamples()
KINDS = (CV_EXAMPLES, REPEATED_EXAMPLES)


def _influence(batch: Batch) -> InfluenceResult:
    return influence_result(InfluenceParts(*np.moveaxis(batch.data, -1, 0)))


PROCEDURES = (
    Procedure(
        name="cv_clt",
        title="central-limit z test of one cross-validation",
        kind=CV_EXAMPLES,
        run=on_data(cv_clt),
        symbol="z",
        signed=True,
        reference=BAYLE,
        guarantee=heuristic(),
        power=student_power_of,
        warning="it asks about the models of this one cross-validation and leaves out what another training set would "
        "change: as a test of the algorithms it finds too many differences, above all with unstable learners",
    ),
    Procedure(
        name="influence",
        title="influence-robust test",
        kind=REPEATED_EXAMPLES,
        run=_influence,
        symbol="t",
        signed=True,
        reference=FOLDWISE_INFLUENCE,
        guarantee=approximate(STABLE, counted="sources"),
        power=student_power_of,
        warning="our own and not yet peer-reviewed; its Type I error was measured, not derived",
    ),
)
