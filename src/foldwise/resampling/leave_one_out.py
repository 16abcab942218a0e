"""Leave-one-out: every example (or every group) is tested once, by a model trained on all the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Integers, Json
from foldwise.resampling.cases import Cases
from foldwise.resampling.plan import Plan, cut_fold, partition_signature

__all__ = ["LeaveOneOut"]


@dataclass(frozen=True, slots=True)
class LeaveOneOut(Plan):
    """Test each example with a model trained on all the others; nothing about it is random.

    Where groups are given, each group is left out as a whole.

    Examples
    --------
    >>> LeaveOneOut().split(3, 5, seed=0).train
    array([0, 1, 2, 4])
    """

    @property
    def identity(self) -> dict[str, Json]:
        """Nothing but the name."""
        return {"plan": "leave_one_out"}

    @property
    def is_partition(self) -> bool:
        """Every example is tested once."""
        return True

    def describe(self) -> str:
        """The name."""
        return "leave-one-out"

    def _shape(self, cases: Cases) -> tuple[int, int]:
        folds = int(self._assign(0, cases, 0).max()) + 1
        if folds < 2:
            raise InvalidInput("groups must be at least 2 for leave-one-out, got 1")
        return 1, folds

    def _assign(self, run: int, cases: Cases, seed: int) -> Integers:
        return np.arange(cases.n) if cases.groups is None else cases.groups

    def _cut(self, assignment: Integers, fold: int, cases: Cases) -> tuple[Integers, Integers]:
        return cut_fold(assignment, fold)

    def _signature(self, assignment: Integers, cases: Cases) -> str:
        return partition_signature(assignment)
