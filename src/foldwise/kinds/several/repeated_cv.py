"""Several learners on the folds of repeated cross-validation of one data set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.core.types import Labels
from foldwise.evidence.evidence import SeveralEvidence
from foldwise.evidence.learner_scores import LearnerScores
from foldwise.kinds.catalogue import REPEATED_CV
from foldwise.kinds.procedure import Procedure
from foldwise.kinds.several.scores import SeveralScores

if TYPE_CHECKING:
    from foldwise.engine.result import RunResult
    from foldwise.resampling.plan import Plan

__all__ = ["BASIS", "SettledRepeatedCv"]


class SeveralRepeatedCv(SeveralScores):
    """Runs of folds."""

    name = "several_repeated_cv"
    words = "scores of several learners of shape (learners, runs, folds) from repeated cross-validation"
    pair = REPEATED_CV
    recommended = REPEATED_CV.recommended
    assumes = REPEATED_CV.assumes
    because = REPEATED_CV.because
    limit = REPEATED_CV.limit

    def natural(self, evidence: SeveralEvidence) -> bool:
        """Runs of folds."""
        return isinstance(evidence, LearnerScores) and evidence.scores.ndim == 3

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        """Repeated cross-validation."""
        return REPEATED_CV.plan(runs=runs, folds=folds, stratified=stratified)

    def from_run(self, result: RunResult, groups: Labels | None, pieces: int | None) -> LearnerScores:
        """The scores of all learners."""
        n_train, n_test = (float(sizes.mean()) for sizes in result.sizes())
        return LearnerScores(
            names=result.names,
            scores=result.scores,
            n_train=n_train,
            n_test=n_test,
            higher_is_better=result.greater_is_better,
            metric=result.scoring,
            pieces=pieces,
        )


class SettledRepeatedCv(SeveralRepeatedCv):
    """The same with the scale of its test fixed, as it is where runs are added until the verdicts are settled."""

    def __init__(self, folds: int) -> None:
        self._folds = folds

    @property
    def procedure(self) -> Procedure:
        """The test of each pair, whose scale more runs do not change."""
        growth = REPEATED_CV.growth(super().procedure, folds=self._folds, alpha=0.05, limit=None)
        if growth is None:
            raise TypeError(f"the scale of '{self.recommended}' can't be fixed")
        return growth.procedure


BASIS = SeveralRepeatedCv()
