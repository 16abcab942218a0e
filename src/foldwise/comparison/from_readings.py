"""Readers × cases in files and frames: modalities compared over new readers and new cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from foldwise.comparison.from_file import MarkOptions, judge_prediction_file
from foldwise.comparison.judgement import Judgement
from foldwise.comparison.metric_evidence import MetricQuestion
from foldwise.comparison.understanding import Understanding
from foldwise.core.metric import UNNAMED_MARK, resolve_direction
from foldwise.core.roles import NO_COLUMN, Columns, assign_roles
from foldwise.core.table import is_frame
from foldwise.data.predictions import PredictionFile, predictions_of
from foldwise.data.readings import has_readers
from foldwise.data.sheet import Sheet
from foldwise.designs.readers import OF_AREA
from foldwise.evidence.missing import Policy
from foldwise.reading.lineup import line_up
from foldwise.reading.objects import sheet_of
from foldwise.reading.source import Source, read_source


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReaderStudy:
    """A table of readings, and what was asked of it."""

    sheet: Sheet
    declared: dict[str, str | Sequence[str]]
    metric: str | None
    models: Sequence[str]
    higher_is_better: bool | None
    roles: dict[str, Any]  #: candidate, baseline and control

    def file(self, groups: str | None = None) -> PredictionFile:
        """The rows, in clusters of a column, if one is named."""
        declared = {**self.declared, **({} if groups is None else {"group": groups})}
        found = predictions_of(self.sheet, declared)
        names = line_up(tuple(self.models) or found.names, **self.roles, ordered=bool(self.models)).names
        return found.only(names)

    @property
    def measure(self) -> str:
        """What is compared."""
        return self.metric or (UNNAMED_MARK if self.file().truth is None else OF_AREA[0])


def readings_in(given: object, columns: Columns | None, **asked: Any) -> ReaderStudy | None:
    """The readings in a frame or in the only one of some sources, if it holds any."""
    declared = dict(columns or {})
    if is_frame(given):
        sheet = sheet_of(given, declared)
        return ReaderStudy(sheet=sheet, declared=declared, **asked) if has_readers(sheet.header, declared) else None
    if not isinstance(given, Sequence) or len(given) != 1 or not isinstance(given[0], Source):
        return None
    header = given[0].columns
    found = len(header) > 1 and has_readers(header, declared)
    return ReaderStudy(sheet=read_source(given[0]), declared=declared, **asked) if found else None


def understand_readings(read: ReaderStudy) -> Understanding:
    """What was read, as `judge` says it."""
    file = read.file()
    higher, direction = resolve_direction(read.measure, read.higher_is_better)
    assert file.items is not None
    assert file.readers is not None
    offered = assign_roles(read.sheet.header, source=read.sheet.source, only=("group",)).offered
    lineup = line_up(tuple(read.models) or file.names, **read.roles, ordered=bool(read.models))
    return Understanding(
        formats={f"scores of {len(file.readers.labels)} readers": 1}, models=file.names, tasks=("",), rows="items",
        size={"": len(file.items.labels)}, measures={"": read.measure}, higher_is_better=higher,
        direction_from=direction, unit=None, other_metrics=(), clusters=offered, trials=1, differing={}, left_out=(),
        passed_over=(), columns=file.decisions, candidate=lineup.decision, noun="case",
    )  # fmt: skip


def judge_readings(
    read: ReaderStudy, understanding: Understanding, *, groups: str | None, missing: Policy | None, **judged: Any
) -> Judgement:
    """The judgement of readings."""
    file = read.file(None if groups == NO_COLUMN else groups)
    marks: MarkOptions = {"missing": missing or "drop", "higher_is_better": read.higher_is_better}
    question = None if read.metric is None else MetricQuestion(metrics=[read.metric])
    lineup = line_up(file.names, **read.roles, ordered=True)
    control = lineup.control if len(file.names) > 2 else None
    c = judge_prediction_file(
        file.only(lineup.names, lineup.decisions(judged.get("margin"))), question=question, marks=marks,
        control=control, **judged,
    )  # fmt: skip
    return Judgement(understanding=understanding, verdicts={"": c})
