"""``runs="auto"``: add runs until the verdict on two learners, or on every pair of several, is settled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from foldwise.comparison.adding_runs import Budget, grow, nearness, only_found
from foldwise.comparison.pairs import Adjust
from foldwise.core.types import Array
from foldwise.designs.resampled import Growth
from foldwise.inference.joint_differences import compared_pairs, joint_differences, model_means
from foldwise.inference.stability import PartitionStability

T = TypeVar("T")

MOST_NAMED = 5  # Pairs that a sentence names.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stable:
    """Scores of as many runs as the verdict on two learners, or on all pairs of several, needed."""

    scores: Array  #: By learner; the next axis are partitions: (runs, folds) or (dealings, blocks, blocks)
    pairs: tuple[tuple[str, str], ...]  #: The names of the two learners of each pair that is judged
    #: How far the verdict on each is from depending on the partitioning; None where there are too few partitions to ask
    stabilities: tuple[PartitionStability, ...] | None
    complete: bool = False  #: Whether no other partition was to be found
    partition: str = "run"  #: What a partition is called

    @property
    def a(self) -> Array:
        return np.asarray(self.scores[0])

    @property
    def b(self) -> Array:
        return np.asarray(self.scores[1])

    @property
    def stability(self) -> PartitionStability | None:
        """That of the first pair, the only one of two learners."""
        return None if self.stabilities is None else self.stabilities[0]

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
        if len(self.pairs) == 1:
            found = self.open[0][1]
            return (
                f"the verdict depends on the partitioning: after {made} the statistic is only "
                f"{float(found.distance):.1f} standard errors from its threshold ({found.needed:.1f} would settle it)"
            )
        return self._depending(made)

    def _depending(self, made: str) -> str:
        named = ", ".join(f"{a} and {b} {float(found.distance):.1f}" for (a, b), found in self.open[:MOST_NAMED])
        rest, settled = len(self.open) - MOST_NAMED, len(self.pairs) - len(self.open)
        others = f" and {rest} more" if rest > 0 else ""
        end = f"; the other {settled} {'is' if settled == 1 else 'are'} settled" if settled else ""
        return (
            f"after {made} {len(self.open)} of {len(self.pairs)} verdicts "
            f"{'depends' if len(self.open) == 1 else 'depend'} on the partitioning, by the standard errors between "
            f"statistic and threshold ({self.open[0][1].needed:.1f} would settle each): {named}{others}{end}"
        )


def add_runs(
    score: Callable[[range], tuple[Array, Array]], growth: Growth, *, budget: Budget, margin: float | None = None
) -> Stable:
    """Score more and more partitions, as `grow` does, until the verdict (and that about a margin) is settled."""
    (found,) = add_runs_for_all(lambda wanted: (score(wanted),), growth, budget=budget, margin=margin)
    return found


def add_runs_for_all(
    score: Callable[[range], Sequence[tuple[Array, Array]]], growth: Growth, *, budget: Budget,
    margin: float | None = None, holm: bool = False, by_metric: Sequence[Growth] = (),
) -> tuple[Stable, ...]:  # fmt: skip
    """As `add_runs`, for the same fits by several metrics: until the verdict by every one of them is settled.

    With `holm` at the levels that Holm's method holds them to; `by_metric` is how the evidence by each metric grows,
    where that differs, and may be filled when first scored.
    """

    def judged(scores: Sequence[Array]) -> list[PartitionStability]:
        differences = [a - b for a, b in _divided(scores, 2)]
        return _stabilities(differences, by_metric or [growth] * len(differences), margin, holm=holm)

    return _settled(score, growth, budget, judged, learners=2, pairs=(("a", "b"),))


def _settled(
    score: Callable[[range], Sequence[Iterable[Array]]], growth: Growth, budget: Budget,
    judged: Callable[[Sequence[Array]], list[PartitionStability]], *, learners: int, pairs: tuple[tuple[str, str], ...],
) -> tuple[Stable, ...]:  # fmt: skip
    """By each metric, the scores when every verdict is settled or the budget ends."""
    grown = grow(lambda wanted: [one for every in score(wanted) for one in every], growth, budget=budget, judged=judged)
    divided = _divided(grown.scores, learners)
    found = [None] * len(divided) if grown.stabilities is None else _divided(grown.stabilities, len(pairs))
    return tuple(
        Stable(scores=np.stack(scores), pairs=pairs, stabilities=stabilities, complete=grown.complete,
               partition=growth.partition)
        for scores, stabilities in zip(divided, found, strict=True)
    )  # fmt: skip


def _stabilities(
    differences: Sequence[Array], growths: Sequence[Growth], margin: float | None, *, holm: bool
) -> list[PartitionStability]:
    """By each metric, the least stable of the tests that its answer depends on."""
    alpha = growths[0].alpha
    levels = [alpha] * len(differences)
    shared = alpha / len(differences) if holm else alpha
    if holm and len(differences) > 1:
        found = [own.stability(d, alpha=alpha) for d, own in zip(differences, growths, strict=True)]
        levels = holm_levels([float(one.pvalue) for one in found], alpha)
    return [
        least_stable(d, own, level=level, margin=margin, margin_level=shared)
        for d, own, level in zip(differences, growths, levels, strict=True)
    ]


def least_stable(
    differences: Array, growth: Growth, *, level: float, margin: float | None, margin_level: float
) -> PartitionStability:
    """The least stable of the tests that an answer about two learners depends on.

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


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRule:
    """Which verdicts are to be settled, and at which levels they are made."""

    names: tuple[str, ...]  #: The learners
    control: str | None  #: The one that the others are compared with, or None for all pairs
    adjust: Adjust  #: How the pairs are judged together
    margin: float | None  #: By how much a candidate may be worse, where the conclusions are to be settled too
    seed: int  #: Determines the draws behind max-T

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The learners that are compared, by their places."""
        first, second = compared_pairs(len(self.names), self._place)
        return list(zip(first.tolist(), second.tolist(), strict=True))

    def stabilities(self, scores: Sequence[Array], growth: Growth) -> list[PartitionStability]:
        """Of each pair the least stable of the tests that its verdict depends on, from the learners' scores."""
        differences = [scores[i] - scores[j] for i, j in self.pairs]
        share = growth.alpha / len(differences)
        return [
            least_stable(d, growth, level=level, margin=self.margin, margin_level=share)
            for d, level in zip(differences, self._levels(scores, differences, growth), strict=True)
        ]

    def _levels(self, scores: Sequence[Array], differences: Sequence[Array], growth: Growth) -> list[float]:
        if self.adjust == "holm":
            pvalues = [float(growth.stability(d, alpha=growth.alpha).pvalue) for d in differences]
            return holm_levels(pvalues, growth.alpha)
        joint = model_means(np.reshape(scores, (len(scores), -1)))
        law = joint_differences(joint.means, joint.covariance, control=self._place, seed=self.seed)
        return [law.level(growth.alpha)] * len(differences)

    @property
    def _place(self) -> int | None:
        return None if self.control is None else self.names.index(self.control)


def add_runs_for_pairs(
    score: Callable[[range], Sequence[Iterable[Array]]], growth: Growth, *, budget: Budget, rule: PairRule,
    by_metric: Sequence[Growth] = (),
) -> tuple[Stable, ...]:  # fmt: skip
    """Score more and more runs until the verdict on every pair, by every metric, is settled or the budget ends.

    Scores are of shape (learners, runs, folds) by each metric; all pairs of one metric share the level.
    """
    k = len(rule.names)

    def judged(scores: Sequence[Array]) -> list[PartitionStability]:
        every = _divided(scores, k)
        own = by_metric or [growth] * len(every)
        return [found for each, one in zip(every, own, strict=True) for found in rule.stabilities(each, one)]

    named = tuple((rule.names[i], rule.names[j]) for i, j in rule.pairs)
    return _settled(score, growth, budget, judged, learners=k, pairs=named)


def _divided(items: Sequence[T], size: int) -> list[tuple[T, ...]]:
    return [tuple(items[i : i + size]) for i in range(0, len(items), size)]
