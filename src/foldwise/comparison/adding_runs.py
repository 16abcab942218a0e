"""Partitions that differ, and evidence that grows lot by lot with runs='auto': which tests take it, and when to end."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from foldwise.core.errors import InvalidInput, LimitExceeded
from foldwise.core.types import Array, Labels
from foldwise.core.validation import integer, positive
from foldwise.designs import Procedure, find_procedure, procedure_names
from foldwise.designs.resampled import FIRST_RUNS, Growth, Resampled, resampled
from foldwise.inference.stability import PartitionStability
from foldwise.resampling.foreign import DistinctRuns
from foldwise.resampling.plan import Plan

if TYPE_CHECKING:
    from foldwise.engine.result import RunResult
    from foldwise.resampling.foreign import DistinctRuns

USUAL_FOLDS = 10  # Folds with which any test can be run.


def growth_of(procedure: Procedure, *, folds: int, alpha: float, limit: int | None = None) -> Growth:
    """How the evidence of this test grows; refused for tests whose evidence does not.

    The `limit` is the number of independent pieces of data, where it bounds the degrees of freedom.
    """
    found = _growth(procedure, folds, alpha, limit)
    if found is None:
        able = [name for name in procedure_names() if _growth(find_procedure(name), USUAL_FOLDS, alpha, None)]
        words = f"{', '.join(able[:-1])} and {able[-1]}"
        raise InvalidInput(f"runs='auto' works with the tests {words}, got '{procedure.name}'")
    return found


def _growth(procedure: Procedure, folds: int, alpha: float, limit: int | None) -> Growth | None:
    if not isinstance(procedure.kind, Resampled):
        return None
    return procedure.kind.growth(procedure, folds=folds, alpha=alpha, limit=limit)


MOMENT = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """When to stop although the verdict is not settled."""

    max_runs: int = 1000  #: Most runs of cross-validation, or of dealings that cost as much
    #: Most seconds, or None. Runs that are not complete when they are over do not count.
    max_seconds: float | None = None

    def __post_init__(self) -> None:
        integer(self.max_runs, "max_runs", minimum=FIRST_RUNS)
        if self.max_seconds is not None:
            positive(self.max_seconds, "max_seconds")

    def start(self) -> RunsWatch:
        return RunsWatch(deadline=None if self.max_seconds is None else time.monotonic() + self.max_seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsWatch:
    """When the time ends, by `time.monotonic`; None for never."""

    deadline: float | None

    @property
    def left(self) -> float | None:
        """Seconds, a moment at least."""
        return None if self.deadline is None else max(self.deadline - time.monotonic(), MOMENT)

    @property
    def over(self) -> bool:
        """Whether the time is over."""
        return self.deadline is not None and time.monotonic() > self.deadline


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lots:
    """Runs of one plan, made lot by lot, each on partitions that were not there before."""

    run: Callable[[Sequence[int], float | None], RunResult]  #: Makes runs of these numbers within so many seconds
    distinct: DistinctRuns  #: The partitions that differ
    watch: RunsWatch  #: When the time is over
    done: list[list[RunResult]] = field(default_factory=list)  #: Of each lot the results by every scoring

    def more(self, count: int) -> list[RunResult]:
        """The results of so many runs by every scoring, of fewer where no more differ; empty where none does."""
        chosen = self.distinct.take(count)
        if self.done and not chosen:
            return []
        result = self.run(chosen, self.watch.left)
        self.done.append([result, *result.also])
        return self.done[-1]

    @property
    def by_scoring(self) -> list[list[RunResult]]:
        return [list(results) for results in zip(*self.done, strict=True)]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Grown:
    """What there is when the growing ends."""

    scores: tuple[Array, ...]  #: As the scorer gave them, all partitions one after another
    #: How far each verdict is from depending on the partitioning; None where there are too few partitions to ask
    stabilities: tuple[PartitionStability, ...] | None
    complete: bool  #: Whether no other partition was to be found


def grow(
    score: Callable[[range], Sequence[Array]], growth: Growth, *, budget: Budget,
    judged: Callable[[Sequence[Array]], Sequence[PartitionStability]],
) -> Grown:  # fmt: skip
    """Score more and more partitions until every verdict is settled or the budget ends.

    Scores are arrays for a range of partitions, their first axis; fewer where no more differ, LimitExceeded where there
    is no time for them. `judged` is how far each verdict on such arrays is from depending on the partitioning.
    """
    watch, most = budget.start(), growth.most(budget.max_runs)
    scores = tuple(score(range(growth.first)))
    if len(scores[0]) < growth.first:
        return Grown(scores=scores, stabilities=None, complete=True)
    complete = False
    while True:
        runs = len(scores[0])
        found = tuple(judged(scores))
        settled = all(stability.settled for stability in found)
        if settled or complete or runs >= most or watch.over:
            break
        wanted = range(runs, _next_runs(runs, min(found, key=nearness), growth.first // 2, most))
        try:
            more = score(wanted)
        except LimitExceeded:
            break
        complete = len(more[0]) < len(wanted)
        scores = tuple(np.concatenate(both) for both in zip(scores, more, strict=True))
    return Grown(scores=scores, stabilities=found, complete=complete)


def nearness(stability: PartitionStability) -> float:
    """How far from depending on the partitioning, as a share of what settles a verdict."""
    return float(stability.distance) / stability.needed


def only_found(runs: int, partition: str) -> str:
    """That there are no other partitions, for people to read."""
    found = "only one partition was" if runs == 1 else f"only {runs} different partitions were"
    return f"{found} found for these examples: more {partition}s would repeat what is there"


def _next_runs(runs: int, stability: PartitionStability, step: int, most: int) -> int:
    """The Monte-Carlo error shrinks with √runs, which says how many would do; never more than twice as many at once."""
    distance = float(stability.distance)
    enough = math.ceil(runs * (stability.needed / distance) ** 2) if distance > 0 else most
    return min(max(enough, runs + step), 2 * runs, most)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """What the examples fall into: the groups, or the examples themselves."""

    count: int  #: How many there are
    grouped: bool  #: Whether they are groups

    @classmethod
    def of(cls, y: Labels, groups: Labels | None) -> Pieces:
        if groups is None:
            return cls(count=len(y), grouped=False)
        return cls(count=len(np.unique(np.asarray(groups))), grouped=True)

    def limit(self, folds: int) -> int | None:
        """The number of independent pieces where it bounds the degrees of freedom, else None.

        Notes
        -----
        However many partitions there are, k groups are k pieces of evidence: with kr − 1 degrees of freedom the
        corrected t test rejects a true null hypothesis in 7 to 12 % of all studies of 3 to 5 groups, with those of
        the groups in 1 to 5 %. Examples are as scarce where most folds test a single one.
        """
        return self.count if self.grouped or self.count < 2 * folds else None

    def __str__(self) -> str:
        return f"{self.count} {'groups' if self.grouped else 'examples'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """The runs to be made."""

    chosen: list[int]  #: Their numbers in the plan
    #: asked, folds: How many partitions were asked for, and the splits in each run
    asked: int
    folds: int
    pieces: Pieces  #: What was partitioned
    signatures: frozenset[str]  #: What tells these partitions from others
    #: rounds, partition: Runs that each partition makes, and what it is called
    rounds: int = 1
    partition: str = "run"

    @property
    def caveats(self) -> tuple[str, ...]:
        found = len(self.chosen) // self.rounds
        if found >= self.asked:
            return ()
        what = "random splits" if self.folds == 1 else f"{self.partition}s"
        counted = len(self.chosen) * self.folds
        verb = "is a partition of its own" if found == 1 else "are different partitions"
        return (
            f"only {found} of the {self.asked} {what} asked for {verb}, because there are {self.pieces}: the others "
            f"repeat what is there, so they were not run, and the test counts {counted} differences",
        )


def choose_runs(plan: Plan, y: Labels, groups: Labels | None, *, seed: int, procedure: Procedure) -> Runs:
    """The runs of a plan that differ, refused where the test can't do with so few."""
    drawn, pieces = DistinctRuns(plan, y, seed=seed, groups=groups), Pieces.of(y, groups)
    kind = resampled(procedure)
    least = kind.least_partitions
    asked = kind.partitions_wanted(drawn.shape[0] // plan.rounds)
    chosen = drawn.take(asked)
    if len(chosen) < least * plan.rounds:
        raise InvalidInput(
            f"test '{procedure.name}' needs {least} different partitions, but {pieces} gave only "
            f"{len(chosen) // plan.rounds}"
        )
    return Runs(
        chosen=chosen, asked=asked, folds=drawn.shape[1], pieces=pieces, signatures=drawn.signatures,
        rounds=plan.rounds, partition=kind.partition,
    )  # fmt: skip
