"""Evidence put into an order of time, wherever predictions or marks are compared: one place for all doors."""

from __future__ import annotations

from typing import Any

from foldwise.core.errors import InvalidInput
from foldwise.designs import TIME_ORDER, find_procedure
from foldwise.evidence.items import Items
from foldwise.evidence.outputs import Outputs
from foldwise.evidence.sequence import in_time

__all__ = ["ordered", "refuse_time", "times_to_use"]

CLUSTERS_INSTEAD = (
    "the order of time is not used: items of one cluster (series) may be correlated in any way, over time too; that "
    "clusters are independent is assumed, also where they share times"
)
"""What is said where there are clusters and times."""


def times_to_use(time: Any, *, clustered: bool, test: str = "auto") -> tuple[Any, tuple[str, ...]]:
    """The times by which items are put in order, and what to say where they are not used.

    Clusters take their place, and so does a test by name that takes items as independent.
    """
    if time is None or (not clustered and (test == "auto" or find_procedure(test).kind == TIME_ORDER)):
        return time, ()
    if clustered:
        return None, (CLUSTERS_INSTEAD,)
    return None, (f"{find_procedure(test).title} takes the items as independent although they are in order of time",)


def ordered(evidence: Items | Outputs, time: Any, test: str = "auto") -> tuple[Items | Outputs, tuple[str, ...]]:
    """Evidence in the order of `time`, and what to say of it."""
    if time is None or isinstance(evidence, Outputs):
        return evidence, ()
    used, told = times_to_use(time, clustered=evidence.groups is not None, test=test)
    if used is None:
        in_time(evidence.values, time)  # what is wrong with the times is said all the same
        return evidence, told
    return evidence.in_time(used), told


def refuse_time(time: Any, metric: str) -> None:
    """Metrics of the whole set have no value per item that could be put into an order."""
    if time is not None:
        raise InvalidInput(
            f"time is for metrics with a value per item (accuracy, log_loss, brier, mae, mse …), and {metric} has "
            "none: leave time out, or give stretches of time as groups (--groups)"
        )
