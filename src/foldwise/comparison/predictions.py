"""Two or more models compared from what they said of the same items, or from their marks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Never, TypeAlias, cast

import numpy as np
from numpy.typing import ArrayLike

from foldwise.comparison.comparison import Comparison, across_metrics
from foldwise.comparison.from_counts import compare_counts, given_counts
from foldwise.comparison.metric_evidence import (
    BY_INDEX,
    Given,
    MetricQuestion,
    dates_of,
    measured,
    ordered,
    times_to_use,
    with_condition,
)
from foldwise.comparison.options import Options, options_of
from foldwise.comparison.pairs import judge_evidence
from foldwise.comparison.results import in_kind, with_missing
from foldwise.comparison.slices import judge_slices
from foldwise.core.amounts import Amount
from foldwise.core.errors import InvalidInput
from foldwise.core.labels import categories, exchanged, numbers_or_labels
from foldwise.core.metric import UNNAMED_MARK, Unit, repeated_runs
from foldwise.core.random import RandomState, seed_of
from foldwise.core.types import Integers
from foldwise.core.validation import fraction, one_of, one_order
from foldwise.designs import METRICS, find_procedure
from foldwise.designs.human_labels import JudgedItems, labelled_rows
from foldwise.designs.readers import AREA, Readings
from foldwise.evidence.evidence import as_argument, models_by_name, named_models
from foldwise.evidence.items import Items
from foldwise.evidence.missing import MissingRule, Policy, settle_outputs
from foldwise.evidence.seed_marks import SeedMarks
from foldwise.metrics.catalogue import AnyMetric
from foldwise.metrics.survival import asks_for_survival, signed_times, survival_rows
from foldwise.reading.lineup import Candidate, line_up
from foldwise.reading.rankings import by_query_and_system, is_qrels, one_ranking_metric, ranked_queries

Metrics: TypeAlias = list[AnyMetric] | list[str] | tuple[AnyMetric, ...]  # Several metrics.

CALL = 'outputs must be a dict, a frame or a list of two or more models: compare_predictions(truth, {"a": a, "b": b})'
"""The sentence that shows the right call."""


def compare_predictions(
    truth: Given | None,
    outputs: Mapping[str, Any] | Sequence[Any] | Any,
    *wrong: object,
    metric: AnyMetric | Metrics | None = None,
    test: str = "auto",
    groups: ArrayLike | Mapping[Any, Any] | None = None,
    time: Any = None,
    items: ArrayLike | None = None,
    slices: ArrayLike | None = None,
    higher_is_better: bool | None = None,
    missing: Policy = "refuse",
    alpha: float = 0.05,
    rope: Amount | None = None,
    margin: Amount | None = None,
    candidate: Candidate | None = None,
    baseline: str | None = None,
    random_state: RandomState = 0,
    options: Options | None = None,
    **misplaced: Never,
) -> Comparison:
    """Compare two or more models from their predictions, or their marks, on the same items.

    Parameters
    ----------
    truth
        The truth: labels, or numbers for metrics of numbers; ``{"time": …, "event": …}`` (a frame, or scikit-survival's
        array) for a C-index; None where `outputs` holds marks.
    outputs
        What each model said, in a dict or a frame by name, or in a list: labels; for metrics of scores or probabilities
        arrays of shape (n,), of the positive class, or (n, classes); for metrics of regression, numbers. A label that
        never occurs in the truth is an error of the model. Without `truth` its marks: any numbers, or words for right
        and wrong (pass and fail …), of shape (items,) or (items, trials), or a mapping from items to their mark or
        marks; of several trainings, with ``Options(seeds=…)``, of shape (seeds, items). For a metric of sums, columns
        of counts: ``{"errors": [...], "words": [...]}`` or a frame; or, beside reference texts, texts. Beside
        relevance judgements ``{query: {document: grade}}`` runs of search systems, ``{query: {document: score}}``.
    metric
        A metric or a list of them: names as scikit-learn spells them ("accuracy", "f1", "roc_auc", "log_loss", "rmse",
        "partial_auc@0.1", "c_index", "c_index_uno" …), any of scikit-learn's scorers, or a function
        ``metric(truth, predicted)``; of marks what they measure; of counts "wer", "cer", "span_f1", "miou", "bleu" … or
        a formula such as ``"errors / words"``; of runs "nDCG@10", "AP", "RR", "recall@100", "P@10", "RBP" or another k.
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
    higher_is_better
        The direction, where the metric's name does not tell.
    missing
        What to do about missing predictions or marks: ``"refuse"``, ``"drop"`` the item for all models, or take the
        ``"worst"``.
    slices
        What each row is sliced by (difficulty, language …): besides the verdict on all there is one on each value,
        adjusted for their number, and a test whether the difference is the same in all.
    alpha, rope
        Level for all pairs together, and the difference up to which models are practically the same: by default one
        point of a rate, and 0.01 in the metric's own unit.
    margin
        By how much a candidate may be worse than its baseline (without one, the first of a pair than the second): asks
        whether it is superior, non-inferior, equivalent or inferior, or whether that is undecided.
    candidate, baseline
        The model in question, or several, and the one that they are compared with: only these are compared, as
        candidate − baseline. A baseline alone has all others as candidates; without either all pairs are compared.
    random_state
        Determines the draws behind max-T and the set of the best.
    options
        What few people set: control, adjust, adjust_metrics, positive, threshold, classes, human, seeds, unit, bounds
        and condition of `Options`.

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
    if wrong:
        raise InvalidInput(CALL)
    outputs = models_by_name(outputs, CALL)
    o = options_of(
        "compare_predictions", options, "positive", "threshold", "classes", "unit", "bounds", "adjust_metrics",
        "condition", "control", "adjust", "seeds", "human", "readers", misplaced=misplaced,
    )  # fmt: skip
    seeds, human = o.seeds, o.human
    again: dict[str, Any] = {
        "metric": metric, "test": test, "higher_is_better": higher_is_better, "missing": missing, "alpha": alpha,
        "rope": rope, "margin": margin, "candidate": candidate, "baseline": baseline, "random_state": random_state,
    }  # fmt: skip
    of_rows = {"groups": groups, "time": time, "items": items}
    timed = any(map(asks_for_survival, metric if isinstance(metric, (list, tuple)) else [metric]))
    if timed:
        truth = survival_rows(truth)
    if slices is not None:
        return _sliced(slices, {"truth": truth, "outputs": outputs, "human": human, **of_rows}, o, **again)
    if o.condition is not None:
        found = compare_predictions(truth, outputs, **of_rows, **again, options=replace(o, condition=None))
        return with_condition(found, o.condition, time)
    notes: tuple[str, ...] = ()
    if isinstance(known := cast("object", truth), Mapping) and not is_qrels(known):
        raise InvalidInput("truth must be labels or numbers; times and events are for metric='c_index'")
    if timed and truth is not None:
        truth = signed_times(truth["time"], truth["event"])  # type: ignore[index]
    of_marks: dict[str, Any] = {"bounds": o.bounds, "noun": "item"}
    if is_qrels(truth):
        metric = one_ranking_metric(metric)
        ranked = ranked_queries(truth, dict(outputs), [metric])
        truth, outputs, higher_is_better, notes = None, by_query_and_system(ranked), True, ranked.left_out
        of_marks = {"bounds": o.bounds or (0.0, 1.0), "noun": "query"}
    names = named_models(outputs, "outputs")
    outputs = dict(zip(names, outputs.values(), strict=True))
    beside = {"truth": truth, "groups": groups, "time": time, "items": items}
    one_order(**beside, **{as_argument(name): values for name, values in outputs.items()})
    roles = line_up(names, candidate=candidate, baseline=baseline, control=o.control)
    outputs = {name: outputs[name] for name in roles.names}
    judged: dict[str, Any] = {
        "test": test, "alpha": alpha, "rope": rope, "margin": margin, "control": roles.control,
        "adjust": o.adjust, "seed": seed_of(random_state),
    }  # fmt: skip
    read: dict[str, Any] = {"higher_is_better": higher_is_better, "missing": missing, "groups": groups}
    across = across_metrics(o.adjust_metrics, len(roles.names))
    if o.readers is not None:
        if items is None:
            raise InvalidInput("readers need the case of each row: items=[…]")
        if time is not None or seeds is not None or human is not None or isinstance(metric, (list, tuple)):
            raise InvalidInput("readers and cases are compared by one metric, without time, seeds and human labels")
        found = compare_readings(
            truth, outputs, o.readers, items, metric=None if metric is None else str(metric), positive=o.positive,
            threshold=o.threshold, **read, **judged,
        )  # fmt: skip
        return found.deciding(roles.decisions(margin))
    counts = None if seeds is not None else given_counts(truth, outputs, metric)
    if counts is not None:
        found = compare_counts(counts, str(metric), items=items, time=time, **read, **judged)
        return found.deciding(roles.decisions(margin))
    if seeds is not None and (truth is not None or len(names) != 2):
        raise InvalidInput("seeds is for the marks of two models: truth must be None, and outputs two")
    if truth is not None:
        if items is not None or human is not None:
            raise InvalidInput(f"{'items' if human is None else 'human'} is for marks, but truth is given")
        question = MetricQuestion(
            metrics=_listed("accuracy" if metric is None else metric), positive=o.positive, threshold=o.threshold,
            classes=o.classes, higher_is_better=higher_is_better, adjust=across, assumed=metric is None,
        )  # fmt: skip
        dated = None if time is not None or groups is not None else dates_of(truth, question)
        found = compare_outputs(
            truth, outputs, question, groups=groups, time=time if dated is None else dated, missing=missing, **judged
        )
        return found.deciding([*roles.decisions(margin), *(() if dated is None else (BY_INDEX,))])
    if isinstance(metric, (list, tuple)):
        raise InvalidInput("metric must be one where truth is None: marks measure one thing, got several")
    if not isinstance(metric or "", str) or any(one is not None for one in (o.positive, o.threshold, o.classes)):
        raise InvalidInput("metric must be what the marks measure where truth is None, in words, and nothing else")
    of_marks["metric"] = metric or UNNAMED_MARK
    if seeds is not None:
        one_of(seeds, "seeds", ("paired", "unpaired"))
        of_marks.pop("noun")
        found = compare_seeds(outputs, paired=seeds == "paired", **of_marks, **read, **judged)
    else:
        found = compare_marks(outputs, items=items, time=time, unit=o.unit, human=human, **of_marks, **read, **judged)
    return found.deciding(roles.decisions(margin)).noting(*notes)


