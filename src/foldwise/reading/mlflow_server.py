"""Runs of an experiment asked of MLflow itself, ``mlflow:NAME``: with any store that its client reaches."""

from __future__ import annotations

from typing import Any, TypeAlias

from foldwise.core.errors import InvalidInput, MissingDependency, UnknownName
from foldwise.reading.catalogue import Reading
from foldwise.reading.mlflow_store import Run, series_of_runs

__all__ = ["PREFIX", "experiment"]

Theirs: TypeAlias = Any
"""MLflow's client, and what it gives."""

PREFIX = "mlflow:"
PAGE = 1000
"""Runs that a store is asked for at once."""


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
        runs = [_run(client, run, found.name) for run in _runs(client, found.experiment_id)]
    except MlflowException as error:
        raise InvalidInput(f"MLflow does not give experiment {name!r}: {str(error).partition('. ')[0]}") from error
    if not runs:
        raise InvalidInput(f"experiment {name!r} must hold runs that were not deleted, got none")
    left_out: list[str] = []
    series = tuple(series_of_runs(runs, left_out, source=f"{PREFIX}{name}"))
    return Reading(series=series, formats={"MLflow experiment": 1}, left_out=tuple(left_out), passed_over=())


def _runs(client: Theirs, experiment_id: str) -> list[Theirs]:
    found: list[Theirs] = []
    token = None
    while True:
        page = client.search_runs([experiment_id], max_results=PAGE, page_token=token, order_by=["start_time ASC"])
        found += page
        token = page.token
        if not token:
            return found


def _run(client: Theirs, run: Theirs, name: str) -> Run:
    texts = {f"params.{key}": str(value) for key, value in run.data.params.items()}
    texts |= {f"tags.{key}": str(value) for key, value in run.data.tags.items()}
    texts.setdefault("tags.mlflow.runName", run.info.run_name or "")
    points = {  # a step that was logged again counts with its last value
        key: {str(one.step): float(one.value) for one in client.get_metric_history(run.info.run_id, key)}
        for key in run.data.metrics
    }
    return Run(key=run.info.run_id, experiment=name, points=points, texts=texts)
