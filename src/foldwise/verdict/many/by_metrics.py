"""Several learners compared over data sets by several metrics at once: one row each, judged together or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from foldwise.core.result import Result
from foldwise.core.types import Json
from foldwise.report.many_by_metrics_text import many_by_metrics_text
from foldwise.verdict.by_metric import ByMetric
from foldwise.verdict.claims import Claim
from foldwise.verdict.frames import new_frame
from foldwise.verdict.many.comparison import ManyComparison
from foldwise.verdict.models.by_metrics import Across

__all__ = ["ManyByMetrics"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ManyByMetrics(ByMetric[ManyComparison], Result):
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

    comparisons: tuple[ManyComparison, ...]
    across: Across
    alpha: float

    @property
    def names(self) -> tuple[str, ...]:
        """The learners."""
        return self.comparisons[0].learners

    @property
    def control(self) -> str | None:
        """The learner that the others were compared with, or None."""
        return self.comparisons[0].control

    @property
    def best(self) -> dict[str, str | None]:
        """By metric, the learner that is better than each it was compared with; None when there is none."""
        return {c.metric: c.best for c in self.comparisons}

    @property
    def caveats(self) -> tuple[str, ...]:
        """What holds for some metrics with their names, then what holds for all, each once."""
        return self._gathered()

    def claims(self) -> tuple[Claim, ...]:
        """What is claimed of each learner against the control, by each metric."""
        return tuple(claim for c in self.comparisons for claim in c.claims())

    def to_frame(self) -> Any:
        """One row per metric and pair (pandas, polars or pyarrow: the first one installed)."""
        rows = [{"metric": c.metric, **pair.to_dict()} for c in self.comparisons for pair in c.pairs]
        left_out = {"probabilities", "combined", "limits"}
        return new_frame({name: [row[name] for row in rows] for name in rows[0] if name not in left_out})

    def _content(self) -> dict[str, Json]:
        return {
            "names": list(self.names),
            "across": self.across,
            "alpha": self.alpha,
            "control": self.control,
            "design": self.design,
            "best": dict(self.best),
            "metrics": [c._content() for c in self.comparisons],
            "caveats": list(self.caveats),
        }

    def __str__(self) -> str:
        return many_by_metrics_text(self)
