"""Every format of existing results, one line each. The first that recognises a file reads it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from foldwise.core.errors import InvalidInput
from foldwise.core.roles import Columns, assign_roles, missing_roles
from foldwise.data.sheet import some_names
from foldwise.reading import (
    agent_runs,
    any_table,
    every_eval_ever,
    experiments,
    harnesses,
    inspect_ai,
    lm_eval,
    mlflow,
    rankings,
    sktime,
    trackers,
)
from foldwise.reading.reader import Reader, Reading
from foldwise.reading.series import Series
from foldwise.reading.source import SourceFile, read_beginning, read_source

READERS: tuple[Reader, ...] = (
    agent_runs.TAU_BENCH, agent_runs.TERMINAL_BENCH, agent_runs.LIVE_CODE_BENCH, harnesses.BIGCODEBENCH,
    agent_runs.SWE_BENCH, lm_eval.READER, inspect_ai.READER, harnesses.PROMPTFOO, every_eval_ever.READER,
    harnesses.HELM, harnesses.OPENAI_EVALS, harnesses.DEEPEVAL, harnesses.EVALPLUS, harnesses.MTEB, harnesses.MT_BENCH,
    harnesses.LIGHTEVAL, experiments.WEKA, rankings.READER, experiments.OPENML, experiments.AEON, mlflow.DATABASE,
    mlflow.STORE, mlflow.TABLES, experiments.AMLB, experiments.OPTUNA, sktime.READER, trackers.READER,
    experiments.SEARCH, any_table.LONG, any_table.ONE_EACH, any_table.WIDE,
)  # fmt: skip
"""What is tried, in this order: formats that can be nothing else first, tables of any kind last."""

READ_AGAIN = 20  # Files of which at most the rows are looked at once more, to say why nothing was recognised.

_ANYTHING = (any_table.ONE_EACH, any_table.WIDE)
"""What takes any table of numbers, and is therefore asked only where nothing else knows any of the files."""


def read_sources(
    sources: Sequence[SourceFile], *, columns: Columns | None = None, metric: str | None = None
) -> Reading:
    """Read all files, each by the first reader that recognises it; tables whose columns were declared as tables."""
    if columns:
        return _declared(sources, columns)
    by_reader: dict[str, list[SourceFile]] = {}
    passed_over = []
    for source in sources:
        found = known_reader(source)
        if found is None:
            passed_over.append(source)
        else:
            by_reader.setdefault(found.name, []).append(source)
    if not by_reader:
        reader, tables = _any_tables(passed_over)
        by_reader = {reader.name: tables} if tables else {}
        passed_over = [source for source in passed_over if source not in tables]
    for source in passed_over:
        source.forget()
    if not by_reader:
        raise _unknown(passed_over)
    left_out: list[str] = []
    series = [
        one
        for reader in READERS
        if reader.name in by_reader
        for one in reader.read(by_reader[reader.name], left_out, metric)
    ]
    if not series:
        told = "\n".join(left_out[:3]) or "no value of any model is in them"
        raise InvalidInput(f"{_some([source.name for source in sources])}: nothing to compare.\n{told}")
    return Reading(
        series=tuple(series), formats={name: len(files) for name, files in by_reader.items()}, left_out=tuple(left_out),
        passed_over=tuple(source.name for source in passed_over),
    )  # fmt: skip


def known_reader(source: SourceFile) -> Reader | None:
    """The first reader that recognises a file, those of any table apart."""
    return next((reader for reader in READERS if reader not in _ANYTHING and reader.recognises(source)), None)


def _any_tables(sources: Sequence[SourceFile]) -> tuple[Reader, list[SourceFile]]:
    """Tables with one model each where there are several, or nothing else, else tables with several models."""
    single = [source for source in sources if any_table.ONE_EACH.recognises(source)]
    if len(single) > 1 or (len(single) == len(sources) == 1 and any_table.tells_of_one(single[0], None)):
        return any_table.ONE_EACH, single
    return any_table.WIDE, [source for source in sources if any_table.WIDE.recognises(source)]


def _unknown(sources: Sequence[SourceFile]) -> InvalidInput:
    """What was seen of files of no known format; of a table, which roles its columns have."""
    table = next((source for source in sources if len(source.columns) > 1), None)
    if table is None:
        names = [source.name for source in sources]
        known = [reader.name for reader in READERS if reader is not any_table.ONE_EACH]
        return InvalidInput(f"{_some(names)}: format not recognised, and no table. Known: {', '.join(known)}")
    try:
        for source in sources[:READ_AGAIN]:
            if len(source.columns) > 1:
                read_beginning(source)  # which says what is wrong with a row
        list(any_table.table_series(read_source(table), [])[1])
    except InvalidInput as error:
        return error
    roles = assign_roles(table.columns, source=table.name)
    seen = ", ".join(f"{role} {name!r}" for role in roles.found if (name := roles.get(role)) is not None)
    return missing_roles(table.name, f"columns {some_names(table.columns)}; found {seen or 'no role'}", {"model": ""})


def _declared(sources: Sequence[SourceFile], columns: Columns) -> Reading:
    """Read the tables among the files, whose columns somebody gave their roles."""
    left_out: list[str] = []
    tables = [source for source in sources if source.columns]
    if not tables:
        raise InvalidInput(f"columns are for tables, but {_some([source.name for source in sources])} is none")
    series: list[Series] = []
    formats: Counter[str] = Counter()
    several = len(tables) > 1 and all(any_table.holds_one_model(source, columns) for source in tables)
    if several or (len(tables) == 1 and any_table.tells_of_one(tables[0], columns)):
        series.extend(any_table.one_each(tables, left_out, columns))
        formats[any_table.ONE_EACH.name], tables = len(tables), []
    for source in tables:
        kind, found = any_table.table_series(read_source(source), left_out, columns=columns, name=source.path.stem)
        series.extend(found)
        formats[kind] += 1
    passed_over = tuple(source.name for source in sources if not source.columns)
    return Reading(series=tuple(series), formats=dict(formats), left_out=tuple(left_out), passed_over=passed_over)


def _some(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