def _sliced(slices: ArrayLike, rows: dict[str, Any], o: Options, *, alpha: float, **again: Any) -> Comparison:
    labels = [str(label) for label in np.asarray(slices, dtype=object).ravel()]
    first = next(iter(rows["outputs"].values())) if rows["truth"] is None else rows["truth"]
    if isinstance(first, Mapping) or o.seeds is not None:
        raise InvalidInput("slices are for rows of one training of each model, but these have names or seeds")
    if len(first) != len(labels):
        raise InvalidInput(f"slices must have one label per row, {len(first)}, got {len(labels)}")
    units = next((rows[name] for name in ("groups", "items") if rows[name] is not None), np.arange(len(labels)))
    units = np.asarray(list(units.values()) if isinstance(units, Mapping) else units, dtype=object)

    def judged(kept: Integers, level: float) -> Comparison:
        part = {name: _rows(value, kept) for name, value in rows.items()}
        few = replace(o, human=part.pop("human"))
        return compare_predictions(part.pop("truth"), part.pop("outputs"), **part, **again, alpha=level, options=few)

    every = np.arange(len(labels))
    whole = judged(every, alpha)
    named = str(getattr(slices, "name", None) or "slice")  # of a column of a data frame
    found = judge_slices(named, labels, lambda kept: len(set(units[kept])), judged, alpha)
    return replace(whole, slices=found).noting(*found.left_out)


