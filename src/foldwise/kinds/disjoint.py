"""Two learners on disjoint parts of the data, each with a training set and a test set of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from foldwise.core.types import Array, Labels
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.scores import Scores
from foldwise.inference.other_cv_tests import DisjointResult, disjoint
from foldwise.kinds.curves import PosteriorCurve
from foldwise.kinds.design import Design, Shape
from foldwise.kinds.examples import quietly
from foldwise.kinds.findings import Findings
from foldwise.kinds.guarantee import unmeasured
from foldwise.kinds.procedure import Batch, Procedure
from foldwise.kinds.references import LUO_BARBER
from foldwise.kinds.resampled import UNUSED
from foldwise.kinds.scores import ScoreKind, student_power_of
from foldwise.kinds.student import student_curve, student_findings

if TYPE_CHECKING:
    from foldwise.resampling.disjoint import DisjointParts
    from foldwise.resampling.plan import Plan

__all__ = ["DISJOINT", "KINDS", "PROCEDURES", "DisjointScores"]


@dataclass(frozen=True, eq=False, repr=False)
class DisjointScores(ScoreKind):
    """Parts that share no example; `train_size` training examples in each, or as many as twenty parts allow."""

    train_size: int | None = None

    name = "disjoint"
    words = "scores of shape (parts,) from disjoint parts of the data"
    assumes = ("the examples are independent draws from one source", "there are enough parts for a mean to be normal")
    recommended = "disjoint"
    because = "parts that share no example are independent, whatever the learners are"
    by_fold = False

    def natural(self, evidence: Evidence) -> bool:
        """Never: scores do not tell that their splits are disjoint."""
        return False

    def fits_shape(self, shape: tuple[int, ...]) -> bool:
        """One row of scores."""
        return len(shape) == 1

    def arranged(self, x: Array) -> Array:
        """One row: each run is a part."""
        return x.reshape(*x.shape[:-2], -1)

    def scored(self, scores: Array) -> Array:
        """Each run is a part."""
        return scores.ravel()

    def findings(self, evidence: Scores, procedure: Procedure, *, alpha: float, rope: float) -> Findings:
        """Test, interval and probabilities from one Student distribution, and the exact sign test beside them."""
        result: DisjointResult = quietly(procedure, self.batch(evidence, alpha))
        power = None if result.degenerate else procedure.power(evidence, result)
        signs = f"the exact sign test over the parts, which assumes nothing, gives p = {float(result.sign_pvalue):.2g}"
        return student_findings(
            result,
            alpha=alpha,
            rope=rope,
            higher_is_better=evidence.higher_is_better,
            power=power,
            caveats=(signs,),
        )

    def posterior(self, evidence: Scores, procedure: Procedure, *, alpha: float, rope: float) -> PosteriorCurve | None:
        """The distribution that the interval comes from."""
        return student_curve(quietly(procedure, self.batch(evidence, alpha)), rope)

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        """As many parts as there are."""
        return self._parts()

    def shape(self, design: Design) -> Shape:
        """One split in each part."""
        return Shape(self._parts().shape(design.n)[0], 2, 1)

    def ratio(self, design: Design) -> float:
        """Of one part."""
        train, test = self._parts().sizes(design.n)
        return test / train

    def n_train(self, design: Design) -> int:
        """Of one part."""
        return self._parts().sizes(design.n)[0]

    def least_partitions(self) -> int:
        """One part says nothing about the variance between parts."""
        return 2

    def fold_ids(self, y: Labels, shape: Shape, seed: int) -> NDArray[np.int64]:
        """0 for what is tested, −1 for what is trained on, −2 for the other parts."""
        ids = np.full((shape.runs, len(y)), UNUSED, dtype=np.int64)
        for row, split in zip(ids, self._parts().splits(len(y), seed=seed), strict=True):
            row[split.train], row[split.test] = -1, 0
        return ids

    def measured(self, ids: NDArray[np.int64], right: tuple[NDArray[np.bool_], NDArray[np.bool_]]) -> Array:
        """Differences of accuracy on each test set."""
        gained = right[0].astype(np.float64) - right[1]
        return np.array([values[row == 0].mean() for values, row in zip(gained, ids, strict=True)])

    def _parts(self) -> DisjointParts:
        from foldwise.resampling.disjoint import DisjointParts

        return DisjointParts(train_size=self.train_size)


DISJOINT = DisjointScores()
KINDS = (DISJOINT,)


def _run(batch: Batch) -> DisjointResult:
    return disjoint(batch.data)


PROCEDURES = (
    Procedure(
        name="disjoint",
        title="t test over disjoint parts",
        kind=DISJOINT,
        run=_run,
        symbol="t",
        signed=True,
        reference=LUO_BARBER,
        guarantee=unmeasured("parts are independent, whatever the learners"),
        power=student_power_of,
    ),
)
