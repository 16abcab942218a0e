"""``runs="auto"``: add runs of cross-validation until practically everybody would come to the same verdict."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from foldwise.core.errors import InvalidInput, LimitExceeded
from foldwise.core.types import Array
from foldwise.core.validation import integer, positive
from foldwise.inference.moments import moments
from foldwise.inference.partition_stability import SETTLED, PartitionStability, partition_stability
from foldwise.inference.student import StudentResult, student_result
from foldwise.kinds import Batch, Procedure

__all__ = ["Budget", "StableRuns", "add_runs", "fixed_procedure"]

FIRST_RUNS = 10
"""Runs to begin with, and the number that the degrees of freedom are fixed at."""


MOMENT = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """When to stop although the verdict is not settled.

    Attributes
    ----------
    max_runs
        Most runs.
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
        Scores of the two learners: (runs, folds).
    stability
        How far the verdict is from hinging on the partitioning; None where there are too few partitions to ask.
    complete
        Whether no other partition was to be found.
    """

    a: Array
    b: Array
    stability: PartitionStability | None
    complete: bool = False

    @property
    def caveat(self) -> str:
        """What the number of runs says, for people to read."""
        runs = len(self.a)
        if self.stability is None or (self.complete and not self.stability.settled):
            found = "only one partition was" if runs == 1 else f"only {runs} different partitions were"
            return f"{found} found for these examples: more runs would repeat what is there"
        distance = float(self.stability.distance)
        if self.stability.settled:
            return f"{runs} runs settled the verdict: another partitioning would practically always give the same"
        return (
            f"the verdict hinges on the partitioning: after {runs} runs the statistic is only {distance:.1f} standard "
            f"errors from its threshold ({SETTLED} would settle it)"
        )


def fixed_procedure(procedure: Procedure, folds: int, ratio: float) -> tuple[Procedure, float, float]:
    """The test with its scale and degrees of freedom fixed, so that more runs do not manufacture significance.

    Returns the procedure, the multiplier of mean/σ̂, and the degrees of freedom: for `corrected_repeated_cv_t` those of
    the first ten runs, for `use_all_data` the calibrated 10 (bouckaert2003). Where there are fewer than ten
    partitions, those there are count.
    """
    if procedure.name != "corrected_repeated_cv_t" and not procedure.name.startswith("use_all_data"):
        raise InvalidInput(
            f"runs='auto' works with the tests corrected_repeated_cv_t and use_all_data, got '{procedure.name}'"
        )

    def constants(runs: int) -> tuple[float, float]:
        n = min(runs, FIRST_RUNS) * folds
        if procedure.name == "corrected_repeated_cv_t":
            return 1 / math.sqrt(1 / n + ratio), n - 1.0
        df = min(10.0, n - 1.0)
        return math.sqrt(df + 1), df

    def run(batch: Batch) -> StudentResult:
        multiplier, df = constants(len(batch.data))
        m = moments(batch.data.reshape(-1))
        return student_result(m.mean, np.sqrt(m.variance) / multiplier, df)

    return replace(procedure, run=run, warning=None), *constants(FIRST_RUNS)


def add_runs(
    score: Callable[[range], tuple[Array, Array]],
    *,
    multiplier: float,
    df: float,
    alpha: float,
    budget: Budget,
    margin: float | None = None,
) -> StableRuns:
    """Score more and more runs until the verdict is settled or the budget ends.

    Parameters
    ----------
    score
        Returns the two learners' scores, each (runs, folds), for a range of runs; fewer where no more runs differ.
        Raises LimitExceeded when there is no time for them.
    multiplier, df, alpha
        Of the test.
    budget
        When to give up.
    margin
        Where the conclusion about a margin is to be settled too.
    """
    # the tests that the answer hangs on: whether a and b differ, and whether they differ by the margin, on one side
    tests = [(0.0, alpha), *(() if margin is None else ((margin, 2 * alpha), (-margin, 2 * alpha)))]

    watch = budget.start()
    a, b = score(range(FIRST_RUNS))
    if len(a) < FIRST_RUNS:
        return StableRuns(a=a, b=b, stability=None, complete=True)
    complete = False
    while True:
        found = (partition_stability(a - b - d, multiplier=multiplier, df=df, alpha=level) for d, level in tests)
        stability = min(found, key=lambda each: float(each.distance))
        late = len(a) >= budget.max_runs or watch.over
        if stability.settled or complete or late:
            return StableRuns(a=a, b=b, stability=stability, complete=complete)
        wanted = range(len(a), _next_runs(len(a), float(stability.distance), budget.max_runs))
        try:
            more_a, more_b = score(wanted)
        except LimitExceeded:
            return StableRuns(a=a, b=b, stability=stability)
        complete = len(more_a) < len(wanted)
        a, b = np.concatenate([a, more_a]), np.concatenate([b, more_b])


def _next_runs(runs: int, distance: float, most: int) -> int:
    """The Monte-Carlo error shrinks with √runs, which says how many would do; never more than twice as many at once."""
    enough = math.ceil(runs * (SETTLED / distance) ** 2) if distance > 0 else most
    return min(max(enough, runs + 5), 2 * runs, most)
