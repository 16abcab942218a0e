"""A data set: a table of attributes, a target, and where they come from."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from foldwise.core.decisions import Decision, decisions_to
from foldwise.core.errors import InvalidInput
from foldwise.core.result import Result
from foldwise.core.table import Kind, Table
from foldwise.core.types import Array, Json, Labels
from foldwise.core.validation import one_of

Task = Literal["classification", "regression"]

_CLASS_NAMES = ("class", "target", "label", "y")
_MOST_NUMERIC_CLASSES = 20

HASHED = 10_000  # Rows that are hashed at a time, so that no copy of all is needed.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DataColumn:
    """One column as a reader found it: numbers, or codes into `categories`; missing is NaN.

    `declared` says whether the file tells that it holds numbers, or which values it can have.
    """

    name: str
    values: Array
    categories: tuple[str, ...] | None = None
    declared: bool = False

    @classmethod
    def nominal(cls, name: str, cells: Sequence[str | None], categories: Sequence[str] | None = None) -> DataColumn:
        """A nominal column from its cells (None is missing); without `categories`, those that occur, sorted."""
        kept = tuple(categories) if categories is not None else tuple(sorted({c for c in cells if c is not None}))
        code: dict[str | None, float] = {category: float(i) for i, category in enumerate(kept)}
        code[None] = np.nan
        return cls(name=name, values=np.array([code[cell] for cell in cells], dtype=np.float64), categories=kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class Description(Result):
    """What a person wants to know of a data set; `str()` reads as a few lines."""

    page: ClassVar[str] = "description"

    name: str
    task: Task
    examples: int
    attributes: int
    numeric: int
    nominal: int
    missing: int
    target: str
    class_counts: dict[str, int] | None
    provenance: str
    hash: str
    decisions: tuple[Decision, ...] = ()
    file: str = ""  #: Where it was kept, if it was fetched

    def _content(self) -> dict[str, Json]:
        """The same as JSON-ready values."""
        return {
            **{name: getattr(self, name) for name in self.__slots__ if name not in ("decisions", "file")},
            **({"file": self.file} if self.file else {}),
            "decisions": decisions_to(self.decisions),
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Dataset(Result):
    """A data set as `load` returns it."""

    page: ClassVar[str] = "data_set"

    X: Table  #: The attributes; our learners accept it as it is
    y: Labels  #: Labels (text) or, for regression, numbers
    #: The class labels in their declared order, whether they occur or not; None for regression
    classes: tuple[str, ...] | None
    name: str  #: What to call it
    target: str  #: Name of the column `y` comes from
    provenance: str  #: One sentence on where it was read from
    #: SHA-256 of the content (attributes, their names and categories, target, groups if any), the same on every machine
    hash: str
    groups: Labels | None = None  #: Per example the group that it belongs to, where a column says it; None elsewhere
    decisions: tuple[Decision, ...] = ()  #: Which columns were left out, and why

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the attributes."""
        return self.X.names

    @property
    def feature_kinds(self) -> tuple[Kind, ...]:
        """Per attribute "numeric" or "nominal"."""
        return self.X.kinds

    @property
    def task(self) -> Task:
        """Whether the target is a class or a number."""
        return "regression" if self.classes is None else "classification"

    def __len__(self) -> int:
        return len(self.X)

    def __repr__(self) -> str:
        classes = "" if self.classes is None else f", {len(self.classes)} classes"
        return f"Dataset({self.name!r}: {len(self)} examples, {len(self.feature_names)} attributes{classes})"

    def _content(self) -> dict[str, Json]:
        return self.describe()._content()

    def describe(self) -> Description:
        """Counts, classes, source and hash."""
        occurring = Counter(self.y.tolist()) if self.classes is not None else Counter()
        kinds = Counter(self.feature_kinds)
        return Description(
            name=self.name, task=self.task, examples=len(self), attributes=len(self.feature_names),
            numeric=kinds["numeric"], nominal=kinds["nominal"], missing=int(np.isnan(self.X.values).sum()),
            target=self.target,
            class_counts=None if self.classes is None else {label: occurring[label] for label in self.classes},
            provenance=self.provenance, hash=self.hash, decisions=self.decisions,
        )  # fmt: skip


