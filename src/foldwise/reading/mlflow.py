"""MLflow: its store of files and its database, experiments asked of a server, and answers that it evaluated.

Other than the tables of ``search_runs`` (`trackers`) a store has the history of a metric, whose steps may be folds;
everything else is read as the same table would be.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np

from foldwise.core.errors import InvalidInput, MissingDependency, UnknownName
from foldwise.core.roles import ROLES
from foldwise.data.sheet import Sheet, parse_number, sheet_of_rows
from foldwise.reading.reader import Collector, Reader, Reading
from foldwise.reading.series import Series
from foldwise.reading.source import SourceFile, read_source
from foldwise.reading.trackers import stepped, tracked

# ---- Answers that were evaluated: ``eval_results_table.json``, and tables of ``mlflow.genai.evaluate``.
#
# Rows have no key of their own: they are joined by what was asked, and the target proves that it is the same question.

_SCORE = re.compile(r"(?P<metric>.+?)(?:/v\d+)?/(?:score|value)")
_TARGETS = ("target", "targets", "ground_truth", "expectations", "expected", "expected_response", "label")
_ASKED = ("inputs", "input", "question", "request", "prompt")
_WORDS = {"true": 1.0, "yes": 1.0, "pass": 1.0, "false": 0.0, "no": 0.0, "fail": 0.0, "": None}
_NO_SCORE = float("inf")  # Stands for text that is no score.


def _is_evaluation(source: SourceFile) -> bool:
    """Whether it is a table of what was asked, with scores."""
    asked = {name.lower() for name in source.columns} & set(_ASKED)
    return bool(asked) and any(_SCORE.fullmatch(name) for name in source.columns)


def _tables(sources: Sequence[SourceFile], left_out: list[str], metric: str | None) -> Iterator[Series]:
    """One series per table and score; a table is called as the person called the file, or its folder."""
    stems = [source.stem.partition(".")[0] for source in sources]
    named = [
        stem if stem != "eval_results_table" else source.path.absolute().parent.name
        for source, stem in zip(sources, stems, strict=True)
    ]
    for source, model in zip(sources, named, strict=True):
        if named.count(model) > 1:
            raise InvalidInput(f"{source.name} must be named after its model, because another table is {model!r} too")
        yield from _evaluated(read_source(source), model, left_out)


def _evaluated(sheet: Sheet, model: str, left_out: list[str]) -> Iterator[Series]:
    """One series per score of a table."""
    asked, target = sheet.guess(_ASKED), sheet.guess(_TARGETS)
    assert asked is not None
    keys = sheet.column(asked)
    targets = None if target is None else sheet.column(target)
    collected = Collector()
    for name in sheet.header:
        if (found := _SCORE.fullmatch(name)) is None:
            continue
        values = [_number(cell) for cell in sheet.column(name)]
        if _NO_SCORE in values:
            left_out.append(f"{sheet.source}: {name} (no numbers)")
            continue
        for row, (key, value) in enumerate(zip(keys, values, strict=True)):
            collected.add(found["metric"], key, value, content=None if targets is None else targets[row])
    yield from collected.series(model=model, source=sheet.source)


def _number(cell: str) -> float | None:
    if cell.lower() in _WORDS:
        return _WORDS[cell.lower()]
    found = parse_number(cell)
    return _NO_SCORE if found is None else found


TABLES = Reader(
    "MLflow evaluation", "eval_results_table.json, one per model, with <metric>/score", _is_evaluation,
    read_together=_tables,
)  # fmt: skip


# ---- Runs, wherever they are kept: the history of their metrics, their parameters and tags.


@dataclass(slots=True)
class _Run:
    key: str
    experiment: str = ""
    points: dict[str, dict[str, float]] = field(default_factory=dict)  #: By metric its values by step
    texts: dict[str, str] = field(default_factory=dict)  #: Parameters and tags
    tables: list[SourceFile] = field(default_factory=list)  #: Of evaluated answers

    @property
    def model(self) -> str:
        """A parameter that names the model, or the run's own name."""
        told = (self.texts[name] for one in ROLES["model"].names if (name := f"params.{one}") in self.texts)
        return next(told, "") or self.texts.get("tags.mlflow.runName") or self.key


