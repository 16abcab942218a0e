"""Two learners in cross-validations within the folds of a cross-validation."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from foldwise.core.types import Array
from foldwise.evidence.scores import ExampleScores
from foldwise.inference.other_cv_tests import nested_cv
from foldwise.inference.student import StudentResult
from foldwise.kinds.design import Design, Shape
from foldwise.kinds.examples import ExampleKind
from foldwise.kinds.guarantee import STABLE, approximate
from foldwise.kinds.procedure import Batch, Estimand, Procedure
from foldwise.kinds.references import BATES
from foldwise.kinds.scores import ONE_SOURCE, student_power_of
from foldwise.resampling.round_robin import even_blocks

if TYPE_CHECKING:
    from foldwise.resampling.plan import Plan

__all__ = ["KINDS", "NESTED_CV", "PROCEDURES"]

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

    def summary(self, gained: Array, left_out: NDArray[np.int64]) -> Array:
        """Per repetition and fold what the test takes."""
        folds = len(np.unique(left_out[0]))
        return np.stack(
            [
                _repetition(gained[start : start + folds], left_out[start : start + folds])
                for start in range(0, len(gained), folds)
            ]
        )

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        """So many repetitions."""
        from foldwise.resampling.round_robin import NestedKFold

        return NestedKFold(repetitions=runs, folds=folds, stratified=stratified)

    def shape(self, design: Design) -> Shape:
        """The outer cross-validation, and the rounds of the inner ones."""
        folds = even_blocks(design.folds, "folds")
        return Shape(design.nestings * folds, folds, folds, "nested")

    def ratio(self, design: Design) -> float:
        """One fold is tested, all but two train."""
        return 1 / (design.folds - 2)

    def n_train(self, design: Design) -> int:
        """All but two folds."""
        return design.n - 2 * math.ceil(design.n / design.folds)

    def numbers(self, design: Design) -> int:
        """A few per fold."""
        return PARTS * design.nestings * design.folds

    def mean_difference(self, data: Array) -> Array:
        """Mean over the inner cross-validations."""
        return np.asarray(data[..., 0].reshape(len(data), -1).mean(axis=1))


def _repetition(gained: Array, left_out: NDArray[np.int64]) -> Array:
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


def _run(batch: Batch) -> StudentResult:
    inner, outer, spread, naive = np.moveaxis(batch.data, -1, 0)
    return nested_cv(inner, outer, spread, naive[..., 0])


NESTED_CV = NestedCrossValidation()
KINDS = (NESTED_CV,)


def _inner_means(evidence: ExampleScores) -> tuple[float, float]:
    """Of each learner in the inner cross-validations, whose difference is the estimate."""
    a, b = (float(NESTED_CV.summary(x, evidence.left_out)[..., 0].mean()) for x in (evidence.a, evidence.b))
    return a, b


PROCEDURES = (
    Procedure(
        name="nested_cv",
        title="nested cross-validation z test",
        kind=NESTED_CV,
        run=_run,
        symbol="z",
        signed=True,
        reference=BATES,
        guarantee=approximate(STABLE, counted="sources"),
        power=student_power_of,
        estimand=Estimand(of_each=_inner_means),
    ),
)
