"""Data sets from OpenML, through scikit-learn's fetcher (which keeps a cache)."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from foldwise.core.errors import DataNotFound, InvalidInput
from foldwise.data.dataset import Column, Dataset, Task, assemble

__all__ = ["fetch_openml"]


Fetcher = Callable[..., Any]
"""`sklearn.datasets.fetch_openml`, or what stands for it; it returns a bunch."""


def fetch_openml(
    key: str | int,
    *,
    target: str | None = None,
    task: Task | None = None,
    name: str | None = None,
    fetcher: Fetcher | None = None,
) -> Dataset:
    """Fetch a data set from OpenML.

    Parameters
    ----------
    key
        Its id or its name; a name means the active version.
    target
        The target column; None takes the one OpenML names.
    task
        Whether the target is a class or a number; None lets its type decide.
    name
        What to call it; None takes OpenML's name.
    fetcher
        In place of `sklearn.datasets.fetch_openml`.

    Returns
    -------
    Dataset
        With the id and version in its provenance.
    """
    by_id = str(key).isdigit()
    query: dict[str, str | int] = {"data_id": int(key)} if by_id else {"name": str(key), "version": "active"}
    if target is not None:
        query["target_column"] = target
    bunch = _ask(fetcher or _sklearn_fetcher(), str(key), query)
    if not hasattr(bunch.data, "shape") or not isinstance(bunch.data, np.ndarray):
        raise InvalidInput(f"OpenML data set {str(key)!r} is sparse, which is not supported")
    details = bunch.details
    title = name or str(details["name"])
    provenance = f"OpenML {details['id']}, {details['name']} version {details['version']}"
    return assemble(
        [*_features(bunch), _goal(bunch, str(key))], target="last", name=title, provenance=provenance, task=task
    )


def _sklearn_fetcher() -> Fetcher:
    from sklearn import datasets

    fetcher: Fetcher = datasets.fetch_openml
    return fetcher


def _ask(fetcher: Fetcher, key: str, query: dict[str, str | int]) -> Any:
    """One request; nominal values come as codes into `categories`, without pandas."""
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="A network error occurred")  # the error itself follows
            return fetcher(**query, as_frame=False, parser="liac-arff", n_retries=1, delay=0.5)
    except OSError as error:  # URLError, HTTPError, timeouts
        reason = getattr(error, "reason", None) or error
        raise DataNotFound(
            f"OpenML data set {key!r} can't be fetched ({reason}): check the connection, or put its file into a "
            "folder and name that by data_dir or FOLDWISE_DATA"
        ) from error
    except (ValueError, KeyError) as error:  # no such id, name or target column
        raise DataNotFound(f"OpenML has no data set {key!r} as asked: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _features(bunch: Any) -> list[Column]:
    categories = bunch.get("categories") or {}
    return [
        Column(
            name=str(feature),
            values=np.asarray(values, dtype=np.float64),
            categories=tuple(map(str, categories[feature])) if feature in categories else None,
        )
        for feature, values in zip(bunch.feature_names, bunch.data.T, strict=True)
    ]


def _goal(bunch: Any, key: str) -> Column:
    if not bunch.target_names or np.ndim(bunch.target) != 1:
        raise InvalidInput(f"OpenML data set {key!r} needs one target column, got {bunch.target_names!r}: say which")
    name = str(bunch.target_names[0])
    if np.asarray(bunch.target).dtype.kind in "fiu":
        return Column(name=name, values=np.asarray(bunch.target, dtype=np.float64))
    declared = (bunch.get("categories") or {}).get(name)
    return Column.nominal(name, [None if label is None else str(label) for label in bunch.target], declared)
