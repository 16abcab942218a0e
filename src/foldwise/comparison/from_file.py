"""The models of a prediction file compared: two, or three and more; by labels, marks, or metrics."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from foldwise.comparison.comparison import Comparison
from foldwise.comparison.from_counts import compare_counts, counts_asked, given_counts
from foldwise.comparison.from_outputs import MetricQuestion, compare_outputs, compared
from foldwise.comparison.from_predictions import compare_predictions
from foldwise.comparison.mark_file import MarkOptions, holds_marks, judge_mark_file, marks_of
from foldwise.comparison.models.from_predictions import compare_models
from foldwise.comparison.pairs import Adjust
from foldwise.comparison.told import with_missing
from foldwise.core.categories import Categories
from foldwise.core.errors import InvalidInput
from foldwise.core.labels import number_of
from foldwise.data.predictions import PredictionFile
from foldwise.evidence.missing import MissingRule, Policy, settle_outputs
from foldwise.metrics.catalogue import AnyMetric, known_metric
from foldwise.metrics.counts import count_metric
from foldwise.metrics.item_means import ItemMean

__all__ = ["judge_prediction_file"]


def judge_prediction_file(
    file: PredictionFile,
    *,
    question: MetricQuestion | None = None,
    test: str = "auto",
    control: str | None = None,
    adjust: Adjust | None = None,
    seed: int = 0,
    marks: MarkOptions | None = None,
    **options: Any,
) -> Comparison:
    """Compare the classifiers of a file, by labels or, where it has no truth, by marks.

    Parameters
    ----------
    file
        Two classifiers are compared with each other, three and more with each other or with a control.
    question
        Which metrics of the models' labels, scores or numbers; accuracy without it.
    test
        The test of two classifiers.
    control, adjust, seed
        Of three and more, as in `compare_models`.
    marks
        What `judge_mark_file` takes besides: metric, higher_is_better, missing, bounds, paired_seeds.
    options
        What both take: alpha, rope, margin.
    """
    caveats: tuple[str, ...] = ()
    by_name = any(one.what == "order" and one.how != "declared" for one in file.decisions)
    if by_name and (unordered := _unordered(file, question)):
        caveats = (f"{unordered} takes no order of time: rows are taken as independent, whatever their time",)
        file = file.without_order()
    found = _judged(file, question, test=test, control=control, adjust=adjust, seed=seed, marks=marks or {}, **options)
    if file.groups is not None:  # which take the place of the order
        file = file.without_order()
    return found.noting(*caveats).deciding(file.decisions)


def _judged(
    file: PredictionFile,
    question: MetricQuestion | None,
    *,
    test: str,
    control: str | None,
    adjust: Adjust | None,
    seed: int,
    marks: MarkOptions,
    **options: Any,
) -> Comparison:
    several = len(file.names) > 2
    counts = _counts(file, question)
    if counts is not None and question is not None:
        (metric,) = question.metrics
        missing = marks.get("missing", "refuse")
        return compare_counts(
            counts, str(metric), groups=file.groups, items=file.items, higher_is_better=marks.get("higher_is_better"),
            missing=missing, control=control, adjust=adjust or "holm", test=test, seed=seed, **options,
        )  # fmt: skip
    if several:
        if test != "auto":
            raise InvalidInput(
                f"test must be 'auto' where {len(file.names)} classifiers are compared, got {test!r}: all pairs get "
                "the test that suits the evidence, so that they can be judged together"
            )
        return _several(file, question, marks, control=control, adjust=adjust or "holm", seed=seed, **options)
    if holds_marks(file):
        _no_metrics(file, question)
        return judge_mark_file(file, test=test, **marks, **options)
    _no_marks(file, marks)
    assert file.truth is not None  # without one they are marks
    return _two(file, file.truth, question, test=test, missing=marks.get("missing", "refuse"), **options)


def _counts(file: PredictionFile, question: MetricQuestion | None) -> dict[str, dict[str, Any]] | None:
    """The counts of a file, or those that its texts give, where the metric takes such."""
    if file.counts:
        return {name: dict(file.counts[name]) for name in file.names}
    if question is None or len(question.metrics) != 1 or file.truth is None or file.items or file.seeds or file.scores:
        return None
    if counts_asked(question.metrics) is None:
        return None
    for name in file.names:
        if all(number_of(label) is not None for label in file.predictions[name].labels):
            count_metric(str(question.metrics[0]), [])  # which says what is needed
    return given_counts(
        list(file.truth), {name: list(file.predictions[name]) for name in file.names}, question.metrics[0]
    )


def _unordered(file: PredictionFile, question: MetricQuestion | None) -> str:
    """What takes no order of time, where something does not."""
    if file.seeds is not None:
        return "the crossed analysis of items and seeds"
    return next((str(one) for one in (question.metrics if question else ()) if not _per_item(one)), "")


def _per_item(metric: AnyMetric) -> bool:
    return isinstance(known_metric(metric) if isinstance(metric, str) else metric, ItemMean)


def _several(file: PredictionFile, question: MetricQuestion | None, marks: MarkOptions, **options: Any) -> Comparison:
    """Three and more models, or two of which one is the control."""
    if len(file.names) < 2:
        file.pair()
    if file.seeds is not None:
        raise InvalidInput(
            f"{file.source}: seeds must be of two models, got {len(file.names)}, because the crossed analysis is of "
            "the differences of two: choose two (--a, --b)"
        )
    if holds_marks(file):
        _no_metrics(file, question)
        return compare_models(
            None,
            {name: marks_of(file, name) for name in file.names},
            metric=marks.get("metric") or "accuracy",
            higher_is_better=marks.get("higher_is_better"),
            missing=marks.get("missing", "refuse"),
            bounds=marks.get("bounds"),
            human=file.human if set(file.names) <= set(file.human) else None,
            items=file.items,
            groups=file.groups,
            time=file.times,
            **options,
        )
    _no_marks(file, marks)
    asked = question or MetricQuestion(metrics=["accuracy"])
    metrics = list(asked.metrics)
    compared_by: Any = metrics if len(metrics) > 1 else metrics[0]
    found: Comparison = compare_models(
        file.truth,
        {name: file.column(name) for name in file.names},
        metric=compared_by,
        across="none" if asked.adjust == "none" else "bonferroni",
        positive=asked.positive,
        threshold=asked.threshold,
        classes=file.classes if file.scores else asked.classes,
        groups=file.groups,
        time=file.times,
        missing=marks.get("missing", "refuse"),
        **options,
    )
    return found


def _no_marks(file: PredictionFile, marks: MarkOptions) -> None:
    for name in set(marks) - {"missing"}:
        raise InvalidInput(f"{name} is for marks, trials and seeds, but {file.source} holds labels")


def _no_metrics(file: PredictionFile, question: MetricQuestion | None) -> None:
    if question is not None:
        raise InvalidInput(
            f"metrics take the truth and one row per example, but {file.source} holds marks, trials or seeds"
        )


def _two(
    file: PredictionFile, truth: Categories, question: MetricQuestion | None, *, missing: Policy, **options: Any
) -> Comparison:
    a, b = names = file.pair()
    columns = file.column(a), file.column(b)
    asked = question or MetricQuestion(metrics=["accuracy"])
    if asked.plain and not file.scores:
        found: Comparison = compare_predictions(
            truth, *columns, groups=file.groups, time=file.times, names=names, missing=missing, **options
        )
        return found
    outputs = {repr(name): column for name, column in zip(names, columns, strict=True)}
    asked = replace(asked, classes=file.classes) if file.scores else asked
    rule = MissingRule(policy=missing)
    given = settle_outputs(truth, outputs, rule, no_labels=asked.no_labels, groups=file.groups, time=file.times)
    results = compare_outputs(given.truth, given.outputs, asked, **given.beside, names=names, **options)
    each = [with_missing(c, given.missing, names) for c in results]
    return compared(each, asked)
