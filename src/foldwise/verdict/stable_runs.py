"""``runs="auto"``: add runs of cross-validation until practically everybody would come to the same verdict."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from foldwise.core.errors import LimitExceeded
from foldwise.core.types import Array
from foldwise.core.validation import integer, positive
from foldwise.inference.partition_stability import PartitionStability
from foldwise.kinds.growth import FIRST_RUNS, Growth

__all__ = ["Budget", "StableRuns", "add_runs", "add_runs_for_all", "holm_levels"]

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
    (found,) = add_runs_for_all(lambda wanted: (score(wanted),), growth, budget=budget, margin=margin)
    return found


def add_runs_for_all(
    score: Callable[[range], Sequence[tuple[Array, Array]]],
    growth: Growth,
    *,
    budget: Budget,
    margin: float | None = None,
    holm: bool = False,
) -> tuple[StableRuns, ...]:
    """As `add_runs`, for the same fits by several metrics: until the verdict by every one of them is settled.

    Parameters
    ----------
    score
        Returns the two learners' scores by each metric.
    growth, budget, margin
        As in `add_runs`.
    holm
        Whether the verdicts are those at the levels that Holm's method holds them to.
    """
    watch, most = budget.start(), growth.most(budget.max_runs)
    scores = tuple(score(range(growth.first)))
    if len(scores[0][0]) < growth.first:
        return tuple(StableRuns(a=a, b=b, stability=None, complete=True, partition=growth.partition) for a, b in scores)
    complete = False
    while True:
        runs = len(scores[0][0])
        found = _stabilities(scores, growth, margin, holm=holm)
        settled = all(stability.settled for stability in found)
        if settled or complete or runs >= most or watch.over:
            break
        wanted = range(runs, _next_runs(runs, min(found, key=_nearness), growth.first // 2, most))
        try:
            more = score(wanted)
        except LimitExceeded:
            break
        complete = len(more[0][0]) < len(wanted)
        scores = tuple(
            (np.concatenate([a, a2]), np.concatenate([b, b2])) for (a, b), (a2, b2) in zip(scores, more, strict=True)
        )
    return tuple(
        StableRuns(a=a, b=b, stability=stability, complete=complete, partition=growth.partition)
        for (a, b), stability in zip(scores, found, strict=True)
    )


def _stabilities(
    scores: Sequence[tuple[Array, Array]], growth: Growth, margin: float | None, *, holm: bool
) -> list[PartitionStability]:
    """By each metric, the least stable of the tests that its answer hangs on.

    These are whether a and b differ, and whether they differ by the margin, on one side.
    """
    alpha, differences = growth.alpha, [a - b for a, b in scores]
    levels = [alpha] * len(scores)
    if holm:
        levels = holm_levels([float(growth.stability(d, alpha=alpha).pvalue) for d in differences], alpha)
    sides = () if margin is None else ((margin, 2 * alpha), (-margin, 2 * alpha))
    return [
        min((growth.stability(d - shift, alpha=at) for shift, at in ((0.0, level), *sides)), key=_nearness)
        for d, level in zip(differences, levels, strict=True)
    ]


def _nearness(stability: PartitionStability) -> float:
    return float(stability.distance) / stability.needed


def holm_levels(pvalues: Sequence[float], alpha: float) -> list[float]:
    """The level that Holm's method holds each p-value to.

    The smallest to alpha/k, the next to alpha/(k − 1) …; from the first that is not below its level on, all others to
    that one, for if any of them fell below it, it would be rejected.

    Examples
    --------
    >>> holm_levels([0.03, 0.001, 0.2], 0.06)
    [0.03, 0.02, 0.03]
    """
    levels, left = [0.0] * len(pvalues), len(pvalues)
    order = sorted(range(len(pvalues)), key=pvalues.__getitem__)
    for done, place in enumerate(order):
        levels[place] = alpha / left
        if pvalues[place] < levels[place] and left == len(pvalues) - done:
            left -= 1
    return levels


def _next_runs(runs: int, stability: PartitionStability, step: int, most: int) -> int:
    """The Monte-Carlo error shrinks with √runs, which says how many would do; never more than twice as many at once."""
    distance = float(stability.distance)
    enough = math.ceil(runs * (stability.needed / distance) ** 2) if distance > 0 else most
    return min(max(enough, runs + step), 2 * runs, most)