def _series_of_runs(runs: Sequence[_Run], left_out: list[str], *, source: str) -> Iterator[Series]:
    """The series of all runs; experiments are tasks where a model has runs in several of them."""
    by_experiment: dict[str, list[_Run]] = {}
    for run in runs:
        by_experiment.setdefault(run.experiment, []).append(run)
    models = Counter(model for own in by_experiment.values() for model in {run.model for run in own})
    if max(models.values(), default=1) == 1:
        yield from _series(runs, left_out, source)
        return
    for name, own in by_experiment.items():
        for one in _series(own, left_out, source):
            yield replace(one, task=f"{name}/{one.task}" if one.task else name)


def _series(runs: Sequence[_Run], left_out: list[str], source: str) -> Iterator[Series]:
    """Histories with several steps, and all last values as one table."""
    histories = {key for run in runs for key, points in run.points.items() if len(points) > 1}
    for run in runs:
        for table in run.tables:
            yield from _evaluated(read_source(table), run.model, left_out)
        for metric, points in run.points.items():
            if metric in histories:
                yield stepped(run.model, metric, list(points), np.array(list(points.values())), source=source)
    left = [run for run in runs if run.points.keys() - histories]
    parents = {run.texts.get("tags.mlflow.parentRunId", "") for run in left}  # which give their children a name
    if left:
        named = left + [run for run in runs if run.key in parents and run not in left]
        yield from tracked(_sheet(named, histories, source), left_out)


def _sheet(runs: Sequence[_Run], histories: set[str], source: str) -> Sheet:
    """The last values, parameters and tags as ``search_runs`` gives them."""
    texts = dict.fromkeys(name for run in runs for name in run.texts)
    metrics = dict.fromkeys(name for run in runs for name in run.points if name not in histories)
    rows = [
        (
            run.key,
            *(run.texts.get(name, "") for name in texts),
            *(repr(list(run.points[name].values())[-1]) if name in run.points else "" for name in metrics),
        )
        for run in runs
    ]
    header = ("run_id", *texts, *(f"metrics.{name}" for name in metrics))
    return sheet_of_rows(source, header, rows, "runs of a store")


# ---- The store of files: ``mlruns/<experiment>/<run>/metrics/<key>``, with the parameters and tags beside it.

_RUN = re.compile(
    r"(?:^|/)(?:(?P<experiment>[^/]+)/)?(?P<run>[0-9a-f]{32})/(?P<part>metrics|params|tags|artifacts)/(?P<key>.+)"
)
_META = re.compile(r"/([0-9a-f]{32}|\d{1,20})/meta\.yaml$")
_POINT = re.compile(r"\d+ \S+ \d+")


def _is_store(source: SourceFile) -> bool:
    """By where the file lies, and how the history of a metric begins."""
    place = source.path.absolute().as_posix()
    found = _RUN.search(place)
    if found is None:
        return _META.search(place) is not None
    if found["part"] == "metrics":
        return _POINT.match(source.head.decode("utf-8", "replace")) is not None
    return found["part"] != "artifacts" or _is_evaluation(source)


def _store(sources: Sequence[SourceFile], left_out: list[str], metric: str | None) -> Iterator[Series]:
    runs: dict[str, _Run] = {}
    for source in sources:
        if (found := _RUN.search(source.path.absolute().as_posix())) is None:
            continue
        run = runs.setdefault(found["run"], _Run(found["run"], found["experiment"]))
        if found["part"] == "metrics":
            run.points[found["key"]] = _history(source)
        elif found["part"] == "artifacts":
            run.tables.append(source)
        else:
            run.texts[f"{found['part']}.{found['key']}"] = source.content().decode("utf-8", "replace").strip()
    yield from _series_of_runs(list(runs.values()), left_out, source="the store")


STORE = Reader(
    "MLflow store", "the folder mlruns with metrics, params, tags and evaluated answers of runs", _is_store,
    read_together=_store,
)  # fmt: skip


def _history(source: SourceFile) -> dict[str, float]:
    """Values by step; a step that was logged again counts with its last value."""
    points: dict[str, float] = {}
    for number, line in enumerate(source.lines(), start=1):
        words = line.split()
        try:
            points[words[2]] = float(words[1])
        except (IndexError, ValueError):
            raise InvalidInput(
                f"{source.name}, line {number} must be a time, a value and a step, but it is cut off or damaged: "
                f"{line.strip()[:40]!r}"
            ) from None
    return points


# ---- The store in SQLite, ``mlflow.db``: what the tracking server keeps unless somebody chooses otherwise.
#
# The database is read from memory, so that nothing is written beside it and no other file is opened; only tables that
# the server itself has are asked, never a view that a file might bring along.

