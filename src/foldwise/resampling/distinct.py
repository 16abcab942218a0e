"""Runs of a plan that are partitions of their own: few groups or leave-one-out give the same one again and again."""

from __future__ import annotations

from numpy.typing import ArrayLike

from foldwise.resampling.plan import Plan, Splits

__all__ = ["DistinctRuns"]


class DistinctRuns:
    """The runs of a plan whose splits no earlier run has, found one after the other as they are asked for.

    Two runs are the same when they train and test on the same examples, whatever the numbers of their folds: five
    groups in five folds, or n examples in n folds, have one partition however often they are dealt. Where several runs
    are the rounds of one partition, all of them are taken or none.

    Examples
    --------
    >>> from foldwise.resampling import RepeatedKFold
    >>> runs = DistinctRuns(RepeatedKFold(runs=10, folds=3, stratified=False), 3, seed=0)
    >>> runs.take(10), runs.drawn
    ([0], 10)
    """

    __slots__ = ("_known", "_rounds", "_splits", "drawn")

    def __init__(self, plan: Plan, y_or_n: ArrayLike, *, seed: int, groups: ArrayLike | None = None) -> None:
        self._splits: Splits = plan.splits(y_or_n, seed=seed, groups=groups)
        self._rounds = plan.rounds
        self._known: dict[str, int] = {}
        self.drawn = 0

    @property
    def shape(self) -> tuple[int, int]:
        """(runs, folds) of the plan."""
        return self._splits.shape

    @property
    def exhausted(self) -> bool:
        """Whether the plan has no run left that was not looked at."""
        return self.drawn >= self._splits.shape[0]

    @property
    def signatures(self) -> frozenset[str]:
        """What tells the partitions found so far from all others."""
        return frozenset(self._known)

    def take(self, count: int) -> list[int]:
        """The runs of the next `count` partitions that differ from all before them; fewer where there are no more."""
        found: list[int] = []
        while len(found) < count * self._rounds and not self.exhausted:
            signature = self._splits.signature(self.drawn)
            if signature not in self._known:
                self._known[signature] = self.drawn
                found.extend(range(self.drawn, self.drawn + self._rounds))
            self.drawn += self._rounds
        return found
