"""The examples in the forms learners take them, cut to the rows of a split."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foldwise.core.digest import array_digest, digest
from foldwise.core.errors import DegenerateData, InvalidInput
from foldwise.core.table import Table
from foldwise.core.validation import unmasked
from foldwise.engine.scoring import Task

__all__ = ["Examples"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Examples:
    """Attributes, targets and groups of all examples.

    Attributes
    ----------
    X
        A table, an array, a sparse matrix or a data frame.
    y
        Targets as the learners see them.
    classes, codes
        The classes in sorted order and each example's index into them; both None for regression.
    groups
        Per example its group, or None.
    """

    X: Any
    y: NDArray[Any]
    classes: NDArray[Any] | None
    codes: NDArray[np.int64] | None
    groups: NDArray[Any] | None

    @classmethod
    def build(cls, X: Any, y: Any, task: Task, groups: Any = None) -> Examples:
        """Check lengths and targets."""
        X = _indexable(X)
        unmasked(groups, "groups")
        target = as_target(y)
        if count_rows(X) != len(target):
            raise InvalidInput(f"X and y must have the same length, got {count_rows(X)} and {len(target)}")
        classes, codes = (None, None) if task == "regression" else _classes(target)
        if task == "regression" and target.dtype.kind not in "fiu":
            raise InvalidInput(f"y must be numbers for regression, got {target.dtype} values such as {target[0]!r}")
        return cls(X=X, y=target, classes=classes, codes=codes, groups=None if groups is None else np.asarray(groups))

    def __len__(self) -> int:
        return len(self.y)

    def digest(self) -> str:
        """Digest of everything that can influence a fit or a split."""
        groups = None if self.groups is None else array_digest(self.groups)
        return digest([_content(self.X), self.y.dtype.str, array_digest(self.y), groups])

    def class_labels(self) -> NDArray[Any] | None:
        """The classes, as a copy that a learner may keep and change."""
        return None if self.classes is None else self.classes.copy()

    def plain(self) -> Any:
        """X for learners that do not take tables: a table becomes an array."""
        return np.asarray(self.X) if isinstance(self.X, Table) else self.X


def as_target(y: Any) -> NDArray[Any]:
    """`y` as an array with one axis and no missing values."""
    unmasked(y, "y")
    target = np.asarray(y)
    if target.ndim != 1 or len(target) < 2:
        raise InvalidInput(f"y must have one axis with at least 2 examples, got shape {target.shape}")
    if target.dtype == object and all(isinstance(value, str) for value in target):
        target = target.astype(str)
    missing = (target != target) if target.dtype.kind == "f" else np.array([v is None for v in target])
    if target.dtype.kind in "fO" and missing.any():
        raise InvalidInput(f"y must not have missing values, but y[{int(np.argmax(missing))}] is {target[missing][0]}")
    return target


def take_rows(X: Any, rows: NDArray[np.int64]) -> Any:
    """The chosen rows of a table, array, sparse matrix or data frame, as a copy: learners may work in place."""
    if isinstance(X, np.ndarray):
        return X.take(rows, axis=0)
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    if hasattr(X, "column_names"):  # pyarrow
        return X.take(rows)
    return X[rows]


def copy_rows(X: Any) -> Any:
    """All rows, as a copy."""
    return X.copy() if hasattr(X, "copy") else X  # polars and pyarrow change nothing in place


def count_rows(X: Any) -> int:
    """Number of rows of a table, array, sparse matrix or data frame."""
    return int(X.shape[0])


def _indexable(X: Any) -> Any:
    if hasattr(X, "tocsr"):
        return X.tocsr()
    unmasked(X, "X")
    try:
        array = X if hasattr(X, "shape") and hasattr(X, "__getitem__") else np.asarray(X)
    except ValueError as error:
        raise InvalidInput(f"X must have rows of one length: {error}") from error
    if len(array.shape) != 2:
        raise InvalidInput(f"X must have two axes (examples, attributes), got shape {tuple(array.shape)}")
    return array


def _classes(target: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    try:
        classes, codes = np.unique(target, return_inverse=True)
    except TypeError as error:
        raise InvalidInput(f"y must hold labels of one kind that can be sorted: {error}") from error
    if len(classes) < 2:
        raise DegenerateData(f"y must have at least 2 classes, but all {len(target)} examples are {str(classes[0])!r}")
    if target.dtype.kind == "f" and (target % 1 != 0).any():
        raise InvalidInput(f"y must be classes for classifiers, got {target[target % 1 != 0][0]:g}")
    return classes, codes.astype(np.int64)


def _content(X: Any) -> Any:
    if isinstance(X, Table):
        return ["table", array_digest(X.values), X.categories, X.names]
    if hasattr(X, "indptr"):
        return ["sparse", X.shape, array_digest(X.data), array_digest(X.indices), array_digest(X.indptr)]
    if isinstance(X, np.ndarray):
        return ["array", X.dtype.str, array_digest(X)]
    columns = X.column_names if hasattr(X, "column_names") else list(X.columns)
    return ["frame", [[str(c), array_digest(np.asarray(X[c]))] for c in columns]]
