"""A table of data sets × learners."""

from __future__ import annotations

from typing import Any

from foldwise.comparison.comparison import Comparison
from foldwise.comparison.options import Options
from foldwise.comparison.tables import compare_table
from foldwise.core.errors import FoldwiseError
from foldwise.core.metric import UNNAMED, declared_unit
from foldwise.data.formats import read_sheet
from foldwise.data.score_files import ResultTable, read_table
from foldwise.data.sheet import Sheet
from foldwise.designs import DATA_SETS
from foldwise.designs.adjustments import ADJUSTMENTS
from foldwise.designs.data_sets import OMNIBUS, PAIR_TESTS
from foldwise.evidence.score_table import ScoreTable
from foldwise.web.doors import base

DEFAULTS = {
    "missing": "refuse", "test": DATA_SETS.recommended, "adjust": "holm", "omnibus": "iman_davenport", "bayes": "auto",
    "metric": UNNAMED, "alpha": "0.05",
}  # fmt: skip
MODELS = (("auto", "yes, by signed ranks"), ("sign", "yes, by signs"), ("none", "no"))


def look(entry: base.Submission) -> base.Preview:
    """Which data sets, which learners, what is missing."""
    sheet = read_sheet(entry.table)
    table, problem = _read(entry)
    parts = base.describe(sheet, _roles(sheet, table))
    if table is not None:
        parts["facts"] += _facts(table)
    return base.Preview(**parts, fields=_fields(sheet, table, entry), options=_options(table, entry), problem=problem)


def answer(entry: base.Submission) -> Comparison:
    read = _read_table(entry)
    asked = _asked(read, entry, unit=declared_unit(read.decisions))
    return compare_table(read.values, models=read.names, tasks=read.datasets, **asked).deciding(read.decisions)


def _asked(read: ResultTable, entry: base.Submission, **more: Any) -> dict[str, Any]:
    """What the verb is asked, here and in Python."""
    few: dict[str, Any] = {name: entry.get(name) or DEFAULTS[name] for name in ("adjust", "bayes")}
    return {
        "metric": entry.get("metric") or UNNAMED,
        "test": entry.get("test") or "auto",
        "higher_is_better": base.higher_is_better(entry),
        "missing": base.missing_policy(entry),
        **base.judged(entry),
        **base.roles_of(read.names, entry),
        "options": Options(omnibus=_omnibus(read, entry), **few, **more),
    }


def command(entry: base.Submission) -> list[str]:
    read = _read_table(entry)
    words = ["table", entry.filename, *base.column_words(entry), *base.command_words(entry, {}, ("rows",))]
    words += base.role_words(read.names, entry) + base.command_words(entry, DEFAULTS, ("test", "adjust"))
    omnibus = _omnibus(read, entry)
    words += [] if omnibus == DEFAULTS["omnibus"] else [f"--omnibus={omnibus}"]
    words += base.command_words(entry, DEFAULTS, ("bayes", "metric"))
    words += base.direction_word(entry)
    return words + base.command_words(entry, DEFAULTS, ("missing", "alpha", "rope", "margin"))


def python(entry: base.Submission) -> str:
    table = _read_table(entry)
    frame = base.read_frame(entry, index_col=entry.get("column_task") or 0)
    if not frame or entry.get("rows") or table.missing:
        return ""
    whole = len(table.names) == len(read_sheet(entry.table).header) - 1
    columns = base.Code("table" if whole else f"table[{list(table.names)!r}]")
    return base.python_lines(frame, base.python_call("compare_table", columns, **_asked(table, entry)))


def _read_table(entry: base.Submission) -> ResultTable:
    return read_table(entry.table, columns=base.declared_columns(entry), rows="models" if entry.get("rows") else None)


def _read(entry: base.Submission) -> tuple[ResultTable | None, str]:
    try:
        table = _read_table(entry)
        ScoreTable.of(table.values, learners=table.names, datasets=table.datasets)
    except FoldwiseError as error:
        return None, error.said("page")
    return table, ""


def _roles(sheet: Sheet, table: ResultTable | None) -> dict[str, str]:
    if table is None:
        return {}
    learners = {name: "learner" for name in table.names if name in sheet.header}
    named = next((name for name in sheet.header if sheet.column(name)[:1] == list(table.datasets)[:1]), None)
    return learners | ({} if named is None else {named: "data set"})


def _facts(table: ResultTable) -> tuple[tuple[str, str], ...]:
    facts = [("data sets", f"{len(table.datasets):,}"), ("learners", f"{len(table.names):,}")]
    if table.missing:
        first = " on ".join(reversed(table.missing[0]))
        facts.append(
            ("empty cells", f"{len(table.missing):,}, the first: {first}; each pair is judged on what both have")
        )
    return tuple(facts)


def _omnibus(table: ResultTable, entry: base.Submission) -> str:
    """The one chosen; with empty cells the only one that takes them."""
    if table.missing and base.missing_policy(entry) == "refuse":
        return next(name for name, test in OMNIBUS.items() if test.takes_gaps)
    return entry.get("omnibus") or DEFAULTS["omnibus"]


def _fields(sheet: Sheet, table: ResultTable | None, entry: base.Submission) -> tuple[base.Field, ...]:
    names = () if table is None else table.names
    metric = entry.get("metric") or UNNAMED
    return (
        base.Field(name="metric", label="What the scores measure", kind="words", value=metric),
        base.direction_field(metric, entry),
        base.missing_field(entry),
        *base.role_fields(names, entry),
        *base.column_fields(sheet.header, ("task",), entry),
        base.Field(name="rows", label="What the rows are", value=entry.get("rows") or "",
              choices=(("", "data sets"), ("models", "models, with data sets in columns"))),
    )  # fmt: skip


def _options(table: ResultTable | None, entry: base.Submission) -> tuple[base.Field, ...]:
    adjustments = tuple((name, name.replace("_", "–").capitalize()) for name in ADJUSTMENTS)
    tests = tuple((name, test.choice) for name, test in PAIR_TESTS.items())
    omnibus = tuple((name, test.title) for name, test in OMNIBUS.items())
    value = DEFAULTS["omnibus"] if table is None else _omnibus(table, entry)
    return (
        entry.field("test", "Test of a pair", default=DEFAULTS["test"], choices=tests),
        entry.field("adjust", "Adjustment", default="holm", choices=adjustments, hint="for several comparisons"),
        base.Field(name="omnibus", label="Are all the same?", value=value, choices=omnibus),
        entry.field("bayes", "Probabilities", default="auto", choices=MODELS),
        *base.judging(entry),
    )  # fmt: skip


DOOR = base.Door(
    name="table", title="Data sets × learners", short="Table",
    question="Several learners were tried on several data sets: which are better than which?",
    takes="One row per data set, its name first, then one column per learner with its score.", example="table.csv",
    placeholder="data,nb,c45,1nn\niris,0.95,0.94,0.96\nwine,0.97,0.93,0.95\n…", look=look, answer=answer,
    command=command, python=python,
)  # fmt: skip
