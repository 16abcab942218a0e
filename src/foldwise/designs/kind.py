"""A kind of evidence and its tests: what they find of a pair and of all pairs, and what each says of itself.

`Basis` is what every kind owns; `Kind` adds what evidence about two or more models on the same units needs, and is
enough where the evidence is given (predictions, marks, scores); `Resampled` (`designs/resampled.py`) adds how learners
and data make it, for the kinds that ``compare`` and the lab can produce.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.formatting import LEAST_PVALUE
from foldwise.core.metric import metric_words
from foldwise.core.types import Array, Flags, Integers, Interval, Json
from foldwise.designs.findings import Findings, PosteriorCurve, Power, student_power_of
from foldwise.designs.guarantee import Guarantee
from foldwise.evidence.evidence import Evidence
from foldwise.inference.joint_differences import Indices, ModelMeans, model_means
from foldwise.inference.several_models import CochranQResult

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One test of the catalogue."""

    name: str  #: The name users give
    title: str  #: What people call it
    kind: Basis  #: The kind of evidence it works on
    symbol: str  #: Letter of its statistic
    reference: str  #: Where it comes from
    #: Whether it is exact, an approximation or a heuristic; `guaranteed` says it with what was measured
    guarantee: Guarantee
    also: tuple[str, ...] = ()  #: Where what belongs to it comes from: its variant, its interval
    warning: str | None = None  #: What is wrong with it; None for a sound test
    note: str | None = None  #: What a reader of its answer should know besides

    @property
    def guaranteed(self) -> str:
        """What it guarantees, in a few words."""
        return self.guarantee.words(self.name)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Batch:
    """What a test is run on: one comparison, or many along the leading axes."""

    data: Array  #: In the shape of the kind: counts n00, n01, n10, n11 along the last axis, or differences a − b
    ratio: float = float("nan")  #: n_test / n_train of one split; NaN where nothing is resampled
    alpha: float = 0.05  #: The level: calibrated degrees of freedom depend on it
    #: The cluster of each item along the last axis, for the kinds that have clusters
    groups: Integers | None = None
    #: The task of each item along the last axis, for the kinds whose tasks count once each
    tasks: Integers | None = None
    #: Independent pieces of data behind the differences, where that is known and the test minds
    pieces: int | None = None
    noisy: bool = False  #: Whether the noise of single periods hides slow changes, for the kinds in order of time
    given: Evidence | None = None  #: The evidence itself, for the kinds whose tests need more of it than numbers


def on_data(test: Callable[..., Any], *also: str, **named: str) -> Callable[[Batch], Any]:
    """How a test is run that looks at the data and at these parts of a batch, the first of which must be there.

    Workers get it by the name of the test.
    """
    return partial(_on_data, test, also, named)


def _on_data(test: Callable[..., Any], also: tuple[str, ...], named: Mapping[str, str], batch: Batch) -> Any:
    parts = [getattr(batch, part) for part in also]
    if parts and parts[0] is None:
        raise InvalidInput(f"{also[0]} must be named of each item for this test, got None")
    return test(batch.data, *parts, **{name: getattr(batch, part) for name, part in named.items()})


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimand:
    """What a test estimates, where it is not the difference of what the evidence calls the two means."""

    #: What it is of one model, in place of "mean" or "expected": "20 % trimmed mean". Without `of_each`, what it is of
    #: the differences: "median difference"
    called: str = ""
    #: From the evidence to the value of a and of b, whose difference is the estimate; None where it is of the
    #: differences, or made in another way
    of_each: Callable[[Any], tuple[float, float]] | None = None
    #: How the estimate comes from the differences, where it is not that of two values: "first of the ten differences"
    how: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure(Entry):
    """One test of two learners."""

    kind: Kind[Any]  #: The kind of evidence it works on
    run: Callable[[Batch], Any]  #: Runs it on a batch of such evidence
    symbol: str = "t"
    signed: bool = True  #: Whether the statistic changes its sign when the learners are exchanged
    #: How surely it finds a difference, from the evidence (`Items`, `Scores` …) and the test's own result; gives None
    #: where that is not known
    power: Callable[[Any, Any], Power | None] = student_power_of
    #: From the number of differences and the test/train ratio to the multiplier of mean/σ̂ and the degrees of freedom
    #: at which they are held while ``runs="auto"`` adds runs; None for tests that can't be run so
    settled: Callable[[int, float], tuple[float, float]] | None = None
    assumes: tuple[str, ...] = ()  #: Sentences that must hold for its p-value, in place of those of the kind
    #: What it estimates, where that is not the difference of the two means that the evidence has
    estimand: Estimand | None = None
    #: The test with what follows its name and a colon (``use_all_data:df=10``); None where nothing may follow
    with_option: Callable[[Procedure, str], Procedure] | None = None

    @property
    def assumptions(self) -> tuple[str, ...]:
        """Sentences that must hold for its p-value to mean what it says."""
        return self.assumes or self.kind.assumes

    def values(self, evidence: Evidence) -> tuple[float, float] | None:
        """Of a and of b what it estimates; None where the estimate is not the difference of two values."""
        if self.estimand is None:
            a, b = map(float, evidence.means)
            return a, b
        return None if self.estimand.of_each is None else self.estimand.of_each(evidence)

    def measure_words(self, metric: str, location: str = "") -> str:
        """What it estimates of one model, for people to read; `location` is what the kind of evidence calls it."""
        called = location if self.estimand is None else self.estimand.called or location
        return f"{called} {metric_words(metric)}".lstrip()

    def difference_words(
        self, metric: str, names: Sequence[str], location: str = "", *, about: str = "", of: str = "model"
    ) -> str:
        """What it estimates of two, for people to read; of more than two of each pair, one of which is called `of`.

        `location` is what the kind of evidence calls it, and `about` what the metric is about, behind its name.
        """
        first, second = names if len(names) == 2 else (f"one {of}", "another")
        if self.estimand is not None and self.estimand.called and self.estimand.of_each is None:
            return f"the {self.estimand.called} in {metric_words(metric)}, {first} minus {second}"
        return f"the {self.measure_words(metric, location)}{about} of {first} minus that of {second}"


