"""Several classifiers on one test set of independent examples: who was right on which."""

from __future__ import annotations

import numpy as np

from foldwise.core.types import Array, Interval
from foldwise.evidence.evidence import SeveralEvidence
from foldwise.evidence.models import ModelValues
from foldwise.inference._cochran_q import CochranQResult, cochran_q
from foldwise.inference._error_interval import error_interval
from foldwise.inference._paired_difference import paired_difference
from foldwise.inference.joint_differences import Indices
from foldwise.kinds.catalogue import RIGHT_WRONG
from foldwise.kinds.procedure import Batch
from foldwise.kinds.several.basis import PairTests
from foldwise.kinds.several.items import FIXED, ItemBasis, scaled_interval

__all__ = ["BASIS"]


class SeveralRightWrong(ItemBasis):
    """Independent test examples: for a pair, all that counts is on how many only one of the two is right."""

    name = "several_right_wrong"
    words = "the predictions of several classifiers on one test set"
    pair = RIGHT_WRONG
    recommended = RIGHT_WRONG.recommended
    assumes = ("the test examples are independent draws from the source that matters, and none was trained on", FIXED)
    because = (
        "two classifiers on the same test examples differ on those alone where one is right and the other wrong; "
        "mid-p keeps its level without the exact test's caution, and the intervals are Tango's score intervals"
    )

    def natural(self, evidence: SeveralEvidence) -> bool:
        """Right or wrong, on examples that do not come in clusters."""
        return isinstance(evidence, ModelValues) and evidence.right_wrong and evidence.groups is None

    def tests(self, evidence: ModelValues, first: Indices, second: Indices) -> PairTests:
        """McNemar's mid-p and Tango's intervals."""
        cells = _cells(evidence.right, first, second)
        result = self.procedure.run(Batch(data=cells))
        # the procedures speak of error rates, a comparison of accuracies: the sign turns
        difference = paired_difference(*cells.T, method="tango")
        return PairTests(
            estimate=-evidence.factor * np.asarray(difference.estimate) + 0.0,
            pvalue=np.asarray(result.pvalue),
            known=np.ones(len(first), dtype=bool),
            intervals=lambda level: scaled_interval(difference.confidence_interval(level), -evidence.factor),
        )

    def mean_intervals(self, evidence: ModelValues, level: float) -> Interval:
        """Jeffreys' interval of each accuracy."""
        shares = error_interval(evidence.values.sum(axis=1) / evidence.scale, evidence.n, confidence_level=level)
        return scaled_interval(Interval(low=shares.low, high=shares.high), evidence.scale)

    def omnibus(self, evidence: ModelValues) -> CochranQResult:
        """Cochran's Q."""
        return cochran_q(evidence.right)


BASIS = SeveralRightWrong()


def _cells(right: Array, first: Indices, second: Indices) -> Array:
    """Of each pair n00, n01, n10, n11: both wrong, only the first wrong, only the second wrong, both right."""
    both = right @ right.T
    n11, of_first, of_second = both[first, second], both[first, first], both[second, second]
    n01, n10 = of_second - n11, of_first - n11
    return np.stack([right.shape[1] - n11 - n01 - n10, n01, n10, n11], axis=-1)
