"""``runs="auto"`` for several learners: add runs until the verdict of every pair is settled, by the rule of two."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from foldwise.comparison.growing import Budget, grow, nearness, only_found
from foldwise.comparison.pairs import Adjust
from foldwise.comparison.stable_runs import holm_levels, least_stable
from foldwise.core.types import Array
from foldwise.designs.resampled import Growth
from foldwise.inference.joint_differences import compared_pairs, joint_differences, model_means
from foldwise.inference.stability import PartitionStability

__all__ = ["PairRule", "StablePairs", "add_runs_for_pairs"]

T = TypeVar("T")

MOST_NAMED = 5
"""Pairs that a sentence names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRule:
    """Which verdicts are to be settled, and at which levels they are made.

    Attributes
    ----------
    names
        The learners.
    control
        The one that the others are compared with, or None for all pairs.
    adjust
        How the pairs are judged together.
    margin
        By how much a candidate may be worse, where the conclusions are to be settled too.
    seed
        Determines the draws behind max-T.
    """

    names: tuple[str, ...]
    control: str | None
    adjust: Adjust
    margin: float | None
    seed: int

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The learners that are compared, by their places."""
        first, second = compared_pairs(len(self.names), self._place)
        return list(zip(first.tolist(), second.tolist(), strict=True))

    def stabilities(self, scores: Sequence[Array], growth: Growth) -> list[PartitionStability]:
        """Of each pair the least stable of the tests that its verdict hangs on, from the learners' scores."""
        differences = [scores[i] - scores[j] for i, j in self.pairs]
        share = growth.alpha / len(differences)
        return [
            least_stable(d, growth, level=level, margin=self.margin, margin_level=share)
            for d, level in zip(differences, self._levels(scores, differences, growth), strict=True)
        ]

    def _levels(self, scores: Sequence[Array], differences: Sequence[Array], growth: Growth) -> list[float]:
        """The level that each pair is held to."""
        if self.adjust == "holm":
            pvalues = [float(growth.stability(d, alpha=growth.alpha).pvalue) for d in differences]
            return holm_levels(pvalues, growth.alpha)
        joint = model_means(np.reshape(scores, (len(scores), -1)))
        law = joint_differences(joint.means, joint.covariance, control=self._place, seed=self.seed)
        return [law.level(growth.alpha)] * len(differences)

    @property
    def _place(self) -> int | None:
        return None if self.control is None else self.names.index(self.control)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StablePairs:
    """Scores of as many runs as the verdicts on all pairs needed.

    Attributes
    ----------
    scores
        Shape (learners, runs, folds).
    pairs
        The names of the two learners of each pair that is judged.
    stabilities
        How far the verdict on each is from hinging on the partitioning; None where there are too few partitions to ask.
    complete
        Whether no other partition was to be found.
    partition
        What a partition is called.
    """

    scores: Array
    pairs: tuple[tuple[str, str], ...]
    stabilities: tuple[PartitionStability, ...] | None
    complete: bool
    partition: str

    @property
    def open(self) -> list[tuple[tuple[str, str], PartitionStability]]:
        """The pairs whose verdicts are not settled, the least settled first."""
        asked = zip(self.pairs, self.stabilities or (), strict=True)
        return sorted((each for each in asked if not each[1].settled), key=lambda each: nearness(each[1]))

    @property
    def caveat(self) -> str:
        """What the number of runs says, for people to read: it is said of each pair by itself."""
        runs = self.scores.shape[1]
        made = f"{runs} {self.partition}s"
        if self.stabilities is None or (self.complete and self.open):
            return only_found(runs, self.partition)
        if not self.open:
            if len(self.pairs) == 1:
                return f"{made} settled the verdict: another partitioning would practically always give the same"
            return (
                f"{made} settled the verdicts on all {len(self.pairs)} pairs: on each of them another partitioning "
                "would practically always give the same, on all at once a little less surely"
            )
        return self._hinging(made)

    def _hinging(self, made: str) -> str:
        named = ", ".join(f"{a} and {b} {float(found.distance):.1f}" for (a, b), found in self.open[:MOST_NAMED])
        rest, settled = len(self.open) - MOST_NAMED, len(self.pairs) - len(self.open)
        others = f" and {rest} more" if rest > 0 else ""
        end = f"; the other {settled} {'is' if settled == 1 else 'are'} settled" if settled else ""
        return (
            f"after {made} {len(self.open)} of {len(self.pairs)} verdicts "
            f"{'hinges' if len(self.open) == 1 else 'hinge'} on the partitioning, by the standard errors between "
            f"statistic and threshold ({self.open[0][1].needed:.1f} would settle each): {named}{others}{end}"
        )


def add_runs_for_pairs(
    score: Callable[[range], Sequence[Array]], growth: Growth, *, budget: Budget, rule: PairRule
) -> tuple[StablePairs, ...]:
    """Score more and more runs until the verdict on every pair, by every metric, is settled or the budget ends.

    Parameters
    ----------
    score
        Returns the learners' scores by each metric for a range of runs: shape (learners, runs, folds), fewer runs where
        no more differ. Raises LimitExceeded when there is no time for them.
    growth
        How many to begin with, and when a verdict is settled; all pairs of one metric share its level.
    budget
        When to give up.
    rule
        Which verdicts are to be settled.
    """
    k, pairs = len(rule.names), rule.pairs

    def judged(scores: Sequence[Array]) -> list[PartitionStability]:
        return [found for each in _divided(scores, k) for found in rule.stabilities(each, growth)]

    grown = grow(lambda wanted: [one for every in score(wanted) for one in every], growth, budget=budget, judged=judged)
    by_metric = _divided(grown.scores, k)
    found = [None] * len(by_metric) if grown.stabilities is None else _divided(grown.stabilities, len(pairs))
    named = tuple((rule.names[i], rule.names[j]) for i, j in pairs)
    return tuple(
        StablePairs(
            scores=np.stack(scores),
            pairs=named,
            stabilities=stabilities,
            complete=grown.complete,
            partition=growth.partition,
        )
        for scores, stabilities in zip(by_metric, found, strict=True)
    )


def _divided(items: Sequence[T], size: int) -> list[tuple[T, ...]]:
    return [tuple(items[i : i + size]) for i in range(0, len(items), size)]
