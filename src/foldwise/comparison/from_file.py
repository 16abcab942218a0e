"""The models of a prediction file compared: by labels, by marks, trials and seeds, or by metrics."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypedDict

import numpy as np

from foldwise.comparison.comparison import Comparison
from foldwise.comparison.from_counts import compare_counts, counts_asked, given_counts
from foldwise.comparison.metric_evidence import MetricQuestion, with_condition
from foldwise.comparison.pairs import Adjust
from foldwise.comparison.predictions import compare_marks, compare_outputs, compare_readings, compare_seeds
from foldwise.comparison.slices import judge_slices
from foldwise.core.categories import Categories
from foldwise.core.errors import InvalidInput, column
from foldwise.core.labels import number_of
from foldwise.core.metric import UNNAMED_MARK
from foldwise.core.roles import NO_COLUMN
from foldwise.core.types import Array
from foldwise.data.predictions import PredictionFile
from foldwise.evidence.mark_input import given_marks
from foldwise.evidence.missing import Policy
from foldwise.metrics.catalogue import AnyMetric, known_metric
from foldwise.metrics.counts import asks_for_counts, count_metric
from foldwise.metrics.metric import SumMetric
from foldwise.metrics.survival import asks_for_survival


class MarkOptions(TypedDict, total=False):
    """How marks are read: what they measure, what is missing, what seeds mean."""

    metric: str | None
    higher_is_better: bool | None
    missing: Policy
    bounds: tuple[float, float]
    paired_seeds: bool


def holds_marks(file: PredictionFile) -> bool:
    """Whether the file's rows are marks, or trials or seeds whose answers become marks."""
    return (
        not file.counts
        and file.readers is None
        and (file.truth is None or file.items is not None or file.seeds is not None)
    )


def judge_prediction_file(
    file: PredictionFile, *, question: MetricQuestion | None = None, test: str = "auto", control: str | None = None,
    adjust: Adjust | None = None, seed: int = 0, marks: MarkOptions | None = None, **options: Any,
) -> Comparison:  # fmt: skip
    """Compare the classifiers of a file, by labels or, where it has no truth, by marks; the rest as the verb has it.

    The `question` is which metrics of the models' labels, scores or numbers, accuracy without it; `marks` how marks are
    read.
    """
    asked: dict[str, Any] = {"question": question, "test": test, "control": control, "adjust": adjust, "seed": seed,
                             "marks": marks, **options}  # fmt: skip
    if file.slices is not None:
        return _sliced(file, asked)
    if file.counted and question is None:
        question = MetricQuestion(metrics=[file.counted], assumed=True)
    caveats: tuple[str, ...] = ()
    by_name = any(one.what == "order" and one.how != "declared" for one in file.decisions)
    if by_name and (unordered := _unordered(file, question)):
        caveats = (f"{unordered} takes no order of time: rows are taken as independent, whatever their time",)
        file = file.without_order()
    judged = {"test": test, "control": control, "adjust": adjust or "holm", "seed": seed, **options}
    found = _judged(file, question, marks=marks or {}, **judged)
    if file.condition is not None:
        found = with_condition(found, file.condition, file.times)
    if file.groups is not None:  # which take the place of the order
        file = file.without_order()
    return found.noting(*caveats).deciding(file.decisions)


def _sliced(file: PredictionFile, asked: dict[str, Any]) -> Comparison:
    assert file.slices is not None
    column, labels = file.slices
    if file.seeds is not None:
        raise InvalidInput("slices are for one training of each model, but rows have seeds")
    units = np.arange(file.rows) if (of := file.groups or file.items) is None else of.codes
    whole = judge_prediction_file(replace(file, slices=None), **asked)
    found = judge_slices(
        column,
        list(labels),
        lambda rows: len(np.unique(units[rows])),
        lambda rows, level: judge_prediction_file(file.taking(rows), **{**asked, "alpha": level}),
        whole.alpha,
    )
    return replace(whole, slices=found).noting(*found.left_out)


def _judged(file: PredictionFile, question: MetricQuestion | None, *, marks: MarkOptions, **judged: Any) -> Comparison:
    counts, missing = _counts(file, question), marks.get("missing", "refuse")
    if counts is not None and question is not None:
        (metric,) = question.metrics
        return compare_counts(
            counts, str(metric), groups=file.groups, items=file.items, time=file.times,
            higher_is_better=marks.get("higher_is_better"), missing=missing, **judged,
        )  # fmt: skip
    if len(file.names) < 2:
        file.pair()  # which says what is needed
    if file.readers is not None:
        return _of_readers(file, question, marks, **judged)
    if holds_marks(file):
        if question is not None:
            raise InvalidInput(
                f"metrics take the truth and one row per example, but {file.source} holds marks, trials or seeds"
            )
        refuse_without_truth(file, marks.get("metric"))
        return _of_marks(file, **marks, **judged)
    for name in set(marks) - {"missing"}:
        raise InvalidInput(f"{name} is for marks, trials and seeds, but {file.source} holds labels")
    assert file.truth is not None  # without one they are marks
    asked = question or MetricQuestion(metrics=["c_index" if file.timed else "accuracy"], assumed=True)
    if file.timed and not any(map(asks_for_survival, asked.metrics)):
        raise InvalidInput(
            f"{file.source} has times and events, which metric {asked.metrics[0]!s} does not take: ask for c_index "
            "(--metric c_index), or name the truth (--truth)"
        )
    if file.scores:
        asked = replace(asked, classes=file.classes)
    if len(file.names) > 2 and asked.adjust == "holm":
        asked = replace(asked, adjust="bonferroni")
    columns = {name: file.column(name) for name in file.names}
    return compare_outputs(
        file.truth, columns, asked, groups=file.groups, time=file.times, missing=missing, called=repr, **judged
    )


