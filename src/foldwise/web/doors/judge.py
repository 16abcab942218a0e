"""Results that already exist, whatever wrote them: the door behind the first screen."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any

from foldwise.comparison.judgement import Judgement
from foldwise.comparison.judgement import Understanding as Understood
from foldwise.comparison.judging import explain, judge
from foldwise.comparison.options import Options
from foldwise.core.errors import FoldwiseError, InvalidInput
from foldwise.data.formats import read_sheet
from foldwise.designs import TIME_ORDER
from foldwise.reading.any_table import LONG, ONE_EACH, WIDE
from foldwise.reading.catalogue import READERS, read_sources
from foldwise.reading.series import READINGS, LabelledRows
from foldwise.reading.source import SourceFile, find_sources
from foldwise.web.doors import base
from foldwise.web.doors.other_door import as_table

SHOWN_FILES = 6
_TABLES = {LONG.name, WIDE.name, ONE_EACH.name}
DEFAULTS = {"alpha": "0.05", "test": "auto"}
_MISSING = {
    "": "left out for all models (noted in the answer)", "drop": "left out for all models", "refuse": "not allowed",
    "worst": "the worst possible value",
}  # fmt: skip
_OVER = {
    "": "each task counts once (noted in the answer)",
    "tasks": "each task counts once",
    "items": "each item counts once",
}
_OPTION = re.compile(r" \((--[a-z-]+( [a-z]+)?|“[^”]*”)\)")
"""What the command line calls a choice that the page offers in a field."""

_NAMED = re.compile(r"^column '([^']+)'")
"""The column that a decision is about."""

_ROLES = ("model", "item", "task", "trial", "fold", "run", "score", "group", "time", "truth", "human", "condition")
"""Roles that columns of a table can be given here."""


def look(entry: base.Submission) -> base.Preview:
    """What the files are, which models, tasks, items and metrics are in them, and what can be chosen."""
    try:
        found = explain(entry.folder, **asked(entry))
    except FoldwiseError as error:
        problem, _, _ = _OPTION.sub("", error.said("page")).partition(
            " Known: "
        )  # formats, which the first screen lists
        fields = (*_rows(entry), *_columns(entry))
        return base.Preview(facts=_files(entry), fields=fields, problem=problem, **_preview(entry))
    facts = tuple((label, _OPTION.sub("", text)) for label, text in found.lines())
    return base.Preview(
        facts=(*facts, *_files(entry)),
        fields=(*_rows(entry, found), *_fields(found, _everything(found, entry), entry), *_columns(entry, found)),
        options=_options(found, entry),
        **(_preview(entry, found) if set(found.formats) & _TABLES else {}),
    )


def answer(entry: base.Submission) -> Judgement:
    chosen, settings = asked(entry), how(entry)
    models = chosen["models"] or explain(entry.folder, **chosen, options=settings["options"]).models
    roles: dict[str, Any] = base.roles_of(models, entry)
    return judge(entry.folder, **chosen, **settings, **roles)


def how(entry: base.Submission) -> dict[str, Any]:
    return {
        "test": entry.get("test") or "auto", **{name: entry.get(name) for name in ("missing", "groups")},
        "slices": entry.get("slice"), **base.judged(entry), "options": few_options(entry),
    }  # fmt: skip


def few_options(entry: base.Submission, **more: Any) -> Options:
    """What few people set."""
    over: Any = entry.get("over")
    return Options(
        over=over, runs=entry.whole("runs"), n_train=entry.optional("n_train"), n_test=entry.optional("n_test"),
        bounds=_bounds(entry), inner=entry.get("inner") is not None, penalty=entry.number("penalty", 0.0),
        positive=entry.get("positive"), **more,
    )  # fmt: skip


def command(entry: base.Submission) -> list[str]:
    chosen = asked(entry)
    words = ["judge", *paths(entry), *base.command_words(entry, {}, ("rows",)), *base.direction_word(entry)]
    words += [f"--metric={chosen['metric']}"] if chosen["metric"] else []
    words += [f"--model={name}" for name in chosen["models"]] + [f"--task={name}" for name in chosen["tasks"]]
    words += base.column_words(entry) + base.command_words(entry, DEFAULTS, ("groups", "slice", "missing", "over"))
    words += ["--bounds", *(f"{bound:g}" for bound in bounds)] if (bounds := _bounds(entry)) else []
    words += ["--inner"] if entry.get("inner") else []
    rest = ("runs", "n_train", "n_test", "penalty", "positive", "test", "candidate", "baseline", "alpha", "rope")
    return words + base.command_words(entry, DEFAULTS, (*rest, "margin"))


def python(entry: base.Submission) -> str:
    found = explain(entry.folder, **asked(entry))
    return base.python_lines(
        base.python_call("judge", given(entry), **asked(entry), **how(entry), **base.roles_of(found.models, entry))
    )


def given(entry: base.Submission) -> object:
    """The files as a verb takes them."""
    named = paths(entry)
    return named[0] if len(named) == 1 else named


def _bounds(entry: base.Submission) -> tuple[float, float] | None:
    """What no value can be below or above, where both were said."""
    low, high = entry.optional("lowest"), entry.optional("highest")
    if (low is None) != (high is None):
        raise InvalidInput("lowest and highest possible value must be given together")
    return None if low is None or high is None else (low, high)


def asked(entry: base.Submission) -> dict[str, Any]:
    pair = tuple(name for name in (entry.get("a"), entry.get("b")) if name is not None)
    task = entry.get("task")
    return {
        "metric": _metric(entry), "models": pair if len(set(pair)) == 2 else (), "tasks": (task,) if task else (),
        "rows": entry.get("rows"), "columns": base.declared_columns(entry),
        "higher_is_better": base.higher_is_better(entry),
    }  # fmt: skip


def _metric(entry: base.Submission) -> str | None:
    """What is compared, with what is asked of several runs of an item."""
    metric, of_runs = entry.get("metric"), entry.get("of_runs")
    return metric if of_runs is None else f"{of_runs} of {metric}" if metric else of_runs


def _everything(found: Understood, entry: base.Submission) -> Understood:
    """What there is to choose from, whatever was chosen."""
    chosen = asked(entry)
    whole = {name: chosen[name] for name in ("rows", "columns")}
    return explain(entry.folder, **whole) if chosen["models"] or chosen["tasks"] or chosen["metric"] else found


def _rows(entry: base.Submission, found: Understood | None = None) -> tuple[base.Field, ...]:
    """What the rows are, where the files leave it open."""
    chosen = entry.get("rows")
    if found is not None and chosen is None and not any("--rows" in note for note in found.left_out):
        return ()
    try:
        reading = read_sources(find_sources([entry.folder]), columns=base.declared_columns(entry))
    except FoldwiseError:
        return ()
    labelled = [one.rows.readings for one in reading.series if isinstance(one.rows, LabelledRows)]
    names = [name for name in READINGS if any(name in readings for readings in labelled if len(readings) > 1)]
    choices = (("", "please say"), *((name, READINGS[name]) for name in names))
    return (base.Field(name="rows", label="What the rows are", value=chosen or "", choices=choices),) if names else ()


def _columns(entry: base.Submission, found: Understood | None = None) -> tuple[base.Field, ...]:
    """What the columns of a table are; of other files no columns are asked for."""
    if found is not None and not (set(found.formats) & _TABLES or base.declared_columns(entry)):
        return ()
    try:
        tables = [source for source in find_sources([entry.folder]) if len(source.columns) > 1]
        header = next((source.columns for source in tables if not _is_log(source)), ())
    except FoldwiseError:
        return ()
    return base.column_fields(header, _ROLES, entry) if header else ()


def _is_log(source: SourceFile) -> bool:
    """Whether a reader knows the file that needs no roles of columns."""
    return any(reader.recognises(source) for reader in READERS if reader.name not in _TABLES)


def _preview(entry: base.Submission, found: Understood | None = None) -> dict[str, Any]:
    """The beginning of a single table: its columns with their roles, and where nobody could take it with none."""
    told = {name: one.what for one in (() if found is None else found.columns) for name in _NAMED.findall(one.value)}
    models = {} if found is None else dict.fromkeys(found.models, "model")
    try:
        table = as_table(entry)
        parts = {} if table is None else base.describe(read_sheet(table.table), {**models, **told})
    except FoldwiseError:
        return {}
    return {name: parts[name] for name in ("columns", "more_columns", "header", "rows") if name in parts}


def paths(entry: base.Submission) -> list[str]:
    """The files as somebody would name them: the folder or archive that was dropped, or each of them."""
    tops = {upload.archive or PurePosixPath(upload.name).parts[0] for upload in entry.files}
    return sorted(tops)


def _files(entry: base.Submission) -> tuple[tuple[str, str], ...]:
    names = [upload.name for upload in entry.files]
    more = f" … and {len(names) - SHOWN_FILES} more" if len(names) > SHOWN_FILES else ""
    return (("file" if len(names) == 1 else "files", ", ".join(names[:SHOWN_FILES]) + more),)


def _fields(found: Understood, all_of_it: Understood, entry: base.Submission) -> tuple[base.Field, ...]:
    """What decides between the readings that the files allow."""
    fields = []
    measures = tuple(dict.fromkeys((*all_of_it.measures.values(), *all_of_it.other_metrics)))
    if len(measures) > 1:
        first = "the most common of each task" if len(all_of_it.tasks) > 1 else f"the most common: {measures[0]}"
        fields.append(_choice("metric", "Metric", first, measures, entry))
    if all_of_it.trials > 1 or entry.get("of_runs"):
        hint = "pass@3: any of 3 succeeds; pass^3: all of 3; best@3, worst@3 of numbers; empty: their mean"
        fields.append(entry.field("of_runs", "Of several runs", kind="words", hint=hint))
    if len(all_of_it.tasks) > 1:
        fields.append(_choice("task", "Task", "all, and each one", all_of_it.tasks, entry))
    if len(all_of_it.models) > 2:
        fields.append(_choice("a", "First model", "all of them", all_of_it.models, entry))
        fields.append(_choice("b", "Second model", "all of them", all_of_it.models, entry))
    if found.rows == "votes":
        label, words = "Votes that belong together", "those of an annotator, or of an item"
        fields.append(_choice("groups", label, words, (*found.clusters, "none"), entry))
    elif found.clusters:
        words = "items are independent"
        fields.append(_choice("groups", "Items that belong together", words, found.clusters, entry))
    return tuple(fields)


def _choice(name: str, label: str, first: str, others: tuple[str, ...], entry: base.Submission) -> base.Field:
    choices = (("", first), *((other, other) for other in others))
    return entry.field(name, label, choices=choices)


def _options(found: Understood, entry: base.Submission) -> tuple[base.Field, ...]:
    fields = []
    if found.rows == "votes":
        hint = "0.1, where a model never loses, or no votes connect some of them"
        fields.append(_number("penalty", "Penalty", entry, hint))
    else:
        fields.append(entry.field("missing", "Missing values", choices=tuple(_MISSING.items())))
        hint = "for the worst possible value, where the metric's name does not tell"
        fields.append(_number("lowest", "Lowest possible value", entry, hint))
        fields.append(_number("highest", "Highest possible value", entry, hint))
    if found.noun == "case":
        fields.append(entry.field("positive", "Positive class", kind="words"))
    if found.rows == "items" and (found.timed or entry.get("test")) and len(found.models) == 2:
        fields.append(base.tests_for((TIME_ORDER,), entry.get("test")))
    if found.rows in ("items", "votes"):
        hint = "a column such as difficulty: who is better on each of its values"
        fields.append(entry.field("slice", "Slices", kind="words", hint=hint))
    if found.rows == "items":
        if len(found.tasks) > 1:
            fields.append(entry.field("over", "Over tasks", choices=tuple(_OVER.items())))
        common = (("", "at least 90 % must be common"), ("yes", "compare the common ones, however few"))
        fields.append(entry.field("inner", "Items of all models", choices=common))
    if found.rows == "splits":
        asked = {"runs": "Runs of cross-validation", "n_train": "Training examples in a split"}
        asked |= {"n_test": "Test examples in a split"}
        fields += [_number(name, label, entry) for name, label in asked.items()]
    if found.rows != "votes":
        fields.append(base.direction_field(found.metric, entry))
    return (*fields, *base.role_fields(found.models, entry), *base.judging(entry))


def _number(name: str, label: str, entry: base.Submission, hint: str = "where the files do not tell") -> base.Field:
    return entry.field(name, label, kind="number", hint=hint)


DOOR = base.Door(
    name="judge", title="What your files say", short="Any file",
    question="Models in logs, exports and tables of any kind: which is better?",
    takes="Logs of evaluation harnesses, exports of trackers, tables; one file, several, or a folder.",
    example="lm_eval_logs.zip", several=True, look=look, answer=answer, command=command, python=python,
)  # fmt: skip
