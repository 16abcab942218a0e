"""Two learners on random splits of all examples, and of disjoint halves of them."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from foldwise.core.types import Array, Labels
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.scores import HalvedScores, Scores
from foldwise.inference.other_cv_tests import conservative_z
from foldwise.kinds.curves import PosteriorCurve
from foldwise.kinds.design import Design, Shape
from foldwise.kinds.examples import quietly
from foldwise.kinds.findings import Findings
from foldwise.kinds.guarantee import unmeasured
from foldwise.kinds.procedure import Batch, Procedure
from foldwise.kinds.references import NADEAU_BENGIO
from foldwise.kinds.resampled import UNUSED
from foldwise.kinds.scores import ONE_SOURCE, ScoreKind, student_power_of
from foldwise.kinds.student import student_curve, student_findings

if TYPE_CHECKING:
    from foldwise.engine.result import RunResult
    from foldwise.resampling.plan import Plan
    from foldwise.resampling.random_splits import HalvedSplits

__all__ = ["HALVED_SPLITS", "KINDS", "PROCEDURES"]

SPLITS, HALVINGS = 15, 10
"""As Nadeau and Bengio have them."""


class HalvedSplitScores(ScoreKind):
    """Splits of all examples for the estimate, splits of disjoint halves for its variance."""

    name = "halved_splits"
    words = "scores on random splits of all examples and of disjoint halves of them"
    assumes = (
        ONE_SOURCE,
        "the variance on half of the data is no smaller than on all of it",
        "the mean difference over the splits is about normally distributed",
    )
    plots = ()
    recommended = "conservative_z"
    because = "disjoint halves are independent, so that their difference tells the variance without a formula"
    by_fold = False
    usual_runs = HALVINGS
    partition = "halving"

    def natural(self, evidence: Evidence) -> bool:
        """Scores of halves."""
        return isinstance(evidence, HalvedScores)

    def fits(self, evidence: Evidence) -> bool:
        """Scores of halves."""
        return isinstance(evidence, HalvedScores)

    def fits_shape(self, shape: tuple[int, ...]) -> bool:
        """A row of its own, and two for each halving."""
        return len(shape) == 2 and shape[0] >= 3 and shape[0] % 2 == 1

    def arranged(self, x: Array) -> Array:
        """As it is."""
        return x

    def batch(self, evidence: Scores, alpha: float) -> Batch:
        """All differences: the first row is that of all examples."""
        return Batch(data=evidence.differences, alpha=alpha)

    def findings(self, evidence: Scores, procedure: Procedure, *, alpha: float, rope: float) -> Findings:
        """Test, interval and probabilities from one normal distribution."""
        result = quietly(procedure, self.batch(evidence, alpha))
        power = None if result.degenerate else procedure.power(evidence, result)
        higher = evidence.higher_is_better
        return student_findings(result, alpha=alpha, rope=rope, higher_is_better=higher, power=power)

    def posterior(self, evidence: Scores, procedure: Procedure, *, alpha: float, rope: float) -> PosteriorCurve | None:
        """The distribution that the interval comes from."""
        return student_curve(quietly(procedure, self.batch(evidence, alpha)), rope)

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        """So many halvings; each test set is one of `folds` parts of the data."""
        return _plan(runs, folds, stratified=stratified)

    def from_run(self, result: RunResult, groups: Labels | None, pieces: int | None) -> Scores:
        """The scores of the learners, which know that their first row is that of all examples."""
        scores = ScoreKind.from_run(self, result, groups, None)
        whole = {field.name: getattr(scores, field.name) for field in fields(scores)}
        n_train, n_test = (float(sizes[0].mean()) for sizes in result.sizes())
        return HalvedScores(**{**whole, "n_train": n_train, "n_test": n_test})

    def shape(self, design: Design) -> Shape:
        """One part of a new dealing is tested each time."""
        return Shape(SPLITS * (2 * HALVINGS + 1), design.folds, 1)

    def ratio(self, design: Design) -> float:
        """Of one split of all examples."""
        return 1 / (design.folds - 1)

    def n_train(self, design: Design) -> int:
        """All but the tested part."""
        return design.n - round(design.n / design.folds)

    def fold_ids(self, y: Labels, shape: Shape, seed: int) -> NDArray[np.int64]:
        """0 for what is tested, −1 for what is trained on, −2 for the other half."""
        plan, n = _plan(HALVINGS, shape.folds, stratified=True), len(y)
        ids = np.full((shape.runs, n), UNUSED, dtype=np.int64)
        for row, split in zip(ids, plan.splits(y, seed=seed), strict=True):
            row[split.train], row[split.test] = -1, 0
        return ids

    def measured(self, ids: NDArray[np.int64], right: tuple[NDArray[np.bool_], NDArray[np.bool_]]) -> Array:
        """Differences of accuracy on each test set."""
        gained = right[0].astype(np.float64) - right[1]
        return np.array([values[row == 0].mean() for values, row in zip(gained, ids, strict=True)]).reshape(-1, SPLITS)

    def mean_difference(self, data: Array) -> Array:
        """Mean over the splits of all examples."""
        return np.asarray(data[..., 0, :].reshape(len(data), -1).mean(axis=1))


def _plan(halvings: int, folds: int, *, stratified: bool) -> HalvedSplits:
    from foldwise.resampling.random_splits import HalvedSplits

    return HalvedSplits(halvings=halvings, splits_each=SPLITS, test_fraction=1 / folds, stratified=stratified)


def _run(batch: Batch) -> object:
    x = batch.data
    halves = x[..., 1:, :].reshape(*x.shape[:-2], math.ceil(x.shape[-2] / 2) - 1, 2, x.shape[-1])
    return conservative_z(x[..., 0, :], halves)


HALVED_SPLITS = HalvedSplitScores()
KINDS = (HALVED_SPLITS,)

PROCEDURES = (
    Procedure(
        name="conservative_z",
        title="conservative Z test",
        kind=HALVED_SPLITS,
        run=_run,
        symbol="z",
        signed=True,
        reference=NADEAU_BENGIO,
        guarantee=unmeasured("conservative: the variance is that of half of the data"),
        power=student_power_of,
        note="its variance is that of half of the data, so that it sees less than other tests",
    ),
)
