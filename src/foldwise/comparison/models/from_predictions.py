"""Several models compared from what they said of the same items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import ArrayLike

from foldwise.comparison.by_metric import MetricComparison
from foldwise.comparison.comparison import Comparison
from foldwise.comparison.frames import in_kind
from foldwise.comparison.from_outputs import MetricQuestion
from foldwise.comparison.from_predictions import Metrics
from foldwise.comparison.in_time import ordered, times_to_use
from foldwise.comparison.models.from_outputs import measured_models
from foldwise.comparison.pairs import ACROSS, Across, Adjust, judge_evidence
from foldwise.comparison.told import with_decisions, with_missing
from foldwise.core.amounts import Amount
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import UNNAMED_MARK
from foldwise.core.validation import fraction, one_of
from foldwise.designs.human_labels import JudgedItems, labelled_rows
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.items import Items
from foldwise.evidence.missing import MissingRule, Policy, settle_outputs
from foldwise.metrics.catalogue import AnyMetric
from foldwise.reading.lineup import Candidate, line_up

__all__ = ["compare_models"]


def compare_models(
    truth: ArrayLike | None,
    models: Mapping[str, Any],
    *,
    metric: AnyMetric | Metrics = "accuracy",
    positive: object = None,
    threshold: float | None = None,
    classes: Sequence[Any] | None = None,
    groups: ArrayLike | None = None,
    time: ArrayLike | None = None,
    candidate: Candidate | None = None,
    baseline: str | None = None,
    control: str | None = None,
    adjust: Adjust = "holm",
    across: Across = "bonferroni",
    items: ArrayLike | None = None,
    higher_is_better: bool | None = None,
    missing: Policy = "refuse",
    bounds: tuple[float, float] | None = None,
    human: Mapping[str, Any] | None = None,
    alpha: float = 0.05,
    rope: Amount | None = None,
    margin: Amount | None = None,
    seed: int = 0,
) -> Comparison:
    """Compare several models from their predictions, or their marks, on the same items.

    Parameters
    ----------
    truth
        True labels, or numbers for metrics of numbers; None where `models` holds marks.
    models
        By name, what each model said: labels, or scores, probabilities and numbers where the metric takes them, as in
        `compare_predictions`; without `truth` its marks, as in `compare_marks`: any numbers, or words for right and
        wrong, of shape (items,) or (items, trials), or a mapping from items to marks.
    metric
        As in `compare_predictions`: "accuracy", any other metric by name, or a function of truth and outputs; for marks
        what they measure. Marks of 1 and 0 are right and wrong answers. A list of metrics compares by each of them.
    positive, threshold, classes
        Of metrics other than accuracy, as in `compare_predictions`.
    groups
        The cluster of each item, where items come in clusters (several questions about one document …).
    time
        When each item was: numbers, dates, timestamps. Differences of neighbouring times may then be correlated,
        and are compared by the test of Diebold and Mariano in that order; items of one time are one period, and
        averaged. Without it items are independent, and correlation in the order given is checked for.
    candidate, baseline
        The model in question, or several, and the one that they are held against: only these are compared, as
        candidate − baseline. A baseline alone has all others as candidates; without either all pairs are compared.
    control
        The same as `baseline`.
    adjust
        How the pairs are judged together: ``"holm"`` adjusts p-values step by step, with Bonferroni's simultaneous
        intervals; ``"max_t"`` takes from the joint law of all differences how large the largest gets by chance, which
        is less strict where models resemble each other, and whose p-values and intervals agree.
    across
        Of several metrics, whether they share the level: ``"bonferroni"`` gives each its part, so that all pairs by all
        metrics hold together; ``"none"`` gives each the whole.
    items, missing, bounds
        The item of each row where rows are trials of marks, what to do about missing marks or predictions
        (``"refuse"``, ``"drop"``, ``"worst"``), and what no mark can be below or above, as in `compare_marks` and
        `compare_predictions`.
    higher_is_better
        The direction of marks or of a function, where the name does not tell.
    human
        By model what people say of its answers, where marks are a judge's, as in `compare_marks`.
    alpha, rope
        Level for all pairs together, and the difference up to which models are practically the same: by default one
        point of a rate, and 0.01 in the marks' own unit.
    margin
        By how much a model may be worse than the baseline (without one, than the second of a pair): asks whether each
        is superior, non-inferior, equivalent or inferior to it, or whether that is undecided.
    seed
        Determines the draws behind max-T and the set of the best.

    Returns
    -------
    Comparison
        `pairs` with simultaneous intervals, `best_set`, `ranks`; ``print`` it for a verdict in words. Of a list of
        metrics all comparisons together, one row each.

    Examples
    --------
    >>> truth = ["x", "y"] * 20
    >>> m = compare_models(truth, {"a": truth, "b": ["x"] * 40, "c": ["x", "y"] * 19 + ["y", "y"]})
    >>> m.best_set, m.ranks["b"], round(m.pair("a", "b").estimate, 3)
    (('a', 'c'), (3, 3), 0.5)
    """
    asked = _Asked(
        positive=positive, threshold=threshold, classes=classes, groups=groups, items=items,
        higher_is_better=higher_is_better, missing=missing, bounds=bounds, time=time,
        human=human,
    )  # fmt: skip
    roles = line_up(tuple(models), candidate=candidate, baseline=baseline, control=control)
    told = roles.decisions(margin)
    models = {name: models[name] for name in roles.names}
    judged = {"control": roles.control, "adjust": adjust, "rope": rope, "margin": margin, "seed": seed}
    if not isinstance(metric, (list, tuple)):
        return Comparison.of(with_decisions(_by_one(truth, models, metric, asked, alpha=alpha, **judged), told))
    one_of(across, "across", ACROSS)
    if truth is None:
        raise InvalidInput("metric must be one where truth is None: marks measure one thing, got several")
    level = fraction(alpha, "alpha") / (len(metric) if across == "bonferroni" and metric else 1)
    found = [_by_one(truth, models, one, asked, alpha=level, **judged) for one in metric]
    parts = tuple(with_decisions(one, told) for one in found)
    return Comparison(parts=parts, alpha=alpha, adjust_metrics=across)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Asked:
    """What `compare_models` was told about the models' outputs or marks, whatever the metric."""

    positive: object
    threshold: float | None
    classes: Sequence[Any] | None
    groups: ArrayLike | None
    items: ArrayLike | None
    higher_is_better: bool | None
    missing: Policy
    bounds: tuple[float, float] | None
    time: ArrayLike | None
    human: Mapping[str, Any] | None


