"""The examples in the forms learners take them, cut to the rows of a split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foldwise.core.digest import array_digest, digest
from foldwise.core.errors import DegenerateData, InvalidInput
from foldwise.core.table import Table, as_table, is_frame, is_missing
from foldwise.core.types import Integers, Labels
from foldwise.core.validation import unmasked
from foldwise.data.frames import to_pandas
from foldwise.engine.scoring import Task

# How a learner takes the attributes: a `Table`; a data frame as it was given; a pandas frame whose nominal columns have
# dtype category; an array.
Form = Literal["table", "frame", "typed", "plain"]


@runtime_checkable
class Attributes(Protocol):
    """One row per example: a `Table`, an array, a sparse matrix or a data frame."""

    @property
    def shape(self) -> tuple[int, ...]: ...

    def __getitem__(self, rows: Any, /) -> Any: ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Examples:
    """Attributes, targets and groups of all examples."""

    X: Attributes  #: A table, an array, a sparse matrix or a data frame, as it was given
    #: The same as a table; None for arrays of numbers and sparse matrices, which need no conversion
    table: Table | None
    y: Labels  #: Targets as the learners see them
    #: classes, codes: The classes in their declared order (sorted, where none was declared) and each example's index
    #: into them; both None for regression
    classes: Labels | None
    codes: NDArray[np.int64] | None
    groups: Labels | None  #: Per example its group, or None

    @classmethod
    def build(
        cls, X: object, y: ArrayLike, task: Task, groups: ArrayLike | None = None,
        classes: Sequence[object] | None = None, table: Table | None = None,
    ) -> Examples:  # fmt: skip
        """Check lengths and targets; `table` is X as a table where that is known."""
        X = as_attributes(X)
        unmasked(groups, "groups")
        target = as_target(y)
        if count_rows(X) != len(target):
            raise InvalidInput(f"X and y must have the same length, got {count_rows(X)} and {len(target)}")
        labels, codes = (None, None) if task == "regression" else _classes(target, classes)
        if task == "regression" and target.dtype.kind not in "fiu":
            raise InvalidInput(f"y must be numbers for regression, got {target.dtype} values such as {target[0]!r}")
        given = None if groups is None else np.asarray(groups)
        return cls(
            X=X, table=_table(X) if table is None else table, y=target, classes=labels, codes=codes, groups=given
        )

    def __len__(self) -> int:
        return len(self.y)

    def digest(self) -> str:
        """Digest of everything that can influence a fit or a split."""
        groups = None if self.groups is None else array_digest(self.groups)
        declared = None if self.table is None else self.table.categories
        # the order of the classes decides ties, and what the stored codes mean
        classes = None if self.classes is None else self.classes.tolist()
        return digest([_content(self.X), declared, self.y.dtype.str, array_digest(self.y), classes, groups])

    def present(self) -> Labels | None:
        if self.classes is None or self.codes is None:
            return None
        return np.asarray(np.sort(self.classes[np.unique(self.codes)]))

    def form(self, form: Form) -> Attributes:
        return in_form(self.X, self.table, form)

    def class_labels(self) -> Labels | None:
        """The classes, as a copy that a learner may keep and change."""
        return None if self.classes is None else self.classes.copy()


def in_form(X: Attributes, table: Table | None, form: Form) -> Attributes:
    """`X`, which is `table` as a table, in a form; without pandas, frames are arrays of objects."""
    if table is None:
        return X
    if form == "table":
        return table
    if form == "plain":
        return np.asarray(table)
    if form == "frame" and hasattr(X, "iloc"):
        return X
    frame = to_pandas(table)
    return frame if frame is not None else X if is_frame(X) else np.asarray(table)


def as_target(y: ArrayLike) -> Labels:
    unmasked(y, "y")
    target = np.asarray(y)
    if target.ndim != 1 or len(target) < 2:
        raise InvalidInput(f"y must have one axis with at least 2 examples, got shape {target.shape}")
    if target.dtype == object and all(issubclass(kind, str) for kind in set(map(type, target.tolist()))):
        target = target.astype(str)
    if target.dtype.kind not in "fO":
        return target
    missing = np.isnan(target) if target.dtype.kind == "f" else np.array([is_missing(v) for v in target])
    if missing.any():
        raise InvalidInput(f"y must not have missing values, but y[{int(np.argmax(missing))}] is {target[missing][0]}")
    return target


def take_rows(X: Any, rows: Integers) -> Any:
    """The chosen rows of a table, array, sparse matrix or data frame, as a copy: learners may work in place."""
    if isinstance(X, np.ndarray):
        return X.take(rows, axis=0)
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    if hasattr(X, "column_names"):  # pyarrow
        return X.take(rows)
    return X[rows]


def copy_rows(X: Any) -> Any:
    return X.copy() if hasattr(X, "copy") else X  # polars and pyarrow change nothing in place


def count_rows(X: Attributes) -> int:
    return int(X.shape[0])


def as_attributes(X: object) -> Attributes:
    """`X` as something with two axes whose rows can be taken."""
    if hasattr(X, "tocsr"):
        sparse: Attributes = X.tocsr()
        return sparse
    unmasked(X, "X")
    rows = X if isinstance(X, Attributes) else _array(X)
    if len(rows.shape) != 2:
        raise InvalidInput(f"X must have two axes (examples, attributes), got shape {tuple(rows.shape)}")
    return rows


def _array(X: object) -> Labels:
    try:
        array = np.asarray(X)
    except ValueError as error:
        raise InvalidInput(f"X must have rows of one length: {error}") from error
    # NumPy turns the numbers of a mixed list into text
    return np.asarray(X, dtype=object) if array.dtype.kind in "US" else array


def _table(X: Attributes) -> Table | None:
    if isinstance(X, Table):
        return X
    mixed = isinstance(X, np.ndarray) and X.dtype.kind in "OUS"
    return as_table(X) if mixed or is_frame(X) else None


def _classes(target: Labels, declared: Sequence[object] | None) -> tuple[Labels, NDArray[np.int64]]:
    try:
        present, codes = np.unique(target, return_inverse=True)
    except TypeError as error:
        raise InvalidInput(f"y must hold labels of one kind that can be sorted: {error}") from error
    if len(present) < 2:
        raise DegenerateData(f"y must have at least 2 classes, but all {len(target)} examples are {str(present[0])!r}")
    if target.dtype.kind == "f" and (target % 1 != 0).any():
        raise InvalidInput(f"y must be classes for classifiers, got {target[target % 1 != 0][0]:g}")
    if declared is None:
        return present, codes.astype(np.int64)
    labels = list(declared)
    if len(set(labels)) != len(labels):
        raise InvalidInput(f"classes must be distinct labels, got {labels!r}")
    if unknown := set(present.tolist()) - set(labels):
        raise InvalidInput(f"classes must hold every label of y, but {sorted(unknown)[0]!r} is not among {labels!r}")
    place = np.array([labels.index(label) for label in present.tolist()], dtype=np.int64)
    return np.array(labels, dtype=np.result_type(target, np.array(labels))), place[codes]


def _content(X: Any) -> list[object]:
    if isinstance(X, Table):
        return ["table", array_digest(X.values), X.categories, X.names]
    if hasattr(X, "indptr"):
        return ["sparse", X.shape, array_digest(X.data), array_digest(X.indices), array_digest(X.indptr)]
    if isinstance(X, np.ndarray):
        return ["array", X.dtype.str, array_digest(X)]
    columns = X.column_names if hasattr(X, "column_names") else list(X.columns)
    return ["frame", [[str(c), array_digest(np.asarray(X[c]))] for c in columns]]
