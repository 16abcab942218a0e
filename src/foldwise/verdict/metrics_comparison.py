"""Two models compared by several metrics at once: one row each, judged together or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.metric import metric_words
from foldwise.core.result import Result
from foldwise.core.types import Json
from foldwise.core.validation import one_of
from foldwise.inference.many._adjust import adjust as adjusted_pvalues
from foldwise.report.metrics_text import metrics_text
from foldwise.verdict.by_metric import ByMetric
from foldwise.verdict.claims import Claim
from foldwise.verdict.comparison import Comparison
from foldwise.verdict.frames import new_frame

__all__ = ["ADJUSTMENTS", "MetricAdjust", "MetricsComparison", "named_once", "together"]

MetricAdjust = Literal["holm", "none"]
ADJUSTMENTS = ("holm", "none")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MetricsComparison(ByMetric[Comparison], Result):
    """Outcome of comparing two models by several metrics; ``print`` it for a short verdict.

    Attributes
    ----------
    comparisons
        One per metric, each with all that a comparison by it alone has.
    adjusted
        The p-value of each, adjusted for their number, or as it is.
    adjust
        How: "holm" or "none".
    subject, repeat
        On what data, and the command that gives the same answer again, when there is one.
    """

    page: ClassVar[str] = "metrics"

    comparisons: tuple[Comparison, ...]
    adjusted: tuple[float, ...]
    adjust: MetricAdjust
    subject: str = ""
    repeat: str | None = None

    @property
    def names(self) -> tuple[str, str]:
        """The two models."""
        return self.comparisons[0].names

    @property
    def alpha(self) -> float:
        """The level."""
        return self.comparisons[0].alpha

    @property
    def shared(self) -> bool:
        """Whether the metrics share the level, so that what is said by all of them holds together."""
        return self.adjust == "holm"

    @property
    def better(self) -> dict[str, str | None]:
        """By metric, the name of the model that is better at the adjusted level; None where no winner is shown."""
        return {c.metric: self.better_by(place) for place, c in enumerate(self.comparisons)}

    def better_by(self, place: int) -> str | None:
        """The winner by one metric, at the adjusted level."""
        c = self.comparisons[place]
        return c.better_name if self.adjusted[place] < self.alpha else None

    @property
    def caveats(self) -> tuple[str, ...]:
        """What holds for some metrics with their names, then what holds for all, each once."""
        limits = frozenset(c.kind.limit for c in self.comparisons)
        return (*self._gathered(without=limits), self.comparisons[0].kind.limit)

    def claims(self) -> tuple[Claim, ...]:
        """What is claimed of a, the candidate, by each metric, at the adjusted level."""
        return tuple(
            replace(claim, better=self.better_by(place), metric=metric_words(c.metric))
            for place, c in enumerate(self.comparisons)
            for claim in c.claims()
        )

    def replace(self, **changes: Any) -> MetricsComparison:
        """The same with other words around it (subject, repeat)."""
        return replace(self, **changes)

    def to_frame(self) -> Any:
        """One row per metric (pandas, polars or pyarrow: the first one installed)."""
        rows = [self._row(place) for place in range(len(self))]
        return new_frame({name: [row[name] for row in rows] for name in rows[0]}, like=self.comparisons[0].frames)

    def _row(self, place: int) -> dict[str, Any]:
        c = self.comparisons[place]
        low, high = (np.nan, np.nan) if c.interval is None else (float(c.interval.low), float(c.interval.high))
        return {
            "metric": c.metric, "test": c.test, c.names[0]: c.means[0], c.names[1]: c.means[1],
            "difference": c.estimate, "low": low, "high": high, "pvalue": c.pvalue, "adjusted": self.adjusted[place],
            "better": self.better_by(place), **({} if c.margin is None else {"conclusion": c.conclusion}),
        }  # fmt: skip

    def _content(self) -> dict[str, Json]:
        rows = [
            {**c._content(), "adjusted": self.adjusted[place], "better_name": self.better_by(place)}
            for place, c in enumerate(self.comparisons)
        ]
        return {
            "names": list(self.names),
            "adjust": self.adjust,
            "alpha": self.alpha,
            "design": self.design,
            "metrics": rows,
            "caveats": list(self.caveats),
            "subject": self.subject,
            "repeat": self.repeat,
        }

    def __str__(self) -> str:
        return metrics_text(self)


def together(comparisons: Sequence[Comparison], *, adjust: MetricAdjust = "holm") -> MetricsComparison:
    """Comparisons by several metrics, with p-values adjusted for their number."""
    one_of(adjust, "adjust", ADJUSTMENTS)
    named_once([c.metric for c in comparisons])
    pvalues = [c.pvalue for c in comparisons]
    adjusted = adjusted_pvalues(pvalues).tolist() if adjust == "holm" else pvalues
    return MetricsComparison(comparisons=tuple(comparisons), adjusted=tuple(adjusted), adjust=adjust)


def named_once(metrics: Sequence[str]) -> None:
    """Refuse a metric that was asked for twice."""
    twice = next((metric for metric in metrics if metrics.count(metric) > 1), None)
    if twice is not None:
        raise InvalidInput(f"metric must name each metric once, but {twice!r} is there more than once")
