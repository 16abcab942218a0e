"""Plans: which examples train, which test.

A plan is data. Together with the examples and a seed it determines every split, on any machine, in any order and
for any number of workers; run j is the same however many runs there are.

Examples
--------
>>> plan = RepeatedKFold(runs=2, folds=5)
>>> splits = plan.splits(["yes", "no"] * 10, seed=0)
>>> len(splits), splits[7].run, splits[7].fold, splits[7].n_test
(10, 1, 2, 4)
"""

from __future__ import annotations

from foldwise.resampling.bootstrap import Bootstrap
from foldwise.resampling.disjoint import CrossedParts, DisjointParts
from foldwise.resampling.foreign import DistinctRuns, Foreign, as_plan
from foldwise.resampling.holdout import HalvedSplits, Holdout, RandomSplits
from foldwise.resampling.kfold import BalancedFiveByTwo, FiveByTwo, KFold, LeaveOneOut, RepeatedKFold
from foldwise.resampling.plan import Plan, Split, Splits
from foldwise.resampling.round_robin import NestedKFold, RoundRobin

__all__ = [
    "BalancedFiveByTwo",
    "Bootstrap",
    "CrossedParts",
    "DisjointParts",
    "DistinctRuns",
    "FiveByTwo",
    "Foreign",
    "HalvedSplits",
    "Holdout",
    "KFold",
    "LeaveOneOut",
    "NestedKFold",
    "Plan",
    "RandomSplits",
    "RepeatedKFold",
    "RoundRobin",
    "Split",
    "Splits",
    "as_plan",
]
