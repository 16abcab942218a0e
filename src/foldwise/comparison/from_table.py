"""Tables that the door for predictions reads, among files of any kind: readers × cases, metrics of all items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from foldwise.comparison.from_counts import columns_asked
from foldwise.comparison.from_file import MarkOptions, judge_prediction_file
from foldwise.comparison.judgement import Judgement, Understanding
from foldwise.comparison.metric_evidence import MetricQuestion
from foldwise.comparison.series_choice import OneModel
from foldwise.core.errors import FoldwiseError
from foldwise.core.metric import UNNAMED_MARK, resolve_direction
from foldwise.core.roles import NO_COLUMN, Columns, Roles, assign_roles
from foldwise.core.table import is_frame
from foldwise.data.long_rows import spread_models
from foldwise.data.predictions import PredictionFile, predictions_of
from foldwise.data.reader_studies import has_readers
from foldwise.data.sheet import Sheet
from foldwise.designs.readers import OF_AREA
from foldwise.evidence.missing import Policy
from foldwise.metrics.catalogue import known_metric
from foldwise.metrics.counts import asks_for_counts, counts_by_model
from foldwise.metrics.item_means import QUANTILE_METRICS
from foldwise.metrics.metric import Metric
from foldwise.metrics.survival import asks_for_survival
from foldwise.metrics.texts import FROM_TEXTS
from foldwise.reading.any_table import LONG, is_long
from foldwise.reading.catalogue import known_reader
from foldwise.reading.lineup import line_up
from foldwise.reading.objects import sheet_of
from foldwise.reading.source import SourceFile, read_source
from foldwise.reading.wide_table import wide_roles

BY_ITEM = ("accuracy", "log_loss", "brier", "mse", "mae", *QUANTILE_METRICS)
"""Metrics of outputs that files of any kind are compared by; the table of one test set takes all others, too."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OneTable:
    """A table of one test set, and what was asked of it."""

    sheet: Sheet
    declared: dict[str, str | Sequence[str]]
    metric: str | None
    models: Sequence[str]
    higher_is_better: bool | None
    positive: object  #: The class that the metric is about, where it was named
    roles: dict[str, Any]  #: candidate, baseline and control
    readers: bool = True  #: Whether rows are scores of several readers
    twice: str = ""  #: What stands behind the name of a single model's copy, which it is compared with

    def file(self, groups: str | None = None) -> PredictionFile:
        """The rows, in clusters of a column, if one is named."""
        declared = {**self.declared, **({} if groups is None else {"group": groups})}
        if self.readers:
            found = predictions_of(self.sheet, declared)
        else:
            found = predictions_of(self.sheet, declared, gaps=True, counts=columns_asked([self.metric]))
        if self.twice:
            found = found.doubled(self.twice)
        elif len(found.names) == 1 and not self.readers:
            raise OneModel(f"at least two models are needed to compare, got only {found.names[0]!r}")
        names = line_up(tuple(self.models) or found.names, **self.roles, ordered=bool(self.models)).names
        return found.only(names)

    @property
    def measure(self) -> str:
        """What is compared."""
        return self.metric or (UNNAMED_MARK if self.file().truth is None else OF_AREA[0])


def table_in(given: object, columns: Columns | None, *, twice: str = "", **asked: Any) -> OneTable | None:
    """The frame, or the only one of some sources, if it holds readings, or outputs for the metric of a whole test set.

    Files that other readers know are theirs, and so are several tasks and repeated items.
    """
    declared = dict(columns or {})
    if is_frame(given):
        sheet = sheet_of(given, declared)
        if has_readers(sheet.header, declared):
            return OneTable(sheet=sheet, declared=declared, **asked)
    else:
        if not isinstance(given, Sequence) or len(given) != 1 or not isinstance(given[0], SourceFile):
            return None
        header = given[0].columns
        if len(header) < 2:
            return None
        if has_readers(header, declared):
            return OneTable(sheet=read_source(given[0]), declared=declared, **asked)
        if not _may_be_whole(**asked) or (not declared and known_reader(given[0]) not in (None, LONG)):
            return None
        sheet = read_source(given[0])
    if not _may_be_whole(**asked):
        return None
    if is_long(sheet, declared):
        if (
            assign_roles(sheet.header, declared, source=sheet.source).get("truth") is None
            or asked["metric"] in sheet.header
        ):
            return None
        sheet, declared, _ = spread_models(sheet, declared, columns_asked([asked["metric"]]))
    if not _fits(sheet, declared, asked["metric"]):
        return None
    return OneTable(sheet=sheet, declared=declared, readers=False, twice=twice, **asked)


