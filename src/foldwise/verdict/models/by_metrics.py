"""Several models compared by several metrics at once: one row each, judged together or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from foldwise.core.errors import InvalidInput
from foldwise.core.result import Result
from foldwise.core.types import Json
from foldwise.report.models_by_metrics_text import models_by_metrics_text
from foldwise.verdict.by_metric import Across, ByMetricsTogether
from foldwise.verdict.metrics_comparison import named_once
from foldwise.verdict.models.comparison import ModelsComparison

__all__ = ["ModelsByMetrics", "by_metrics"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ModelsByMetrics(ByMetricsTogether[ModelsComparison], Result):
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
    not_in_frames: ClassVar[frozenset[str]] = frozenset({"limits", "replicability"})

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
        return self.comparisons[0].kind.called.removesuffix("s")

    @property
    def best_sets(self) -> dict[str, tuple[str, ...]]:
        """By metric, the models that may be the best."""
        return {c.metric: c.best_set for c in self.comparisons}

    def replace(self, **changes: Any) -> ModelsByMetrics:
        """The same with other words around it (subject, repeat)."""
        return replace(self, **changes)

    def _content(self) -> dict[str, Json]:
        best_sets: Json = {metric: list(names) for metric, names in self.best_sets.items()}
        return {**self._shared(), "best_sets": best_sets, "subject": self.subject, "repeat": self.repeat}

    def __str__(self) -> str:
        return models_by_metrics_text(self)


def by_metrics(comparisons: Sequence[ModelsComparison], *, across: Across, alpha: float) -> ModelsByMetrics:
    """Comparisons by several metrics together."""
    if not comparisons:
        raise InvalidInput("metric must name at least one metric, got an empty list")
    named_once([c.metric for c in comparisons])
    return ModelsByMetrics(comparisons=tuple(comparisons), across=across, alpha=alpha)