def _by_one(
    truth: ArrayLike | None, models: Mapping[str, Any], metric: AnyMetric, asked: _Asked, **judged: Any
) -> MetricComparison:
    """The comparison by one metric."""
    if truth is None:
        used, told = times_to_use(asked.time, clustered=asked.groups is not None)
        return in_kind(_judged(_marks(models, metric, replace(asked, time=used)), told, judged), models)
    if asked.items is not None or asked.human is not None:
        raise InvalidInput(f"{'items' if asked.human is None else 'human'} is for marks, but truth is given")
    question = MetricQuestion(
        metrics=[metric], positive=asked.positive, threshold=asked.threshold, classes=asked.classes,
        higher_is_better=asked.higher_is_better,
    )  # fmt: skip
    rule = MissingRule(policy=asked.missing)
    given = settle_outputs(truth, models, rule, no_labels=question.no_labels, groups=asked.groups, time=asked.time)
    if question.plain:
        values = Items.from_predictions(given.truth, given.outputs, groups=given.beside["groups"])
        c = _judged(*ordered(values, given.beside["time"]), judged)
    else:
        c = _judged(*measured_models(given.truth, given.outputs, question, **given.beside), judged)
    return in_kind(with_missing(c, given.missing, tuple(models)), truth, models)


def _judged(evidence: Evidence, told: tuple[str, ...], judged: Mapping[str, Any]) -> MetricComparison:
    c = judge_evidence(evidence, **judged)
    c = with_missing(c, evidence.missing, c.names)
    return c.replace(caveats=(*told, *c.caveats)) if told else c


def _marks(models: Mapping[str, Any], metric: AnyMetric, asked: _Asked) -> Items:
    """What the models were given for each item, where there is no truth."""
    of_predictions = (asked.positive, asked.threshold, asked.classes)
    if not isinstance(metric, str) or any(each is not None for each in of_predictions):
        raise InvalidInput("metric must be what the marks measure where truth is None, in words, and nothing else")
    first = next(iter(models.values()))
    rows = asked.items if asked.human is None else labelled_rows(asked.items, first)
    found = Items.from_marks(
        models,
        items=rows,
        groups=asked.groups,
        metric=UNNAMED_MARK if metric == "accuracy" else metric,
        higher_is_better=asked.higher_is_better,
        missing=asked.missing,
        bounds=asked.bounds,
        time=None if asked.human is not None else asked.time,
    )
    return found if asked.human is None else JudgedItems.labelled(found, asked.human, rows)
