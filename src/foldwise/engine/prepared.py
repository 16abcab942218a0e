"""One door for learners and data: names, encoding, the order of the classes, and the form each learner takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.table import Table
from foldwise.core.types import Estimator, Labels
from foldwise.core.validation import unmasked
from foldwise.data.dataset import Dataset
from foldwise.engine.attributes import ChosenColumns, check_kept, choose_attributes, suited
from foldwise.engine.examples import Examples, Form, as_attributes, as_target
from foldwise.engine.learners import made_notes, make_learners, task_of
from foldwise.engine.scoring import Task


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prepared:
    """Learners as they can take the data, and the data."""

    #: Per name the estimator, behind an encoder where it needs one, and the form in which it takes the attributes
    learners: dict[str, tuple[Estimator, Form]]
    examples: Examples  #: Attributes, target, classes and groups
    task: Task  #: What the learners do
    notes: tuple[str, ...]  #: What short names stand for, and one sentence per learner whose data are encoded
    name: str  #: What the data set is called; nothing for arrays and frames

    @property
    def names(self) -> tuple[str, ...]:
        """What the learners are called."""
        return tuple(self.learners)

    @property
    def estimators(self) -> tuple[Estimator, ...]:
        """The estimators, behind their encoders."""
        return tuple(estimator for estimator, _ in self.learners.values())

    @property
    def y(self) -> Labels:
        """The target."""
        return self.examples.y

    @property
    def groups(self) -> Labels | None:
        """Per example its group, or None."""
        return self.examples.groups

    @property
    def classifies(self) -> bool:
        """Whether the learners are classifiers, so that folds can be stratified by class."""
        return self.task == "classification"

    def describe(self, name: str) -> str:
        """The data in words."""
        rows, attributes = self.examples.X.shape
        classes = "" if self.examples.codes is None else f", {len(np.unique(self.examples.codes))} classes"
        return f"{name} ({rows} examples, {attributes} attributes{classes})"


def prepare(
    learners: Mapping[str, Estimator | str],
    X: object,
    y: ArrayLike | None = None,
    *,
    classes: Sequence[object] | None = None,
    groups: ArrayLike | None = None,
    keep: Sequence[str] | None = (),
) -> Prepared:
    """Make learners and data ready for the engine.

    Parameters
    ----------
    learners
        Names, and estimators or specifications such as ``"nb"``.
    X, y
        A `Dataset` and nothing; or a table, array, sparse matrix or data frame, and one target per row.
    classes
        All classes that can occur, in the order that decides ties. By default what `X` or `y` declare (a `Dataset`,
        pandas' Categorical, polars' Enum), else the classes of `y`, sorted.
    groups
        Per example its group, or None.
    keep
        Columns of a frame that stay although they look like identifiers, dates or text that is different in every row,
        which are left out otherwise, and named in the notes; None for all columns.

    Returns
    -------
    Prepared
        Our learners take a table. Others take the data frame they were given, or a pandas frame of a table's columns
        if they select columns themselves; what they can't take is encoded, as each training set shows it.
    """
    if not isinstance(learners, Mapping) or not learners:
        raise InvalidInput(f"learners must be a dict of at least one name and estimator, got {learners!r}")
    title = X.name if isinstance(X, Dataset) else ""
    asked = X.task if isinstance(X, Dataset) else None
    dataset = X if isinstance(X, Dataset) else None
    if dataset is not None and groups is None:
        groups = dataset.groups
    X, y, classes = _parts(X, y, classes)
    unmasked(y, "y")  # before anything becomes a plain array
    unmasked(groups, "groups")
    made = make_learners(learners, as_target(y), asked, sparse=hasattr(X, "tocsr"))
    chosen = _chosen(X, made, keep) if dataset is None else _of_data_set(dataset, made, keep)
    declared = _declared(y) if classes is None else classes
    task = task_of(made, as_target(y))
    examples = Examples.build(chosen.X, y, task, groups, declared, table=chosen.table)
    ready = {name: suited(estimator, examples.X, examples.table) for name, estimator in made.items()}
    return Prepared(
        learners=ready, examples=examples, task=task,
        notes=(*map(str, chosen.decisions), *_notes(learners, made, ready, examples.table)), name=title,
    )  # fmt: skip


def _parts(
    X: object, y: ArrayLike | None, classes: Sequence[object] | None
) -> tuple[object, ArrayLike, Sequence[object] | None]:
    if isinstance(X, Dataset):
        if y is not None:
            raise InvalidInput("y must be left out where X is a data set, which has its own target")
        return X.X, X.y, X.classes if classes is None else classes
    if y is None:
        raise InvalidInput(f"y must be given unless X is a data set, but X is a {type(X).__name__}")
    return X, y, classes


def _chosen(X: object, learners: Mapping[str, Estimator], keep: Sequence[str] | None) -> ChosenColumns:
    rows = as_attributes(X)
    return ChosenColumns(X=rows, table=None) if keep is None else choose_attributes(rows, learners, keep)


def _of_data_set(dataset: Dataset, learners: Mapping[str, Estimator], keep: Sequence[str] | None) -> ChosenColumns:
    check_kept(dataset, learners, keep or ())
    return ChosenColumns(X=dataset.X, table=dataset.X, decisions=dataset.decisions)


def _declared(y: ArrayLike) -> list[object] | None:
    """The categories that a pandas Categorical or Series, or a polars Enum, declares."""
    kind = getattr(y, "dtype", None)
    declared = getattr(kind, "categories", None)
    # a polars Categorical shares its categories with every other series of the process
    return None if declared is None or type(kind).__name__ == "Categorical" else list(declared)


def _notes(
    asked: Mapping[str, Estimator | str],
    made: Mapping[str, Estimator],
    ready: Mapping[str, tuple[Estimator, Form]],
    table: Table | None,
) -> tuple[str, ...]:
    piped = {name: e for name, (e, _) in ready.items() if hasattr(e, "steps")}
    return (*made_notes(asked, made), *_encodings(piped, table))


def _encodings(piped: Mapping[str, Estimator], table: Table | None) -> list[str]:
    if table is None or not piped:
        return []
    from foldwise.data.encoding import describe_encoding  # which loads scikit-learn

    said = (describe_encoding(estimator, table, name) for name, estimator in piped.items())
    return [note for note in said if note is not None]
