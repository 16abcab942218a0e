"""Several classifiers on test examples that come in clusters: several questions about one document."""

from __future__ import annotations

import math

import numpy as np

from foldwise.core.types import Interval
from foldwise.evidence.evidence import SeveralEvidence
from foldwise.evidence.models import ModelValues
from foldwise.inference._clustered_outcomes import ClusteredOutcomes
from foldwise.inference._error_interval import error_interval
from foldwise.inference.clusters import clustered_t
from foldwise.inference.joint_differences import Indices
from foldwise.kinds.catalogue import CLUSTERS
from foldwise.kinds.procedure import Batch
from foldwise.kinds.several.basis import PairTests, in_parts
from foldwise.kinds.several.items import FIXED, ItemBasis, scaled_interval
from foldwise.kinds.several.student import constant_known, student_intervals

__all__ = ["BASIS"]


class SeveralClusters(ItemBasis):
    """Examples of one cluster resemble each other; clusters are independent."""

    name = "several_clusters"
    words = "the predictions of several classifiers on one test set, and the cluster of each example"
    pair = CLUSTERS
    recommended = CLUSTERS.recommended
    assumes = ("clusters are independent of each other; examples within one may resemble each other in any way", FIXED)
    because = CLUSTERS.because.removesuffix(".")

    def natural(self, evidence: SeveralEvidence) -> bool:
        """Right or wrong, on examples in clusters."""
        return isinstance(evidence, ModelValues) and evidence.right_wrong and evidence.groups is not None

    def tests(self, evidence: ModelValues, first: Indices, second: Indices) -> PairTests:
        """The cluster-robust test, with its guards against few clusters."""
        values, procedure = evidence.right, self.procedure

        def run(i: Indices, j: Indices) -> ClusteredOutcomes:
            found: ClusteredOutcomes = procedure.run(Batch(data=values[i] - values[j], groups=evidence.groups))
            return found

        result = in_parts(run, first, second, width=evidence.n)
        return PairTests(
            estimate=evidence.factor * np.asarray(result.estimate) + 0.0,
            pvalue=np.asarray(result.pvalue),
            known=np.ones(len(first), dtype=bool),
            intervals=lambda level: scaled_interval(result.confidence_interval(level), evidence.factor),
        )

    def mean_intervals(self, evidence: ModelValues, level: float) -> Interval:
        """By the same standard error; where all examples are alike, that of as many as there are clusters."""
        assert evidence.groups is not None
        with constant_known():
            result = clustered_t(evidence.values / evidence.scale, evidence.groups)
        found = student_intervals(result, level)
        clusters = int(evidence.groups.max()) + 1
        plain = error_interval(clusters * np.round(evidence.means / evidence.scale), clusters, confidence_level=level)
        same = np.isnan(found.low)
        shares = Interval(
            low=np.where(same, np.asarray(plain.low), np.maximum(found.low, 0.0)),
            high=np.where(same, np.asarray(plain.high), np.minimum(found.high, 1.0)),
        )
        return scaled_interval(shares, evidence.scale)

    def caveats(self, evidence: ModelValues, *, alpha: float, comparisons: int) -> list[str]:
        """Also that there are too few clusters."""
        assert evidence.groups is not None
        clusters = int(evidence.groups.max()) + 1
        caveats = super().caveats(evidence, alpha=alpha, comparisons=comparisons)
        # G clusters that all point the same way have a mid-p of 2 to the −G
        needed = math.floor(-math.log2(alpha / comparisons)) + 1
        if clusters < needed:
            caveats.append(
                f"{clusters} clusters can't show a difference between any two of these models at level {alpha:g} "
                f"whatever is in them: with {comparisons} comparison{'s' * (comparisons != 1)} at least {needed} are "
                "needed, and the intervals can't be trusted"
            )
        return caveats


BASIS = SeveralClusters()
