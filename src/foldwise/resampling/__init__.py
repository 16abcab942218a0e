"""Plans: which examples train, which test.

A plan is data. Together with the examples and a seed it determines every split, on any machine, in any order and
for any number of workers; run j is the same however many runs there are.

Examples
--------
>>> from foldwise.resampling import RepeatedKFold
>>> plan = RepeatedKFold(runs=2, folds=5)
>>> splits = plan.splits(["yes", "no"] * 10, seed=0)
>>> len(splits), splits[7].run, splits[7].fold, splits[7].n_test
(10, 1, 2, 4)
"""

from __future__ import annotations

from foldwise.core.lazy import public_names

__getattr__, __dir__, __all__ = public_names(
    __name__,
    {
        "foreign": ("DistinctRuns", "Foreign", "as_plan"),
        "random_splits": ("Bootstrap", "CrossedParts", "DisjointParts", "HalvedSplits", "Holdout", "RandomSplits"),
        "kfold": ("BalancedFiveByTwo", "FiveByTwo", "KFold", "LeaveOneOut", "RepeatedKFold"),
        "plan": ("Plan", "Split", "Splits"),
        "round_robin": ("NestedKFold", "RoundRobin"),
    },
)
