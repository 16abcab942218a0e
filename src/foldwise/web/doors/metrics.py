"""What the door of predictions asks besides where models are compared by metrics."""

from __future__ import annotations

import re

from foldwise.comparison.from_file import holds_marks
from foldwise.comparison.metric_evidence import MetricQuestion
from foldwise.data.predictions import PredictionFile
from foldwise.designs import METRICS, RANKING
from foldwise.designs.kind import AnyKind
from foldwise.web.doors.base import Entry, Field, command_words

MOST_CLASSES = 50
"""Classes that are offered for the positive one."""

ADJUSTED = (("", "adjusted for their number"), ("yes", "not adjusted"))


def metric_fields(file: PredictionFile | None, entry: Entry) -> tuple[Field, ...]:
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
            "span_f1, bleu or errors / words of counts or texts",
        ),
        entry.field(
            "positive",
            "Positive class",
            choices=(("", "the one called yes, true or 1"), *named),
            hint="that F1, ROC curves and the like are about",
        ),
        entry.field("threshold", "Positive from a score of", kind="number", hint="0.5, if left empty"),
        *several,
    )


def metric_question(file: PredictionFile, entry: Entry) -> MetricQuestion | None:
    """The same for `judge_prediction_file`; None where nothing of it was asked."""
    if not _asks(file) or not (asked_metrics(entry) or entry.get("positive") or entry.get("threshold")):
        return None
    return MetricQuestion(
        metrics=asked_metrics(entry) or ["accuracy"],
        positive=entry.get("positive"),
        threshold=entry.optional("threshold"),
        adjust="none" if entry.get("unadjusted") else "holm",
    )


def metric_words(file: PredictionFile | None, entry: Entry) -> list[str]:
    if file is None or not _asks(file):
        return []
    words = [f"--metric={name}" for name in asked_metrics(entry)]
    unadjusted = ["--unadjusted"] if len(words) > 1 and entry.get("unadjusted") else []
    return words + command_words(entry, {}, ("positive", "threshold")) + unadjusted


def metric_kinds(entry: Entry) -> tuple[AnyKind, ...]:
    """Kinds of evidence whose tests suit the metrics."""
    return (METRICS, RANKING) if asked_metrics(entry) else ()


def asked_metrics(entry: Entry) -> list[str]:
    """The metrics that were written into the field; a formula may hold blanks."""
    written = entry.get("metric") or ""
    if "/" in written:
        return [written.strip()]
    return [name for name in re.split(r"[\s,;]+", written) if name]


def _asks(file: PredictionFile) -> bool:
    return len(file.names) > 0 and (bool(file.counts) or file.truth is not None) and not holds_marks(file)
