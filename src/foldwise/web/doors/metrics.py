"""What the page asks about metrics of predictions, and about marks: their form, their parameters and their words."""

from __future__ import annotations

import re

from foldwise.comparison.from_file import MarkOptions, holds_marks
from foldwise.comparison.metric_evidence import MetricQuestion
from foldwise.core.metric import UNNAMED_MARK
from foldwise.data.predictions import PredictionFile
from foldwise.designs import METRICS, RANKING
from foldwise.designs.kind import AnyKind
from foldwise.web.doors import base

MOST_CLASSES = 50  # Classes that are offered for the positive one.

ADJUSTED = (("", "adjusted for their number"), ("yes", "not adjusted"))


def metric_fields(file: PredictionFile | None, entry: base.Submission) -> tuple[base.Field, ...]:
    """Which metrics, which class they are about, and from which score on an example is of it."""
    if file is None or not _asks(file):
        return ()
    classes = file.classes[:MOST_CLASSES] if len(file.classes) <= MOST_CLASSES else []
    named = tuple((name, name) for name in classes)
    many = len(asked_metrics(entry)) > 1
    several = (entry.field("unadjusted", "Several metrics are", choices=ADJUSTED),) if many else ()
    return (
        entry.field(
            "metric",
            "Metrics",
            kind="words",
            hint="accuracy, or others as scikit-learn spells them: f1, roc_auc, log_loss; rmse or r2 of numbers; wer, "
            "span_f1, bleu or errors / words of counts or texts; c_index of times and events",
        ),
        entry.field(
            "positive", "Positive class", choices=(("", "the one called yes, true or 1"), *named),
            hint="that F1, ROC curves and the like are about",
        ),
        entry.field("threshold", "Positive from a score of", kind="number", hint="0.5, if left empty"),
        *several,
    )  # fmt: skip


def metric_question(file: PredictionFile, entry: base.Submission) -> MetricQuestion | None:
    """The same for `judge_prediction_file`; None where nothing of it was asked."""
    if not _asks(file) or not (asked_metrics(entry) or entry.get("positive") or entry.get("threshold")):
        return None
    return MetricQuestion(
        metrics=asked_metrics(entry) or ["accuracy"], positive=entry.get("positive"),
        threshold=entry.optional("threshold"), adjust="none" if entry.get("unadjusted") else "holm",
    )  # fmt: skip


def metric_words(file: PredictionFile | None, entry: base.Submission) -> list[str]:
    if file is None or not _asks(file):
        return []
    words = [f"--metric={name}" for name in asked_metrics(entry)]
    unadjusted = ["--unadjusted"] if len(words) > 1 and entry.get("unadjusted") else []
    return words + base.command_words(entry, {}, ("positive", "threshold")) + unadjusted


def metric_kinds(entry: base.Submission) -> tuple[AnyKind, ...]:
    """Kinds of evidence whose tests suit the metrics."""
    return (METRICS, RANKING) if asked_metrics(entry) else ()


def asked_metrics(entry: base.Submission) -> list[str]:
    """The metrics that were written into the field; a formula may hold blanks."""
    written = entry.get("metric") or ""
    if "/" in written:
        return [written.strip()]
    return [name for name in re.split(r"[\s,;]+", written) if name]


def _asks(file: PredictionFile) -> bool:
    return len(file.names) > 0 and (bool(file.counts) or file.truth is not None) and not holds_marks(file)


def mark_fields(file: PredictionFile | None, entry: base.Submission) -> tuple[base.Field, ...]:
    """What marks measure, which direction is better, what to do about missing ones, what seeds mean."""
    if not _asks_of_marks(file):
        return (base.missing_field(entry),)
    metric = entry.get("metric") or UNNAMED_MARK
    paired = entry.field(
        "unpaired_seeds",
        "Seeds of the two models",
        choices=(("", "paired: a seed means the same for both"), ("yes", "have nothing in common")),
    )
    return (
        entry.field("metric", "What the marks measure", kind="words"),
        base.direction_field(metric, entry),
        base.missing_field(entry),
        *((paired,) if file is not None and file.seeds is not None else ()),
    )


def mark_options(file: PredictionFile, entry: base.Submission) -> MarkOptions | None:
    """The same for `judge_prediction_file`; None where there are no such marks."""
    if not _asks_of_marks(file):
        return {"missing": base.missing_policy(entry)} if entry.get("missing") else None
    return {
        "metric": entry.get("metric"), "higher_is_better": base.higher_is_better(entry),
        "missing": base.missing_policy(entry), "paired_seeds": entry.get("unpaired_seeds") is None,
    }  # fmt: skip


def mark_words(file: PredictionFile | None, entry: base.Submission) -> list[str]:
    if not _asks_of_marks(file):
        return base.command_words(entry, {"missing": "refuse"}, ("missing",))
    seeds = file is not None and file.seeds is not None and entry.get("unpaired_seeds") is not None
    words = base.command_words(entry, {"missing": "refuse"}, ("metric", "missing"))
    return words + base.direction_word(entry) + (["--unpaired-seeds"] if seeds else [])


def trial_facts(file: PredictionFile) -> list[tuple[str, str]]:
    parts = {"items": file.items, "seeds": file.seeds}
    return [(name, f"{len(column.labels):,}") for name, column in parts.items() if column is not None]


def _asks_of_marks(file: PredictionFile | None) -> bool:
    """Whether models have marks, whose direction may be either, or rows that are trials or seeds."""
    return file is not None and len(file.names) > 1 and holds_marks(file)
