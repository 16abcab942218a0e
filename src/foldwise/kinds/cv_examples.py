"""Two learners on every example of one cross-validation."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from foldwise.core.types import Array
from foldwise.evidence.scores import ExampleScores
from foldwise.inference.other_cv_tests import cv_clt
from foldwise.kinds.design import Design, Shape
from foldwise.kinds.examples import ExampleKind
from foldwise.kinds.guarantee import heuristic
from foldwise.kinds.procedure import Procedure, on_data
from foldwise.kinds.references import BAYLE
from foldwise.kinds.scores import ONE_SOURCE, student_power_of

if TYPE_CHECKING:
    from foldwise.resampling.plan import Plan

__all__ = ["CV_EXAMPLES", "KINDS", "PROCEDURES"]


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


CV_EXAMPLES = CrossValidatedExamples()
KINDS = (CV_EXAMPLES,)

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
)