E = TypeVar("E", bound=Evidence)  # The class of the evidence: `Items`, `Scores` …
R = TypeVar("R", bound="DataclassInstance")  # The class of a procedure's result.
MOST_NUMBERS = 4_000_000  # Pairs × units that are looked at together.


class Basis(ABC):
    """What an answer rests on: one kind of evidence, about however many learners. There is one object of each."""

    name: ClassVar[str]
    """What it is called in stores and messages."""
    words: ClassVar[str]
    """What it is, as in "test 'x' needs …"."""
    assumes: ClassVar[tuple[str, ...]]
    """Sentences that must hold for a p-value to mean what it says."""
    plots: ClassVar[tuple[str, ...]]
    """Plots that suit it, by name, besides those that every comparison has."""
    recommended: ClassVar[str]
    """The test that ``test="auto"`` takes."""
    because: ClassVar[str]
    """Why that one."""
    limit: ClassVar[str]
    """What no answer from it says: the last of its caveats."""

    def guaranteed(self, evidence: Any, procedure: Any) -> str:
        """What that test guarantees of such evidence, in a few words."""
        return str(procedure.guaranteed)

    def __eq__(self, other: object) -> bool:
        # a worker's copy of a kind is the same kind
        return isinstance(other, Basis) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"<kind of evidence: {self.name}>"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairTests:
    """The test of each of several pairs alone."""

    estimate: Array  #: First minus second, in the metric's own unit
    pvalue: Array  #: Two-sided, at least `LEAST_PVALUE`; 1 where nothing can be told
    known: Flags  #: Whether anything can be told: not where a difference does not vary
    #: From a confidence level to the interval of each pair alone; NaN where there is none
    intervals: Callable[[float], Interval]

    def __post_init__(self) -> None:
        object.__setattr__(self, "pvalue", np.maximum(self.pvalue, LEAST_PVALUE))


