"""Evidence as a table of whichever frame library is installed."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from foldwise.core.errors import MissingDependency
from foldwise.evidence.outcomes import Outcomes
from foldwise.evidence.scores import Scores

__all__ = ["evidence_frame", "new_frame"]

_MAKERS = (("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "table"))


def evidence_frame(evidence: Outcomes | Scores, names: tuple[str, str]) -> Any:
    """Return one row per test example or per split."""
    columns = _outcome_columns(evidence, names) if isinstance(evidence, Outcomes) else _score_columns(evidence, names)
    return new_frame(columns)


def new_frame(columns: dict[str, Any]) -> Any:
    """Columns as a frame of the first library of pandas, polars and pyarrow that is installed."""
    for package, maker in _MAKERS:
        if find_spec(package):
            return getattr(import_module(package), maker)(columns)
    raise MissingDependency("to_frame", "data")


def _outcome_columns(outcomes: Outcomes, names: tuple[str, str]) -> dict[str, Any]:
    columns: dict[str, Any] = {names[0]: outcomes.correct_a, names[1]: outcomes.correct_b}
    if outcomes.groups is not None:
        columns["group"] = outcomes.groups
    return columns


def _score_columns(scores: Scores, names: tuple[str, str]) -> dict[str, Any]:
    if scores.a.ndim == 1:
        place = {"split": np.arange(scores.a.size)}
    else:
        run, fold = np.indices(scores.a.shape)
        place = {"run": run.ravel(), "fold": fold.ravel()}
    values = {names[0]: scores.a.ravel(), names[1]: scores.b.ravel(), "difference": scores.differences.ravel()}
    return place | values
