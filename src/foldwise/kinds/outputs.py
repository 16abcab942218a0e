"""What the kinds of evidence share that come from two models' outputs and a metric."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from foldwise.core.metric import direction_caveats, unit_caveats
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.outputs import Outputs
from foldwise.kinds.kind import Kind
from foldwise.kinds.outcomes import FIXED
from foldwise.kinds.procedure import Batch, Procedure
from foldwise.metrics.ranking import Auc

__all__ = ["INDEPENDENT", "OutputKind", "few_units"]

INDEPENDENT = (
    "the items, or the clusters where there are some, are independent draws from the source that matters, and none was "
    "trained on"
)
"""What all of these tests assume."""

FEW_CLUSTERS = 10
"""Clusters below which resampling them says little."""


class OutputKind(Kind[Outputs]):
    """Two fitted models on one test set, compared by a metric of all items together."""

    plots: ClassVar[tuple[str, ...]] = ()
    assumes = (INDEPENDENT, FIXED)
    limit = "one test set: the answer is about these fitted models, not about the algorithms that trained them"

    def fits(self, evidence: Evidence) -> bool:
        """Outputs, with any metric."""
        return isinstance(evidence, Outputs)

    def batch(self, evidence: Outputs, alpha: float) -> Batch:
        """The two metrics, and the outputs themselves."""
        return Batch(data=np.array(evidence.means), alpha=alpha, groups=evidence.groups, given=evidence)

    def estimand(self, evidence: Outputs, procedure: Procedure, names: tuple[str, str]) -> str:
        """About the fitted models, on items like these."""
        positive = evidence.truth.positive if evidence.measure.one_class else None
        about = "" if positive is None else f" (of class {evidence.truth.classes[positive]!s})"
        return (
            f"over test examples like these, the {procedure.measure_words(evidence.metric)}{about} of {names[0]} minus "
            f"that of {names[1]}; it is about these two fitted models, and another training set may give other models."
        )

    def caveats(self, evidence: Outputs, procedure: Procedure, names: tuple[str, str], rope: float) -> list[str]:
        """What the outputs themselves make one notice."""
        caveats = []
        if not evidence.statistic.differ.any():
            caveats.append("both models say the same of every item: either they are the same or these items can't tell")
        for name, unseen in zip(names, evidence.unseen, strict=True):
            if unseen:
                caveats.append(f"{unseen} of {name}'s predictions are labels that never occur in the truth")
        if isinstance(evidence.measure, Auc):
            caveats += [
                f"{name} ranks worse than chance ({value:.3g}): perhaps its scores are of the other class"
                for name, value in zip(names, evidence.means, strict=True)
                if value < 0.5
            ]
        metric, higher = evidence.metric, evidence.higher_is_better
        caveats += direction_caveats(metric, higher)
        return caveats + unit_caveats(evidence.unit, rope, evidence.means)


def few_units(evidence: Outputs, df: float) -> list[str]:
    """What is to be said where there are few clusters, or some much larger than others."""
    if evidence.groups is None or df >= FEW_CLUSTERS - 1:
        return []
    return [
        f"few clusters, or some much larger than others: they are worth about {df + 1:.2g} of equal size, and p, "
        "interval and probabilities are only as good as that"
    ]
