"""Every metric by its name, scikit-learn's scorers among them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.metric import repeated_runs, resolve_direction
from foldwise.metrics import confusion, item_means, ranking, regression, survival
from foldwise.metrics.counts import asks_for_counts
from foldwise.metrics.function import FunctionMetric
from foldwise.metrics.metric import NUMERIC, Metric, Needs, Truth


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
    options = dict(scorer._kwargs)
    takes = inspect.signature(scorer._score_func).parameters
    if truth.positive is not None and "pos_label" in takes and options.get("average", "binary") == "binary":
        options["pos_label"] = truth.classes[truth.positive]
    function = _Scored(scorer._score_func, tuple(sorted(options.items())))
    return FunctionMetric(
        name=name.removeprefix("neg_") if scorer._sign < 0 else name, needs=needs, higher_is_better=scorer._sign > 0,
        bounds=(None, None), one_class=needs is Needs.SCORES, function=function, labels=needs is Needs.LABELS,
    )  # fmt: skip


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


# ---- Every metric by its name.


AnyMetric = str | Callable[..., Any] | Metric  # A name, a function of truth and outputs, or a metric itself.

_MODULES = (item_means, confusion, ranking, regression, survival)
"""One file per family, with its `METRICS` and the other names they go by."""

_BY_NAME: dict[str, Metric] = {
    name: metric for module in _MODULES for metric, others in module.METRICS.items() for name in (metric.name, *others)
}

_MORE = {metric.name: metric for metric in (item_means.SMAPE, confusion.YOUDEN)}  # Whose tests were not measured.

ANY_AUC = ("auc",)  # Of two classes, the area; of more, the mean of each class against the rest.


def metric_names() -> tuple[str, ...]:
    """The metrics of foldwise's own, by the first of their names.

    >>> metric_names()[:3]
    ('accuracy', 'error', 'f1_micro')
    """
    return tuple(dict.fromkeys(metric.name for metric in _BY_NAME.values()))


def known_metric(name: str) -> Metric | None:
    """The metric of foldwise's own that goes by this name, whatever the data; None where there is none.

    >>> known_metric("neg_log_loss").name, known_metric("no such") is None
    ('log_loss', True)
    """
    found = _BY_NAME.get("roc_auc" if name in ANY_AUC else name)
    return found or _MORE.get(name) or item_means.pinball(name) or ranking.partial_auc(name) or survival.uno_until(name)


def find_metric(metric: AnyMetric, truth: Truth, *, higher_is_better: bool | None = None) -> Metric:
    """The metric behind a name, a function or a metric, for data like these.

    A name is one of the catalogue, else of scikit-learn's scorers; a function is ``metric(truth, outputs)``, whose
    direction its name tells unless given.
    """
    if isinstance(metric, Metric):
        return metric
    if callable(metric):
        called = getattr(metric, "__name__", None) or type(metric).__name__
        higher, _ = resolve_direction(called, higher_is_better)
        return FunctionMetric(
            name=called, needs=Needs.ANY, higher_is_better=higher, bounds=(None, None), function=metric, labels=False
        )
    name = str(metric)
    found = known_metric(name)
    if name in ANY_AUC and len(truth.classes) > 2:
        found = _BY_NAME["roc_auc_ovr"]
    if found is None:
        if asks_for_counts(name):
            raise InvalidInput(f"metric {name!r} takes counts of each item or texts, and must be asked for alone")
        if repeated_runs(name) is not None:
            raise InvalidInput(f"{name} needs several runs of each item: name the item of each row with items (--item)")
        if name.partition("@")[0] in ranking.PARTIAL:
            raise InvalidInput(f"{name} must say up to which false positive rate, between 0 and 1: partial_auc@0.1")
        scorers = scorer_names()
        scorer = next((one for one in (name, f"neg_{name}") if one in scorers), None)  # a loss goes by its own name too
        if scorer is None:
            raise UnknownName("metric", name, dict.fromkeys([*_BY_NAME, *_MORE, *ANY_AUC, *scorers]))
        found = scorer_metric(scorer, truth)
    numeric = found.needs in NUMERIC
    if numeric and truth.classes:
        raise InvalidInput(f"metric {found.name!r} is for numbers, but truth holds classes")
    if not numeric and not truth.classes:
        raise InvalidInput(f"metric {found.name!r} is for classes, but truth holds numbers")
    return found
