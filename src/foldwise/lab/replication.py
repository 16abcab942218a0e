"""Replicability: does the same test on the same data give the same verdict under another partitioning?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np

from foldwise.core.result import Result
from foldwise.core.types import Estimator, Json
from foldwise.core.validation import fraction, integer
from foldwise.designs import Design, Procedure
from foldwise.designs.resampled import resampled, simulated
from foldwise.inference._replicability import replicability as measure
from foldwise.lab.evidence import Evidence, choose_tests, pvalues
from foldwise.lab.gather import Resources, Work, gather, prepare
from foldwise.lab.populations.population import PopulationSpec
from foldwise.lab.rates import Bias, measure_bias, wilson


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicabilityRow:
    """How replicable one test is."""

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
class ReplicabilityTable(Result):
    """Replicability of several tests on one population."""

    page: ClassVar[str] = "replicability"

    #: population, learners, design, seed: What was simulated; ``design.repetitions`` partitionings per data set
    population: str
    learners: tuple[str, ...]
    design: Design
    seed: int
    rows: tuple[ReplicabilityRow, ...]  #: One per test
    caveats: tuple[str, ...] = ()  #: What to know besides

    def _content(self) -> Mapping[str, Json]:
        return asdict(self)


def replicability(
    tests: str | Sequence[str],
    population: PopulationSpec,
    *,
    learners: Sequence[Estimator | str] = (),
    alpha: float = 0.05,
    repetitions: int = 10,
    trials: int = 100,
    seed: int = 0,
    resources: Resources | None = None,
    **design: int,
) -> ReplicabilityTable:
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
        population=repr(work.population), learners=tuple(map(str, learners)), design=sizes, seed=seed,
        rows=tuple(_row(procedure, level, evidence, work) for procedure in procedures), caveats=evidence.notes,
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
