"""Several models compared by several metrics at once: one row each, judged together or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from foldwise.core.errors import InvalidInput
from foldwise.core.result import Result
from foldwise.core.types import Json
from foldwise.report.models_by_metrics_text import models_by_metrics_text
from foldwise.verdict.by_metric import ByMetric
from foldwise.verdict.claims import Claim
from foldwise.verdict.frames import new_frame
from foldwise.verdict.metrics_comparison import named_once
from foldwise.verdict.models.comparison import ModelsComparison

__all__ = ["ACROSS", "Across", "ModelsByMetrics", "by_metrics"]

ACROSS = ("bonferroni", "none")
Across = Literal["bonferroni", "none"]
"""How several metrics are judged together."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelsByMetrics(ByMetric[ModelsComparison], Result):
    """Outcome of comparing several models by several metrics; ``print`` it for a short verdict.

    Attributes
    ----------
    comparisons
        One per metric, each with all that a comparison by it alone has, at its share of the level.
    across
        Whether the level is shared among the metrics: "bonferroni" or "none".
    alpha
        The level for all metrics together, or of each where they do not share it.
    subject, repeat
        On what data, and the command that gives the same answer again, when there is one.
    """

    page: ClassVar[str] = "models_by_metrics"

    comparisons: tuple[ModelsComparison, ...]
    across: Across
    alpha: float
    subject: str = ""
    repeat: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The models."""
        return self.comparisons[0].names

    @property
    def called(self) -> str:
        """What one of them is: a model, or a learner."""
        return self.comparisons[0].basis.called.removesuffix("s")

    @property
    def control(self) -> str | None:
        """The model that the others were compared with, or None."""
        return self.comparisons[0].control

    @property
    def best(self) -> dict[str, str | None]:
        """By metric, the model that is shown to be better than each it was compared with; None when there is none."""
        return {c.metric: c.best for c in self.comparisons}

    @property
    def best_sets(self) -> dict[str, tuple[str, ...]]:
        """By metric, the models that may be the best."""
        return {c.metric: c.best_set for c in self.comparisons}

    @property
    def caveats(self) -> tuple[str, ...]:
        """What holds for some metrics with their names, then what holds for all, each once."""
        return self._gathered()

    def claims(self) -> tuple[Claim, ...]:
        """What is claimed of each model against the control, by each metric."""
        return tuple(claim for c in self.comparisons for claim in c.claims())

    def replace(self, **changes: Any) -> ModelsByMetrics:
        """The same with other words around it (subject, repeat)."""
        return replace(self, **changes)

    def to_frame(self) -> Any:
        """One row per metric and pair (pandas, polars or pyarrow: the first one installed)."""
        rows = [{"metric": c.metric, **pair.to_dict()} for c in self.comparisons for pair in c.pairs]
        left_out = {"limits", "replicability"}
        return new_frame({name: [row[name] for row in rows] for name in rows[0] if name not in left_out})

    def _content(self) -> dict[str, Json]:
        return {
            "names": list(self.names),
            "across": self.across,
            "alpha": self.alpha,
            "control": self.control,
            "design": self.design,
            "best": dict(self.best),
            "best_sets": {metric: list(names) for metric, names in self.best_sets.items()},
            "metrics": [c._content() for c in self.comparisons],
            "caveats": list(self.caveats),
            "subject": self.subject,
            "repeat": self.repeat,
        }

    def __str__(self) -> str:
        return models_by_metrics_text(self)


def by_metrics(comparisons: Sequence[ModelsComparison], *, across: Across, alpha: float) -> ModelsByMetrics:
    """Comparisons by several metrics together."""
    if not comparisons:
        raise InvalidInput("metric must name at least one metric, got an empty list")
    named_once([c.metric for c in comparisons])
    return ModelsByMetrics(comparisons=tuple(comparisons), across=across, alpha=alpha)
