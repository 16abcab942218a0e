"""What is known of two of several models."""

from __future__ import annotations

import math
from dataclasses import dataclass

from foldwise.core.display import Shown
from foldwise.core.types import Interval, Json
from foldwise.inference.margins import Conclusion
from foldwise.verdict.held import Held
from foldwise.verdict.replication import Replication

__all__ = ["ModelPair"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPair(Held, Shown):
    """Two of the models.

    Attributes
    ----------
    a, b
        Their names.
    estimate
        Mean of a − b in the metric's own unit.
    low, high
        Simultaneous interval: those of all pairs hold together. NaN where nothing can be told.
    pvalue, adjusted
        Of the pair alone, and adjusted for the number of comparisons.
    better
        Name of the better one when `adjusted` is below alpha, otherwise None.
    practically_same
        Whether the whole interval lies within the region of practical equivalence.
    limits
        One-sided limits for the mean of a − b, for all pairs together; None where no margin was given.
    candidate, conclusion
        Whom the conclusion is about, a or, where a is the control, b; and whether it is superior, non-inferior,
        equivalent or inferior to the other. None where no margin was given.
    replicability
        Verdicts over other partitionings (names of the better one), where they were asked for.
    """

    a: str
    b: str
    estimate: float
    low: float
    high: float
    pvalue: float
    adjusted: float
    better: str | None
    practically_same: bool = False
    limits: Interval | None = None
    candidate: str | None = None
    conclusion: Conclusion | None = None
    replicability: Replication | None = None

    @property
    def interval(self) -> Interval | None:
        """The simultaneous interval; None where nothing can be told."""
        return None if math.isnan(self.low) else Interval(low=self.low, high=self.high)

    @property
    def worse(self) -> str | None:
        """Name of the worse one when a difference is shown, otherwise None."""
        return None if self.better is None else self.b if self.better == self.a else self.a

    def to_dict(self) -> dict[str, Json]:
        """All of it, ready for JSON; limits that are not there are None."""
        return {
            "a": self.a,
            "b": self.b,
            "estimate": self.estimate,
            "low": _finite(self.low),
            "high": _finite(self.high),
            "pvalue": self.pvalue,
            "adjusted": self.adjusted,
            "better": self.better,
            "practically_same": self.practically_same,
            "limits": None
            if self.limits is None
            else {"low": _finite(float(self.limits.low)), "high": _finite(float(self.limits.high))},
            "candidate": self.candidate,
            "conclusion": self.conclusion,
            "replicability": None if self.replicability is None else self.replicability.to_dict(),
        }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