def _rows(value: Any, kept: Integers) -> Any:
    """Some rows of what was given for each of them."""
    if isinstance(value, Mapping):
        return {name: _rows(one, kept) for name, one in value.items()}
    if value is None or len(kept) == len(value):
        return value
    return np.asarray(value)[kept] if hasattr(value, "dtype") else [value[row] for row in kept.tolist()]


def _listed(metric: AnyMetric | Metrics) -> list[AnyMetric]:
    if not isinstance(metric, (list, tuple)):
        return [metric]
    if not metric:
        raise InvalidInput("metric must name at least one metric, got an empty list")
    return list(metric)


def _alone(models: Sequence[str], test: str) -> None:
    """Refuse a test by name for three and more models."""
    if len(models) > 2 and test != "auto":
        raise InvalidInput(
            f"test must be 'auto' where {len(models)} models are compared, got {test!r}: all pairs get the test that "
            "suits the evidence, so that they can be judged together"
        )


def compare_outputs(
    truth: Given, outputs: Mapping[str, Any], question: MetricQuestion, *, groups: Any = None, time: Any = None,
    missing: Policy = "refuse", test: str = "auto", alpha: float = 0.05, called: Callable[[str], str] = as_argument,
    **judged: Any,
) -> Comparison:  # fmt: skip
    """Compare models by each metric of what they said; `called` is how messages name what was given of a model."""
    names, count = tuple(outputs), len(question.metrics)
    _alone(names, test)
    shared = fraction(alpha, "alpha") / (1 if question.adjust == "none" else count)
    level = alpha if len(names) == 2 else shared
    said = {called(name): column for name, column in outputs.items()}
    given = settle_outputs(
        truth, said, MissingRule(policy=missing), no_labels=question.no_labels, groups=groups, time=time
    )
    labelled = {}
    if question.plain:
        true = categories(given.truth, "truth")
        labelled = {name: categories(column, name) for name, column in given.outputs.items()}
        if any(len(column) != len(true) for column in labelled.values()):
            labelled = {}  # which is refused where they are compared
    assumed = numbers_or_labels(true, labelled) if labelled and question.assumed else None
    if question.plain and not (test != "auto" and find_procedure(test).kind == METRICS):
        models = dict(zip(names, given.outputs.values(), strict=True))
        items = Items.from_predictions(given.truth, models, groups=given.beside["groups"], called=called)
        measures = [ordered(items, given.beside["time"], test)]
    else:
        measures = list(measured(names, given.truth, given.outputs, question, test=test, **given.beside))
    parts = []
    for evidence, told in measures:
        c = judge_evidence(evidence, test=test, alpha=level, limits_alpha=shared, **judged)
        c = c.replace(caveats=(*told, *c.caveats))
        parts.append(with_missing(in_kind(c, truth, *outputs.values()), given.missing, names))
    found = Comparison(parts=tuple(parts), alpha=alpha, adjust_metrics=question.adjust)
    if count == 1:
        found = Comparison.of(parts[0])
    if labelled:
        found = found.noting(*exchanged(true, labelled))
    return found if assumed is None else found.deciding([assumed])


