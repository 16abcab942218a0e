"""What is known of two of the learners of a table."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from foldwise.core.display import Shown
from foldwise.core.types import Interval, Json
from foldwise.inference.many.meta import MetaAnalysisResult
from foldwise.inference.margins import Conclusion
from foldwise.inference.probabilities import Probabilities
from foldwise.verdict.held import Held

__all__ = ["PairComparison"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairComparison(Held, Shown):
    """Two of the learners.

    Attributes
    ----------
    a, b
        Their names.
    estimate, median
        Mean and median of a − b over the data sets, in the score's own unit.
    wins, ties, losses
        Data sets on which a is better, equal, worse.
    pvalue, adjusted
        Of the pairwise test; `adjusted` for the number of comparisons.
    better
        Name of the better one when `adjusted` is below alpha, otherwise None.
    probabilities
        That a is practically better, equivalent, b practically better; None when they were not asked for.
    combined
        The difference combined over data sets by their precision; None without the scores of the splits.
    limits
        One-sided limits for the median of a − b, simultaneous for all pairs; None where no margin was given.
    candidate, conclusion
        Whom the conclusion is about, a or, where a is the control, b; and whether it is superior, non-inferior,
        equivalent or inferior to the other. None where no margin was given.
    """

    a: str
    b: str
    estimate: float
    median: float
    wins: int
    ties: int
    losses: int
    pvalue: float
    adjusted: float
    better: str | None
    probabilities: Probabilities | None = None
    combined: MetaAnalysisResult | None = field(default=None, repr=False)
    limits: Interval | None = None
    candidate: str | None = None
    conclusion: Conclusion | None = None

    @property
    def practically_same(self) -> bool:
        """Whether it is more probable than not that mostly they are practically the same."""
        return self.probabilities is not None and bool(self.probabilities.equivalent > 0.5)

    @property
    def lead_of_better(self) -> float:
        """Mean difference of the better learner from the other, in the score's own unit; 0 where none is better."""
        if self.better is None:
            return 0.0
        return self.estimate if self.better == self.a else -self.estimate

    def to_dict(self) -> dict[str, Json]:
        """All of it, ready for JSON."""
        chances = self.probabilities
        return {
            "a": self.a,
            "b": self.b,
            "estimate": self.estimate,
            "median": self.median,
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "pvalue": self.pvalue,
            "adjusted": self.adjusted,
            "better": self.better,
            "probabilities": None
            if chances is None
            else {
                "a_better": float(chances.a_better),
                "equivalent": float(chances.equivalent),
                "b_better": float(chances.b_better),
            },
            "combined": None if self.combined is None else _combined_dict(self.combined),
            "limits": None if self.limits is None else _limits_dict(self.limits),
            "candidate": self.candidate,
            "conclusion": self.conclusion,
        }


def _limits_dict(limits: Interval) -> dict[str, float | None]:
    """Limits that bound nothing are None."""
    return {side: value if np.isfinite(value := float(getattr(limits, side))) else None for side in ("low", "high")}


def _combined_dict(result: MetaAnalysisResult) -> dict[str, float]:
    interval = result.confidence_interval(0.95)
    return {
        "estimate": float(result.estimate),
        "low": float(interval.low),
        "high": float(interval.high),
        "pvalue": float(result.pvalue),
        "between_variance": float(result.between_variance),
        "heterogeneity": float(result.heterogeneity),
    }
