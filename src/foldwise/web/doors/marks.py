"""What the door of predictions asks besides where its columns are marks, trials or seeds."""

from __future__ import annotations

from foldwise.comparison.from_file import MarkOptions, holds_marks
from foldwise.core.metric import UNNAMED_MARK
from foldwise.data.predictions import PredictionFile
from foldwise.web.doors.base import (
    Entry,
    Field,
    command_words,
    direction_field,
    direction_word,
    higher_is_better,
    missing_field,
    missing_policy,
)


def mark_fields(file: PredictionFile | None, entry: Entry) -> tuple[Field, ...]:
    """What marks measure, which direction is better, what to do about missing ones, what seeds mean."""
    if not _asks(file):
        return (missing_field(entry),)
    metric = entry.get("metric") or UNNAMED_MARK
    paired = entry.field(
        "unpaired_seeds",
        "Seeds of the two models",
        choices=(("", "paired: a seed means the same for both"), ("yes", "have nothing in common")),
    )
    return (
        entry.field("metric", "What the marks measure", kind="words"),
        direction_field(metric, entry),
        missing_field(entry),
        *((paired,) if file is not None and file.seeds is not None else ()),
    )


def mark_options(file: PredictionFile, entry: Entry) -> MarkOptions | None:
    """The same for `judge_prediction_file`; None where there are no such marks."""
    if not _asks(file):
        return {"missing": missing_policy(entry)} if entry.get("missing") else None
    return {
        "metric": entry.get("metric"),
        "higher_is_better": higher_is_better(entry),
        "missing": missing_policy(entry),
        "paired_seeds": entry.get("unpaired_seeds") is None,
    }


def mark_words(file: PredictionFile | None, entry: Entry) -> list[str]:
    if not _asks(file):
        return command_words(entry, {"missing": "refuse"}, ("missing",))
    seeds = file is not None and file.seeds is not None and entry.get("unpaired_seeds") is not None
    words = command_words(entry, {"missing": "refuse"}, ("metric", "missing"))
    return words + direction_word(entry) + (["--unpaired-seeds"] if seeds else [])


def trial_facts(file: PredictionFile) -> list[tuple[str, str]]:
    parts = {"items": file.items, "seeds": file.seeds}
    return [(name, f"{len(column.labels):,}") for name, column in parts.items() if column is not None]


def _asks(file: PredictionFile | None) -> bool:
    """Whether models have marks, whose direction may be either, or rows that are trials or seeds."""
    return file is not None and len(file.names) > 1 and holds_marks(file)
