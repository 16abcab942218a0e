"""Two models marked on the items of several tasks, of which each counts once."""

from __future__ import annotations

from foldwise.core.errors import InvalidInput
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.marks import Marks
from foldwise.inference._mean_of_tasks import mean_of_tasks
from foldwise.inference.student import StudentResult
from foldwise.kinds.guarantee import approximate
from foldwise.kinds.marks import NORMAL, MarkKind, power_of
from foldwise.kinds.outcomes import FIXED
from foldwise.kinds.procedure import Batch, Procedure

__all__ = ["KIND", "PROCEDURES"]


class TaskMarks(MarkKind):
    """Tasks are fixed and count once each; items or clusters may occur in several of them."""

    name = "task_marks"
    units = "items"
    words = "the marks of both models on the items of several tasks"
    assumes = (
        "the tasks are those that matter; items, or clusters of them, are independent draws, also where one of them "
        "occurs in several tasks",
        FIXED,
        NORMAL,
    )
    recommended = "mean_of_tasks"
    simulated = False
    because = (
        "each task counts once, however many items it has; items or clusters that occur in several tasks are counted "
        "as the same"
    )

    def natural(self, evidence: Evidence) -> bool:
        """Items of several tasks."""
        return isinstance(evidence, Marks) and evidence.tasks is not None

    def fits(self, evidence: Evidence) -> bool:
        """Only where tasks are known."""
        return self.natural(evidence)


KIND = TaskMarks()


def _run(batch: Batch) -> StudentResult:
    if batch.tasks is None:
        raise InvalidInput("tasks must name the task of each item for the mean of tasks, got None")
    return mean_of_tasks(batch.data, batch.tasks, batch.groups)


PROCEDURES = (
    Procedure(
        name="mean_of_tasks",
        title="t test of the mean of tasks",
        kind=KIND,
        run=_run,
        symbol="t",
        signed=True,
        reference="Bell & McCaffrey (2002), Survey Methodology 28",
        guarantee=approximate(cited=(0.055, "60 items in 5 tasks")),
        power=power_of,
    ),
)
