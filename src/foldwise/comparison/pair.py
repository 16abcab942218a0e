"""What is known of two of the models, by one metric: the same, however many were compared."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from foldwise.comparison.replication import Replication
from foldwise.core.display import Shown
from foldwise.core.types import Interval, Json
from foldwise.designs.curves import seen_with
from foldwise.designs.findings import Findings
from foldwise.inference.many.meta import MetaAnalysisResult
from foldwise.inference.margins import Conclusion
from foldwise.inference.probabilities import Probabilities

__all__ = ["Pair", "interval_dict"]


def _unknown() -> None:
    """Nothing more is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair(Shown):
    """Two of the models that were compared.

    Attributes
    ----------
    a, b
        Their names.
    metric, means
        By what they were compared, and its mean of a and of b.
    estimate
        The difference a − b in the metric's own unit.
    interval
        Of that difference; where there are several pairs it is simultaneous. None where nothing can be told.
    pvalue, adjusted
        Of the pair alone, and adjusted for the number of pairs, or of metrics.
    better
        Name of the better one when `adjusted` is below the level and the difference has one direction; else None.
    practically_same
        Whether they are shown to be practically the same.
    margin, limits, candidate, conclusion
        The margin where one was given, the one-sided limits of a − b, whom the conclusion is about, and what it is:
        superior, non-inferior, equivalent, inferior, or undecided.
    rope_probabilities
        That a is practically better, equivalent, b practically better; None where nothing can be told.
    replicability
        Verdicts over other partitionings, where they were asked for.
    median, wins, ties, losses, combined
        Over data sets: the median difference; on how many a is better, equal, worse; and the difference combined by
        precision where there are scores of splits. None elsewhere.
    """

    a: str
    b: str
    metric: str = ""
    means: tuple[float, float] = (math.nan, math.nan)
    estimate: float
    interval: Interval | None = None
    pvalue: float
    adjusted: float
    better: str | None
    practically_same: bool = False
    margin: float | None = None
    limits: Interval | None = None
    candidate: str | None = None
    conclusion: Conclusion | None = None
    replicability: Replication | None = None
    median: float | None = None
    wins: int | None = None
    ties: int | None = None
    losses: int | None = None
    probabilities: Probabilities | None = field(default=None, repr=False)
    combined: MetaAnalysisResult | None = field(default=None, repr=False)
    level: float = 0.05
    _found: Callable[[], Findings | None] = field(default=_unknown, repr=False, compare=False)

    @property
    def statistic(self) -> float | None:
        """Of the test of this pair; None where it is not defined."""
        return None if (found := self._found()) is None else found.statistic

    @property
    def df(self) -> float | tuple[float, float] | None:
        """Degrees of freedom, where the test has them."""
        return None if (found := self._found()) is None else found.df

    @property
    def standard_error(self) -> float | None:
        """Of the estimate, where the test has one."""
        return None if (found := self._found()) is None else found.standard_error

    @property
    def rope_probabilities(self) -> Probabilities | None:
        """Posterior probabilities that the region of practical equivalence leaves; None where nothing can be told."""
        return self.probabilities if (found := self._found()) is None else found.probabilities

    @property
    def detectable_difference(self) -> float | None:
        """The true difference that this design would detect with power 0.8 at the pair's level, where it is known."""
        return None if (found := self._found()) is None else seen_with(found.power, self.level)

    @property
    def low(self) -> float:
        """Lower end of the interval; NaN where there is none."""
        return math.nan if self.interval is None else float(self.interval.low)

    @property
    def high(self) -> float:
        """Upper end of the interval; NaN where there is none."""
        return math.nan if self.interval is None else float(self.interval.high)

    @property
    def worse(self) -> str | None:
        """Name of the worse one when a difference is shown, otherwise None."""
        return None if self.better is None else self.b if self.better == self.a else self.a

    @property
    def lead_of_better(self) -> float:
        """Difference of the better model from the other; 0 where none is better."""
        return 0.0 if self.better is None else self.estimate if self.better == self.a else -self.estimate

    @property
    def baseline(self) -> str:
        """The one that the candidate is compared with."""
        return self.a if self.candidate == self.b else self.b

    @property
    def lead(self) -> Interval | None:
        """The limits for candidate − baseline."""
        return self.limits if self.limits is None or self.candidate == self.a else -self.limits

    def to_dict(self) -> dict[str, Json]:
        """All of it, ready for JSON; what is not finite is None."""
        df, chances = self.df, self.rope_probabilities
        return {
            "a": self.a,
            "b": self.b,
            "metric": self.metric,
            "means": list(map(_finite, self.means)),
            "estimate": _finite(self.estimate),
            "standard_error": _finite(self.standard_error),
            "interval": interval_dict(self.interval),
            "statistic": _finite(self.statistic),
            "df": list(map(_finite, df)) if isinstance(df, tuple) else _finite(df),
            "pvalue": self.pvalue,
            "adjusted": self.adjusted,
            "better": self.better,
            "practically_same": self.practically_same,
            "rope_probabilities": None if chances is None else chances_dict(chances),
            "detectable_difference": _finite(self.detectable_difference),
            "margin": self.margin,
            "limits": interval_dict(self.limits),
            "candidate": self.candidate,
            "conclusion": self.conclusion,
            "replicability": None if self.replicability is None else self.replicability.to_dict(),
            **({} if self.wins is None else self._over_data_sets()),
        }

    def _over_data_sets(self) -> dict[str, Json]:
        return {
            "median": self.median,
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "combined": None if self.combined is None else _combined_dict(self.combined),
        }

    def row(self) -> dict[str, Any]:
        """As a row of a table: without what takes long to compute."""
        a, b = self.means
        told = {
            "metric": self.metric, "a": self.a, "b": self.b, "mean_a": a, "mean_b": b, "estimate": self.estimate,
            "low": self.low, "high": self.high, "pvalue": self.pvalue, "adjusted": self.adjusted, "better": self.better,
        }  # fmt: skip
        if self.wins is not None:
            told |= {"median": self.median, "wins": self.wins, "ties": self.ties, "losses": self.losses}
            told |= {} if self.probabilities is None else chances_dict(self.probabilities)
        return told if self.margin is None else told | {"candidate": self.candidate, "conclusion": self.conclusion}


def chances_dict(p: Probabilities) -> dict[str, Json]:
    """The three probabilities, ready for JSON."""
    return {name: float(getattr(p, name)) for name in ("a_better", "equivalent", "b_better")}


def interval_dict(interval: Interval | None) -> dict[str, Json] | None:
    """An interval ready for JSON; an end that bounds nothing is None."""
    return None if interval is None else {"low": _finite(float(interval.low)), "high": _finite(float(interval.high))}


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _combined_dict(result: MetaAnalysisResult) -> dict[str, Json]:
    interval = result.confidence_interval(0.95)
    return {
        "estimate": float(result.estimate),
        "low": float(interval.low),
        "high": float(interval.high),
        "pvalue": float(result.pvalue),
        "between_variance": float(result.between_variance),
        "heterogeneity": float(result.heterogeneity),
    }
