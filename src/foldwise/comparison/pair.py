"""What is known of two of the models, by one metric: the same, whatever the evidence and however many were compared."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from foldwise.core.display import Shown
from foldwise.core.result import told
from foldwise.core.types import Interval, Json
from foldwise.designs.findings import Findings, seen_with
from foldwise.inference.crossed_designs import VarianceSplit
from foldwise.inference.equivalence import Conclusion, Probabilities
from foldwise.inference.many.meta import MetaAnalysisResult
from foldwise.inference.stability import replicability


@dataclass(frozen=True, slots=True, kw_only=True)
class Replication(Shown):
    """Verdicts of the same test on different random partitionings."""

    verdicts: tuple[str | None, ...]  #: Per partitioning "a", "b" or None, the first being the one reported

    @property
    def repetitions(self) -> int:
        return len(self.verdicts)

    @property
    def agreeing(self) -> int:
        """How many give the reported verdict, the reported one included."""
        return sum(verdict == self.verdicts[0] for verdict in self.verdicts)

    @property
    def consistent(self) -> bool:
        return self.agreeing == self.repetitions

    @property
    def R(self) -> float:  # noqa: N802 (the paper's symbol)
        """Chance that two partitionings agree on whether there is a difference (bouckaertfrank2004, section 2)."""
        rejections = sum(verdict is not None for verdict in self.verdicts)
        return float(replicability(rejections, self.repetitions).R)

    def to_dict(self) -> dict[str, Json]:
        return told(self, "repetitions", "agreeing", "consistent", "R", "verdicts")

    def __str__(self) -> str:
        word = "yes" if self.consistent else "mostly" if self.agreeing > 0.8 * self.repetitions else "not always"
        return f"{word} ({self.agreeing} of {self.repetitions})"


T = TypeVar("T", covariant=True)


class Forwarded(property, Generic[T]):
    """An attribute that is one of the same name of another attribute, such as `metric` of the evidence.

    None where that other attribute is None.
    """

    def __init__(self, holder: str, doc: str) -> None:
        super().__init__(self._found, doc=doc)
        self.holder = holder

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def _found(self, one: object) -> T:
        held = getattr(one, self.holder)
        return None if held is None else getattr(held, self.name)  # type: ignore[return-value]

    if TYPE_CHECKING:

        def __get__(self, one: Any, owner: type | None = None) -> T: ...  # type: ignore[override]


class OfPair(Forwarded[T]):
    """One that is that of the only pair."""

    def __init__(self, doc: str) -> None:
        super().__init__("", doc)

    def _found(self, one: Any) -> T:
        found: T = getattr(one._one_pair(self.name), self.name)
        return found


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
        Of that difference; where there are several pairs it is simultaneous. Over data sets it is that of the test, of
        the median or pseudomedian difference. None where nothing can be told.
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
    _interval: Interval | None = None
    _found: Callable[[], Findings | None] = field(default=_unknown, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Its numbers are numbers already: hundreds of models have a hundred thousand pairs."""

    @property
    def findings(self) -> Findings | None:
        """All that the test finds of the two alone; None where that is not known."""
        return self._found()

    @property
    def interval(self) -> Interval | None:
        """Of the difference, where there is one."""
        if self.wins is None:
            return self._interval
        return None if (found := self._found()) is None else found.interval

    statistic = Forwarded[float | None]("findings", "Of the test of this pair; None where it is not defined.")
    df = Forwarded[float | tuple[float, float] | None]("findings", "Degrees of freedom, where the test has them.")
    standard_error = Forwarded[float | None]("findings", "Of the estimate, where the test has one.")

    @property
    def rope_probabilities(self) -> Probabilities | None:
        """Posterior probabilities that the region of practical equivalence leaves; None where nothing can be told."""
        if self.wins is not None:
            return self.probabilities
        return None if (found := self._found()) is None else found.probabilities

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
        chances = self.rope_probabilities
        names = ("a", "b", "metric", "means", "estimate", "standard_error", "interval", "statistic", "df", "pvalue",
                 "adjusted", "better", "practically_same", "detectable_difference", "margin", "limits", "candidate",
                 "conclusion")  # fmt: skip
        return {
            **told(self, *names),
            "rope_probabilities": None if chances is None else chances_dict(chances),
            "replicability": None if self.replicability is None else self.replicability.to_dict(),
            **({} if self.wins is None else self._over_data_sets()),
        }

    def _over_data_sets(self) -> dict[str, Json]:
        """What there is besides, for JSON."""
        combined = None if self.combined is None else _combined_dict(self.combined)
        return {**told(self, "median", "wins", "ties", "losses"), "combined": combined}

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


class OnePair:
    """What a comparison of two models by one metric says of its pair; of others each is refused, and `pairs` named."""

    __slots__ = ()

    def _one_pair(self, name: str) -> Pair:
        raise NotImplementedError

    better = OfPair[str | None]("Name of the better one of two models; None when no difference is shown.")
    estimate = OfPair[float]("The difference a − b of two models, in the metric's own unit.")
    interval = OfPair[Interval | None]("Confidence interval of that difference; None where there is none.")
    standard_error = OfPair[float | None]("Of that difference, where the test has one.")
    statistic = OfPair[float | None]("As the test gives it; NaN where the differences do not vary.")
    df = OfPair[float | tuple[float, float] | None]("Degrees of freedom, where the test has them.")
    pvalue = OfPair[float]("Of the test of two models.")
    rope_probabilities = OfPair[Probabilities | None](
        "Posterior probabilities that the region of practical equivalence leaves; None where nothing can be told."
    )
    practically_same = OfPair[bool]("Whether two models are shown to be practically the same.")
    detectable_difference = OfPair[float | None](
        "The true difference that this design would detect with power 0.8, where it is known."
    )
    limits = OfPair[Interval | None]("The one-sided limits of the difference, where a margin was given.")
    conclusion = OfPair[Conclusion | None](
        "Whether the candidate is superior, non-inferior, equivalent or inferior, or undecided."
    )
    replicability = OfPair[Replication | None]("Verdicts over other partitionings, where they were asked for.")
    findings = OfPair[Findings]("All that the test finds of two models.")
    variance = Forwarded[VarianceSplit | None](
        "findings", "Where the variance of the difference comes from, and what more of each would buy, where known."
    )


def chances_dict(p: Probabilities) -> dict[str, Json]:
    return {name: float(getattr(p, name)) for name in ("a_better", "equivalent", "b_better")}


def interval_dict(interval: Interval | None) -> dict[str, Json] | None:
    """An interval ready for JSON; an end that bounds nothing is None."""
    return None if interval is None else {"low": finite(float(interval.low)), "high": finite(float(interval.high))}


def finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _combined_dict(result: MetaAnalysisResult) -> dict[str, Json]:
    names = ("estimate", "pvalue", "between_variance", "heterogeneity")
    return told(result, *names) | told(result.confidence_interval(0.95), "low", "high")
