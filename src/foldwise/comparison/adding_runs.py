"""Partitions that differ, and evidence that grows lot by lot with runs='auto': which tests take it, and when to end."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from foldwise.comparison.pairs import Adjust
from foldwise.core.errors import InvalidInput, LimitExceeded
from foldwise.core.types import Array, Labels
from foldwise.core.validation import integer, positive
from foldwise.designs import Procedure, find_procedure, procedure_names
from foldwise.designs.resampled import FIRST_RUNS, Growth, Resampled, resampled
from foldwise.inference.joint_differences import compared_pairs, joint_differences, model_means
from foldwise.inference.stability import PartitionStability
from foldwise.resampling.foreign import DistinctRuns
from foldwise.resampling.plan import Plan

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


MOST_NAMED = 5  # Pairs that a sentence names.


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

    def deadline(self) -> float:
        """When the time that begins now is over, by `time.monotonic`."""
        return math.inf if self.max_seconds is None else time.monotonic() + self.max_seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsRule:
    """Which verdicts are to be settled, and at which levels they are made."""

    names: tuple[str, ...] = ("a", "b")  #: The learners
    control: str | None = None  #: The one that the others are compared with, or None for all pairs
    adjust: Adjust = "holm"  #: How the pairs are judged together
    margin: float | None = None  #: By how much a candidate may be worse, where the conclusions are to be settled too
    seed: int = 0  #: Determines the draws behind max-T
    across_metrics: bool = False  #: Whether, of two learners, the metrics share the level by Holm's method

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The learners that are compared, by their places."""
        first, second = compared_pairs(len(self.names), self._place)
        return list(zip(first.tolist(), second.tolist(), strict=True))

    @property
    def _place(self) -> int | None:
        return None if self.control is None else self.names.index(self.control)

    def stabilities(self, scores: Sequence[Sequence[Array]], growths: Sequence[Growth]) -> list[PartitionStability]:
        """By each metric, of each pair, the least stable of the tests that its verdict depends on."""
        tests = [[(of[i] - of[j], growth) for i, j in self.pairs] for of, growth in zip(scores, growths, strict=True)]
        if self.across_metrics:
            return self._least([alone for (alone,) in tests], None)
        return [one for of, each in zip(scores, tests, strict=True) for one in self._least(each, of)]

    def _least(self, tests: list[tuple[Array, Growth]], scores: Sequence[Array] | None) -> list[PartitionStability]:
        """Those of differences that share the level: whether they are none, or the margin on either side of it."""
        alpha, count = tests[0][1].alpha, len(tests)
        if count > 1 and self.adjust == "max_t" and scores is not None:
            joint = model_means(np.reshape(scores, (len(scores), -1)))
            law = joint_differences(joint.means, joint.covariance, control=self._place, seed=self.seed)
            levels = [law.level(alpha)] * count
        else:
            found = [own.stability(d, alpha=alpha) for d, own in tests] if count > 1 else []
            levels = holm_levels([float(one.pvalue) for one in found], alpha) or [alpha]
        share = 2 * alpha / count
        sides = () if self.margin is None else ((self.margin, share), (-self.margin, share))
        return [
            min((own.stability(d - shift, alpha=at) for shift, at in ((0.0, level), *sides)), key=nearness)
            for (d, own), level in zip(tests, levels, strict=True)
        ]


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
    def open(self) -> list[tuple[tuple[str, str], PartitionStability]]:
        """The pairs whose verdicts are not settled, the least settled first."""
        asked = zip(self.pairs, self.stabilities or (), strict=True)
        return sorted((each for each in asked if not each[1].settled), key=lambda each: nearness(each[1]))

    @property
    def caveat(self) -> str:
        """What the number of runs says, for people to read: it is said of each pair by itself."""
        runs, count = self.scores.shape[1], len(self.pairs)
        made = f"{runs} {self.partition}s"
        if self.stabilities is None or (self.complete and self.open):
            found = "only one partition was" if runs == 1 else f"only {runs} different partitions were"
            return f"{found} found for these examples: more {self.partition}s would repeat what is there"
        if not self.open and count == 1:
            return f"{made} settled the verdict: another partitioning would practically always give the same"
        if not self.open:
            return (
                f"{made} settled the verdicts on all {count} pairs: on each of them another partitioning "
                "would practically always give the same, on all at once a little less surely"
            )
        least = self.open[0][1]
        if count == 1:
            return (
                f"the verdict depends on the partitioning: after {made} the statistic is only "
                f"{float(least.distance):.1f} standard errors from its threshold ({least.needed:.1f} would settle it)"
            )
        named = ", ".join(f"{a} and {b} {float(found.distance):.1f}" for (a, b), found in self.open[:MOST_NAMED])
        rest, settled = len(self.open) - MOST_NAMED, count - len(self.open)
        others = f" and {rest} more" if rest > 0 else ""
        end = f"; the other {settled} {'is' if settled == 1 else 'are'} settled" if settled else ""
        return (
            f"after {made} {len(self.open)} of {count} verdicts {'depends' if len(self.open) == 1 else 'depend'} on "
            "the partitioning, by the standard errors between statistic and threshold "
            f"({least.needed:.1f} would settle each): {named}{others}{end}"
        )


def add_runs(
    score: Callable[[range], Sequence[Iterable[Array]]], growth: Growth, *, budget: Budget,
    rule: RunsRule | None = None, by_metric: Sequence[Growth] = (),
) -> tuple[Stable, ...]:  # fmt: skip
    """Score more and more partitions until the verdict on every pair, by every metric, is settled or the budget ends.

    Scores are by each metric an array of each learner, whose first axis are the partitions of a range; fewer where no
    more differ, LimitExceeded where there is no time for them. `by_metric` is how the evidence by each metric grows,
    where that differs, and may be filled when first scored.
    """
    rule, end, most = rule or RunsRule(), budget.deadline(), growth.most(budget.max_runs)
    scores = [list(each) for each in score(range(growth.first))]
    found: list[PartitionStability] | None = None
    complete = (runs := len(scores[0][0])) < growth.first
    while runs >= growth.first:
        found = rule.stabilities(scores, by_metric or [growth] * len(scores))
        if all(one.settled for one in found) or complete or runs >= most or time.monotonic() > end:
            break
        # the Monte-Carlo error shrinks with √runs, which says how many would do; never more than twice as many at once
        least = min(found, key=nearness)
        distance = float(least.distance)
        enough = math.ceil(runs * (least.needed / distance) ** 2) if distance > 0 else most
        wanted = range(runs, min(max(enough, runs + growth.first // 2), 2 * runs, most))
        try:
            more = score(wanted)
        except LimitExceeded:
            break
        scores = [[*map(np.concatenate, zip(of, new, strict=True))] for of, new in zip(scores, more, strict=True)]
        complete, runs = len(scores[0][0]) - runs < len(wanted), len(scores[0][0])
    named = tuple((rule.names[i], rule.names[j]) for i, j in rule.pairs)
    return tuple(
        Stable(
            scores=np.stack(of), pairs=named, complete=complete, partition=growth.partition,
            stabilities=None if found is None else tuple(found[place * len(named) : (place + 1) * len(named)]),
        )
        for place, of in enumerate(scores)
    )  # fmt: skip


def nearness(stability: PartitionStability) -> float:
    """How far from depending on the partitioning, as a share of what settles a verdict."""
    return float(stability.distance) / stability.needed


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
