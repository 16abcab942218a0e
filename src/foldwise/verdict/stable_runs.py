"""``runs="auto"``: add runs of cross-validation until practically everybody would come to the same verdict."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from foldwise.core.errors import LimitExceeded
from foldwise.core.types import Array
from foldwise.core.validation import integer, positive
from foldwise.inference.partition_stability import PartitionStability
from foldwise.kinds.growth import FIRST_RUNS, Growth

__all__ = ["Budget", "StableRuns", "add_runs"]

MOMENT = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """When to stop although the verdict is not settled.

    Attributes
    ----------
    max_runs
        Most runs of cross-validation, or of dealings that cost as much.
    max_seconds
        Most seconds, or None. Runs that are not complete when they are over do not count.
    """

    max_runs: int = 1000
    max_seconds: float | None = None

    def __post_init__(self) -> None:
        integer(self.max_runs, "max_runs", minimum=FIRST_RUNS)
        if self.max_seconds is not None:
            positive(self.max_seconds, "max_seconds")

    def start(self) -> Watch:
        """The time begins."""
        return Watch(deadline=None if self.max_seconds is None else time.monotonic() + self.max_seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
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
class StableRuns:
    """Scores of as many runs as the verdict needed.

    Attributes
    ----------
    a, b
        Scores of the two learners; the first axis are partitions: (runs, folds) or (dealings, blocks, blocks).
    stability
        How far the verdict is from hinging on the partitioning; None where there are too few partitions to ask.
    complete
        Whether no other partition was to be found.
    partition
        What a partition is called.
    """

    a: Array
    b: Array
    stability: PartitionStability | None
    complete: bool = False
    partition: str = "run"

    @property
    def caveat(self) -> str:
        """What the number of runs says, for people to read."""
        runs = len(self.a)
        if self.stability is None or (self.complete and not self.stability.settled):
            found = "only one partition was" if runs == 1 else f"only {runs} different partitions were"
            return f"{found} found for these examples: more {self.partition}s would repeat what is there"
        distance = float(self.stability.distance)
        if self.stability.settled:
            return (
                f"{runs} {self.partition}s settled the verdict: another partitioning would practically always give the "
                "same"
            )
        return (
            f"the verdict hinges on the partitioning: after {runs} {self.partition}s the statistic is only "
            f"{distance:.1f} standard errors from its threshold ({self.stability.needed:.1f} would settle it)"
        )


def add_runs(
    score: Callable[[range], tuple[Array, Array]], growth: Growth, *, budget: Budget, margin: float | None = None
) -> StableRuns:
    """Score more and more partitions until the verdict is settled or the budget ends.

    Parameters
    ----------
    score
        Returns the two learners' scores for a range of partitions, which are the first axis; fewer where no more
        differ. Raises LimitExceeded when there is no time for them.
    growth
        How many to begin with, what they cost, and when the verdict is settled.
    budget
        When to give up.
    margin
        Where the conclusion about a margin is to be settled too.
    """
    # the tests that the answer hangs on: whether a and b differ, and whether they differ by the margin, on one side
    alpha = growth.alpha
    tests = [(0.0, alpha), *(() if margin is None else ((margin, 2 * alpha), (-margin, 2 * alpha)))]

    watch, most = budget.start(), growth.most(budget.max_runs)
    a, b = score(range(growth.first))
    found = partial(StableRuns, partition=growth.partition)
    if len(a) < growth.first:
        return found(a=a, b=b, stability=None, complete=True)
    complete = False
    while True:
        shifted = (growth.stability(a - b - d, alpha=level) for d, level in tests)
        stability = min(shifted, key=lambda each: float(each.distance))
        late = len(a) >= most or watch.over
        if stability.settled or complete or late:
            return found(a=a, b=b, stability=stability, complete=complete)
        wanted = range(len(a), _next_runs(len(a), stability, growth.first // 2, most))
        try:
            more_a, more_b = score(wanted)
        except LimitExceeded:
            return found(a=a, b=b, stability=stability)
        complete = len(more_a) < len(wanted)
        a, b = np.concatenate([a, more_a]), np.concatenate([b, more_b])


def _next_runs(runs: int, stability: PartitionStability, step: int, most: int) -> int:
    """The Monte-Carlo error shrinks with √runs, which says how many would do; never more than twice as many at once."""
    distance = float(stability.distance)
    enough = math.ceil(runs * (stability.needed / distance) ** 2) if distance > 0 else most
    return min(max(enough, runs + step), 2 * runs, most)
