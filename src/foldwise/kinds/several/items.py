"""What the kinds of evidence share that are numbers of several models on the same items."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from foldwise.core.metric import direction_caveats, metric_words
from foldwise.core.types import Interval
from foldwise.evidence.models import ModelValues
from foldwise.inference.joint_differences import ModelMeans, model_means
from foldwise.kinds.outcomes import unseen_caveats
from foldwise.kinds.serial import serial_caveats
from foldwise.kinds.several.basis import SeveralBasis

__all__ = ["FIXED", "ItemBasis", "scaled_interval"]

FIXED = "all models were fixed before they saw the test examples: nothing was tuned on them"
"""What all tests of fitted models assume."""

ALIKE_SHOWN = 3
"""Groups of models with the same numbers everywhere that a caveat names."""


class ItemBasis(SeveralBasis[ModelValues]):
    """Fitted models on one set of items."""

    plots: ClassVar[tuple[str, ...]] = ()
    limit = "one test set: the answer is about these fitted models, not about the algorithms that trained them"

    def estimand(self, evidence: ModelValues) -> str:
        """About the fitted models, on items like these."""
        return (
            f"over items like these, the mean {metric_words(evidence.metric)} of one model minus that of another; "
            "it is about these "
            "fitted models, and another training set may give others."
        )

    def together(self, evidence: ModelValues) -> ModelMeans:
        """Over items, or over clusters; one item alone shows no spread."""
        if evidence.n == 1:
            k = len(evidence.names)
            return ModelMeans(means=evidence.means, covariance=np.zeros((k, k)), df=0.0, units=1)
        return model_means(evidence.values, evidence.groups)

    def caveats(self, evidence: ModelValues, *, alpha: float, comparisons: int) -> list[str]:
        """What the values themselves make one notice."""
        caveats = serial_caveats(evidence) + unseen_caveats(evidence.names, evidence.unseen)
        caveats += [
            f"{names} have the same {metric_words(evidence.metric)} on every item" for names in _alike(evidence)
        ]
        if evidence.missing is not None:
            caveats.append(evidence.missing.words(evidence.names))
        return caveats + direction_caveats(evidence.metric, evidence.higher_is_better)


def scaled_interval(found: Interval, factor: float) -> Interval:
    """Intervals in another unit, turned where the factor is negative."""
    ends = factor * np.asarray(found.low) + 0.0, factor * np.asarray(found.high) + 0.0
    low, high = ends if factor > 0 else ends[::-1]
    return Interval(low=low, high=high)


def _alike(evidence: ModelValues) -> list[str]:
    """Models that do the same on every item."""
    found: dict[bytes, list[str]] = {}
    for name, row in zip(evidence.names, evidence.values, strict=True):
        found.setdefault(row.tobytes(), []).append(name)
    groups = [names for names in found.values() if len(names) > 1]
    return [" and ".join([", ".join(names[:-1]), names[-1]]) for names in groups[:ALIKE_SHOWN]]
