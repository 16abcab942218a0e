"""Several models marked on the same items: graded answers, losses, any numbers."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from foldwise.core.types import Array, Interval
from foldwise.evidence.differences import item_differences
from foldwise.evidence.evidence import SeveralEvidence
from foldwise.evidence.models import ModelValues
from foldwise.inference._diebold_mariano import at_least_mcnemar
from foldwise.inference._mean_of_tasks import model_task_means
from foldwise.inference.joint_differences import Indices, ModelMeans
from foldwise.inference.student import StudentResult, student_result
from foldwise.kinds.catalogue import CLUSTERED_MARKS, MARKS, TASK_MARKS, TIME_ORDER
from foldwise.kinds.kind import AnyKind
from foldwise.kinds.marks import FEW, NORMAL
from foldwise.kinds.procedure import Batch
from foldwise.kinds.several.basis import PairTests, in_parts
from foldwise.kinds.several.items import FIXED, ItemBasis
from foldwise.kinds.several.student import constant_known, student_intervals, student_tests
from foldwise.kinds.time_order import time_caveats

__all__ = ["CLUSTERED", "INDEPENDENT", "IN_TIME", "OF_TASKS"]


class SeveralMarks(ItemBasis):
    """Independent items."""

    name = "several_marks"
    words = "the marks of several models on the same items"
    pair: ClassVar[AnyKind] = MARKS
    recommended = MARKS.recommended
    assumes = (MARKS.assumes[0], FIXED, NORMAL)
    because = "two models that were marked on the same items differ by the mean of the differences on them"
    limit = MARKS.limit

    def natural(self, evidence: SeveralEvidence) -> bool:
        """Numbers on items that do not come in clusters."""
        return isinstance(evidence, ModelValues) and not evidence.right_wrong and evidence.groups is None

    def tests(self, evidence: ModelValues, first: Indices, second: Indices) -> PairTests:
        """A t test of each pair."""
        values = evidence.values

        def run(i: Indices, j: Indices) -> StudentResult:
            return self._student(evidence, item_differences(values[i], values[j]))

        return student_tests(in_parts(run, first, second, width=evidence.n))

    def mean_intervals(self, evidence: ModelValues, level: float) -> Interval:
        """By the same standard error as the differences'."""
        return student_intervals(self._student(evidence, evidence.values), level)

    def caveats(self, evidence: ModelValues, *, alpha: float, comparisons: int) -> list[str]:
        """Also that one item says nothing, and few not much."""
        caveats = super().caveats(evidence, alpha=alpha, comparisons=comparisons)
        units = evidence.n if evidence.groups is None else int(evidence.groups.max()) + 1
        if evidence.n == 1:
            caveats.append("one item shows no spread, so that nothing can be said of other items")
        elif units < FEW:
            called = "items" if evidence.groups is None else "clusters"
            caveats.append(
                f"few {called}: p and intervals hold only as far as differences are about normally distributed"
            )
        return caveats

    def _student(self, evidence: ModelValues, x: Array) -> StudentResult:
        if evidence.n == 1:  # one item has a mark, and no spread
            return student_result(x[:, 0], np.zeros(len(x)), 0.0, warn=False)
        with constant_known():
            found: StudentResult = self.procedure.run(Batch(data=x, groups=evidence.groups, tasks=evidence.tasks))
        return found


class SeveralClusteredMarks(SeveralMarks):
    """Items of one cluster resemble each other; clusters are independent."""

    name = "several_clustered_marks"
    words = "the marks of several models on the same items, and the cluster of each item"
    pair = CLUSTERED_MARKS
    recommended = CLUSTERED_MARKS.recommended
    assumes = (CLUSTERED_MARKS.assumes[0], FIXED, CLUSTERED_MARKS.assumes[2])
    because = CLUSTERED_MARKS.because.removesuffix(".")

    def natural(self, evidence: SeveralEvidence) -> bool:
        """Numbers on items in clusters."""
        return isinstance(evidence, ModelValues) and not evidence.right_wrong and evidence.groups is not None


class SeveralTaskMarks(SeveralMarks):
    """Items of several tasks, of which each counts once."""

    name = "several_task_marks"
    words = "the marks of several models on the items of several tasks"
    pair = TASK_MARKS
    recommended = TASK_MARKS.recommended
    assumes = (TASK_MARKS.assumes[0], FIXED, NORMAL)
    because = TASK_MARKS.because

    def natural(self, evidence: SeveralEvidence) -> bool:
        """Items of several tasks."""
        return isinstance(evidence, ModelValues) and evidence.tasks is not None

    def together(self, evidence: ModelValues) -> ModelMeans:
        """Means of tasks, over items or clusters that may occur in several of them."""
        assert evidence.tasks is not None
        return model_task_means(evidence.values, evidence.tasks, evidence.groups)


class SeveralInTime(SeveralMarks):
    """Values in order of time, right and wrong among them: neighbours may be correlated."""

    name = "several_in_time"
    words = "the marks of several models in order of time"
    pair = TIME_ORDER
    recommended = TIME_ORDER.recommended
    assumes = (TIME_ORDER.assumes[0], FIXED, TIME_ORDER.assumes[2])
    because = TIME_ORDER.because.removesuffix(".")
    limit = TIME_ORDER.limit
    # the joint law of leads would need the long-run covariance of all pairs, of which few cosines tell little
    best_by_pairs = True
    best_because = "those that no other is shown to beat, by all pairs adjusted"
    best_references = ()

    def natural(self, evidence: SeveralEvidence) -> bool:
        """Values with a time."""
        return isinstance(evidence, ModelValues) and evidence.times is not None

    def mean_intervals(self, evidence: ModelValues, level: float) -> Interval:
        """By the same long-run variance; shares lie between 0 and 1, or 100."""
        found = student_intervals(super()._student(evidence, evidence.values), level)
        low, high = {"fraction": (0.0, 1.0), "percent": (0.0, 100.0)}.get(evidence.unit, (-np.inf, np.inf))
        return Interval(low=np.clip(found.low, low, high), high=np.clip(found.high, low, high))

    def caveats(self, evidence: ModelValues, *, alpha: float, comparisons: int) -> list[str]:
        """Also what correlation over time makes one notice."""
        found = super().caveats(evidence, alpha=alpha, comparisons=comparisons)
        return [*time_caveats(evidence.values, evidence.averaged), *found]

    def _student(self, evidence: ModelValues, x: Array) -> StudentResult:
        found = super()._student(evidence, x)
        return at_least_mcnemar(found, x) if evidence.right_wrong else found


INDEPENDENT, CLUSTERED, OF_TASKS, IN_TIME = (
    SeveralMarks(),
    SeveralClusteredMarks(),
    SeveralTaskMarks(),
    SeveralInTime(),
)
