"""Several learners compared over data sets by several metrics at once: one row each, judged together or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from foldwise.core.result import Result
from foldwise.core.types import Json
from foldwise.report.many_by_metrics_text import many_by_metrics_text
from foldwise.verdict.by_metric import Across, ByMetricsTogether
from foldwise.verdict.many.comparison import ManyComparison

__all__ = ["ManyByMetrics"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ManyByMetrics(ByMetricsTogether[ManyComparison], Result):
    """Outcome of comparing several learners on several data sets by several metrics; ``print`` it for a verdict.

    Attributes
    ----------
    comparisons
        One per metric, each with all that a comparison by it alone has, at its share of the level.
    across
        Whether the level is shared among the metrics: "bonferroni" or "none".
    alpha
        The level for all metrics together, or of each where they do not share it.
    """

    page: ClassVar[str] = "many_by_metrics"
    called: ClassVar[str] = "learner"
    not_in_frames: ClassVar[frozenset[str]] = frozenset({"probabilities", "combined", "limits"})

    comparisons: tuple[ManyComparison, ...]
    across: Across
    alpha: float

    @property
    def names(self) -> tuple[str, ...]:
        """The learners."""
        return self.comparisons[0].learners

    def _content(self) -> dict[str, Json]:
        return self._shared()

    def __str__(self) -> str:
        return many_by_metrics_text(self)
