"""Two models marked on items that come in clusters: several questions about one document."""

from __future__ import annotations

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.marks import Marks
from foldwise.inference.clusters import clustered_t
from foldwise.inference.student import StudentResult
from foldwise.kinds.design import Design
from foldwise.kinds.guarantee import approximate
from foldwise.kinds.marks import NORMAL, MarkKind, power_of
from foldwise.kinds.outcomes import FIXED
from foldwise.kinds.procedure import Batch, Procedure

__all__ = ["KIND", "PROCEDURES"]


class ClusteredMarks(MarkKind):
    """Items of one cluster resemble each other; clusters are independent."""

    name = "clustered_marks"
    units = "clusters"
    words = "the marks of both models on the same items, and the cluster of each item"
    assumes = (
        "clusters are independent of each other; items within one may resemble each other in any way",
        FIXED,
        NORMAL.replace("many items", "many clusters"),
    )
    recommended = "clustered_t"
    because = (
        "items of one cluster resemble each other, and its standard error lets them; it is never below that of items "
        "taken as independent."
    )

    def natural(self, evidence: Evidence) -> bool:
        """Items in clusters."""
        return isinstance(evidence, Marks) and evidence.groups is not None and evidence.times is None

    def fits(self, evidence: Evidence) -> bool:
        """Only where clusters are known."""
        return self.natural(evidence)

    def numbers(self, design: Design) -> int:
        """A difference and a cluster per item."""
        return 2 * design.n

    def mean_difference(self, data: Array) -> Array:
        """Mean over the items."""
        return np.asarray(data[..., 0, :].mean(axis=-1))

    def drawn(self, data: Array, design: Design, alpha: float) -> Batch:
        """Differences in the first row, clusters in the second, the same in all trials."""
        groups = data[..., 1, :].reshape(-1, data.shape[-1])[0].astype(np.int64)
        return Batch(data=data[..., 0, :], alpha=alpha, groups=groups)


KIND = ClusteredMarks()


def _run(batch: Batch) -> StudentResult:
    if batch.groups is None:
        raise InvalidInput("groups must name the cluster of each item for a test of clusters, got None")
    return clustered_t(batch.data, batch.groups)


PROCEDURES = (
    Procedure(
        name="clustered_t",
        title="cluster-robust paired t test",
        kind=KIND,
        run=_run,
        symbol="t",
        signed=True,
        reference="Bell & McCaffrey (2002), Survey Methodology 28",
        guarantee=approximate(counted="clusters"),
        power=power_of,
    ),
)
