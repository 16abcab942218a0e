"""Tests of two learners: how often they reject where the truth is known, and whether they would say so again."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TypedDict

import numpy as np

from foldwise.core.errors import DegenerateVariance
from foldwise.core.types import Flags, Json
from foldwise.designs import REPEATED_CV, RIGHT_WRONG, Design, Procedure, find_procedure, procedure_names
from foldwise.designs.resampled import AnySimulated, Resampled, is_simulated, simulated
from foldwise.inference.equivalence import correlated_bayesian_t
from foldwise.inference.paired_tables import paired_posterior
from foldwise.inference.repeated_cv import CALIBRATABLE
from foldwise.inference.stability import replicability
from foldwise.lab.evidence import Evidence, choose_tests, pvalues
from foldwise.lab.gather import Resources, gather, prepare
from foldwise.lab.rates import wilson

ALPHA = 0.05
ROPE = 0.01
SURE = 0.95  # Posterior probability from which a Bayesian procedure counts as decided.

REPETITIONS = 10


# Tests that train on small parts of the data, some of them more often than all others together: the lab has them; and
# `influence`, which is measured on sources of its own.
DEAR = ("conservative_z", "disjoint", "crossed_trainings", "influence")


def _from_learners(procedure: Procedure) -> bool:
    """Whether its evidence comes from learners, trained or simulated, on data sets, in bearable time."""
    return isinstance(procedure.kind, Resampled) and is_simulated(procedure.kind) and procedure.name not in DEAR


# All tests of the catalogue whose evidence a population can give, but for the dearest.
TESTS = (
    *(name for name in procedure_names() if _from_learners(find_procedure(name))),
    *(f"{variant}:calibrated" for variant in CALIBRATABLE),
    "use_all_data:df=10",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    #: key, title: Short name, and what it is in words
    key: str
    title: str
    #: null, effect: Populations without and with a difference between the learners
    null: str
    effect: str
    learners: tuple[str, ...] = ()  #: Nothing where the population simulates them
    #: Whether a repetition partitions the same data set anew; simulated learners have no data to partition
    resampled: bool = True


SOURCES = (
    Source(
        key="simulated", title="simulated classifiers, error 0.1 (dietterich1998, section 4)",
        null="two-kinds(error=0.1)", effect="two-kinds(error=0.1, difference=0.05)", resampled=False,
    ),
    Source(
        key="nb-c45", title="naive Bayes and C4.5 on binary data (bouckaert2003)", null="independent-binary",
        effect="bayes-net(set=3)", learners=("nb", "c45"),
    ),
    Source(
        key="nb-1nn", title="naive Bayes and 1-nearest neighbour on binary data", null="independent-binary",
        effect="bayes-net(set=3)", learners=("nb", "1nn"),
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Trials:
    """How many data sets each figure rests on."""

    type1: int = 2000
    power: int = 1000
    consistent: int = 200


class OnSource(TypedDict):
    """What was drawn, and one row per test."""

    source: dict[str, Json]
    rows: list[dict[str, Json]]


def measure_source(source: Source, *, trials: Trials, seed: int, n: int = 300, n_jobs: int | None = None) -> OnSource:
    """Type I error, power and replicability of every test on one source.

    ``source``: what was drawn; ``rows``: one per test.
    """
    once, often = Design(n=n), Design(n=n, repetitions=REPETITIONS)
    resources = Resources(n_jobs=n_jobs, progress=False)

    def draw(population: str, design: Design, amount: int) -> Evidence:
        return gather(prepare(choose_tests(TESTS), population, source.learners, design, seed), amount, resources)

    null, effect = draw(source.null, once, trials.type1), draw(source.effect, once, trials.power)
    again = [draw(p, often, trials.consistent) for p in (source.null, source.effect)] if source.resampled else []
    rows = [_row(name, decide, null, effect, again, once) for name, decide in DECISIONS.items()]
    described = {**asdict(source), "learners": list(source.learners), "difference": _difference(effect)}
    return {"source": described, "rows": [{"source": source.key, **row} for row in rows]}


def _row(
    name: str, decide: _Decision, null: Evidence, effect: Evidence, again: list[Evidence], design: Design
) -> dict[str, Json]:
    row: dict[str, Json] = {
        "test": name,
        "fits": 2 * decide.kind.trainings(design),
        "type1": share(decide(null, design)[:, 0]),
        "power": share(decide(effect, design)[:, 0]),
    }
    for key, evidence in zip(("consistent_null", "consistent_effect"), again, strict=False):
        agreement = replicability(decide(evidence, design).sum(axis=1), REPETITIONS)
        row[key] = share(np.asarray(agreement.consistent)) | {"R": round(float(np.mean(agreement.R)), 4)}
    return row


def share(hits: Flags) -> dict[str, Json]:
    low, high = wilson(int(hits.sum()), len(hits))
    rate = float(hits.mean())
    return {"rate": round(rate, 4), "low": round(low, 4), "high": round(high, 4), "trials": len(hits)}


def _difference(evidence: Evidence) -> float:
    """The mean difference of accuracy, a − b, over everything that was cross-validated."""
    return round(float(evidence[REPEATED_CV].mean()), 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Decision:
    kind: AnySimulated
    decide: Callable[[Evidence, Design], Flags]

    def __call__(self, evidence: Evidence, design: Design) -> Flags:
        return np.asarray(self.decide(evidence, design), dtype=np.bool_)


def _by_pvalue(name: str) -> _Decision:
    procedure = find_procedure(name)
    return _Decision(kind=simulated(procedure), decide=lambda e, design: pvalues(procedure, e, design, ALPHA) < ALPHA)


def _by_correlated_t(evidence: Evidence, design: Design) -> Flags:
    x = evidence[REPEATED_CV]
    with warnings.catch_warnings():
        # among thousands of simulated trials a constant difference is an outcome, not an accident
        warnings.simplefilter("ignore", DegenerateVariance)
        found = correlated_bayesian_t(x.reshape(*x.shape[:2], -1), correlation=1 / design.folds, rope=ROPE)
    return np.asarray(np.maximum(found.probabilities.a_better, found.probabilities.b_better) > SURE)


def _by_paired_posterior(evidence: Evidence, design: Design) -> Flags:
    found = paired_posterior(*np.moveaxis(evidence[RIGHT_WRONG], -1, 0), rope=ROPE)
    return np.asarray(np.maximum(found.above, found.below) > SURE)


# By name what counts as finding a difference: p < 0.05, or one learner better by more than the ROPE with probability
# above 0.95.
DECISIONS: dict[str, _Decision] = {
    **{name: _by_pvalue(name) for name in TESTS},
    "correlated_bayesian_t": _Decision(kind=REPEATED_CV, decide=_by_correlated_t),
    "paired_posterior": _Decision(kind=RIGHT_WRONG, decide=_by_paired_posterior),
}
