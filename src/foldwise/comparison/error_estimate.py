"""An estimated error with everything a reader needs to judge it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from typing import Any, ClassVar

from foldwise.comparison.claims import Finding
from foldwise.core.decisions import Decision, together
from foldwise.core.metric import Unit
from foldwise.core.result import Result, ready, told
from foldwise.core.types import Interval, Json

FINDINGS: tuple[Finding, ...] = ("failed", "inconclusive", "passed")  # The gravest first.


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorEstimate(Result):
    """Outcome of `estimate_error` and `estimate_predictions`; ``print`` it for a few lines."""

    page: ClassVar[str] = "estimate"

    learner: str  #: The learner's name
    estimate: float  #: The estimated error: a rate, or the mean squared error of a regressor
    #: interval, confidence_level: Jeffreys interval where each example was tested once, else None; and its level
    interval: Interval | None
    confidence_level: float
    #: errors, tested: Number of errors and of tested examples behind the interval; None where there is none
    errors: int | None
    tested: int | None
    #: method, title, design: The method's name, the same in words, and its plan
    method: str
    title: str
    design: str
    metric: str  #: "error" or "mean squared error"
    n: int  #: Number of examples
    components: dict[str, float] = field(default_factory=dict)  #: Figures the estimate is made of, by name
    seed: int  #: What determined the splits
    #: fits, found, found_made: Number of trainings, how many of them came from a store, and when the oldest and the
    #: newest of these were made
    fits: int = 0
    found: int = 0
    found_made: tuple[str, str] | None = None
    caveats: tuple[str, ...] = ()  #: Sentences a careful reader should know
    #: subject, repeat: The data in words and the command that gives the same again, where known
    subject: str = ""
    repeat: str | None = None
    unit: Unit | None = None  #: The unit of the metric; None where its name tells
    decisions: tuple[Decision, ...] = ()  #: What was decided on the way to the evidence
    higher_is_better: bool = False  #: The direction of the metric
    #: bar, limits: The value that the metric should reach, where one was given, and the one-sided limits by which that
    #: is decided
    bar: float | None = None
    limits: Interval | None = None
    sources: tuple[str, ...] = ()  #: Where the method and its interval come from

    @property
    def finding(self) -> Finding | None:
        """Whether the bar is shown to be reached ("passed") or missed ("failed"), or neither; None without a bar."""
        if self.bar is None:
            return None
        if self.limits is None:
            return "inconclusive"
        sign = 1 if self.higher_is_better else -1
        low, high = sorted((sign * float(self.limits.low), sign * float(self.limits.high)))
        return "passed" if low >= sign * self.bar else "failed" if high < sign * self.bar else "inconclusive"

    def _content(self) -> dict[str, Json]:
        interval = None if self.interval is None else ready(self.interval) | {"level": self.confidence_level}
        bar = {"value": self.bar, "finding": self.finding, **(ready(self.limits) or {})}
        names = ("learner", "method", "title", "metric", "estimate", "errors", "tested", "n", "design", "seed", "fits",
                 "found", "found_made", "components", "subject", "caveats", "repeat")  # fmt: skip
        return {**told(self, *names), "interval": interval, "bar": None if self.bar is None else bar}


# ---- One model by several estimators or metrics, side by side.


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimateSurvey(Result):
    """Several estimates of one learner's error on one data set, or one model by several metrics."""

    page: ClassVar[str] = "estimates"

    rows: tuple[ErrorEstimate, ...]  #: One for each estimator, the recommended one first, or for each metric

    @property
    def finding(self) -> Finding | None:
        """Of several bars: failed where one is shown to be missed, passed where all are shown to be reached."""
        found = [row.finding for row in self.rows if row.finding is not None]
        return next((one for one in FINDINGS if one in found), None)

    @property
    def reading(self) -> tuple[Decision, ...]:
        """What was decided on the way to the evidence."""
        return reduce(together, (row.reading for row in self.rows))

    def replace(self, **changes: Any) -> EstimateSurvey:
        """The same estimates, each with other words around it."""
        return EstimateSurvey(rows=tuple(row.replace(**changes) for row in self.rows))

    def _content(self) -> dict[str, Json]:
        return {"rows": [row._content() for row in self.rows], "finding": self.finding}
