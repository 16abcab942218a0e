"""What the kinds of evidence share that look at single examples of cross-validations."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from foldwise.core.errors import DegenerateVariance
from foldwise.core.metric import direction_caveats, unit_caveats
from foldwise.core.types import Array, Labels
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.scores import ExampleScores
from foldwise.kinds.curves import PosteriorCurve
from foldwise.kinds.findings import Findings
from foldwise.kinds.procedure import Batch, Procedure
from foldwise.kinds.resampled import Resampled
from foldwise.kinds.scores import ONE_DATA_SET, about_algorithms
from foldwise.kinds.student import student_curve, student_findings

if TYPE_CHECKING:
    from foldwise.engine.result import RunResult

__all__ = ["ExampleKind", "quietly"]


class ExampleKind(Resampled[ExampleScores]):
    """Learners on every example of the runs of a cross-validation; any score that is a mean over examples."""

    called = "learners"
    by_example = True
    plots: ClassVar[tuple[str, ...]] = ()
    limit = ONE_DATA_SET

    @abstractmethod
    def summary(self, gained: Array, left_out: NDArray[np.int64]) -> Array:
        """What its tests take, from the differences on examples, and what was left out with them: (runs, examples)."""

    def natural(self, evidence: Evidence) -> bool:
        """What this kind made."""
        return self.fits(evidence)

    def fits(self, evidence: Evidence) -> bool:
        """What this kind made: what was left out with an example differs from one to the other."""
        return isinstance(evidence, ExampleScores) and evidence.resampling == self.name

    def batch(self, evidence: ExampleScores, alpha: float) -> Batch:
        """What the differences come to."""
        return Batch(data=self.summary(evidence.differences, evidence.left_out), alpha=alpha)

    def findings(self, evidence: ExampleScores, procedure: Procedure, *, alpha: float, rope: float) -> Findings:
        """Test, interval and probabilities from one distribution."""
        result = quietly(procedure, self.batch(evidence, alpha))
        power = None if result.degenerate else procedure.power(evidence, result)
        higher = evidence.higher_is_better
        return student_findings(result, alpha=alpha, rope=rope, higher_is_better=higher, power=power)

    def posterior(
        self, evidence: ExampleScores, procedure: Procedure, *, alpha: float, rope: float
    ) -> PosteriorCurve | None:
        """The distribution that the interval comes from."""
        return student_curve(quietly(procedure, self.batch(evidence, alpha)), rope)

    def estimand(self, evidence: ExampleScores, procedure: Procedure) -> str:
        """About the algorithms, at this size of training sets."""
        return about_algorithms(procedure, evidence)

    def caveats(self, evidence: ExampleScores, procedure: Procedure, *, alpha: float, rope: float) -> list[str]:
        """What the scores themselves make one notice."""
        caveats = []
        if len(evidence.names) > 2:
            pass
        elif not evidence.differences.any():
            caveats.append(
                "both learners have the same score on every example, so there is no evidence of a difference"
            )
        elif quietly(procedure, self.batch(evidence, 0.05)).degenerate:
            caveats.append("the difference does not vary, so that nothing tells whether it is chance")
        caveats += direction_caveats(evidence.metric, evidence.higher_is_better)
        return caveats + unit_caveats(evidence.unit, rope, evidence.values)

    def from_run(self, result: RunResult, groups: Labels | None, pieces: int | None) -> ExampleScores:
        """What both scored on each example."""
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
            classes=None if result.classes is None else np.unique(result.y, return_inverse=True)[1].astype(np.int64),
            groups=None if groups is None else np.unique(groups, return_inverse=True)[1].astype(np.int64),
        )

    def measured(self, ids: NDArray[np.int64], right: tuple[NDArray[np.bool_], NDArray[np.bool_]]) -> Array:
        """What the differences of right answers come to."""
        return self.summary(right[0].astype(np.float64) - right[1], ids)


def quietly(procedure: Procedure, batch: Batch) -> Any:
    """The result of a test whose lack of variance is said among the caveats."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateVariance)
        return procedure.run(batch)
