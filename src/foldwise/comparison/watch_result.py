"""The answer to "may we stop?" while results come in, with everything that led to it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from foldwise.comparison.claims import Claim, found_words
from foldwise.comparison.pair import Forwarded
from foldwise.comparison.results import new_frame
from foldwise.core.decisions import Decision, together
from foldwise.core.metric import Unit, metric_words
from foldwise.core.result import Result, ready, told
from foldwise.core.types import Integers, Interval, Json
from foldwise.core.units import asked_text
from foldwise.designs.guarantee import exact
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.sequence import Stream
from foldwise.inference.anytime_valid import ConfidenceSequence
from foldwise.inference.equivalence import Conclusion, conclusion

FURTHEST = 1000  # A forecast beyond so many times what there is says nothing.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Watch(Result):
    """Where a comparison stands that is looked at while items come in; ``print`` it for a short answer."""

    page: ClassVar[str] = "watch"

    models: tuple[str, str]  #: The two models, a and b
    evidence: Evidence = field(repr=False)  #: Outcomes or marks as far as there are any
    #: Mean of each model over the items that count, whose difference is `estimate`; None before there are any
    means: tuple[float, float] | None
    stream: Stream = field(repr=False)  #: The observations in the order in which they came
    #: The limits of a − b at growing numbers of observations, valid at all of them together
    sequence: ConfidenceSequence = field(repr=False)
    #: evalue, pvalue: Evidence against no difference now, and the anytime-valid p-value
    evalue: float
    pvalue: float
    shown_after: int | None  #: After how many items the difference was shown; None where it is not
    larger: bool  #: Whether the evidence speaks for a − b above 0
    alpha: float  #: The probability of ever being wrong, at most
    #: margin, limits: The margin, where one was given, and the one-sided limits of level 1 − alpha that `conclusion`
    #: rests on
    margin: float | None = None
    limits: Interval | None = None
    caveats: tuple[str, ...] = ()  #: Sentences a careful reader should know
    #: What was decided when files or columns were read; `reading` has these with direction and unit
    decisions: tuple[Decision, ...] = ()
    repeat: str | None = None  #: The command that looks again, when there is one

    @property
    def reading(self) -> tuple[Decision, ...]:
        """What was decided on the way to the evidence, and how each decision came about."""
        return together(self.evidence.decisions, self.decisions)

    @property
    def estimate(self) -> float:
        """Mean of a − b over the items that count, in the marks' own unit."""
        return float(self.sequence.estimate[-1])

    interval = Forwarded[Interval | None](
        "sequence", "The limits so far; None where no single difference fits what came first and what came later."
    )

    @property
    def guarantee(self) -> str:
        """What the confidence sequence guarantees, in a few words."""
        units = "clusters" if self.stream.clusters else "items"
        words = f"{exact(f'random sampling of {units}').words('confidence_sequence')}, at every look"
        assumed = any(one.what == "cluster sizes" for one in self.decisions)
        return f"{words}, if the sizes of clusters are as assumed" if assumed else words

    higher_is_better = Forwarded[bool]("evidence", "False for losses.")
    metric = Forwarded[str]("evidence", "What is measured.")
    unit = Forwarded[Unit]("evidence", "The unit of the marks.")

    @property
    def items(self) -> int:
        """How many items count so far."""
        return self.stream.counted

    def items_at(self, observations: Integers) -> Integers:
        """How many items there were at these numbers of observations."""
        return np.append(0, self.stream.items)[observations]

    @property
    def better(self) -> str | None:
        """Name of the one that is shown to be better; None where no difference is shown."""
        if self.pvalue > self.alpha or self.interval is None:
            return None
        return self.models[self.larger != self.higher_is_better]

    @property
    def conclusion(self) -> Conclusion | None:
        """Whether a is superior, non-inferior, equivalent or inferior to b by the margin, where one was given."""
        if self.margin is None:
            return None
        return conclusion(self.limits, margin=self.margin, higher_is_better=self.higher_is_better)

    def claims(self) -> tuple[Claim]:
        """What is claimed of a, the candidate, against b, the baseline, so far."""
        words = metric_words(self.metric)
        found = found_words(words, self.estimate, self.interval, self.unit, 1 - self.alpha)
        claim = Claim(
            candidate=self.models[0],
            baseline=self.models[1],
            better=self.better,
            conclusion=self.conclusion,
            margin="" if self.margin is None else asked_text(self.margin, self.unit),
            found=f"{found} so far",
        )
        return (claim,)

    @property
    def may_stop(self) -> bool:
        """Whether something is shown: a difference or, where a margin was given, a conclusion about it."""
        return self.better is not None or self.conclusion not in (None, "undecided")

    @property
    def forecast(self) -> int | None:
        """About how many items it takes to show a difference, if it stays as it is; None where that is not foreseeable.

        The distance of the limits from the estimate shrinks with the root of the number of observations.
        """
        interval, estimate = self.interval, self.estimate
        if self.better is not None or interval is None or estimate == 0 or not self.stream.n:
            return None
        reach = estimate - float(interval.low) if estimate > 0 else float(interval.high) - estimate
        factor = (reach / abs(estimate)) ** 2
        return math.ceil(self.items * factor) if 1 < factor < FURTHEST else None

    def _content(self) -> dict[str, Json]:
        names = ("models", "items", "may_stop", "better", "estimate", "evalue", "pvalue", "alpha", "shown_after",
                 "forecast", "margin", "conclusion", "means", "metric", "higher_is_better", "unit", "guarantee",
                 "caveats", "repeat")  # fmt: skip
        limits = {name: _with_level(getattr(self, name), 1 - self.alpha) for name in ("interval", "limits")}
        sequence = {"observations": self.sequence.looks, **told(self.sequence, "estimate", "low", "high")}
        own = {"observations": self.stream.n, **told(self.stream, "clusters", "waiting"), "sequence": ready(sequence)}
        return {**told(self, *names), **limits, **own, "design": self.evidence.design}

    def to_frame(self) -> Any:
        """The limits at growing numbers of observations as a table."""
        found = self.sequence
        columns = {"observations": found.looks, "estimate": found.estimate, "low": found.low, "high": found.high}
        return new_frame(columns)


def _with_level(found: Interval | None, level: float) -> dict[str, float] | None:
    return None if found is None else {"low": float(found.low), "high": float(found.high), "level": level}
