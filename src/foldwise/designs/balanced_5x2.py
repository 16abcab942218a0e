"""Two classifiers on five balanced halvings: ten tables of right and wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Flags, Integers, Labels
from foldwise.designs.curves import PRACTICALLY_NORMAL, PosteriorCurve
from foldwise.designs.examples import ExampleKind
from foldwise.designs.findings import Findings
from foldwise.designs.guarantee import STABLE, YANG, approximate
from foldwise.designs.kind import Batch, Procedure, on_data
from foldwise.designs.resampled import Design, Shape
from foldwise.designs.scores import ONE_SOURCE
from foldwise.designs.student import student_curve, student_findings
from foldwise.evidence.scores import ExampleScores
from foldwise.inference.other_cv_tests import BalancedMcNemarResult, balanced_5x2_mcnemar
from foldwise.inference.student import StudentResult

if TYPE_CHECKING:
    from foldwise.resampling.plan import Plan

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
            estimate=found.estimate,
            statistic=float(result.statistic),
            df=result.df,
            pvalue=float(result.pvalue),
            interval=interval.floats(),
            probabilities=found.probabilities,
            power=power,
        )

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
        estimate=result.estimate,
        standard_error=result.standard_error,
        statistic=0.0,
        df=PRACTICALLY_NORMAL,
        pvalue=result.pvalue,
        alternative="two-sided",
    )


BALANCED_5X2 = BalancedTables()
KINDS = (BALANCED_5X2,)

PROCEDURES = (
    Procedure(
        name="balanced_5x2_mcnemar",
        title="balanced 5×2 cv McNemar test",
        kind=BALANCED_5X2,
        run=on_data(balanced_5x2_mcnemar),
        symbol="χ²",
        signed=False,
        reference=YANG,
        guarantee=approximate(STABLE, counted="sources"),
    ),
)
