"""How often each test rejects: the result of a Type I error or power study."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from foldwise.core.result import Result
from foldwise.inference.error_interval import error_interval
from foldwise.lab.design import Design

__all__ = ["Rate", "RateTable", "monte_carlo_rate", "wilson"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """One test at one level.

    Attributes
    ----------
    test, alpha
        The test's name and its nominal level.
    rate, low, high
        Share of trials in which it rejects, with its 95 % Wilson interval (the Monte-Carlo error).
    rejections, trials
        The counts behind it.
    fits
        Trainings, of both learners together, that the test costs.
    warning
        What is known to be wrong with the test, or None.
    """

    test: str
    alpha: float
    rate: float
    low: float
    high: float
    rejections: int
    trials: int
    fits: int
    warning: str | None

    @property
    def keeps_level(self) -> bool:
        """Whether the rate could be at most alpha, as far as the Monte-Carlo error lets one tell."""
        return self.low <= self.alpha


@dataclass(frozen=True, slots=True, kw_only=True)
class RateTable(Result):
    """Rejection rates of several tests on one population.

    Attributes
    ----------
    study
        "type1" or "power".
    population, learners
        What was drawn, and what was trained on it.
    design
        Sizes of the resampling.
    seed
        Repeats the study exactly.
    rows
        One `Rate` per test and level.
    caveats
        What to know besides.
    """

    page: ClassVar[str] = "rates"

    study: str
    population: str
    learners: tuple[str, ...]
    design: Design
    seed: int
    rows: tuple[Rate, ...]
    caveats: tuple[str, ...] = ()

    def _content(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        title = {"type1": "Type I error", "power": "Power"}[self.study]
        learned = f", {' vs '.join(self.learners)}" if self.learners else ""
        width = max(len(row.test) for row in self.rows)
        lines = [f"{title} on {self.population}{learned} ({self.design.n} examples, {self.rows[0].trials} trials)", ""]
        for row in self.rows:
            line = f"  {row.test:<{width}}  alpha {row.alpha:g}   {row.rate:.3f}  ({row.low:.3f} to {row.high:.3f})"
            lines.append(f"{line}   {row.fits} fits{self._mark(row)}")
        return "\n".join([*lines, *(f"\n  {caveat}" for caveat in self.caveats)])

    def _mark(self, row: Rate) -> str:
        return "" if self.study == "power" or row.keeps_level else "   exceeds its level"


def monte_carlo_rate(test: str, alpha: float, rejections: int, trials: int, *, fits: int, warning: str | None) -> Rate:
    """A rejection rate with its Wilson interval."""
    low, high = wilson(rejections, trials)
    return Rate(
        test=test,
        alpha=alpha,
        rate=rejections / trials,
        low=low,
        high=high,
        rejections=rejections,
        trials=trials,
        fits=fits,
        warning=warning,
    )


def wilson(count: int, trials: int) -> tuple[float, float]:
    """95 % limits of a simulated share: its Monte-Carlo error."""
    interval = error_interval(count, trials, method="wilson")
    return float(interval.low), float(interval.high)
