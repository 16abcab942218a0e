"""Metrics by scikit-learn's name for a scorer, where foldwise has none of its own."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from foldwise.metrics.function import FunctionMetric
from foldwise.metrics.metric import Needs, Truth


def scorer_names() -> list[str]:
    """The names that scikit-learn knows."""
    from sklearn.metrics import get_scorer_names

    return list(get_scorer_names())


def scorer_metric(name: str, truth: Truth) -> FunctionMetric:
    """The metric behind a scorer: its function of truth and outputs; of a negated loss, the loss itself.

    >>> import numpy as np
    >>> truth = Truth(values=np.array([1.0, 2.0, 4.0]))
    >>> metric = scorer_metric("neg_median_absolute_error", truth)
    >>> metric.name, metric.higher_is_better, metric.value(truth, np.array([1.0, 2.0, 2.0]))
    ('median_absolute_error', False, 0.0)
    """
    from sklearn.metrics import get_scorer

    scorer: Any = get_scorer(name)
    response = getattr(scorer, "_response_method", "predict")
    needs = _needs(response, truth)
    function = _Scored(scorer._score_func, tuple(sorted(_options(scorer, truth).items())))
    return FunctionMetric(
        name=name.removeprefix("neg_") if scorer._sign < 0 else name,
        needs=needs,
        higher_is_better=scorer._sign > 0,
        bounds=(None, None),
        one_class=needs is Needs.SCORES,
        function=function,
        labels=needs is Needs.LABELS,
    )


@dataclass(frozen=True, slots=True)
class _Scored:
    """A function with its options, which other processes can be given."""

    function: Callable[..., float]
    options: tuple[tuple[str, Any], ...]

    def __call__(self, y_true: NDArray[Any], output: NDArray[Any]) -> float:
        return self.function(y_true, output, **dict(self.options))


def _needs(response: object, truth: Truth) -> Needs:
    if not truth.classes:
        return Needs.NUMBERS
    if response in ("predict", "default"):
        return Needs.LABELS
    # of two classes, scorers take the score of the positive one
    if len(truth.classes) == 2:
        return Needs.SCORES
    return Needs.PROBABILITIES if response == "predict_proba" else Needs.CLASS_SCORES


def _options(scorer: Any, truth: Truth) -> dict[str, Any]:
    options = dict(scorer._kwargs)
    takes = inspect.signature(scorer._score_func).parameters
    if truth.positive is not None and "pos_label" in takes and options.get("average", "binary") == "binary":
        options["pos_label"] = truth.classes[truth.positive]
    return options