_PARTS = ("experiments", "runs", "metrics", "params", "tags")
_RUNS = """
    select run_uuid, runs.name, experiments.name from runs join experiments using (experiment_id)
    where runs.lifecycle_stage = 'active' and experiments.lifecycle_stage = 'active' order by start_time, run_uuid
"""
_METRICS = "select run_uuid, key, step, case when is_nan then null else value end from metrics order by timestamp"


def _database(source: SourceFile, left_out: list[str]) -> Iterator[Series]:
    try:
        with closing(sqlite3.connect(":memory:")) as connection:
            runs = _kept_runs(connection, source, left_out)
    except sqlite3.Error as error:
        raise InvalidInput(f"{source.name} must be a whole SQLite file, but it is damaged: {error}") from None
    yield from _series_of_runs(runs, left_out, source=source.name)


DATABASE = Reader(
    "MLflow database",
    "mlflow.db, the SQLite file of a tracking server",
    lambda source: source.head.startswith(b"SQLite format 3\x00"),  # which tables it has is known when it is read
    _database,
)


def _kept_runs(connection: sqlite3.Connection, source: SourceFile, left_out: list[str]) -> list[_Run]:
    content = source.content()
    if content[18:20] == b"\x02\x02":  # a write-ahead log lies beside it; in memory there is none
        left_out.append(f"{source.name}: what the server still keeps in a -wal file beside it is not read")
        content = content[:18] + b"\x01\x01" + content[20:]
    connection.deserialize(content)
    connection.execute("pragma trusted_schema = off")
    there = {name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")}
    absent = [name for name in _PARTS if name not in there]
    if absent:
        raise InvalidInput(f"{source.name} must have the tables {', '.join(_PARTS)} of MLflow, got no {absent[0]}")
    found = {
        key: _Run(key, where, texts={"tags.mlflow.runName": name or ""})
        for key, name, where in connection.execute(_RUNS)
    }
    if not found:
        raise InvalidInput(f"{source.name} must hold runs that were not deleted, got none")
    for part in ("params", "tags"):
        for key, name, value in connection.execute(f"select run_uuid, key, value from {part}"):  # noqa: S608 (two words)
            if key in found:
                found[key].texts[f"{part}.{name}"] = str(value)
    for key, name, step, value in connection.execute(_METRICS):
        if key in found:  # a step that was logged again counts with its last value
            found[key].points.setdefault(name, {})[str(step)] = float("nan") if value is None else float(value)
    return list(found.values())


# ---- Runs of an experiment asked of MLflow itself, ``mlflow:NAME``: with any store that its client reaches.

Theirs: TypeAlias = Any  # MLflow's client, and what it gives.

PREFIX = "mlflow:"
PAGE = 1000  # Runs that a store is asked for at once.


def experiment(name: str) -> Reading:
    """The series in the runs of an experiment, by its name or id; deleted runs are none."""
    try:
        from mlflow import MlflowClient
        from mlflow.exceptions import MlflowException
    except ImportError:
        raise MissingDependency(f"reading {PREFIX}{name}", "mlflow") from None
    try:
        client: Theirs = MlflowClient()
        known = client.search_experiments()
        found = next((one for one in known if name in (one.name, one.experiment_id)), None)
        if found is None:
            raise UnknownName("experiment", name, [one.name for one in known])
        runs, token = list[_Run](), None
        while True:
            ask = {"max_results": PAGE, "page_token": token, "order_by": ["start_time ASC"]}
            page = client.search_runs([found.experiment_id], **ask)
            runs += [_asked_run(client, run, found.name) for run in page]
            if not (token := page.token):
                break
    except MlflowException as error:
        raise InvalidInput(f"MLflow does not give experiment {name!r}: {str(error).partition('. ')[0]}") from error
    if not runs:
        raise InvalidInput(f"experiment {name!r} must hold runs that were not deleted, got none")
    left_out: list[str] = []
    series = tuple(_series_of_runs(runs, left_out, source=f"{PREFIX}{name}"))
    return Reading(series=series, formats={"MLflow experiment": 1}, left_out=tuple(left_out))


def _asked_run(client: Theirs, run: Theirs, name: str) -> _Run:
    texts = {f"params.{key}": str(value) for key, value in run.data.params.items()}
    texts |= {f"tags.{key}": str(value) for key, value in run.data.tags.items()}
    texts.setdefault("tags.mlflow.runName", run.info.run_name or "")
    points = {  # a step that was logged again counts with its last value
        key: {str(one.step): float(one.value) for one in client.get_metric_history(run.info.run_id, key)}
        for key in run.data.metrics
    }
    return _Run(run.info.run_id, name, points, texts)
