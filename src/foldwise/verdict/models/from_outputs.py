"""The evidence about several models that suits a metric of their outputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.metric import resolve_direction
from foldwise.evidence.evidence import SeveralEvidence
from foldwise.evidence.model_outputs import ModelOutputs
from foldwise.evidence.models import ModelValues, called, named_models
from foldwise.metrics.catalogue import find_metric
from foldwise.metrics.item_means import ItemMean, right
from foldwise.metrics.metric import Needs
from foldwise.verdict.from_outputs import (
    MetricQuestion,
    clusters_of,
    read_outputs,
    rightly_told,
    said_of_decisive,
    said_of_threshold,
)
from foldwise.verdict.in_time import models_in_order, refuse_time
from foldwise.verdict.measured_caveat import metric_caveats

__all__ = ["measured_models"]


def measured_models(
    y_true: ArrayLike,
    models: Mapping[str, Any],
    question: MetricQuestion,
    *,
    groups: ArrayLike | None,
    time: Any = None,
) -> tuple[SeveralEvidence, tuple[str, ...]]:
    """Right and wrong, and means of items, as values of items; whatever else as outputs with their metric.

    Parameters
    ----------
    y_true, models
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
    given = read_outputs(y_true, dict(zip(map(called, names), models.values(), strict=True)), question)
    clusters = None if groups is None else clusters_of(groups, len(given.truth))
    (wanted,) = question.metrics
    metric = find_metric(wanted, given.truth, higher_is_better=question.higher_is_better)
    suited, truth, outputs = given.suited(metric)
    unseen = given.unseen() if metric.needs is Needs.LABELS else ()
    told = (*said_of_threshold(metric, given), *said_of_decisive(metric, given), *metric_caveats(metric.name, clusters))
    if isinstance(suited, ItemMean):
        is_right = suited.item is right
        accuracy = is_right and suited.name == "accuracy"
        values = ModelValues(
            names=names,
            values=np.array([suited.items(truth, output) for output in outputs]),
            right_wrong=is_right,
            metric=suited.name,
            higher_is_better=suited.higher_is_better,
            groups=clusters,
            unseen=unseen,
            majority=float(np.bincount(truth.codes).max()) / len(truth) if accuracy else None,
        )
        found, order = models_in_order(values, time)
        return found, (*order, *told)
    refuse_time(time, metric.name)
    if (decisive := suited.decisive(truth)) is not None:
        right_by, within = rightly_told(decisive, truth, outputs, clusters)
        return ModelValues(
            names=names,
            values=np.array(right_by, dtype=np.float64),
            right_wrong=True,
            metric=suited.name,
            higher_is_better=True,
            groups=within,
            unseen=unseen,
        ), told
    assumed = metric.needs is Needs.ANY and resolve_direction(suited.name, question.higher_is_better)[1]
    return ModelOutputs.build(
        names, suited, truth, outputs, groups=clusters, direction_assumed=assumed, unseen=unseen
    ), told
