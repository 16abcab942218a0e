"""Two or more models compared from what they said of the same items, or from their marks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from numpy.typing import ArrayLike

from foldwise.comparison.comparison import AdjustMetrics, Comparison
from foldwise.comparison.estimators import across_metrics
from foldwise.comparison.from_counts import compare_counts, given_counts
from foldwise.comparison.from_marks import compare_marks as two_by_marks
from foldwise.comparison.from_predictions import Given, Metrics
from foldwise.comparison.from_predictions import compare_predictions as two_by_predictions
from foldwise.comparison.from_seeds import compare_seeds as two_by_seeds
from foldwise.comparison.models.from_predictions import compare_models as several
from foldwise.comparison.options import Options, options_of
from foldwise.comparison.pairs import Adjust
from foldwise.core.amounts import Amount
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import UNNAMED_MARK
from foldwise.core.random import RandomState, seed_of
from foldwise.core.validation import one_of
from foldwise.evidence.evidence import named_models
from foldwise.evidence.missing import Policy
from foldwise.metrics.catalogue import AnyMetric
from foldwise.reading.lineup import Candidate, line_up
from foldwise.reading.rankings import by_query_and_system, is_qrels, one_ranking_metric, ranked_queries

__all__ = ["compare_predictions"]

CALL = 'outputs must be a dict of two or more models: compare_predictions(truth, {"a": a, "b": b})'
"""The sentence that shows the right call."""


def compare_predictions(
    truth: Given | None,
    outputs: Mapping[str, Any],
    *wrong: object,
    metric: AnyMetric | Metrics | None = None,
    test: str = "auto",
    groups: ArrayLike | Mapping[Any, Any] | None = None,
    time: Any = None,
    items: ArrayLike | None = None,
    seeds: Literal["paired", "unpaired"] | None = None,
    human: Mapping[str, Any] | None = None,
    higher_is_better: bool | None = None,
    missing: Policy = "refuse",
    alpha: float = 0.05,
    rope: Amount | None = None,
    margin: Amount | None = None,
    candidate: Candidate | None = None,
    baseline: str | None = None,
    control: str | None = None,
    adjust: Adjust | None = None,
    random_state: RandomState = 0,
    options: Options | None = None,
) -> Comparison:
    """Compare two or more models from their predictions, or their marks, on the same items.

    Parameters
    ----------
    truth
        The truth: labels, or numbers for metrics of numbers; None where `outputs` holds marks.
    outputs
        By name, what each model said: labels; for metrics of scores or probabilities arrays of shape (n,), of the
        positive class, or (n, classes); for metrics of regression, numbers. A label that never occurs in the truth is
        an error of the model. Without `truth` its marks: any numbers, or words for right and wrong (pass and fail …),
        of shape (items,) or (items, trials), or a mapping from items to their mark or marks; with `seeds` of shape
        (seeds, items). For a metric of sums, columns of counts: ``{"errors": [...], "words": [...]}`` or a frame; or,
        beside reference texts, texts. Beside relevance judgements ``{query: {document: grade}}`` runs of search
        systems, ``{query: {document: score}}``.
    metric
        A metric or a list of them: names as scikit-learn spells them ("accuracy", "f1", "roc_auc", "log_loss", "rmse"
        …), any of scikit-learn's scorers, or a function ``metric(truth, predicted)``; of marks what they measure; of
        counts "wer", "cer", "span_f1", "miou", "bleu" … or a formula such as ``"errors / words"``; of
        runs "nDCG@10", "AP", "RR", "recall@100", "P@10", "RBP" or another k.
    test
        A test of two models by name; "auto" takes the one that suits the metric.
    groups
        The cluster of each item, where items come in clusters (several questions about one document …).
    time
        When each item was. Differences of neighbouring times may then be correlated, and are compared by the test of
        Diebold and Mariano in that order. Without it items are independent, and correlation in the order given is
        checked for.
    items
        The item of each row, where rows are trials of marks: trials of one item are averaged, never independent.
    seeds
        Whether marks are of two models trained several times each: ``"paired"`` where row i of both was trained with
        the same seed, ``"unpaired"`` where each model's seeds are a sample of their own.
    higher_is_better
        The direction, where the metric's name does not tell.
    missing
        What to do about missing predictions or marks: ``"refuse"``, ``"drop"`` the item for all models, or take the
        ``"worst"``.
    human
        Of marks that a judge gave: by name of the model what people say of its answers, on the same scale, None or NaN
        where they said nothing. The comparison is then on people's scale.
    alpha, rope
        Level for all pairs together, and the difference up to which models are practically the same: by default one
        point of a rate, and 0.01 in the metric's own unit.
    margin
        By how much a candidate may be worse than its baseline (without one, the first of a pair than the second): asks
        whether it is superior, non-inferior, equivalent or inferior, or whether that is undecided.
    candidate, baseline, control
        The model in question, or several, and the one that they are held against: only these are compared, as
        candidate − baseline. Without either all pairs are compared. `control` is the same as `baseline`.
    adjust
        How the pairs of three and more are judged together: ``"holm"``, or ``"max_t"``, which takes from the joint law
        of all differences how large the largest gets by chance.
    random_state
        Determines the draws behind max-T and the set of the best.
    options
        What few people set: positive, threshold, classes, unit, bounds and adjust_metrics of `Options`.

    Returns
    -------
    Comparison
        ``print`` it for a verdict in words; `pairs` has the numbers.

    Examples
    --------
    >>> c = compare_predictions(["x", "y"] * 20, {"a": ["x", "y"] * 19 + ["y", "x"], "b": ["x"] * 40})
    >>> c.test, c.better, round(c.estimate, 3)
    ('mcnemar', 'a', 0.45)
    >>> c = compare_predictions(None, {"new": [0.9, 0.7, 1.0, 0.8], "old": [0.4, 0.5, 0.6, 0.2]})
    >>> c.test, c.better, round(c.estimate, 3)
    ('paired_t', 'new', 0.425)
    """
    if wrong or not isinstance(outputs, Mapping):
        raise InvalidInput(CALL)
    o = options_of(
        "compare_predictions", options, "positive", "threshold", "classes", "unit", "bounds", "adjust_metrics"
    )
    if is_qrels(truth):
        ranked = ranked_queries(truth, dict(outputs), [one_ranking_metric(metric)])
        found = compare_predictions(
            None, by_query_and_system(ranked), metric=one_ranking_metric(metric), test=test, groups=groups,
            higher_is_better=True, missing=missing,
            options=Options(bounds=o.bounds or (0.0, 1.0)), alpha=alpha, rope=rope, margin=margin,
            candidate=candidate, baseline=baseline, control=control, adjust=adjust, random_state=random_state,
        )  # fmt: skip
        return found.noting(*ranked.left_out)
    names = named_models(outputs, "outputs")
    outputs = dict(zip(names, outputs.values(), strict=True))
    judged: dict[str, Any] = {"alpha": alpha, "rope": rope, "margin": margin}
    read: dict[str, Any] = {"higher_is_better": higher_is_better, "missing": missing, "groups": groups}
    of_marks: dict[str, Any] = {"metric": metric or UNNAMED_MARK, "bounds": o.bounds}
    of_truth: dict[str, Any] = {
        "metric": "accuracy" if metric is None else metric, "positive": o.positive, "threshold": o.threshold,
        "classes": o.classes,
    }  # fmt: skip
    roles = line_up(names, candidate=candidate, baseline=baseline, control=control)
    two = len(roles.names) == 2
    across = across_metrics(o.adjust_metrics, len(roles.names))
    counts = None if seeds is not None else given_counts(truth, outputs, metric)
    if counts is not None:
        found = compare_counts(
            {name: counts[name] for name in roles.names}, str(metric), items=items, control=roles.control,
            adjust=adjust or "holm", test=test, seed=seed_of(random_state), **read, **judged,
        )  # fmt: skip
        return found.deciding(roles.decisions(margin))
    if seeds is not None:
        one_of(seeds, "seeds", ("paired", "unpaired"))
        if truth is not None or len(names) != 2:
            raise InvalidInput("seeds is for the marks of two models: truth must be None, and outputs two")
    if not two:
        if test != "auto":
            raise InvalidInput(
                f"test must be 'auto' where {len(names)} models are compared, got {test!r}: all pairs get the test "
                "that suits the evidence, so that they can be judged together"
            )
        return several(
            truth, outputs, **read, **of_truth, **judged, bounds=o.bounds, human=human, time=time, items=items,
            candidate=candidate, baseline=baseline, control=control, adjust=adjust or "holm",
            across="none" if across == "none" else "bonferroni", seed=seed_of(random_state),
        )  # fmt: skip
    (first, second), a, b = roles.names, outputs[roles.names[0]], outputs[roles.names[1]]
    judged |= {"test": test, "names": (first, second)}
    if seeds is not None:
        c = two_by_seeds(a, b, paired=seeds == "paired", **read, **of_marks, **judged)
    elif truth is None:
        if isinstance(metric, (list, tuple)):
            raise InvalidInput("metric must be one where truth is None: marks measure one thing, got several")
        if not isinstance(metric or "", str) or any(one is not None for one in (o.positive, o.threshold, o.classes)):
            raise InvalidInput("metric must be what the marks measure where truth is None, in words, and nothing else")
        c = two_by_marks(a, b, items=items, time=time, unit=o.unit, human=human, **read, **of_marks, **judged)
    else:
        if items is not None or human is not None:
            raise InvalidInput(f"{'items' if human is None else 'human'} is for marks, but truth is given")
        adjusted: AdjustMetrics = "none" if across == "none" else "holm"
        c = two_by_predictions(truth, a, b, time=time, adjust=adjusted, **read, **of_truth, **judged)
    return c.deciding(roles.decisions(margin))