class Kind(Basis, Generic[E]):
    """One kind of evidence about two or more models on the same units; procedures name theirs."""

    called: ClassVar[str] = "models"  # What is compared.
    best_by_pairs: ClassVar[bool] = False
    """Whether those may be best that no other is shown to beat; otherwise each is tested by the largest lead."""
    best_because: ClassVar[str] = (
        "cannot be ruled out as the best, neither by the largest lead of another nor by a pair"
    )
    """Who counts as one that may be best."""
    best_references: ClassVar[tuple[str, ...]] = ("Lei (2020), Journal of the American Statistical Association 115",)
    """Where that comes from."""
    mean_references: ClassVar[tuple[str, ...]] = ()
    """Where the interval of a mean alone comes from, if not from where the test does."""

    @abstractmethod
    def fits(self, evidence: Evidence) -> bool:
        """Whether the evidence can be taken for this kind, if it is asked for."""

    def natural(self, evidence: Evidence) -> bool:
        """Whether this is what the evidence is by itself, so that ``test="auto"`` takes this kind."""
        return self.fits(evidence)

    @abstractmethod
    def estimand(self, evidence: E, procedure: Procedure) -> str:
        """What the answer of that test is about."""

    @abstractmethod
    def caveats(self, evidence: E, procedure: Procedure, *, alpha: float, rope: float) -> list[str]:
        """What a careful reader should know of such evidence; `alpha` is the level of a single pair."""

    def facts(self, evidence: E, procedure: Procedure, control: str | None = None) -> list[tuple[str, str]]:
        """What such evidence says besides, in rows of a name and a few words."""
        return []

    def told(self, evidence: E) -> Mapping[str, Json]:
        """The same where it is worth keeping in JSON."""
        return {}

    def plots_of(self, evidence: E) -> tuple[str, ...]:
        """The plots that suit this evidence: all of them are of two models."""
        return self.plots if len(evidence.names) == 2 else ()

    # two models

    @abstractmethod
    def batch(self, evidence: E, alpha: float) -> Batch:
        """The evidence about two models as its tests take it."""

    @abstractmethod
    def findings(self, evidence: E, procedure: Procedure, *, alpha: float, rope: float) -> Findings:
        """What a test of this kind finds of two models."""

    @abstractmethod
    def posterior(self, evidence: E, procedure: Procedure, *, alpha: float, rope: float) -> PosteriorCurve | None:
        """The posterior behind the probabilities of that test; None where all of it is in one point."""

    # all pairs of several models

    together_found: ClassVar[int] = 1
    """Of how many pairs `findings_of` is asked at once: of many where that costs little more than of one."""

    def findings_of(
        self, evidence: E, procedure: Procedure, first: Indices, second: Indices, *, alpha: float, rope: float
    ) -> list[Findings]:
        """What a test of this kind finds of each of these pairs."""
        pairs = (evidence.pair(i, j) for i, j in pairs_of(first, second))
        return [self.findings(pair, procedure, alpha=alpha, rope=rope) for pair in pairs]

    def tests(self, evidence: E, procedure: Procedure, first: Indices, second: Indices) -> PairTests:
        """The test of each pair, one after the other; kinds whose tests take many pairs at once are faster."""
        pairs = [evidence.pair(i, j) for i, j in pairs_of(first, second)]

        def found(pair: E, level: float) -> Findings:
            return self.findings(pair, procedure, alpha=1 - level, rope=0.0)

        each = [found(pair, 0.95) for pair in pairs]
        return PairTests(
            estimate=np.array([one.estimate for one in each]),
            pvalue=np.array([one.pvalue for one in each]),
            known=np.array([one.interval is not None for one in each]),
            intervals=gathered([lambda level, pair=pair: found(pair, level).interval for pair in pairs]),  # type: ignore[misc]
        )

    def together(self, evidence: E) -> ModelMeans:
        """The models' means, and the covariance of these up to a common factor: over all units."""
        return model_means(np.reshape(evidence.numbers, (len(evidence.names), -1)))

    def mean_intervals(self, evidence: E, procedure: Procedure, level: float) -> Interval:
        """The interval of each model's mean alone; NaN where there is none."""
        nothing = np.full(len(evidence.names), np.nan)
        return Interval(low=nothing, high=nothing)

    def omnibus(self, evidence: E) -> CochranQResult | None:
        """A test that all models are the same, where there is one."""
        return None


AnyKind: TypeAlias = Kind[Any]  # A kind of whatever evidence.


def pairs_of(first: Indices, second: Indices) -> list[tuple[int, int]]:
    return list(zip(first.tolist(), second.tolist(), strict=True))


def gathered(intervals: Sequence[Callable[[float], Interval | None]]) -> Callable[[float], Interval]:
    """The intervals of pairs that were tested one by one; NaN where there is none."""

    def at(level: float) -> Interval:
        found = [one(level) for one in intervals]
        limits = np.array([[np.nan, np.nan] if span is None else [float(span.low), float(span.high)] for span in found])
        return Interval(low=limits[:, 0], high=limits[:, 1])

    return at


def in_parts(run: Callable[[Indices, Indices], R], first: Indices, second: Indices, *, width: int) -> R:
    """The result of `run` on all pairs, computed on as many pairs at a time as fit into memory."""
    size = max(1, MOST_NUMBERS // width)
    parts = [run(first[i : i + size], second[i : i + size]) for i in range(0, len(first), size)]
    arrays = [field.name for field in fields(parts[0]) if isinstance(getattr(parts[0], field.name), np.ndarray)]
    return replace(parts[0], **{name: np.concatenate([getattr(part, name) for part in parts]) for name in arrays})
