"""Which runs of a plan are partitions of their own: the others repeat earlier ones, are not run and do not count."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Labels
from foldwise.designs import Procedure
from foldwise.designs.resampled import resampled
from foldwise.resampling.foreign import DistinctRuns
from foldwise.resampling.plan import Plan


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
        chosen=chosen,
        asked=asked,
        folds=drawn.shape[1],
        pieces=pieces,
        signatures=drawn.signatures,
        rounds=plan.rounds,
        partition=kind.partition,
    )
