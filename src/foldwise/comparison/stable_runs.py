"""``runs="auto"``: add runs of cross-validation until practically everybody would come to the same verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from foldwise.comparison.growing import Budget, grow, nearness, only_found
from foldwise.core.types import Array
from foldwise.designs.resampled import Growth
from foldwise.inference.stability import PartitionStability

__all__ = ["StableRuns", "add_runs", "add_runs_for_all", "holm_levels", "least_stable"]


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
            return only_found(runs, self.partition)
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

    def judged(scores: Sequence[Array]) -> list[PartitionStability]:
        return _stabilities([a - b for a, b in _two_by_two(scores)], growth, margin, holm=holm)

    grown = grow(lambda wanted: [one for both in score(wanted) for one in both], growth, budget=budget, judged=judged)
    by_metric = _two_by_two(grown.scores)
    stabilities = grown.stabilities or (None,) * len(by_metric)
    return tuple(
        StableRuns(a=a, b=b, stability=stability, complete=grown.complete, partition=growth.partition)
        for (a, b), stability in zip(by_metric, stabilities, strict=True)
    )


def _two_by_two(scores: Sequence[Array]) -> list[tuple[Array, Array]]:
    """By each metric the scores of the two learners, which come one after another."""
    return list(zip(scores[::2], scores[1::2], strict=True))


def _stabilities(
    differences: Sequence[Array], growth: Growth, margin: float | None, *, holm: bool
) -> list[PartitionStability]:
    """By each metric, the least stable of the tests that its answer hangs on."""
    alpha = growth.alpha
    levels = [alpha] * len(differences)
    shared = alpha / len(differences) if holm else alpha
    if holm:
        levels = holm_levels([float(growth.stability(d, alpha=alpha).pvalue) for d in differences], alpha)
    return [
        least_stable(d, growth, level=level, margin=margin, margin_level=shared)
        for d, level in zip(differences, levels, strict=True)
    ]


def least_stable(
    differences: Array, growth: Growth, *, level: float, margin: float | None, margin_level: float
) -> PartitionStability:
    """The least stable of the tests that an answer about two learners hangs on.

    These are whether they differ, at `level`, and whether they differ by the margin, on one side at `margin_level`.
    """
    sides = () if margin is None else ((margin, 2 * margin_level), (-margin, 2 * margin_level))
    tests = (growth.stability(differences - shift, alpha=at) for shift, at in ((0.0, level), *sides))
    return min(tests, key=nearness)


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
