"""Learners on single examples of cross-validations: of one, of nested ones, and of five balanced halvings."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Flags, Integers, Labels
from foldwise.designs.findings import PRACTICALLY_NORMAL, Findings, PosteriorCurve
from foldwise.designs.guarantee import BATES, BAYLE, STABLE, YANG, approximate, heuristic
from foldwise.designs.kind import Batch, Estimand, Procedure, on_data
from foldwise.designs.resampled import Design, Shape
from foldwise.designs.scores import ONE_SOURCE, AlgorithmKind
from foldwise.designs.student import StudentKind, quietly, student_curve, student_findings
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.scores import ExampleScores
from foldwise.inference.other_cv_tests import BalancedMcNemarResult, balanced_5x2_mcnemar, cv_clt, nested_cv
from foldwise.inference.student import StudentResult
from foldwise.resampling.round_robin import even_blocks

if TYPE_CHECKING:
    from foldwise.engine.result import RunResult
    from foldwise.resampling.plan import Plan


class ExampleKind(StudentKind[ExampleScores], AlgorithmKind[ExampleScores]):
    """Learners on every example of the runs of a cross-validation; any score that is a mean over examples."""

    by_example = True

    @abstractmethod
    def summary(self, gained: Array, left_out: Integers) -> Array:
        """What its tests take, from the differences on examples, and what was left out with them: (runs, examples)."""

    def fits(self, evidence: Evidence) -> bool:
        return isinstance(evidence, ExampleScores) and evidence.resampling == self.name

    def batch(self, evidence: ExampleScores, alpha: float) -> Batch:
        return Batch(data=self.summary(evidence.differences, evidence.left_out), alpha=alpha)

    def noticed(self, evidence: ExampleScores, procedure: Procedure) -> list[str]:
        if len(evidence.names) > 2:
            return []
        if not evidence.differences.any():
            return ["both learners have the same score on every example, so there is no evidence of a difference"]
        if quietly(procedure, self.batch(evidence, 0.05)).degenerate:
            return ["the difference does not vary, so that nothing tells whether it is chance"]
        return []

    def from_run(self, result: RunResult, groups: Labels | None, pieces: int | None) -> ExampleScores:
        from foldwise.engine.result import example_scores

        scores = {name: example_scores(result, place) for place, name in enumerate(result.names)}
        ids = np.empty(scores[result.names[0]].shape, dtype=np.int64)
        folds = result.shape[1]
        for row, run in enumerate(result.runs):
            for split in (result.splits[run * folds + fold] for fold in range(folds)):
                ids[row, split.test] = split.training
        return ExampleScores.build(
            scores,
            ids,
            resampling=self.name,
            resampled=result.plan.describe(),
            n_train=float(result.sizes()[0][-1].mean()),  # of the last run: the first of nested ones leave out less
            higher_is_better=result.greater_is_better,
            metric=result.scoring,
        )

    def measured(self, ids: Integers, right: tuple[Flags, Flags]) -> Array:
        return self.summary(right[0].astype(np.float64) - right[1], ids)


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
        first, second = evidence.names if len(evidence.names) == 2 else ("one learner", "another")
        return (
            f"over examples like these, the {procedure.measure_words(evidence.metric, 'mean')} of the models that "
            f"{first} fitted in this cross-validation minus that of those of {second}; another data set would "
            "give other models."
        )

    def summary(self, gained: Array, left_out: Integers) -> Array:
        return np.asarray(gained[0])

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        from foldwise.resampling.kfold import KFold

        return KFold(folds=folds, stratified=stratified)

    def shape(self, design: Design) -> Shape:
        return Shape(1, design.folds, design.folds)

    def numbers(self, design: Design) -> int:
        return design.n


CV_EXAMPLES = CrossValidatedExamples()


PARTS = 4
"""Numbers kept of each fold: mean of the inner differences, of the outer ones, its variance, and the naive error."""


class NestedCrossValidation(ExampleKind):
    """A cross-validation, and one of the other folds for each of its folds; several repetitions."""

    name = "nested_cv"
    words = "scores of both learners on every example of nested cross-validations"
    assumes = (
        ONE_SOURCE,
        "how far the inner cross-validations are from the outer folds tells how far the outer one is from the truth",
        "the mean difference is about normally distributed",
    )
    recommended = "nested_cv"
    because = "nested cross-validation measures the error of a cross-validation instead of deriving it"
    grows_with = "nestings"
    usual_runs = 2
    partition = "repetition"

    def summary(self, gained: Array, left_out: Integers) -> Array:
        folds = len(np.unique(left_out[0]))
        return np.stack(
            [
                _repetition(gained[start : start + folds], left_out[start : start + folds])
                for start in range(0, len(gained), folds)
            ]
        )

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        from foldwise.resampling.round_robin import NestedKFold

        return NestedKFold(repetitions=runs, folds=folds, stratified=stratified)

    def shape(self, design: Design) -> Shape:
        folds = even_blocks(design.folds, "folds")
        return Shape(design.nestings * folds, folds, folds, "nested")

    def ratio(self, design: Design) -> float:
        return 1 / (design.folds - 2)

    def n_train(self, design: Design) -> int:
        return design.n - 2 * math.ceil(design.n / design.folds)

    def numbers(self, design: Design) -> int:
        return PARTS * design.nestings * design.folds

    def mean_difference(self, data: Array) -> Array:
        return np.asarray(data[..., 0].reshape(len(data), -1).mean(axis=1))


def _repetition(gained: Array, left_out: Integers) -> Array:
    """Inner mean, outer mean, its variance and the naive standard error for each fold: (folds, 4)."""
    _, fold_of = np.unique(left_out[0], return_inverse=True)
    folds, n = int(fold_of.max()) + 1, len(fold_of)
    sizes = np.bincount(fold_of, minlength=folds)
    outer = np.bincount(fold_of, gained[0], folds) / sizes
    spread = np.bincount(fold_of, (gained[0] - outer[fold_of]) ** 2, folds) / np.maximum(sizes - 1, 1) / sizes
    inner = np.zeros(folds)
    for row, ids in zip(gained[1:], left_out[1:], strict=True):
        # of the two folds that were left out together, each tests within the cross-validation without the other
        pairs = np.unique(ids, return_inverse=True)[1]
        lowest, highest = np.full(folds // 2, folds), np.full(folds // 2, -1)
        np.minimum.at(lowest, pairs, fold_of)
        np.maximum.at(highest, pairs, fold_of)
        partner = np.where(fold_of == lowest[pairs], highest[pairs], lowest[pairs])
        inner += np.bincount(partner, row, folds)
    naive = gained[1:].std(ddof=1) / math.sqrt(n)
    return np.stack([inner / (n - sizes), outer, spread, np.full(folds, naive)], axis=-1)


def _nested(batch: Batch) -> StudentResult:
    inner, outer, spread, naive = np.moveaxis(batch.data, -1, 0)
    return nested_cv(inner, outer, spread, naive[..., 0])


NESTED_CV = NestedCrossValidation()


def _inner_means(evidence: ExampleScores) -> tuple[float, float]:
    """Of each learner in the inner cross-validations, whose difference is the estimate."""
    a, b = (float(NESTED_CV.summary(x, evidence.left_out)[..., 0].mean()) for x in (evidence.a, evidence.b))
    return a, b


# ---- Two classifiers on five balanced halvings: ten tables of right and wrong.


RUNS, BLOCKS = 5, 8
"""Halvings, and the blocks that they halve."""


class BalancedTables(ExampleKind):
    """Five halvings of eight blocks; each half trains and tests."""

    name = "balanced_5x2"
    words = "right and wrong answers of both classifiers on every example of a balanced 5×2 cross-validation"
    assumes = (
        ONE_SOURCE,
        "two of the ten tables correlate by no more than one half",
        "what holds for training on half of the data holds for training on all of it",
    )
    recommended = "balanced_5x2_mcnemar"
    because = "halvings that overlap evenly are worth a known number of independent tables"
    counts_right_answers = True
    usual_runs = 5
    dealt_evenly = False

    def batch(self, evidence: ExampleScores, alpha: float) -> Batch:
        right = evidence.a > 0, evidence.b > 0
        return Batch(data=self.measured(evidence.left_out, right), alpha=alpha)

    def findings(self, evidence: ExampleScores, procedure: Procedure, *, alpha: float, rope: float) -> Findings:
        """The test and its dual interval; the probabilities come from the normal distribution of its standard error."""
        result: BalancedMcNemarResult = procedure.run(self.batch(evidence, alpha))
        power = None if result.degenerate else procedure.power(evidence, _normal(result))
        found = student_findings(_normal(result), alpha=alpha, rope=rope, higher_is_better=True, power=power)
        if result.degenerate:
            return found
        interval = result.confidence_interval(1 - alpha)
        return Findings(
            estimate=found.estimate, statistic=float(result.statistic), df=result.df, pvalue=float(result.pvalue),
            interval=interval.floats(), probabilities=found.probabilities, power=power,
        )  # fmt: skip

    def posterior(
        self, evidence: ExampleScores, procedure: Procedure, *, alpha: float, rope: float
    ) -> PosteriorCurve | None:
        return student_curve(_normal(procedure.run(self.batch(evidence, alpha))), rope)

    def summary(self, gained: Array, left_out: Integers) -> Array:
        raise NotImplementedError("the tables come from right and wrong answers: see `measured`")

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        from foldwise.resampling.kfold import BalancedFiveByTwo

        return BalancedFiveByTwo(stratified=stratified)

    def shape(self, design: Design) -> Shape:
        if design.n < BLOCKS:
            raise InvalidInput(f"n must be at least {BLOCKS} for eight blocks, got {design.n}")
        return Shape(RUNS, 2, 2)

    def ratio(self, design: Design) -> float:
        return 1.0

    def n_train(self, design: Design) -> int:
        return design.n // 2

    def fold_ids(self, y: Labels, shape: Shape, seed: int) -> Integers:
        """The half of each example in each of the five halvings."""
        from foldwise.resampling.kfold import BalancedFiveByTwo

        return BalancedFiveByTwo().fold_ids(y, seed=seed)

    def measured(self, ids: Integers, right: tuple[Flags, Flags]) -> Array:
        """The counts n00, n01, n10, n11 of the ten test halves."""
        cell = 2 * right[0].astype(np.int64) + right[1]
        rows = [cell[run][row == half] for run, row in enumerate(ids) for half in np.unique(row)]
        # a wrong and b right is cell 1, n01; a right and b wrong is cell 2, n10
        return np.array([np.bincount(row, minlength=4) for row in rows], dtype=np.float64)

    def numbers(self, design: Design) -> int:
        return 2 * RUNS * 4

    def mean_difference(self, data: Array) -> Array:
        cells = data.reshape(len(data), -1, 4).sum(axis=1)
        return np.asarray((cells[:, 2] - cells[:, 1]) / cells.sum(axis=1))


def _normal(result: BalancedMcNemarResult) -> StudentResult:
    """The estimate and its standard error as a normal distribution."""
    return StudentResult(
        estimate=result.estimate, standard_error=result.standard_error, statistic=0.0, df=PRACTICALLY_NORMAL,
        pvalue=result.pvalue, alternative="two-sided",
    )  # fmt: skip


BALANCED_5X2 = BalancedTables()

KINDS = (BALANCED_5X2, CV_EXAMPLES, NESTED_CV)

PROCEDURES = (
    Procedure(
        name="balanced_5x2_mcnemar", title="balanced 5×2 cv McNemar test", kind=BALANCED_5X2,
        run=on_data(balanced_5x2_mcnemar), symbol="χ²", signed=False, reference=YANG,
        guarantee=approximate(STABLE, counted="sources"),
    ),
    Procedure(
        name="cv_clt", title="central-limit z test of one cross-validation", kind=CV_EXAMPLES, run=on_data(cv_clt),
        symbol="z", reference=BAYLE, guarantee=heuristic(),
        warning="it asks about the models of this one cross-validation and leaves out what another training set would "
        "change: as a test of the algorithms it finds too many differences, above all with unstable learners",
    ),
    Procedure(
        name="nested_cv", title="nested cross-validation z test", kind=NESTED_CV, run=_nested, symbol="z",
        reference=BATES, guarantee=approximate(STABLE, counted="sources"), estimand=Estimand(of_each=_inner_means),
    ),
)  # fmt: skip
