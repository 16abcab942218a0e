"""Several learners on the partitionings of one data set: as many runs as were asked for or as it takes, judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from foldwise.core.random import stream
from foldwise.core.types import Array
from foldwise.evidence.scores import Scores
from foldwise.kinds import REPEATED_CV, Procedure, find_procedure
from foldwise.resampling.foreign import DistinctRuns
from foldwise.verdict.baseline import majority_accuracy
from foldwise.verdict.growing import Budget, Lots
from foldwise.verdict.growth import growth_of
from foldwise.verdict.measured_caveat import measured_caveat
from foldwise.verdict.models.caveats import with_baseline
from foldwise.verdict.models.comparison import ModelsComparison
from foldwise.verdict.models.judge import judge_models
from foldwise.verdict.models.stable_pairs import PairRule, add_runs_for_pairs
from foldwise.verdict.partitions import Pieces, choose_runs
from foldwise.verdict.replication import Replication
from foldwise.verdict.running import Work, found_made, noticed, run_study

if TYPE_CHECKING:
    from foldwise.engine.prepared import Prepared
    from foldwise.engine.result import RunResult
    from foldwise.resampling.plan import Plan

__all__ = ["LearnerTrial"]

Judged: TypeAlias = tuple[tuple[ModelsComparison, ...], frozenset[str]]
"""The verdict by each scoring, and what tells the partitions from others."""

PROCEDURE = find_procedure(REPEATED_CV.recommended)
"""The test of each pair."""

RULED = ("control", "adjust", "margin")
"""Of what is asked, that which says when verdicts are settled."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LearnerTrial:
    """What stays the same whatever the partitioning.

    Attributes
    ----------
    study
        Learners and data.
    runs
        How many runs there are, or what bounds them where they are added until the verdicts are settled.
    folds
        Of each run.
    work
        How the fits are made and scored.
    data_name
        What to call the data.
    judged
        How `judge_models` is to judge.
    """

    study: Prepared
    runs: int | Budget
    folds: int
    work: Work
    data_name: str
    judged: dict[str, Any]

    def verdict(self, seed: int, known: frozenset[str]) -> Judged:
        """By each scoring the verdict on the partitionings of a seed, none if they are known; what tells them apart."""
        if isinstance(self.runs, Budget):
            return self._automatic(seed, self.runs)
        study, plan = self.study, self._plan(self.runs)
        runs = choose_runs(plan, study.y, study.groups, seed=seed, procedure=PROCEDURE)
        if runs.signatures <= known:
            return (), runs.signatures
        result = self._run(plan, seed, runs.chosen)
        noted = noticed(study, plan, [result], self.work, *runs.caveats)
        by_scoring = ((by, self._evidence(by)) for by in (result, *result.also))
        return tuple(self._judged(given, [by], seed, noted) for by, given in by_scoring), runs.signatures

    def _automatic(self, seed: int, budget: Budget) -> Judged:
        study, asked, plan = self.study, self.judged, self._plan(budget.max_runs)
        growth = growth_of(PROCEDURE, folds=self.folds, alpha=asked["alpha"], limit=self._limit)
        rule = PairRule(names=tuple(study.names), seed=seed, **{name: asked[name] for name in RULED})
        lots = Lots(
            run=lambda runs, left: self._run(plan, seed, runs, max_seconds=left),
            distinct=DistinctRuns(plan, study.y, seed=seed, groups=study.groups),
            watch=budget.start(),
        )

        def score(wanted: range) -> list[Array]:
            results = lots.more(len(wanted))
            return [by.scores for by in results] or [by.scores[:, :0] for by in lots.done[0]]

        stable = add_runs_for_pairs(score, growth, budget=budget, rule=rule)
        found = []
        for one, results in zip(stable, lots.by_scoring, strict=True):
            noted = noticed(study, plan, results, self.work, one.caveat)
            evidence = replace(self._evidence(results[0]), values=np.asarray(one.scores))
            c = self._judged(evidence, results, seed, noted, growth.procedure)
            found.append(c.replace(settled={"folds": self.folds, "limit": self._limit}))
        return tuple(found), lots.distinct.signatures

    def replicated(
        self, found: tuple[ModelsComparison, ...], seed: int, repetitions: int, partitions: frozenset[str]
    ) -> tuple[ModelsComparison, ...]:
        """Each comparison with the verdicts on other partitionings, those that there are."""
        others = [
            self.verdict(int(stream(seed, "replicate", i).integers(2**31)), partitions)[0]
            for i in range(1, repetitions)
        ]
        judged_by = zip(found, *(judged for judged in others if judged), strict=True)
        return tuple(_replicated(first, list(rest)) for first, *rest in judged_by)

    def _plan(self, runs: int) -> Plan:
        return REPEATED_CV.plan(runs=runs, folds=self.folds, stratified=self.study.classifies)

    def _run(self, plan: Plan, seed: int, runs: Sequence[int], max_seconds: float | None = None) -> RunResult:
        limits = {"max_seconds": max_seconds, "data_name": self.data_name}
        return run_study(self.study, plan, self.work, seed=seed, runs=runs, **limits)

    @property
    def _limit(self) -> int | None:
        """Independent pieces of data, where they bound the degrees of freedom."""
        return Pieces.of(self.study.y, self.study.groups).limit(self.folds)

    def _evidence(self, result: RunResult) -> Scores:
        return REPEATED_CV.from_run(result, self.study.groups, self._limit)

    def _judged(
        self,
        evidence: Scores,
        results: Sequence[RunResult],
        seed: int,
        noted: tuple[str, ...],
        procedure: Procedure = PROCEDURE,
    ) -> ModelsComparison:
        c = judge_models(evidence, seed=seed, test=procedure, **self.judged)
        c = c.replace(
            caveats=(*noted, *c.caveats, *self._measured()),
            fits=sum(result.computed + result.found for result in results),
            found=sum(result.found for result in results),
            found_made=found_made(results),
        )
        return with_baseline(c, majority_accuracy(results)) if c.metric in ("accuracy", "error") else c

    def _measured(self) -> tuple[str, ...]:
        """What was measured of the test with such learners: it was measured with classifiers."""
        if not self.study.classifies:
            return ()
        named = zip(self.study.names, self.study.estimators, strict=True)
        pairs = [
            (f"{a} and {b}", measured_caveat(REPEATED_CV.recommended, x, y))
            for (a, x), (b, y) in combinations(named, 2)
        ]
        return tuple(f"for {names}: {words}" for names, words in pairs if words is not None)[:1]


def _replicated(first: ModelsComparison, others: list[ModelsComparison]) -> ModelsComparison:
    if not others:
        unasked = "no other partitioning of these examples exists, so there is none that could disagree"
        return first.replace(caveats=(unasked, *first.caveats))
    pairs = tuple(
        replace(pair, replicability=Replication(verdicts=tuple(c.pairs[place].better for c in (first, *others))))
        for place, pair in enumerate(first.pairs)
    )
    return first.replace(pairs=pairs)
