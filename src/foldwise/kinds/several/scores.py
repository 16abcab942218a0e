"""Several learners on the same splits of one data set, whatever the splits: each pair is judged as two would be."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from foldwise.core.metric import direction_caveats, metric_words
from foldwise.core.types import Array, Interval
from foldwise.evidence.learner_scores import LearnerScores
from foldwise.inference.joint_differences import Indices, ModelMeans, model_means
from foldwise.inference.student import StudentResult, student_result
from foldwise.kinds.procedure import Batch
from foldwise.kinds.several.basis import PairTests, SeveralBasis
from foldwise.kinds.several.student import constant_known, student_intervals, student_tests

__all__ = ["SeveralScores"]


class SeveralScores(SeveralBasis[LearnerScores]):
    """Learning algorithms on one data set: each is trained once on every split, and all pairs share the splits."""

    called = "learners"
    plots: ClassVar[tuple[str, ...]] = ()
    best_by_pairs = True
    best_because = "cannot be ruled out as the best: no other is shown to be better"
    best_references: ClassVar[tuple[str, ...]] = ()

    def tests(self, evidence: LearnerScores, first: Indices, second: Indices) -> PairTests:
        """The corrected t test of each pair."""
        pairs = zip(first.tolist(), second.tolist(), strict=True)
        return student_tests(self._student(evidence, np.array([evidence.pair(i, j).differences for i, j in pairs])))

    def together(self, evidence: LearnerScores) -> ModelMeans:
        """Over the splits: they overlap, which changes all covariances by one factor."""
        return model_means(evidence.scores.reshape(len(evidence.names), -1))

    def mean_intervals(self, evidence: LearnerScores, level: float) -> Interval:
        """By the same corrected variance; within what a rate can be."""
        found = student_intervals(self._student(evidence, evidence.scores), level)
        if evidence.unit != "fraction":
            return found
        return Interval(low=np.maximum(found.low, 0.0), high=np.minimum(found.high, 1.0))

    def estimand(self, evidence: LearnerScores) -> str:
        """About the algorithms, at this size of training sets."""
        size = f" of about {evidence.n_train:.0f} examples" if evidence.n_train is not None else " of this size"
        return (
            f"over training sets{size} from this source, the expected {metric_words(evidence.metric)} of one "
            "learner minus that of "
            "another; it is about the algorithms, not about fitted models."
        )

    def caveats(self, evidence: LearnerScores, *, alpha: float, comparisons: int) -> list[str]:
        """What the scores themselves make one notice."""
        splits, caveats = evidence.scores[0].size, []
        if evidence.pieces is not None and evidence.pieces < splits:
            caveats.append(
                f"the {splits} scores come from {evidence.pieces} independent pieces of data, which allow at most "
                f"{evidence.pieces - 1} degrees of freedom"
            )
        return caveats + direction_caveats(evidence.metric, evidence.higher_is_better)

    def _student(self, evidence: LearnerScores, x: Array) -> StudentResult:
        pair = evidence.pair(0, 1)
        with constant_known():
            result: StudentResult = self.procedure.run(Batch(data=x, ratio=pair.test_train_ratio))
        df = pair.most_df(float(np.min(result.df)))
        return student_result(np.asarray(result.estimate), np.asarray(result.standard_error), df, warn=False)