def assemble(
    columns: Sequence[DataColumn], *, target: str | None, name: str, provenance: str, task: Task | None = None,
    guess_task: bool = False,
) -> Dataset:  # fmt: skip
    """Split columns into attributes and target.

    `columns`: what a reader found. `target`: name of the target column, ``"first"`` or ``"last"``; None takes a column
    named class, target, label or y, or else the last. `name`, `provenance`: what to call the data set, and where it
    comes from. `task`: whether the target is a class or a number; None lets the column decide: nominal is a class.
    `guess_task`: the file doesn't say which numbers are class labels: up to 20 distinct whole numbers are.

    Rows without a target can neither train nor test; they are left out, and the provenance says so.
    """
    where = target_index([column.name for column in columns], target, name)
    goal, features = columns[where], [column for j, column in enumerate(columns) if j != where]
    if not features:
        raise InvalidInput(f"data set {name!r} has no attributes besides its target {goal.name!r}")
    known = ~np.isnan(goal.values)
    if not known.any():
        raise InvalidInput(f"data set {name!r} has no row with a value in its target {goal.name!r}")
    if np.isinf(goal.values).any():
        raise InvalidInput(f"target {goal.name!r} of data set {name!r} must not hold infinities")
    y, classes = _target(
        DataColumn(name=goal.name, values=goal.values[known], categories=goal.categories), task, guess_task
    )
    values = np.empty((int(known.sum()), len(features)))
    for j, column in enumerate(features):
        values[:, j] = column.values[known]
    table = Table.build(values, [column.categories for column in features], [column.name for column in features])
    left_out = int((~known).sum())
    note = f"; {left_out} rows without a target left out" if left_out else ""
    return Dataset(
        X=table, y=y, classes=classes, name=name, target=goal.name, provenance=provenance + note,
        hash=content_hash(table, y, classes),
    )  # fmt: skip


def target_index(names: Sequence[str], target: str | None, dataset: str) -> int:
    if not names:
        raise InvalidInput(f"data set {dataset!r} has no columns")
    if target is None:
        lowered = [name.lower() for name in names]
        return next((lowered.index(name) for name in _CLASS_NAMES if name in lowered), len(names) - 1)
    if target in names:
        return list(names).index(target)
    if target in ("first", "last"):
        return 0 if target == "first" else len(names) - 1
    raise InvalidInput(
        f"target must be a column of {dataset!r}, 'first' or 'last', got {target!r}; columns: {_some(names)}"
    )


def _some(names: Sequence[str], most: int = 30) -> str:
    return ", ".join(names[:most]) + (f" … ({len(names)} in all)" if len(names) > most else "")


def _target(column: DataColumn, task: Task | None, guess_task: bool) -> tuple[Labels, tuple[str, ...] | None]:
    """The target as labels and classes, or as numbers and None."""
    if task is not None:
        one_of(task, "task", ["classification", "regression"])
    if column.categories is not None:
        if task == "regression":
            raise InvalidInput(f"task can't be 'regression': the target {column.name!r} is nominal")
        return np.array(column.categories)[column.values.astype(np.intp)], column.categories
    if task == "classification" or (task is None and guess_task and _looks_like_labels(column.values)):
        distinct, codes = np.unique(column.values, return_inverse=True)
        labels = tuple(f"{value:.17g}" for value in distinct)
        return np.array(labels)[codes], labels
    return column.values.copy(), None


def _looks_like_labels(values: Array) -> bool:
    return bool((values == np.floor(values)).all() and len(np.unique(values)) <= _MOST_NUMERIC_CLASSES)


def content_hash(table: Table, y: Labels, classes: tuple[str, ...] | None, groups: Labels | None = None) -> str:
    """SHA-256 of the content; every part is preceded by its length, so that no two contents run together."""
    digest = hashlib.sha256()
    grouped = [] if groups is None else [_text_part("\0".join(map(str, groups.tolist())))]
    for size, pieces in (*_parts(table, y, classes), *grouped):
        digest.update(size.to_bytes(8, "little"))
        for piece in pieces:
            digest.update(piece)
    return digest.hexdigest()


_Part = tuple[int, Iterable[bytes]]  # The number of bytes, and the bytes in pieces.


def _parts(table: Table, y: Labels, classes: tuple[str, ...] | None) -> Iterable[_Part]:
    yield _text_part(repr(table.shape))
    yield _text_part(repr(table.names))
    yield _text_part(repr(table.categories))
    yield _number_part(table.values)
    yield _text_part(repr(classes))
    yield _number_part(y) if classes is None else _text_part("\0".join(y.tolist()))


def _text_part(text: str) -> _Part:
    encoded = text.encode()
    return len(encoded), [encoded]


def _number_part(values: Labels) -> _Part:
    """Little-endian float64 with one bit pattern for every NaN and for both zeros."""
    pieces = (values[first : first + HASHED] for first in range(0, len(values), HASHED))
    canonical = (np.where(np.isnan(piece), np.nan, piece + 0.0) for piece in pieces)
    return 8 * values.size, (np.ascontiguousarray(piece, dtype="<f8").tobytes() for piece in canonical)
