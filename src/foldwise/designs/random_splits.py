"""Learners on random splits of a data set, on splits of halves of it, or on disjoint parts."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from foldwise.core.types import Array, Flags, Integers, Labels
from foldwise.designs.guarantee import DIETTERICH, LUO_BARBER, NADEAU_BENGIO, STABLE, approximate, heuristic, unmeasured
from foldwise.designs.kind import Batch, Procedure, on_data
from foldwise.designs.resampled import Design, Shape, split_ids
from foldwise.designs.scores import ONE_SOURCE, OVERLAP, OneRowKind, ScoreKind
from foldwise.designs.student import StudentKind
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.scores import HalvedScores, Scores
from foldwise.inference.other_cv_tests import DisjointResult, conservative_z, disjoint
from foldwise.inference.student import corrected_resampled_t, resampled_t

if TYPE_CHECKING:
    from foldwise.engine.result import RunResult
    from foldwise.resampling.plan import Plan
    from foldwise.resampling.random_splits import DisjointParts, HalvedSplits


class RandomSplitScores(OneRowKind):
    """Splits drawn again and again; any two overlap."""

    name = "splits"
    words = "scores of shape (splits,) from random splits"
    assumes = (
        ONE_SOURCE,
        "two random splits correlate by the share of examples that is tested, n_test/(n_train + n_test)",
        "the mean difference over the splits is about normally distributed",
    )
    recommended = "corrected_resampled_t"
    because = "random splits overlap, and this test corrects the variance for it"
    grows_with = "splits"

    def natural(self, evidence: Evidence) -> bool:
        return isinstance(evidence, Scores) and len(evidence.shape) == 1

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        from foldwise.resampling.random_splits import RandomSplits

        return RandomSplits(n=runs * folds, test_fraction=1 / folds, stratified=stratified)

    def shape(self, design: Design) -> Shape:
        return Shape(design.splits, design.parts, 1)

    def ratio(self, design: Design) -> float:
        return design.n_test / (design.n - design.n_test)

    def n_train(self, design: Design) -> int:
        return design.n - design.n_test


RANDOM_SPLITS = RandomSplitScores()


SPLITS, HALVINGS = 15, 10
"""As Nadeau and Bengio have them."""


class HalvedSplitScores(StudentKind[Scores], ScoreKind):
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

    def fits(self, evidence: Evidence) -> bool:
        return isinstance(evidence, HalvedScores)

    def fits_shape(self, shape: tuple[int, ...]) -> bool:
        return len(shape) == 2 and shape[0] >= 3 and shape[0] % 2 == 1

    def batch(self, evidence: Scores, alpha: float) -> Batch:
        """All differences: the first row is that of all examples."""
        return Batch(data=evidence.differences, alpha=alpha)

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        return _plan(runs, folds, stratified=stratified)

    def from_run(self, result: RunResult, groups: Labels | None, pieces: int | None) -> Scores:
        scores = ScoreKind.from_run(self, result, groups, None)
        whole = {field.name: getattr(scores, field.name) for field in fields(scores) if field.init}
        n_train, n_test = (float(sizes[0].mean()) for sizes in result.sizes())
        return HalvedScores(**{**whole, "n_train": n_train, "n_test": n_test})

    def shape(self, design: Design) -> Shape:
        return Shape(SPLITS * (2 * HALVINGS + 1), design.folds, 1)

    def n_train(self, design: Design) -> int:
        return design.n - round(design.n / design.folds)

    def fold_ids(self, y: Labels, shape: Shape, seed: int) -> Integers:
        splits = _plan(HALVINGS, shape.folds, stratified=True).splits(y, seed=seed)
        return split_ids(splits, shape.runs, len(y))

    def measured(self, ids: Integers, right: tuple[Flags, Flags]) -> Array:
        gained = right[0].astype(np.float64) - right[1]
        return np.array([values[row == 0].mean() for values, row in zip(gained, ids, strict=True)]).reshape(-1, SPLITS)

    def mean_difference(self, data: Array) -> Array:
        return np.asarray(data[..., 0, :].reshape(len(data), -1).mean(axis=1))


def _plan(halvings: int, folds: int, *, stratified: bool) -> HalvedSplits:
    from foldwise.resampling.random_splits import HalvedSplits

    return HalvedSplits(halvings=halvings, splits_each=SPLITS, test_fraction=1 / folds, stratified=stratified)


def _conservative(batch: Batch) -> object:
    x = batch.data
    halves = x[..., 1:, :].reshape(*x.shape[:-2], math.ceil(x.shape[-2] / 2) - 1, 2, x.shape[-1])
    return conservative_z(x[..., 0, :], halves)


HALVED_SPLITS = HalvedSplitScores()


@dataclass(frozen=True, eq=False, repr=False)
class DisjointScores(StudentKind[Scores], OneRowKind):
    """Parts that share no example; `train_size` training examples in each, or as many as twenty parts allow."""

    train_size: int | None = None

    name = "disjoint"
    words = "scores of shape (parts,) from disjoint parts of the data"
    assumes = ("the examples are independent draws from one source", "there are enough parts for a mean to be normal")
    recommended = "disjoint"
    because = "parts that share no example are independent, whatever the learners are"
    by_fold = False

    def natural(self, evidence: Evidence) -> bool:
        return False  # scores do not tell that their splits are disjoint

    def about(self, evidence: Scores, procedure: Procedure, result: DisjointResult) -> list[str]:
        return [f"the exact sign test over the parts, which assumes nothing, gives p = {float(result.sign_pvalue):.2g}"]

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        return self._parts()

    def shape(self, design: Design) -> Shape:
        return Shape(self._parts().shape(design.n)[0], 2, 1)

    def ratio(self, design: Design) -> float:
        train, test = self._parts().sizes(design.n)
        return test / train

    def n_train(self, design: Design) -> int:
        return self._parts().sizes(design.n)[0]

    def fold_ids(self, y: Labels, shape: Shape, seed: int) -> Integers:
        return split_ids(self._parts().splits(len(y), seed=seed), shape.runs, len(y))

    def measured(self, ids: Integers, right: tuple[Flags, Flags]) -> Array:
        gained = right[0].astype(np.float64) - right[1]
        return np.array([values[row == 0].mean() for values, row in zip(gained, ids, strict=True)])

    def _parts(self) -> DisjointParts:
        from foldwise.resampling.random_splits import DisjointParts

        return DisjointParts(train_size=self.train_size)


DISJOINT = DisjointScores()


KINDS = (RANDOM_SPLITS, HALVED_SPLITS, DISJOINT)

PROCEDURES = (
    Procedure(
        name="resampled_t", title="resampled paired t test", kind=RANDOM_SPLITS, run=on_data(resampled_t),
        reference=f"{DIETTERICH}, section 3.3", guarantee=heuristic(),
        warning=f"{OVERLAP}, the more the more splits are drawn (dietterich1998, section 3.3: never use it)",
    ),
    Procedure(
        name="corrected_resampled_t", title="corrected resampled t test", kind=RANDOM_SPLITS,
        run=on_data(corrected_resampled_t, test_train_ratio="ratio"),
        reference=NADEAU_BENGIO, guarantee=approximate(STABLE, counted="sources"),
    ),
    Procedure(
        name="conservative_z", title="conservative Z test", kind=HALVED_SPLITS, run=_conservative, symbol="z",
        reference=NADEAU_BENGIO, guarantee=unmeasured("conservative: the variance is that of half of the data"),
        note="its variance is that of half of the data, so that it has less power than other tests",
    ),
    Procedure(
        name="disjoint", title="t test over disjoint parts", kind=DISJOINT, run=on_data(disjoint), reference=LUO_BARBER,
        guarantee=unmeasured("parts are independent, whatever the learners"),
    ),
)  # fmt: skip
