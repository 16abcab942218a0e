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

from foldwise.resampling.balanced import BalancedFiveByTwo
from foldwise.resampling.bootstrap import Bootstrap
from foldwise.resampling.crossed_parts import CrossedParts
from foldwise.resampling.disjoint import DisjointParts
from foldwise.resampling.distinct import DistinctRuns
from foldwise.resampling.foreign import Foreign, as_plan
from foldwise.resampling.halved import HalvedSplits
from foldwise.resampling.holdout import Holdout, RandomSplits
from foldwise.resampling.kfold import FiveByTwo, KFold, RepeatedKFold
from foldwise.resampling.leave_one_out import LeaveOneOut
from foldwise.resampling.nested_kfold import NestedKFold
from foldwise.resampling.plan import Plan, Split, Splits
from foldwise.resampling.round_robin import RoundRobin

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