def compare_marks(
    marks: Mapping[str, Any], *, items: Any = None, groups: Any = None, time: Any = None,
    human: Mapping[str, Any] | None = None, metric: str = UNNAMED_MARK, unit: Unit | None = None,
    higher_is_better: bool | None = None, missing: Policy = "refuse", bounds: tuple[float, float] | None = None,
    noun: str = "item", test: str = "auto", **judged: Any,
) -> Comparison:  # fmt: skip
    """Compare models whose answers to the same items were marked; parameters as in `compare_predictions`."""
    _alone(tuple(marks), test)
    if human is not None:
        time = None  # items are labelled at random, whatever their time
        items = labelled_rows(items, next(iter(marks.values())))
    used, told = times_to_use(time, clustered=groups is not None, test=test)
    evidence = Items.from_marks(
        marks, items=items, groups=groups, metric=metric, unit=unit, higher_is_better=higher_is_better,
        missing=missing, bounds=bounds, time=used, noun=noun,
    )  # fmt: skip
    if human is not None:
        evidence = JudgedItems.labelled(evidence, human, items)
    c = judge_evidence(evidence, test=test, **judged)
    return Comparison.of(in_kind(c.replace(caveats=(*told, *c.caveats)), marks))


def compare_readings(
    truth: Given | None, outputs: Mapping[str, Given], readers: Given, cases: Given, *, groups: Given | None = None,
    metric: str | None = None, positive: object = None, threshold: float | None = None,
    higher_is_better: bool | None = None, missing: Policy = "refuse", **judged: Any,
) -> Comparison:  # fmt: skip
    """Compare modalities that several readers used on the same cases, over new readers and new cases."""
    evidence = Readings.build(
        truth, outputs, readers, cases, groups=groups, metric=metric, positive=positive, threshold=threshold,
        higher_is_better=higher_is_better, missing=missing,
    )  # fmt: skip
    found = Comparison.of(judge_evidence(evidence, **judged))
    return found if metric is not None or truth is None else found.deciding([AREA])


def compare_seeds(
    marks: Mapping[str, Any], *, paired: bool = True, groups: Any = None, metric: str = UNNAMED_MARK,
    higher_is_better: bool | None = None, missing: Policy = "refuse", bounds: tuple[float, float] | None = None,
    **judged: Any,
) -> Comparison:  # fmt: skip
    """Compare two models that were trained several times each, over new seeds and new items.

    Marks have a row for each training. Where they are `paired`, row i of both was trained with the same seed, so that
    the same luck (order of the data, initial weights) may have met both; if not, each model's seeds are a sample of
    their own, and there may be more of one. Clusters in `groups` take the items' place, each counting by its items.
    """
    if repeated_runs(metric) is not None:
        raise InvalidInput(f"{metric} is about runs of one model, but rows have seeds: name them as trials of items")
    evidence = SeedMarks.build(
        marks, paired=paired, metric=metric, higher_is_better=higher_is_better, missing=missing, bounds=bounds,
        groups=groups,
    )  # fmt: skip
    return Comparison.of(judge_evidence(evidence, **judged))
