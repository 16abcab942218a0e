"""Tests of marks: how often they find a difference that is not there and one that is, and what intervals hold."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from foldwise.core.errors import DegenerateVariance
from foldwise.core.random import stream
from foldwise.core.types import Array, Flags, Json
from foldwise.designs import Design, Procedure, find_procedure
from foldwise.designs.adjustments import ADJUSTMENTS
from foldwise.designs.data_sets import OMNIBUS, PAIR_TESTS, OmnibusTest
from foldwise.designs.resampled import simulated
from foldwise.inference.many._pairwise import PairTest, pairwise, sign_test
from foldwise.inference.many.bayesian import bayesian_sign_test, bayesian_signed_rank
from foldwise.inference.many.wilcoxon import wilcoxon_signed_rank
from foldwise.lab.evidence import Evidence
from foldwise.lab.gather import Resources, gather, prepare
from foldwise.lab.populations import find_population
from measuring.two_learners import share

ALPHA = 0.05
TRIALS = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    title: str  #: What it is, in words
    population: str  #: As ``foldwise lab`` takes it, with a place for the difference
    difference: float  #: The difference to be found, in the population's unit
    #: n, runs: Items, and seeds where there are several
    n: int
    runs: int = 10
    tests: tuple[str, ...] = ("paired_t",)  #: What is measured

    def of(self, difference: float) -> str:
        return self.population.format(f"difference={difference:g}")


BOTH = ("clustered_t", "paired_t")
SEEDS = ("crossed", "unpaired_seeds")
# Independent items, clusters, few clusters, seeds.
CASES = (
    Case(title="100 graded answers", population="marks(law='graded', {})", difference=0.1, n=100),
    Case(title="100 answers, nine in ten alike", population="marks(law='sparse', {})", difference=0.1, n=100),
    Case(title="20 skewed losses", population="marks(law='skewed', {})", difference=0.6, n=20),
    Case(title="300 skewed losses", population="marks(law='skewed', {})", difference=0.15, n=300),
    Case(
        title="300 graded answers in 30 clusters",
        population="marks(law='graded', clusters=30, {})", difference=0.1, n=300, tests=BOTH,
    ),
    Case(
        title="120 graded answers in 6 clusters",
        population="marks(law='graded', clusters=6, {})", difference=0.3, n=120, tests=BOTH,
    ),
    Case(
        title="120 graded answers in 6 unequal clusters",
        population="marks(law='graded', clusters=6, unequal=True, {})", difference=0.3, n=120, tests=BOTH,
    ),
    Case(
        title="120 skewed losses in 6 clusters",
        population="marks(law='skewed', clusters=6, {})", difference=1.0, n=120, tests=BOTH,
    ),
    Case(
        title="5 seeds, 100 items",
        population="seed-marks(seeds=0.1, {})", difference=0.3, n=100, runs=5, tests=SEEDS,
    ),
    Case(
        title="3 seeds that differ much, 100 items",
        population="seed-marks(seeds=0.3, {})", difference=1.0, n=100, runs=3, tests=SEEDS,
    ),
)  # fmt: skip


def measure_marks(*, trials: int = TRIALS, seed: int) -> dict[str, Json]:
    """Type I error, power and coverage of the 95 % interval of every test of marks in every case.

    One row per case and test, from so many data sets in each case.
    """
    rows: list[Json] = [row for case in CASES for row in _rows(case, trials, seed)]
    return {"population": "marks and seed-marks of the lab", "rows": rows}


def _rows(case: Case, trials: int, seed: int) -> list[Json]:
    tests, design = [find_procedure(name) for name in case.tests], Design(n=case.n, runs=case.runs)
    null, effect = (
        gather(prepare(tests, case.of(d), (), design, seed), trials, Resources(progress=False))
        for d in (0.0, case.difference)
    )
    drawn = {key: value for key, value in asdict(case).items() if key in ("n", "runs", "difference")}
    return [
        {
            "test": test.name,
            "case": case.title,
            "population": case.of(0.0),
            **drawn,
            "type1": share(_rejected(test, null, design)),
            "power": share(_rejected(test, effect, design)),
            "coverage_share": share(_covered(test, effect, design, _truth(case))),
        }
        for test in tests
    ]


def _truth(case: Case) -> float:
    """The true difference: marks have theirs in units of the spread."""
    population: Any = find_population(case.of(case.difference))
    return float(case.difference * getattr(population, "spread", 1.0))


def _result(test: Procedure, evidence: Evidence, design: Design) -> Any:
    kind = simulated(test)
    with warnings.catch_warnings():
        # among thousands of simulated trials a constant difference is an outcome, not an accident
        warnings.simplefilter("ignore", DegenerateVariance)
        return test.run(kind.drawn(evidence[kind], design, ALPHA))


def _rejected(test: Procedure, evidence: Evidence, design: Design) -> Flags:
    result = _result(test, evidence, design)
    # without variance there is no verdict (`designs/student.py`), though the bare procedure gives p = 0
    return np.asarray((result.pvalue < ALPHA) & ~np.asarray(result.degenerate))[:, 0]


def _covered(test: Procedure, evidence: Evidence, design: Design, truth: float) -> Flags:
    result = _result(test, evidence, design)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateVariance)
        limits = result.confidence_interval(1 - ALPHA)
    inside = (limits.low <= truth) & (limits.high >= truth)
    return np.asarray(inside | np.asarray(result.degenerate))[:, 0]


# ---- Procedures over several data sets: how often they find a difference that is not there, and one that is.


SURE = 0.95
DATASETS, LEARNERS = 15, 5
# Scale of a learner's own luck on a data set (Student, 3 df), and by how much the first is better: two points each.
NOISE, SHIFT = 0.02, 0.02

TABLES = 1000
DRAWS = 1000


def measure_many(*, tables: int = TABLES, seed: int) -> dict[str, Json]:
    """Share of tables on which each procedure finds any difference.

    From so many tables of `DATASETS` × `LEARNERS` scores. ``type1``: all learners alike, any finding is false (for
    pairs: the familywise error); ``power``: the first learner is better, found in its comparison with the second.
    """
    rng = stream(seed, "many")
    null = 0.1 * rng.standard_normal((tables, DATASETS, 1)) + NOISE * rng.standard_t(3, (tables, DATASETS, LEARNERS))
    effect = null + SHIFT * (np.arange(LEARNERS) == 0)
    rows: list[Json] = [
        {"test": name, "type1": share(find(null, False)), "power": share(find(effect, True))}
        for name, find in PROCEDURES.items()
    ]
    drawn = f"{DATASETS} data sets × {LEARNERS} learners, noise {NOISE:g} × Student(3), one learner {SHIFT:g} better"
    return {"population": drawn, "tables": tables, "rows": rows}


_Finds = Callable[[Array, bool], Flags]


def _omnibus(test: OmnibusTest) -> _Finds:
    if test.takes_gaps:  # where they may be elsewhere in each table, it takes one at a time
        return lambda tables, _: np.array([float(test.run(table).pvalue) < ALPHA for table in tables])
    return lambda tables, _: np.asarray(test.run(tables).pvalue) < ALPHA


def _pair(test: Callable[..., Any]) -> _Finds:
    return lambda tables, _: np.asarray(test(tables[..., 0], tables[..., 1]).pvalue) < ALPHA


def _all_pairs(test: PairTest, adjustment: str = "none") -> _Finds:
    adjust = PAIR_TESTS[test].adjustment or ADJUSTMENTS[adjustment]

    def find(tables: Array, first_pair: bool) -> Flags:
        p = [adjust.run(pairwise(t, test=test).pvalues, LEARNERS) for t in tables]
        found = np.array(p) < ALPHA
        return found[:, 0] if first_pair else np.asarray(found.any(axis=1))

    return find


def _bayesian(test: Callable[..., Any]) -> _Finds:
    def find(tables: Array, _: bool) -> Flags:
        found = [test(t[:, 0], t[:, 1], rope=0.01, draws=DRAWS).probabilities for t in tables]
        return np.array([max(float(p.a_better), float(p.b_better)) > SURE for p in found])

    return find


# By name; the Bayesian ones find a difference where one learner is better by more than one point with probability above
# 0.95.
PROCEDURES: dict[str, _Finds] = {
    "wilcoxon_signed_rank": _pair(wilcoxon_signed_rank),
    "sign_test": _pair(sign_test),
    **{name: _omnibus(test) for name, test in OMNIBUS.items()},
    "wilcoxon + holm": _all_pairs("wilcoxon", "holm"),
    "wilcoxon + shaffer": _all_pairs("wilcoxon", "shaffer"),
    "wilcoxon + bergmann_hommel": _all_pairs("wilcoxon", "bergmann_hommel"),
    "wilcoxon, unadjusted": _all_pairs("wilcoxon"),
    "nemenyi": _all_pairs("nemenyi"),
    "bayesian_signed_rank": _bayesian(bayesian_signed_rank),
    "bayesian_sign_test": _bayesian(bayesian_sign_test),
}
