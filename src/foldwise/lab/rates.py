"""How often each test rejects: the result of a Type I error or power study."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

import numpy as np
from scipy import special

from foldwise.core.types import Array, Estimator
from foldwise.core.validation import fraction, integer
from foldwise.designs import Design, Procedure
from foldwise.designs.resampled import AnySimulated, resampled, simulated
from foldwise.inference.error_rates import error_interval
from foldwise.inference.stability import replicability as measure
from foldwise.lab.evidence import Evidence, choose_tests, pvalues
from foldwise.lab.gather import Resources, Simulation, Work, gather, prepare
from foldwise.lab.populations.population import Null, PopulationSpec

# A bias of more than so many standard errors is no accident: by chance one in 370 is, and a study has several.
BEYOND = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bias:
    """How far the learners really are apart on the folds of one kind of test."""

    mean: float  #: Mean over the data sets of the difference of accuracy, a − b
    standard_error: float  #: Its Monte-Carlo error
    spread: float  #: Standard deviation over the data sets of what the mean is taken of

    @property
    def beyond_error(self) -> bool:
        return abs(self.mean) > BEYOND * self.standard_error

    def reached(self, alpha: float) -> float:
        """The rate of rejections that the bias alone gives a test that keeps `alpha` under a true null hypothesis.

        Taken for a normal statistic whose variance is known, so that it says what a sound test would do.

        >>> round(Bias(mean=0.02, standard_error=0.001, spread=0.03).reached(0.05), 3)
        0.102
        """
        if self.spread == 0:
            return alpha if self.mean == 0 else 1.0
        z, shift = -special.ndtri(alpha / 2), abs(self.mean) / self.spread
        return float(special.ndtr(shift - z) + special.ndtr(-shift - z))

    def __str__(self) -> str:
        return f"{100 * self.mean:+.2f} ± {100 * self.standard_error:.2f}"


def measure_bias(evidence: Array, kind: AnySimulated) -> Bias:
    """The bias in what one kind of test sees, of shape (trials, repetitions, …); the first repetition is taken."""
    differences = kind.mean_difference(evidence[:, 0])
    spread = float(np.std(differences, ddof=1))
    return Bias(mean=float(differences.mean()), standard_error=spread / math.sqrt(len(differences)), spread=spread)


# ---- What so many trials can show about a test's level.

# A level is kept if the rate is shown to be at most so many times alpha; no number of trials shows it exactly.
ROOM = 1.5

# A bias that would raise a sound test's rate by less than this factor leaves the null hypothesis standing.
MATERIAL = 1.1


class LevelJudgement(StrEnum):
    """Whether a test keeps its level, as far as the trials tell.

    `KEPT`: the whole Monte-Carlo interval is below 1.5 alpha. `OPEN`: alpha is in the interval, and so is more than
    1.5 alpha: not shown to be broken, nor to be kept. `BROKEN`: the whole interval is above alpha. `NO_NULL`: the
    learners differ, so that the rate is no Type I error.
    """

    KEPT = "kept"
    OPEN = "open"
    BROKEN = "broken"
    NO_NULL = "no_null"

    @property
    def sound(self) -> bool:
        """Whether the test is not shown to exceed its level."""
        return self in (LevelJudgement.KEPT, LevelJudgement.OPEN)

    def words(self, high: float) -> str:
        """The judgement in words; `high` is the upper limit of the rate."""
        return {
            LevelJudgement.KEPT: f"keeps its level (at most {high:.3f})",
            LevelJudgement.OPEN: f"not shown to exceed its level (could be {high:.3f})",
            LevelJudgement.BROKEN: "exceeds its level",
            LevelJudgement.NO_NULL: "no Type I error: the learners differ",
        }[self]


def judge_level(low: float, high: float, alpha: float, *, bias: Bias, null: Null) -> LevelJudgement:
    """Judge a rate by the limits of its Monte-Carlo error, and by whether the null hypothesis holds at all."""
    if null_fails(alpha, bias=bias, null=null):
        return LevelJudgement.NO_NULL
    return shown(low, high, alpha)


def shown(low: float, high: float, alpha: float) -> LevelJudgement:
    """What the limits of a rate show about its level, where the null hypothesis holds.

    >>> [shown(low, high, 0.05).value for low, high in [(0.04, 0.07), (0.03, 0.09), (0.06, 0.09)]]
    ['kept', 'open', 'broken']
    """
    if low > alpha:
        return LevelJudgement.BROKEN
    return LevelJudgement.KEPT if high <= ROOM * alpha else LevelJudgement.OPEN


def null_fails(alpha: float, *, bias: Bias, null: Null) -> bool:
    """Whether the learners differ: by the population's own word, or by a bias beyond its error that matters."""
    if null in (Null.EXACT, Null.FALSE):
        return null is Null.FALSE
    return bias.beyond_error and bias.reached(alpha) > MATERIAL * alpha


