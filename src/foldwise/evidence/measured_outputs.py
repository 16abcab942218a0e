"""What outputs of models on one test set have in common, be they of two models or of several."""

from __future__ import annotations

from foldwise.core.types import Integers
from foldwise.metrics.metric import Metric, Truth

__all__ = ["MeasuredOutputs"]


class MeasuredOutputs:
    """Outputs on the items of one truth, by one metric, in clusters or not."""

    __slots__ = ()

    measure: Metric
    truth: Truth
    groups: Integers | None

    @property
    def n(self) -> int:
        """Number of items."""
        return len(self.truth)

    @property
    def metric(self) -> str:
        """What was measured."""
        return self.measure.name

    @property
    def higher_is_better(self) -> bool:
        """False for losses."""
        return self.measure.higher_is_better

    @property
    def design(self) -> str:
        """The test set in words."""
        clusters = "" if self.groups is None else f" in {int(self.groups.max()) + 1} clusters"
        return f"{self.n} test example{'' if self.n == 1 else 's'}{clusters}"

    @property
    def majority(self) -> float | None:
        """Only of accuracy is it known what the most frequent class would score."""
        return None
