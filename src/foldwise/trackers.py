"""Answers written to experiment trackers: a run of MLflow, a table and numbers of Weights & Biases."""

from __future__ import annotations

import json
import math
import re
from contextlib import nullcontext
from types import ModuleType
from typing import Any, TypeAlias

from foldwise.comparison.comparison import Comparison
from foldwise.core.errors import InvalidInput, MissingDependency
from foldwise.core.result import Result

__all__ = ["log_to_mlflow", "log_to_wandb"]

Run: TypeAlias = Any
"""A run of a tracker, or its table."""

_NUMBERS = ("estimate", "low", "high", "pvalue", "adjusted")
_NO_KEY = re.compile(r"[^\w\-. /]+")
_LONGEST = 5000
"""Characters of a tag."""


def log_to_mlflow(result: Result, *, run_id: str | None = None) -> str:
    """Log a comparison, judgement or gate to MLflow; returns the id of the run.

    Metrics are the numbers of each pair (``foldwise/estimate``; ``foldwise/accuracy/a vs b/estimate`` where there are
    several); tags are verdict, guarantee and version; ``foldwise/report.html`` and ``foldwise/answer.json`` are
    artifacts.

    Parameters
    ----------
    result
        The answer.
    run_id
        The run it is logged to; without it the active one, or a new one called "foldwise".
    """
    try:
        import mlflow
    except ImportError:
        raise MissingDependency("logging to MLflow", "mlflow") from None
    numbers, told = _numbers(result), result.to_dict()  # nothing is logged of what can't be logged whole
    page = result.to_html()
    client = mlflow.MlflowClient()
    with _run(mlflow, run_id) as run:
        key = str(run.info.run_id)
        for name, value in numbers.items():
            client.log_metric(key, name, value)
        for name, text in _said(result).items():
            client.set_tag(key, name, text[:_LONGEST])
        client.log_text(key, page, "foldwise/report.html")
        client.log_text(key, json.dumps(told, ensure_ascii=False), "foldwise/answer.json")
    return key


def _run(mlflow: ModuleType, run_id: str | None) -> Run:
    """The run with this id or the active one, which stays open, or a new one."""
    active = mlflow.active_run()
    if active is not None and run_id in (None, active.info.run_id):
        return nullcontext(active)
    return mlflow.start_run(run_id=run_id, run_name=None if run_id else "foldwise", nested=active is not None)


def log_to_wandb(result: Result, run: Run = None) -> Run:
    """Log a comparison, judgement or gate to Weights & Biases; returns the `wandb.Table` of its pairs.

    Parameters
    ----------
    result
        The answer.
    run
        What `wandb.init` gave; without it the active run.
    """
    try:
        import wandb
    except ImportError:
        raise MissingDependency("logging to Weights & Biases", "wandb") from None
    run = wandb.run if run is None else run
    if run is None:
        raise InvalidInput("run must be what wandb.init gave, because no run is active")
    rows = _rows(result)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    table = wandb.Table(columns=[*columns], data=[[row.get(name) for name in columns] for row in rows])
    run.log({"foldwise/pairs": table, "foldwise/report": wandb.Html(result.to_html()), **_numbers(result)})
    run.summary.update(_said(result))
    return table


def _said(result: Result) -> dict[str, str]:
    from foldwise import __version__

    guarantee = str(getattr(_main(result), "guarantee", ""))
    return {"foldwise.verdict": result.verdict, "foldwise.guarantee": guarantee, "foldwise.version": __version__}


def _main(result: Result) -> Comparison | Result:
    """The comparison that answers: of a gate that behind it, of a judgement the one over tasks."""
    answer = getattr(result, "answer", result)
    found: Comparison | Result = getattr(answer, "main", answer)
    return found


def _rows(result: Result) -> list[dict[str, float]]:
    """Every pair by every metric."""
    main = _main(result)
    if not isinstance(main, Comparison):
        raise InvalidInput(f"result must be a comparison, a judgement or a gate, got {type(result).__name__}")
    return [pair.row() for pair in main.pairs]


def _numbers(result: Result) -> dict[str, float]:
    """The numbers of each pair; a metric and two names where there are several."""
    rows = _rows(result)
    found = {}
    for row in rows:
        place = f"{row['metric']}/{row['a']} vs {row['b']}/" if len(rows) > 1 else ""
        for name in _NUMBERS:
            if row.get(name) is not None and math.isfinite(row[name]):
                found[_NO_KEY.sub("_", f"foldwise/{place}{name}")] = float(row[name])
    return found
