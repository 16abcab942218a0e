"""All measurements as one table, and how it is written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from foldwise import __version__
from foldwise.core.types import Json
from foldwise.kinds import Design
from foldwise.lab.gather import Resources
from foldwise.measuring.algorithms import GROUNDS, Ground, measure_algorithms
from foldwise.measuring.estimators import TRIALS, measure_estimators
from foldwise.measuring.intervals import measure_intervals
from foldwise.measuring.many import TABLES, measure_many
from foldwise.measuring.marks import TRIALS as MARK_TRIALS
from foldwise.measuring.marks import measure_marks
from foldwise.measuring.metrics import DATA_SETS, measure_metrics
from foldwise.measuring.two_learners import ALPHA, REPETITIONS, ROPE, SOURCES, Trials, measure_source

__all__ = ["SEED", "make_table", "write_table"]

SEED = 2004


def make_table(
    *,
    trials: Trials | None = None,
    estimator_trials: int = TRIALS,
    tables: int = TABLES,
    mark_trials: int = MARK_TRIALS,
    data_sets: int = DATA_SETS,
    grounds: tuple[Ground, ...] = GROUNDS,
    seed: int = SEED,
    n_jobs: int | None = None,
    store: str | Path | None = None,
) -> dict[str, Json]:
    """Measure everything.

    Parameters
    ----------
    trials
        Data sets for the tests of two learners.
    estimator_trials, tables, mark_trials
        Data sets for the error estimators, tables for the procedures over data sets, and data sets for tests of marks.
    data_sets
        Data sets for each metric of predictions.
    grounds
        Where the tests of algorithms are measured.
    seed
        Repeats the numbers.
    n_jobs
        Processes; the numbers do not depend on it.
    store
        File from which the measurement of the metrics and of the tests of algorithms goes on after an interruption.

    Returns
    -------
    dict
        ``stamp``, ``sources``, ``two_learners``, ``intervals``, ``estimators``, ``many``, ``marks``, ``metrics``,
        ``algorithms``.
    """
    amounts = trials or Trials()
    resources = Resources(n_jobs=n_jobs, store=store, progress=False)
    found = [measure_source(source, trials=amounts, seed=seed, n_jobs=n_jobs) for source in SOURCES]
    return {
        "stamp": {
            "made by": "python -m foldwise.measuring",
            "version": __version__,
            "seed": seed,
            "alpha": ALPHA,
            "rope": ROPE,
            "trials": asdict(amounts),
            "design": asdict(Design(repetitions=REPETITIONS)),
        },
        "sources": [part["source"] for part in found],
        "two_learners": [row for part in found for row in part["rows"]],
        "intervals": measure_intervals(),
        "estimators": measure_estimators(trials=estimator_trials, seed=seed, n_jobs=n_jobs),
        "many": measure_many(tables=tables, seed=seed),
        "marks": measure_marks(trials=mark_trials, seed=seed),
        "metrics": measure_metrics(data_sets=data_sets, seed=seed, n_jobs=n_jobs, store=store),
        "algorithms": measure_algorithms(seed=seed, grounds=grounds, resources=resources),
    }


def write_table(path: Path, table: Mapping[str, Json]) -> None:
    """Write the table with one line for each row."""
    path.write_text(_text(table, 0) + "\n", encoding="utf-8")


def _text(value: Json, depth: int) -> str:
    """JSON that breaks lines in dictionaries and lists of dictionaries, but not within a row."""
    pad = "\n" + " " * (depth + 1)
    if isinstance(value, dict) and (depth == 0 or "rows" in value):
        parts = [f"{json.dumps(key)}: {_text(part, depth + 1)}" for key, part in value.items()]
        return "{" + pad + f",{pad}".join(parts) + "\n" + " " * depth + "}"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        parts = [json.dumps(part, ensure_ascii=False) for part in value]
        return "[" + pad + f",{pad}".join(parts) + "\n" + " " * depth + "]"
    return json.dumps(value, ensure_ascii=False)
