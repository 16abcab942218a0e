"""MLflow's store in SQLite, ``mlflow.db``: what its tracking server keeps unless somebody chooses otherwise.

The database is read from memory, so that nothing is written beside it and no other file is opened; only tables that the
server itself has are asked, never a view that a file might bring along.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing

from foldwise.core.errors import InvalidInput
from foldwise.reading.mlflow_store import Run, series_of_runs
from foldwise.reading.reader import Reader
from foldwise.reading.series import Series
from foldwise.reading.source import Source

_MAGIC = b"SQLite format 3\x00"
_TABLES = ("experiments", "runs", "metrics", "params", "tags")
_RUNS = """
    select run_uuid, runs.name, experiments.name from runs join experiments using (experiment_id)
    where runs.lifecycle_stage = 'active' and experiments.lifecycle_stage = 'active' order by start_time, run_uuid
"""
_METRICS = "select run_uuid, key, step, case when is_nan then null else value end from metrics order by timestamp"


class MlflowDatabase(Reader):
    """MLflow's database."""

    name = "MLflow database"
    says = "mlflow.db, the SQLite file of a tracking server"

    def recognises(self, source: Source) -> bool:
        """By how every SQLite file begins; which tables it has is known when it is read."""
        return source.head.startswith(_MAGIC)

    def read(self, sources: Sequence[Source], left_out: list[str]) -> Iterator[Series]:
        """Histories with several steps, and all last values as one table."""
        for source in sources:
            try:
                with closing(sqlite3.connect(":memory:")) as connection:
                    runs = _runs(connection, source, left_out)
            except sqlite3.Error as error:
                raise InvalidInput(f"{source.name} must be a whole SQLite file, but it is damaged: {error}") from None
            yield from series_of_runs(runs, left_out, source=source.name)


READER = MlflowDatabase()


def _runs(connection: sqlite3.Connection, source: Source, left_out: list[str]) -> list[Run]:
    content = source.content()
    if content[18:20] == b"\x02\x02":  # a write-ahead log lies beside it; in memory there is none
        left_out.append(f"{source.name}: what the server still keeps in a -wal file beside it is not read")
        content = content[:18] + b"\x01\x01" + content[20:]
    connection.deserialize(content)
    connection.execute("pragma trusted_schema = off")
    there = {name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")}
    absent = [name for name in _TABLES if name not in there]
    if absent:
        raise InvalidInput(f"{source.name} must have the tables {', '.join(_TABLES)} of MLflow, got no {absent[0]}")
    found = {key: Run(key=key, experiment=where) for key, _, where in connection.execute(_RUNS)}
    if not found:
        raise InvalidInput(f"{source.name} must hold runs that were not deleted, got none")
    for key, name, _ in connection.execute(_RUNS):
        found[key].texts["tags.mlflow.runName"] = name or ""
    for part in ("params", "tags"):
        for key, name, value in connection.execute(f"select run_uuid, key, value from {part}"):  # noqa: S608 (two words)
            if key in found:
                found[key].texts[f"{part}.{name}"] = str(value)
    for key, name, step, value in connection.execute(_METRICS):
        if key in found:  # a step that was logged again counts with its last value
            found[key].points.setdefault(name, {})[str(step)] = float("nan") if value is None else float(value)
    return list(found.values())
