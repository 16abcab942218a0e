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
    learners: Mapping[str, Estimator | str], X: object, y: ArrayLike | None = None, *,
    classes: Sequence[object] | None = None, groups: ArrayLike | None = None, keep: Sequence[str] | None = (),
) -> Prepared:  # fmt: skip
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
    dataset = X if isinstance(X, Dataset) else None
    if dataset is not None:
        if y is not None:
            raise InvalidInput("y must be left out where X is a data set, which has its own target")
        X, y, classes = dataset.X, dataset.y, dataset.classes if classes is None else classes
        groups = dataset.groups if groups is None else groups
    elif y is None:
        raise InvalidInput(f"y must be given unless X is a data set, but X is a {type(X).__name__}")
    unmasked(y, "y")  # before anything becomes a plain array
    unmasked(groups, "groups")
    asked = None if dataset is None else dataset.task
    made = make_learners(learners, as_target(y), asked, sparse=hasattr(X, "tocsr"))
    if dataset is not None:
        check_kept(dataset, made, keep or ())
        chosen = ChosenColumns(X=dataset.X, table=dataset.X, decisions=dataset.decisions)
    elif keep is None:
        chosen = ChosenColumns(X=as_attributes(X), table=None)
    else:
        chosen = choose_attributes(as_attributes(X), made, keep)
    declared = _declared(y) if classes is None else classes
    task = task_of(made, as_target(y))
    examples = Examples.build(chosen.X, y, task, groups, declared, table=chosen.table)
    ready = {name: suited(estimator, examples.X, examples.table) for name, estimator in made.items()}
    said = *made_notes(learners, made), *_encodings({name: e for name, (e, _) in ready.items()}, examples.table)
    return Prepared(
        learners=ready, examples=examples, task=task, notes=(*map(str, chosen.decisions), *said),
        name="" if dataset is None else dataset.name,
    )  # fmt: skip


def _declared(y: ArrayLike) -> list[object] | None:
    """The categories that a pandas Categorical or Series, or a polars Enum, declares."""
    kind = getattr(y, "dtype", None)
    declared = getattr(kind, "categories", None)
    # a polars Categorical shares its categories with every other series of the process
    return None if declared is None or type(kind).__name__ == "Categorical" else list(declared)


def _encodings(learners: Mapping[str, Estimator], table: Table | None) -> list[str]:
    piped = {name: estimator for name, estimator in learners.items() if hasattr(estimator, "steps")}
    if table is None or not piped:
        return []
    from foldwise.data.encoding import describe_encoding  # which loads scikit-learn

    said = (describe_encoding(estimator, table, name) for name, estimator in piped.items())
    return [note for note in said if note is not None]