def worst(judgements: Iterable[LevelJudgement]) -> LevelJudgement:
    """The judgement over several null hypotheses; those that do not hold say nothing, unless none does."""
    found = set(judgements)
    ranked = (LevelJudgement.BROKEN, LevelJudgement.OPEN, LevelJudgement.KEPT)
    return next((one for one in ranked if one in found), LevelJudgement.NO_NULL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """One test at one level."""

    #: test, alpha: The test's name and its nominal level
    test: str
    alpha: float
    #: rate, low, high: Share of trials in which it rejects, with its 95 % Wilson interval (the Monte-Carlo error)
    rate: float
    low: float
    high: float
    #: rejections, trials: The counts behind it
    rejections: int
    trials: int
    fits: int  #: Trainings, of both learners together, that the test costs
    warning: str | None  #: What is known to be wrong with the test, or None
    #: Mean difference a − b in what the test saw: the true difference in a study of power, 0 under a true null
    bias: Bias
    judgement: LevelJudgement | None  #: Whether it keeps its level, as far as the trials tell; None in a study of power

    @property
    def verdict(self) -> str:
        """The judgement in words; empty in a study of power."""
        return "" if self.judgement is None else self.judgement.words(self.high)


@dataclass(frozen=True, slots=True, kw_only=True)
class RateTable(Simulation):
    """Rejection rates of several tests on one population."""

    page: ClassVar[str] = "rates"

    study: str  #: "type1" or "power"
    null: Null  #: Whether the null hypothesis holds on the population
    rows: tuple[Rate, ...]  #: One `Rate` per test and level


def monte_carlo_rate(
    test: str, alpha: float, rejections: int, trials: int, *, fits: int, warning: str | None, bias: Bias,
    null: Null | None = None,
) -> Rate:  # fmt: skip
    """A rejection rate with its Wilson interval, judged if a null hypothesis is claimed."""
    low, high = wilson(rejections, trials)
    return Rate(
        test=test, alpha=alpha, rate=rejections / trials, low=low, high=high, rejections=rejections, trials=trials,
        fits=fits, warning=warning, bias=bias,
        judgement=None if null is None else judge_level(low, high, alpha, bias=bias, null=null),
    )  # fmt: skip


def bias_sentence(biases: Sequence[tuple[str, float, Bias]], null: Null) -> str | None:
    """What the largest bias of a study means for its rates, from (test, level, bias) of each; None if there is none."""
    found = [one for one in biases if one[2].beyond_error and null is not Null.EXACT]
    if not found:
        return None
    test, alpha, bias = max(found, key=lambda one: one[2].reached(one[1]))
    what = f"The learners differ by {bias} points (a − b, with its s.e.) on the folds of {test}"
    effect = f"a test that keeps {alpha:g} would reject in {bias.reached(alpha):.3f} of the trials"
    if null_fails(alpha, bias=bias, null=null):
        return f"{what}: the null hypothesis does not hold, and such a rate is no Type I error ({effect})."
    return f"{what}: the null hypothesis holds nearly ({effect})."


def wilson(count: int, trials: int) -> tuple[float, float]:
    """95 % limits of a simulated share: its Monte-Carlo error."""
    interval = error_interval(count, trials, method="wilson")
    return float(interval.low), float(interval.high)


# ---- Replicability: does the same test on the same data give the same verdict under another partitioning?


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicabilityRow:
    #: test, alpha: The test and its level
    test: str
    alpha: float
    #: rate, low, high: Share of data sets on which all repetitions agree (consistent), with its 95 % Wilson interval
    rate: float
    low: float
    high: float
    almost_consistent: float  #: Share on which at most one repetition disagrees
    R: float  #: Mean probability that two repetitions agree
    rejections: float  #: Share of rejections over all data sets and repetitions
    bias: Bias  #: How far the learners really are apart on the folds of the test
    #: trials, fits: Number of data sets, and trainings that one repetition costs
    trials: int
    fits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicabilityTable(Simulation):
    """Replicability of several tests on one population, by ``design.repetitions`` partitionings per data set."""

    page: ClassVar[str] = "replicability"

    rows: tuple[ReplicabilityRow, ...]  #: One per test


def replicability(
    tests: str | Sequence[str], population: PopulationSpec, *, learners: Sequence[Estimator | str] = (),
    alpha: float = 0.05, repetitions: int = 10, trials: int = 100, seed: int = 0, resources: Resources | None = None,
    **design: int,
) -> ReplicabilityTable:  # fmt: skip
    """Measure how often repeating a test with another random partitioning of the same data gives the same verdict.

    Parameters
    ----------
    repetitions
        Partitionings per data set.
    tests, population, learners, alpha, trials, seed, resources, **design
        As in `type_one_error`.

    Examples
    --------
    >>> table = replicability(["mcnemar"], "two-kinds", trials=100)
    >>> 0 < table.rows[0].rate <= 1
    True
    """
    procedures = choose_tests(tests)
    for procedure in procedures:
        resampled(procedure)  # what is not resampled has no other partitioning
    level = fraction(alpha, "alpha")
    sizes = Design(repetitions=integer(repetitions, "repetitions", minimum=2), **design)
    work = prepare(procedures, population, learners, sizes, seed)
    evidence = gather(work, trials, resources)
    return ReplicabilityTable(
        **work.described(learners), caveats=evidence.notes,
        rows=tuple(_row(procedure, level, evidence, work) for procedure in procedures),
    )  # fmt: skip


def _row(procedure: Procedure, alpha: float, evidence: Evidence, work: Work) -> ReplicabilityRow:
    kind = simulated(procedure)
    rejected = pvalues(procedure, evidence, work.design, alpha) < alpha
    result = measure(rejected.sum(axis=1), work.design.repetitions)
    consistent = int(np.sum(result.consistent))
    low, high = wilson(consistent, len(rejected))
    return ReplicabilityRow(
        test=procedure.name, alpha=alpha, rate=consistent / len(rejected), low=low, high=high,
        almost_consistent=float(np.mean(result.almost_consistent)), R=float(np.mean(result.R)),
        rejections=float(rejected.mean()), bias=measure_bias(evidence[kind], kind), trials=len(rejected),
        fits=2 * kind.trainings(work.design),
    )  # fmt: skip
