"""The evidence about several models that suits a metric of their outputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from foldwise.comparison.from_outputs import (
    MetricQuestion,
    clusters_of,
    measured_evidence,
    read_outputs,
    said_of_decisive,
    said_of_threshold,
)
from foldwise.comparison.in_time import ordered, refuse_time
from foldwise.comparison.measured_caveat import metric_caveats
from foldwise.evidence.evidence import Evidence, as_argument, named_models
from foldwise.evidence.outputs import Outputs
from foldwise.metrics.catalogue import find_metric

__all__ = ["measured_models"]


def measured_models(
    truth: ArrayLike,
    models: Mapping[str, Any],
    question: MetricQuestion,
    *,
    groups: ArrayLike | None,
    time: Any = None,
) -> tuple[Evidence, tuple[str, ...]]:
    """Right and wrong, and means of items, as values of items; whatever else as outputs with their metric.

    Parameters
    ----------
    truth, models
        The truth, and what each model said.
    question
        One metric and what it needs to know.
    groups, time
        The cluster of each item, and when it was.

    Returns
    -------
    tuple
        The evidence, and what a reader should know of how it was read.
    """
    names = named_models(models)
    given = read_outputs(truth, dict(zip(map(as_argument, names), models.values(), strict=True)), question)
    clusters = None if groups is None else clusters_of(groups, len(given.truth))
    (wanted,) = question.metrics
    metric = find_metric(wanted, given.truth, higher_is_better=question.higher_is_better)
    evidence = measured_evidence(names, metric, given, clusters, question)
    decisive = said_of_decisive(metric, given)
    if isinstance(evidence, Outputs) or decisive:
        refuse_time(time, metric.name)
    found, order = ordered(evidence, time)
    return found, (*order, *said_of_threshold(metric, given), *decisive, *metric_caveats(metric.name, clusters))
