"""Results that Python holds already: vectors of scores, `cross_validate`'s dictionaries, searches, frames, tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from foldwise.core.categories import no_number
from foldwise.core.errors import InvalidInput
from foldwise.core.roles import Columns, role_of
from foldwise.core.table import frame_columns, is_frame
from foldwise.core.types import Array
from foldwise.core.validation import floats
from foldwise.data.attributes import number_like
from foldwise.data.sheet import RowCells, Sheet, coded_texts
from foldwise.reading.any_table import table_series
from foldwise.reading.experiments import candidates, is_split
from foldwise.reading.mlflow import PREFIX, experiment
from foldwise.reading.reader import Reading
from foldwise.reading.series import Series, SplitRows
from foldwise.reading.skore_reports import answered, cross_validated, named_reports
from foldwise.reading.sktime import evaluations, evaluations_of
from foldwise.reading.trackers import is_export, tracked

# ---- Results in data frames of pandas, polars or pyarrow: read as the same table in a file is.


def frame_series(frame: Any, left_out: list[str], *, columns: Columns | None = None) -> tuple[str, Iterator[Series]]:
    """What the table in a frame is, and its series."""
    if "params" in frame.columns and any(map(is_split, map(str, frame.columns))) and not columns:
        return "scikit-learn search", candidates(_search(frame), "the frame", left_out)
    sheet = sheet_of(frame, columns or {})
    if is_export(sheet.header) and not columns:
        return "experiment tracker", tracked(sheet, left_out)
    return table_series(sheet, left_out, columns=columns)


def _search(frame: object) -> dict[str, Sequence[object]]:
    """The columns of a frame of ``cv_results_`` that tell its candidates."""
    import narwhals.stable.v1 as nw

    native = nw.from_native(frame, eager_only=True)
    wanted = [name for name in native.columns if name in ("params", "iter") or is_split(name)]
    return {name: native.get_column(name).to_list() for name in wanted}


def sheet_of(frame: object, declared: Columns) -> Sheet:
    """The frame as a table."""
    found = list(frame_columns(_comparable(frame, declared)))
    columns = {name: coded_texts(values, categories) for name, (values, categories) in found}
    return Sheet(
        source="the frame", header=tuple(columns), cells=RowCells(list(zip(*columns.values(), strict=True))),
        lines=range(1, len(next(iter(columns.values()), ())) + 1), layout="columns of a frame",
        decimal_comma=any(_has_decimal_commas(categories) for _, (_, categories) in found if categories is not None),
    )  # fmt: skip


def _has_decimal_commas(labels: Sequence[str]) -> bool:
    """Whether text is numbers of which some are written 0,5; a comma that may stand for thousands is none."""
    numbers = number_like((label for label in labels if not no_number(label)), decimal_comma=False)
    return isinstance(numbers, dict) and any("," in label and value % 1 for label, value in numbers.items())


def _comparable(frame: Any, declared: Columns) -> Any:
    """The frame without columns that no comparison needs (lists, dates), and with what pandas keeps in its index.

    Dates that were declared, or whose column is called like a time, are kept as text.
    """
    import narwhals.stable.v1 as nw

    if hasattr(frame, "reset_index") and any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    native = nw.from_native(frame, eager_only=True)
    dates = [name for name, kind in native.schema.items() if kind in (nw.Date, nw.Datetime)]
    kept = [name for name in dates if name in declared.values() or role_of(name) == "time"]
    dropped = [name for name, kind in native.schema.items() if kind.is_temporal() or kind.is_nested()]
    return (
        native.drop([name for name in dropped if name not in kept])
        .with_columns(nw.col(name).cast(nw.String) for name in kept)
        .to_native()
    )


_SOURCE = "the results"


def is_object(given: object) -> bool:
    """Whether it holds results itself, and is no path to them."""
    return (
        isinstance(given, Mapping) or is_frame(given) or hasattr(given, "cv_results_")
        or _experiment(given) is not None or named_reports(given) is not None
    )  # fmt: skip


def _experiment(given: object) -> str | None:
    """The experiment of ``mlflow:NAME``, also where it is the only one of some paths."""
    only = given[0] if isinstance(given, list | tuple) and len(given) == 1 else given
    return only.removeprefix(PREFIX) if isinstance(only, str) and only.startswith(PREFIX) else None


def read_object(given: Any, *, columns: Columns | None = None) -> Reading:
    """The series in a Python object.

    `given`: by name of the model, a vector of `cross_val_score`, an array (runs, folds) or a dictionary of
    `cross_validate`; a fitted search, or its ``cv_results_``; a long or wide table, or what a tracker gives, as a
    pandas, polars or pyarrow frame; reports of skore; ``"mlflow:NAME"``, an experiment by its name or id. `columns`:
    columns of a table that were declared, by role.
    """
    left_out: list[str] = []
    if columns and not is_frame(given):
        raise InvalidInput(f"columns are for tables, but {type(given).__name__} has none")
    if (name := _experiment(given)) is not None:
        return experiment(name)
    if (reports := named_reports(given)) is not None:
        given = cross_validated(reports)
        kind = "skore report"
        series = list(answered(reports, _SOURCE)) if given is None else list(_of_models(given))
    elif hasattr(given, "cv_results_"):
        kind, series = "scikit-learn search", list(candidates(given.cv_results_, _SOURCE, left_out))
    elif is_frame(given):
        kind, found = frame_series(given, left_out, columns=columns)
        series = list(found)
    elif (frames := evaluations_of(given)) is not None:
        kind, series = "sktime", list(evaluations(frames, _SOURCE))
    elif "params" in given:
        kind, series = "scikit-learn search", list(candidates(given, _SOURCE, left_out))
    else:
        kind, series = "scores by model", list(_of_models(given))
    return Reading(series=tuple(series), formats={kind: 1}, left_out=tuple(left_out))


def _of_models(given: Mapping[Any, Any]) -> Iterator[Series]:
    _check_same_splits(given)
    for name, found in given.items():
        yield from _of_model(str(name), found)


def _of_model(model: str, found: Any) -> Iterator[Series]:
    if not isinstance(found, Mapping):
        yield _series(model, "score", floats(found, f"scores of {model}"), {}, {})
        return
    told = {key.removeprefix("test_"): value for key, value in found.items() if key.startswith("test_")}
    if not told:
        raise InvalidInput(
            f"the dictionary of {model!r} must have test_score or test_<name>, as cross_validate gives it, got "
            f"{', '.join(map(str, list(found)[:8]))}"
        )
    for metric, values in told.items():
        scores = np.asarray(values, dtype=np.float64)
        runs = _runs(found) if scores.ndim == 1 else None
        scores = scores if runs is None else scores.reshape(runs, -1)
        yield _series(model, metric, scores, _sizes(found), _times(found))


def _runs(found: Mapping[str, Any]) -> int | None:
    """How many times the splits test every example once, one fold after the other; None where they don't, or who knows.

    >>> _runs({"indices": {"train": [[2, 3], [0, 1], [1, 3], [0, 2]], "test": [[0, 1], [2, 3], [0, 2], [1, 3]]}})
    2
    """
    if not isinstance(found.get("indices"), Mapping):
        return None
    trained, tested = ([np.asarray(rows) for rows in found["indices"][part]] for part in ("train", "test"))
    examples = len(np.unique(np.concatenate([*trained, *tested])))
    folds = int(np.searchsorted(np.cumsum([len(rows) for rows in tested]), examples)) + 1
    if folds < 2 or len(tested) % folds:
        return None
    runs = [np.concatenate(tested[start : start + folds]) for start in range(0, len(tested), folds)]
    return len(runs) if all(len(np.unique(run)) == len(run) == examples for run in runs) else None


def _series(model: str, metric: str, values: Array, sizes: Mapping[str, float], times: Mapping[str, float]) -> Series:
    if values.ndim not in (1, 2):
        raise InvalidInput(f"scores of {model!r} must have shape (splits,) or (runs, folds), got {values.shape}")
    runs = None if values.ndim == 1 else [str(run) for run in range(len(values)) for _ in range(values.shape[1])]
    folds = [str(fold) for _ in range(len(values) if values.ndim == 2 else 1) for fold in range(values.shape[-1])]
    return Series(
        model=model,
        task="",
        metric=metric,
        rows=SplitRows(folds=folds, runs=runs, n_train=sizes.get("n_train"), n_test=sizes.get("n_test")),
        values=values.ravel(),
        # scikit-learn's scorers are greater for better, also those of losses, which they negate
        higher_is_better=True,
        source=_SOURCE,
        times=times,
    )


def _times(found: Mapping[str, Any]) -> dict[str, float]:
    """Mean seconds of a fit and of its scoring, where they are told."""
    told = {name: np.asarray(found.get(f"{name}_time", np.nan), dtype=np.float64) for name in ("fit", "score")}
    return {name: float(values.mean()) for name, values in told.items() if not np.isnan(values).any()}


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