def _may_be_whole(metric: str | None, positive: object = None, **_: Any) -> bool:
    """Whether it may be computed of outputs, and files of any kind do not have it already."""
    if metric is None or (metric in BY_ITEM and positive is None) or asks_for_survival(metric):
        return False
    return asks_for_counts(metric) or isinstance(known_metric(metric), Metric)


def _fits(sheet: Sheet, declared: Columns, metric: str) -> bool:
    """Whether the columns are of one test set, with a truth or counts."""
    try:
        roles = wide_roles(sheet, declared)
    except FoldwiseError:
        return False
    item, task = roles.get("item"), roles.get("task")
    several = task is not None and len(sheet.categories(task).labels) > 1
    if several or metric in sheet.header or (item is not None and sheet.repeated(item) is not None):
        return False
    if asks_for_counts(metric) and counts_by_model(metric, sheet.header):
        return True
    return _truth(sheet, roles) and (metric in FROM_TEXTS or not asks_for_counts(metric))


def _truth(sheet: Sheet, roles: Roles) -> bool:
    return roles.get("truth") is not None and roles.get("human") is None and len(sheet) > 1


def understand_table(read: OneTable) -> Understanding:
    """What was read, as `judge` says it."""
    file = read.file()
    higher, direction = resolve_direction(read.measure, read.higher_is_better)
    known = None if read.readers or asks_for_counts(read.measure) else known_metric(read.measure)
    if known is not None and read.higher_is_better is None:
        higher, direction = known.higher_is_better, "by its name"
    offered = assign_roles(read.sheet.header, source=read.sheet.source, only=("group",))
    lineup = line_up(tuple(read.models) or file.names, **read.roles, ordered=bool(read.models))
    cases = file.items if read.readers else None
    formats = "wide table" if file.readers is None else f"scores of {len(file.readers.labels)} readers"
    return Understanding(
        formats={formats: 1}, models=file.names, tasks=("",), rows="items",
        size={"": file.rows if cases is None else len(cases.labels)}, measures={"": read.measure},
        higher_is_better=higher, direction_from=direction, unit=None, other_metrics=(),
        clusters=(*offered.all("group"), *offered.offered), trials=1, differing={}, left_out=(), passed_over=(),
        columns=file.decisions, candidate=lineup.decision, noun="case" if read.readers else "item",
        timed=file.times is not None,
    )  # fmt: skip


def judge_table_of_outputs(
    read: OneTable, understanding: Understanding, *, groups: str | None, missing: Policy | None, **judged: Any
) -> Judgement:
    """The judgement of readings, or by a metric of the whole test set."""
    file = read.file(None if groups == NO_COLUMN and read.readers else groups)
    marks: MarkOptions = {"missing": missing or "drop"}
    if read.readers or read.higher_is_better is not None:
        marks["higher_is_better"] = read.higher_is_better
    named = [] if read.metric is None else [read.metric]
    question = MetricQuestion(metrics=named, positive=read.positive) if named or read.positive is not None else None
    lineup = line_up(file.names, **read.roles, ordered=True)
    control = lineup.control if len(file.names) > 2 else None
    c = judge_prediction_file(
        file.only(lineup.names, lineup.decisions(judged.get("margin"))), question=question, marks=marks,
        control=control, **judged,
    )  # fmt: skip
    return Judgement(understanding=understanding, verdicts={"": c})
