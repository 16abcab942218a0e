"""Two learners trained on disjoint training sets, and all of them tested on the same examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from foldwise.core.types import Array, Labels
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.seed_marks import SeedMarks
from foldwise.inference.crossed_designs import crossed
from foldwise.inference.student import StudentResult
from foldwise.kinds.crossed import Crossed, seed_power
from foldwise.kinds.design import Design, Shape
from foldwise.kinds.guarantee import STABLE, approximate
from foldwise.kinds.procedure import Batch, Procedure
from foldwise.kinds.references import DIETTERICH
from foldwise.kinds.resampled import UNUSED, Resampled
from foldwise.kinds.scores import ONE_DATA_SET, ONE_SOURCE, about_algorithms

if TYPE_CHECKING:
    from foldwise.engine.result import RunResult
    from foldwise.resampling.disjoint import CrossedParts
    from foldwise.resampling.plan import Plan

__all__ = ["CROSSED_TRAININGS", "KINDS", "PROCEDURES"]

TRAINING_SETS = 5
"""As many as usual: with fewer their variance is hardly known, with more they are small."""


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
    because = "disjoint training sets and test examples are both samples: it reckons with both at once"
    by_example = True
    usual_runs = TRAINING_SETS
    partition = "training set"

    def natural(self, evidence: Evidence) -> bool:
        """Never: marks do not tell that their trainings are of disjoint sets."""
        return False

    def estimand(self, evidence: SeedMarks, procedure: Procedure) -> str:
        """About the algorithms, at this size of training sets."""
        return about_algorithms(procedure, evidence)

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        """So many training sets."""
        return _parts(runs)

    def from_run(self, result: RunResult, groups: Labels | None, pieces: int | None) -> SeedMarks:
        """What each training scored on each of the test examples."""
        from foldwise.engine.result import tested_scores

        return SeedMarks.build(
            {name: tested_scores(result, place) for place, name in enumerate(result.names)},
            metric=result.scoring,
            higher_is_better=result.greater_is_better,
            trainings="training sets",
            n_train=float(result.sizes()[0].mean()),
        )

    def least_partitions(self) -> int:
        """One training set says nothing about the variance between them."""
        return 2

    def shape(self, design: Design) -> Shape:
        """One split for each training set."""
        return Shape(TRAINING_SETS, 2, 1)

    def ratio(self, design: Design) -> float:
        """Of one split."""
        train, test = _parts().sizes(design.n)
        return test / train

    def n_train(self, design: Design) -> int:
        """Of one training set."""
        return _parts().sizes(design.n)[0]

    def trainings(self, design: Design) -> int:
        """Once on each training set."""
        return TRAINING_SETS

    def numbers(self, design: Design) -> int:
        """A difference for every training set and test example."""
        return TRAINING_SETS * (design.n // 2)

    def fold_ids(self, y: Labels, shape: Shape, seed: int) -> NDArray[np.int64]:
        """0 for what is tested, −1 for what is trained on, −2 for the other training sets."""
        ids = np.full((shape.runs, len(y)), UNUSED, dtype=np.int64)
        for row, split in zip(ids, _parts(shape.runs).splits(len(y), seed=seed), strict=True):
            row[split.train], row[split.test] = -1, 0
        return ids

    def measured(self, ids: NDArray[np.int64], right: tuple[NDArray[np.bool_], NDArray[np.bool_]]) -> Array:
        """The differences by training set and test example."""
        return (right[0].astype(np.float64) - right[1])[:, ids[0] == 0]


CROSSED_TRAININGS = CrossedTrainings()
KINDS = (CROSSED_TRAININGS,)


def _parts(training_sets: int = TRAINING_SETS) -> CrossedParts:
    from foldwise.resampling.disjoint import CrossedParts

    return CrossedParts(training_sets)


def _run(batch: Batch) -> StudentResult:
    return crossed(batch.data).student


PROCEDURES = (
    Procedure(
        name="crossed_trainings",
        title="crossed analysis of training sets and examples",
        kind=CROSSED_TRAININGS,
        run=_run,
        symbol="t",
        signed=True,
        reference=DIETTERICH,
        guarantee=approximate(STABLE, counted="sources"),
        power=seed_power,
        note="training sets are small, half of the data divided by their number: the answer is about such ones",
    ),
)
