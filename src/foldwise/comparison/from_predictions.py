"""Two models compared from their predictions on one test set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from numpy.typing import ArrayLike

from foldwise.comparison.comparison import AdjustMetrics, Comparison
from foldwise.comparison.frames import in_kind
from foldwise.comparison.from_outputs import MetricQuestion, compare_outputs, compared
from foldwise.comparison.in_time import ordered
from foldwise.comparison.pairs import judge_evidence
from foldwise.comparison.told import with_missing
from foldwise.core.amounts import Amount
from foldwise.core.categories import Categories
from foldwise.core.errors import InvalidInput
from foldwise.core.validation import two_names
from foldwise.designs import METRICS, find_procedure
from foldwise.evidence.evidence import as_argument
from foldwise.evidence.items import Items
from foldwise.evidence.missing import MissingRule, Policy, settle_outputs
from foldwise.metrics.catalogue import AnyMetric

__all__ = ["compare_predictions"]

Given: TypeAlias = ArrayLike | Categories
"""Labels, numbers, or numbers by class."""

Metrics: TypeAlias = list[AnyMetric] | list[str] | tuple[AnyMetric, ...]
"""Several metrics."""


def compare_predictions(
    truth: Given,
    pred_a: Given,
    pred_b: Given,
    *,
    metric: AnyMetric | Metrics = "accuracy",
    positive: object = None,
    threshold: float | None = None,
    classes: Sequence[Any] | None = None,
    higher_is_better: bool | None = None,
    adjust: AdjustMetrics = "holm",
    test: str = "auto",
    groups: ArrayLike | Categories | None = None,
    time: ArrayLike | Categories | None = None,
    missing: Policy = "refuse",
    alpha: float = 0.05,
    rope: Amount | None = None,
    margin: Amount | None = None,
    names: tuple[str, str] = ("a", "b"),
) -> Comparison:
    """Compare two models from their predictions on the same test examples.

    Parameters
    ----------
    truth, pred_a, pred_b
        The truth, and what a and b predict: labels; for metrics of scores or probabilities arrays of shape (n,), of the
        positive class, or (n, classes); for metrics of regression, numbers. A label that never occurs in the truth is
        an error of the model. Right/wrong marks go to `compare_marks`.
    metric
        A metric or a list of them: names as scikit-learn spells them ("f1", "roc_auc", "balanced_accuracy",
        "average_precision", "log_loss", "brier", "rmse", "r2" …, a negated loss being the loss itself), any of
        scikit-learn's scorers, or a function ``metric(truth, predicted)``.
    positive
        The class that metrics of one class are about, and whose scores arrays of shape (n,) hold; without it the one of
        two that is called 1, true, yes or positive.
    threshold
        The score from which on an example is taken for positive, where a metric of labels is asked of scores; 0.5 for
        probabilities.
    classes
        Which class each column of scores is about; without it the classes of the truth in order.
    higher_is_better
        Direction of a metric that is a function; without it its name tells.
    adjust
        Of several metrics, whether p-values are adjusted for their number: "holm" or "none".
    test
        A name of the catalogue, or "auto": for accuracy McNemar's mid-p test, or with `groups` the cluster-robust one;
        for other means over examples the paired t test or the cluster-robust one; for areas under ROC curves DeLong's;
        for all others the studentised swap permutation test.
    groups
        The cluster of each example, where examples come in clusters (several questions about one document …).
    time
        When each example was: numbers, dates, timestamps. Differences of neighbouring times may then be correlated,
        and are compared by the test of Diebold and Mariano in that order; examples of one time are one period, and
        averaged. Without it examples are independent, and correlation in the order given is checked for.
    missing
        What to do about predictions that are missing (NaN, None): ``"refuse"`` them, ``"drop"`` the example for both
        models, or take the ``"worst"``, a wrong label, where all metrics are of labels.
    alpha
        Significance level.
    rope
        Half-width of the region of practical equivalence, in the metric's own unit; 0.01 by default.
    margin
        By how much of a difference a may be worse than b: asks whether a, the candidate, is superior, non-inferior,
        equivalent or inferior to b, the baseline, or whether that is undecided (`MetricComparison.conclusion`).
    names
        What to call the models.

    Returns
    -------
    Comparison
        `estimate` is metric(a) − metric(b). Of a list of metrics all comparisons together, one row each.

    Examples
    --------
    >>> c = compare_predictions(["x", "y"] * 20, ["x", "y"] * 19 + ["y", "x"], ["x"] * 40)
    >>> c.test, c.better, round(c.estimate, 3)
    ('mcnemar', 'a', 0.45)
    >>> c = compare_predictions(["no", "yes"] * 20, [0.1, 0.8] * 20, [0.2, 0.7, 0.7, 0.3] * 10, metric="roc_auc")
    >>> c.test, c.better, round(c.estimate, 3)
    ('delong', 'a', 0.375)
    """
    several = isinstance(metric, (list, tuple))
    question = MetricQuestion(
        metrics=_some(metric) if isinstance(metric, (list, tuple)) else [metric],
        positive=positive,
        threshold=threshold,
        classes=classes,
        higher_is_better=higher_is_better,
        adjust=adjust,
    )
    judged: dict[str, Any] = {"test": test, "alpha": alpha, "rope": rope, "margin": margin, "names": names}
    outputs = dict(zip(map(as_argument, two_names(names)), (pred_a, pred_b), strict=True))
    rule = MissingRule(policy=missing)
    given = settle_outputs(truth, outputs, rule, no_labels=question.no_labels, groups=groups, time=time)
    if question.plain and not several and not _resampled(test):
        outcomes = Items.from_predictions(given.truth, given.outputs, groups=given.beside["groups"], called=str)
        evidence, told = ordered(outcomes, given.beside["time"], test)
        c = with_missing(judge_evidence(evidence, **judged), given.missing, names)
        return Comparison.of(in_kind(c.replace(caveats=(*told, *c.caveats)) if told else c, truth, pred_a, pred_b))
    found = compare_outputs(given.truth, given.outputs, question, **given.beside, **judged)
    each = [with_missing(in_kind(c, truth, pred_a, pred_b), given.missing, names) for c in found]
    return compared(each, question)


def _some(metrics: Metrics) -> list[AnyMetric]:
    if not metrics:
        raise InvalidInput("metric must name at least one metric, got an empty list")
    return list(metrics)


def _resampled(test: str) -> bool:
    return test != "auto" and find_procedure(test).kind == METRICS
