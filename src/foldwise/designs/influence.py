"""Learners on repeated cross-validation, with the influence of single training examples that its folds show."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from foldwise.core.types import Array, Flags, Integers, Interval, Labels
from foldwise.designs.cross_validation import CORRECTED, REPEATED_CV, RepeatedCrossValidation
from foldwise.designs.guarantee import FOLDWISE_INFLUENCE, approximate
from foldwise.designs.kind import Batch, PairTests, Procedure, pairs_of
from foldwise.designs.resampled import FIRST_RUNS, Design, Growth
from foldwise.designs.scores import ONE_SOURCE
from foldwise.designs.student import quietly, student_tests
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.scores import InfluenceScores
from foldwise.inference._influence import (
    InfluenceParts,
    InfluenceResult,
    influence_parts,
    influence_result,
    influence_stability,
)
from foldwise.inference.joint_differences import Indices

if TYPE_CHECKING:
    from foldwise.engine.result import RunResult

LEAST_OF_A_CLASS = 20  # Examples of the rarest class below which the test was measured to reject too often.


class InfluenceCrossValidation(RepeatedCrossValidation):
    """Each example is tested once in each run, without its fold-mates: whose training data it was, the folds tell."""

    name = "influence_cv"
    words = "scores of both learners on every example of repeated cross-validation"
    assumes = (
        ONE_SOURCE,
        "what leaving out single examples changes is seen in the folds they are left out with",
        "the mean difference over runs and examples is about normally distributed",
    )
    recommended = "influence"
    because = "the folds show how much single training examples change the predictions for others"
    by_example = True
    to_first_order = True
    by_fold = False
    least_partitions = 2  # one run does not tell what another would change

    def natural(self, evidence: Evidence) -> bool:
        return isinstance(evidence, InfluenceScores)

    def fits(self, evidence: Evidence) -> bool:
        return isinstance(evidence, InfluenceScores)

    def batch(self, evidence: InfluenceScores, alpha: float) -> Batch:  # type: ignore[override]
        return Batch(data=evidence.parts[0], alpha=alpha)

    def tests(self, evidence: InfluenceScores, procedure: Procedure, first: Indices, second: Indices) -> PairTests:  # type: ignore[override]
        parts = np.array([evidence.of_pair(i, j) for i, j in pairs_of(first, second)])
        return student_tests(quietly(procedure, Batch(data=parts)))

    def mean_intervals(self, evidence: InfluenceScores, procedure: Procedure, level: float) -> Interval:  # type: ignore[override]
        """Of each learner alone the corrected variance: the test was measured for differences."""
        return REPEATED_CV.mean_intervals(evidence, CORRECTED, level)

    def caveats(self, evidence: InfluenceScores, procedure: Procedure, *, alpha: float, rope: float) -> list[str]:  # type: ignore[override]
        caveats = super().caveats(evidence, procedure, alpha=alpha, rope=rope)
        if evidence.fewest is not None and evidence.fewest < LEAST_OF_A_CLASS:
            caveats.append(
                f"the rarest class has {evidence.fewest} examples: with fewer than {LEAST_OF_A_CLASS} the influence "
                "test was measured to reject too often where rare examples decide what is learned"
            )
        if (runs := evidence.shape[0]) < self.usual_runs:
            caveats.append(
                f"{runs} runs: the influence test was measured with {self.usual_runs}, fewer show less of the influence"
            )
        return caveats

    # ---- From learners and data.

    def growing(self, result: RunResult, groups: Labels | None, pieces: int | None) -> Array:
        assert result.by_example is not None
        return result.by_example

    def from_runs(self, results: Sequence[RunResult], groups: Labels | None, pieces: int | None) -> InfluenceScores:
        first = results[0]
        scores = REPEATED_CV.from_runs(results, groups, pieces)
        on_examples = np.concatenate([self.growing(result, groups, pieces) for result in results], axis=1)
        folds = np.concatenate([result.fold_ids for result in results if result.fold_ids is not None])
        classes = None if first.classes is None else np.unique(first.y, return_inverse=True)[1]
        parts = np.array([
            influence_parts(on_examples[i] - on_examples[j], folds, classes=classes, groups=groups)
            for i, j in combinations(range(len(on_examples)), 2)
        ])  # fmt: skip
        fewest = None if classes is None else int(np.bincount(classes).min())
        return InfluenceScores.of(scores, parts, fewest)

    def from_run(self, result: RunResult, groups: Labels | None, pieces: int | None) -> InfluenceScores:
        return self.from_runs([result], groups, pieces)

    def growth(self, procedure: Procedure, *, folds: int, alpha: float, limit: int | None) -> Growth | None:
        """Whoever watches it binds the folds, classes and groups, which differences on examples do not tell."""
        return Growth(
            procedure=procedure, partition=self.partition, first=FIRST_RUNS, cost=1, alpha=alpha,
            stability=influence_stability,
        )  # fmt: skip

    # ---- In the lab.

    def measured(self, ids: Integers, right: tuple[Flags, Flags]) -> Array:
        return np.array(influence_parts(right[0].astype(np.float64) - right[1], ids))

    def measured_of_classes(self, ids: Integers, right: tuple[Flags, Flags], y: Labels) -> Array:
        return np.array(influence_parts(right[0].astype(np.float64) - right[1], ids, classes=y))

    def numbers(self, design: Design) -> int:
        return len(InfluenceParts._fields)

    def mean_difference(self, data: Array) -> Array:
        return np.asarray(data.reshape(len(data), -1, self.numbers(Design()))[..., 0].mean(axis=1))


def _influence(batch: Batch) -> InfluenceResult:
    return influence_result(InfluenceParts(*np.moveaxis(batch.data, -1, 0)))


INFLUENCE_CV = InfluenceCrossValidation()

KINDS = (INFLUENCE_CV,)

PROCEDURES = (
    Procedure(
        name="influence", title="influence-robust test", kind=INFLUENCE_CV, run=_influence,
        reference=FOLDWISE_INFLUENCE, guarantee=approximate("measured, not derived", counted="sources"),
        note="the influence-robust test is our own and not yet peer-reviewed",
    ),
)  # fmt: skip
