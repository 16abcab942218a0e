"""A metric of several models' outputs, in the form that suits its class."""

from __future__ import annotations

from collections.abc import Sequence

from foldwise.core.types import Integers
from foldwise.metrics.function import FunctionMetric, function_statistic
from foldwise.metrics.metric import Metric, Output, Truth
from foldwise.metrics.statistic import Statistic
from foldwise.metrics.sum_statistic import sum_statistic
from foldwise.metrics.sums import SumMetric
from foldwise.metrics.weighable import WeightMetric
from foldwise.metrics.weight_statistic import weight_statistic

__all__ = ["measure"]


def measure(metric: Metric, truth: Truth, outputs: Sequence[Output], groups: Integers | None = None) -> Statistic:
    """The metric of each model, ready to be resampled over items or clusters, and exchanged between the first two.

    Parameters
    ----------
    metric, truth
        What is computed, and what is true of each item.
    outputs
        What each model said of each item, in the form that the metric needs.
    groups
        Number of the cluster of each item, from 0 on; None where items are independent.

    Examples
    --------
    >>> import numpy as np
    >>> from foldwise.metrics.catalogue import known_metric
    >>> truth = Truth(values=np.array([0, 1, 1, 0]), classes=("no", "yes"), positive=1)
    >>> measure(known_metric("recall"), truth, [np.array([0, 1, 0, 0]), np.array([1, 1, 1, 1])]).values.tolist()
    [0.5, 1.0]
    """
    if isinstance(metric, SumMetric):
        return sum_statistic(metric, truth, outputs, groups)
    if isinstance(metric, WeightMetric):
        return weight_statistic(metric, truth, outputs, groups)
    if isinstance(metric, FunctionMetric):
        return function_statistic(metric, truth, outputs, groups)
    raise TypeError(f"metrics of class {type(metric).__name__} have no statistic")
