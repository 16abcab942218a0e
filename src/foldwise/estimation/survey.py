"""One learner's error by several estimators, side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from foldwise.core.result import Result
from foldwise.core.types import Json
from foldwise.estimation.result import ErrorEstimate
from foldwise.report.estimate import estimate_headline

__all__ = ["EstimateSurvey"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateSurvey(Result):
    """Several estimates of one learner's error on one data set.

    Attributes
    ----------
    rows
        One for each estimator, the recommended one first.
    """

    page: ClassVar[str] = "estimates"

    rows: tuple[ErrorEstimate, ...]

    def _content(self) -> dict[str, Json]:
        """All of them, ready for JSON."""
        return {"rows": [row._content() for row in self.rows]}

    def __str__(self) -> str:
        width = max(len(row.title) for row in self.rows)
        lines = [f"  {row.title:<{width}}   {estimate_headline(row)}" for row in self.rows]
        return "\n".join([f"{self.rows[0].learner} on {self.rows[0].subject}", "", *lines])