def refuse_without_truth(file: PredictionFile, metric: str | None) -> None:
    """Refuse a metric of labels where columns of 0 and 1 were taken for marks and nobody said so."""
    known = None if metric is None or file.truth is not None else known_metric(metric)
    assumed = any(one.what == "truth" and one.how == "assumed" for one in file.decisions)
    if assumed and known is not None and known.name not in _OF_MARKS:
        raise InvalidInput(
            f"metric {metric} needs the truth, but no column of {file.source} is named so, and all say right or wrong: "
            f"say which holds it ({column('truth', file.names[0])}), or that all are marks "
            f"({column('truth', NO_COLUMN)})"
        )


_OF_MARKS = ("accuracy", "error")  # Metrics of labels that means of marks are, too.


def _of_readers(file: PredictionFile, question: MetricQuestion | None, marks: MarkOptions, **judged: Any) -> Comparison:
    assert file.readers is not None
    assert file.items is not None
    asked = question or MetricQuestion(metrics=[])
    metrics = asked.metrics
    if len(metrics) > 1:
        raise InvalidInput(f"readers and cases are compared by one metric at a time, got {len(metrics)}")
    return compare_readings(
        file.truth, {name: file.marks[name] for name in file.names}, file.readers, file.items, groups=file.groups,
        metric=str(metrics[0]) if metrics else marks.get("metric"), positive=asked.positive,
        threshold=asked.threshold, higher_is_better=marks.get("higher_is_better"),
        missing=marks.get("missing", "refuse"), **judged,
    )  # fmt: skip


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
    return next((str(one) for one in (question.metrics if question else ()) if not _of_sums(one)), "")


def _of_sums(metric: AnyMetric) -> bool:
    if isinstance(metric, str) and asks_for_counts(metric):
        return True
    return isinstance(known_metric(metric) if isinstance(metric, str) else metric, SumMetric)


# ---- Marks.


def _of_marks(
    file: PredictionFile, *, metric: str | None = None, higher_is_better: bool | None = None,
    missing: Policy = "refuse", bounds: tuple[float, float] | None = None, paired_seeds: bool = True, **judged: Any,
) -> Comparison:  # fmt: skip
    """Compare the models of a file of marks, or of labels whose rows are trials or seeds (1 where right)."""
    names = file.names
    truth = file.truth  # labels are right or wrong, an empty one is missing
    marks = {name: file.column(name) if truth is None else _right(file.predictions[name], truth) for name in names}
    words: dict[str, Any] = {
        "metric": metric or (UNNAMED_MARK if file.truth is None else "accuracy"),
        "higher_is_better": higher_is_better,
        "missing": missing,
        "bounds": bounds,
        **judged,
    }
    if file.seeds is None:
        human = file.human if set(names) <= set(file.human) else None
        return compare_marks(marks, human=human, items=file.items, groups=file.groups, time=file.times, **words)
    if len(names) > 2:
        raise InvalidInput(
            f"{file.source}: seeds must be of two models, got {len(names)}, because the crossed analysis is of the "
            "differences of two: choose two (--a, --b)"
        )
    if file.times is not None:
        raise InvalidInput(
            "time is for one training of each model, but rows have seeds: leave out --time or --seed-column"
        )
    groups = None if file.groups is None else _groups(file, file.groups)
    tables = {name: _table(file, given) for name, given in marks.items()}
    if not paired_seeds:  # a seed that only one model has
        tables = {name: table[~np.isnan(table).all(axis=1)] for name, table in tables.items()}
    return compare_seeds(tables, paired=paired_seeds, groups=groups, **words)


def _right(column: Categories, truth: Categories) -> Array:
    number = {label: code for code, label in enumerate(truth.labels)}
    codes = np.array([number.get(label, -1) for label in column.labels])[column.codes]
    gone = np.array([not label for label in column.labels])[column.codes]
    return np.where(gone, np.nan, codes == truth.codes)


def _groups(file: PredictionFile, groups: Categories) -> list[str]:
    """The cluster of each item, the same under every seed."""
    assert file.items is not None
    found: dict[int, int] = {}
    for item, group in zip(file.items.codes.tolist(), groups.codes.tolist(), strict=True):
        if found.setdefault(item, group) != group:
            raise InvalidInput(
                f"{file.source} must have an item in one cluster under every seed, but has item "
                f"{file.items.labels[item]} in {groups.labels[found[item]]} and in {groups.labels[group]}"
            )
    return [groups.labels[found[item]] for item in range(len(file.items.labels))]


def _table(file: PredictionFile, marks: Any) -> Array:
    """Marks as seeds × items; NaN where a seed was not marked on an item."""
    assert file.seeds is not None
    assert file.items is not None
    seeds, items = file.seeds, file.items
    place = seeds.codes.astype(np.int64) * len(items.labels) + items.codes
    counts = np.bincount(place, minlength=len(seeds.labels) * len(items.labels))
    if counts.max() > 1:
        seed, item = divmod(int(np.argmax(counts)), len(items.labels))
        raise InvalidInput(
            f"{file.source} must mark an item once under each seed, but has item {items.labels[item]} under seed "
            f"{seeds.labels[seed]} {counts.max()} times"
        )
    table = np.full(len(counts), np.nan)
    table[place] = given_marks(marks, "marks").values[:, 0]
    return table.reshape(len(seeds.labels), -1)
