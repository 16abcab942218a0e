"""Several learners on random divisions of one data set into training and test set."""

from __future__ import annotations

from foldwise.evidence.evidence import SeveralEvidence
from foldwise.evidence.learner_scores import LearnerScores
from foldwise.kinds.catalogue import RANDOM_SPLITS
from foldwise.kinds.several.scores import SeveralScores

__all__ = ["BASIS"]


class SeveralRandomSplits(SeveralScores):
    """Splits drawn again and again, the same for all learners; any two overlap."""

    name = "several_splits"
    words = "scores of several learners of shape (learners, splits) from random splits"
    pair = RANDOM_SPLITS
    recommended = RANDOM_SPLITS.recommended
    assumes = RANDOM_SPLITS.assumes
    because = RANDOM_SPLITS.because
    limit = RANDOM_SPLITS.limit

    def natural(self, evidence: SeveralEvidence) -> bool:
        """One row of splits."""
        return isinstance(evidence, LearnerScores) and evidence.scores.ndim == 2


BASIS = SeveralRandomSplits()
