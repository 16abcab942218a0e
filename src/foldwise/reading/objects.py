"""Results that Python holds already: vectors of scores, `cross_validate`'s dictionaries, searches, frames, tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.roles import Columns
from foldwise.core.tables import is_frame
from foldwise.core.types import Array
from foldwise.reading.catalogue import Reading
from foldwise.reading.frames import frame_series
from foldwise.reading.search_results import candidates
from foldwise.reading.series import Series, Splits

__all__ = ["is_object", "read_object"]

_SOURCE = "the results"


def is_object(given: object) -> bool:
    """Whether it holds results itself, and is no path to them."""
    return isinstance(given, Mapping) or is_frame(given) or hasattr(given, "cv_results_")


def read_object(given: Any, *, columns: Columns | None = None) -> Reading:
    """The series in a Python object.

    Parameters
    ----------
    given
        By name of the model, a vector of `cross_val_score`, an array (runs, folds) or a dictionary of `cross_validate`;
        a fitted search, or its ``cv_results_``; a long or wide table, or what a tracker gives, as a pandas, polars or
        pyarrow frame.
    columns
        Columns of a table that were declared, by role.
    """
    left_out: list[str] = []
    if columns and not is_frame(given):
        raise InvalidInput(f"columns are for tables, but {type(given).__name__} has none")
    if hasattr(given, "cv_results_"):
        kind, series = "scikit-learn search", list(candidates(given.cv_results_, _SOURCE, left_out))
    elif is_frame(given):
        kind, found = frame_series(given, left_out, columns=columns)
        series = list(found)
    elif "params" in given:
        kind, series = "scikit-learn search", list(candidates(given, _SOURCE, left_out))
    else:
        kind, series = "scores by model", [one for name, found in given.items() for one in _of_model(str(name), found)]
        _check_same_splits(given)
    return Reading(series=tuple(series), formats={kind: 1}, left_out=tuple(left_out), passed_over=())


def _of_model(model: str, found: Any) -> Iterator[Series]:
    if not isinstance(found, Mapping):
        yield _series(model, "score", np.asarray(found, dtype=np.float64), {})
        return
    scores = {key.removeprefix("test_"): value for key, value in found.items() if key.startswith("test_")}
    if not scores:
        raise InvalidInput(
            f"the dictionary of {model!r} must have test_score or test_<name>, as cross_validate gives it, got "
            f"{', '.join(map(str, list(found)[:8]))}"
        )
    for metric, values in scores.items():
        yield _series(model, metric, np.asarray(values, dtype=np.float64), _sizes(found))


def _series(model: str, metric: str, values: Array, sizes: Mapping[str, float]) -> Series:
    if values.ndim not in (1, 2):
        raise InvalidInput(f"scores of {model!r} must have shape (splits,) or (runs, folds), got {values.shape}")
    runs = None if values.ndim == 1 else [str(run) for run in range(len(values)) for _ in range(values.shape[1])]
    folds = [str(fold) for _ in range(len(values) if values.ndim == 2 else 1) for fold in range(values.shape[-1])]
    return Series(
        model=model,
        task="",
        metric=metric,
        rows=Splits(folds=folds, runs=runs, n_train=sizes.get("n_train"), n_test=sizes.get("n_test")),
        values=values.ravel(),
        # scikit-learn's scorers are greater for better, also those of losses, which they negate
        higher_is_better=True,
        source=_SOURCE,
    )


def _sizes(found: Mapping[str, Any]) -> dict[str, float]:
    """The sizes of the splits, where ``return_indices`` told them."""
    indices = found.get("indices")
    if not isinstance(indices, Mapping):
        return {}
    return {f"n_{part}": float(np.mean([len(rows) for rows in indices[part]])) for part in ("train", "test")}


def _check_same_splits(given: Mapping[Any, Any]) -> None:
    """Refuse dictionaries whose indices prove that the models were not tested on the same splits."""
    known = {
        str(name): [np.asarray(rows) for rows in found["indices"]["test"]]
        for name, found in given.items()
        if isinstance(found, Mapping) and isinstance(found.get("indices"), Mapping)
    }
    if len(known) < 2:
        return
    (first, splits), *others = known.items()
    for name, theirs in others:
        if len(splits) != len(theirs) or not all(map(np.array_equal, splits, theirs)):
            raise InvalidInput(
                f"{first!r} and {name!r} must be tested on the same splits to be paired, but their indices differ: "
                "give cross_validate one cv with a fixed random_state"
            )
