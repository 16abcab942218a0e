"""Learners given by name: what the name means for this target, and how the answer says it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from foldwise.core.types import Estimator, Labels
from foldwise.engine.learners import task_of
from foldwise.engine.scoring import Task
from foldwise.learners.notice import tell_ahead

__all__ = ["learner_of", "made_notes", "make_learners"]

MOST_CLASSES = 20
"""Different whole numbers that `load` takes for classes, too; more are a number to predict."""


def learner_of(learner: Estimator | str, task: Task | None = None, *, sparse: bool = False) -> Estimator:
    """The estimator that a specification such as ``"nb"`` names; an estimator is returned as it is."""
    if not isinstance(learner, str):
        return learner
    from foldwise.learners.registry import create, kernels_of  # scikit-learn is not needed for simulated learners

    if kernels := kernels_of(learner):
        tell_ahead(kernels)  # to import such a learner loads numba
    return create(learner, task, sparse=sparse)


def make_learners(
    learners: Mapping[str, Estimator | str], target: Labels, asked: Task | None = None, *, sparse: bool = False
) -> dict[str, Estimator]:
    """The estimators behind the names, those with two meanings as the target asks.

    Parameters
    ----------
    learners
        Names, and estimators or specifications.
    target
        One value per example.
    asked
        What a data set says of its target; None for arrays, whose numbers may be classes: the other learners decide,
        and where they don't, more than 20 different numbers, or fractions, are no classes.
    sparse
        Whether the attributes are a sparse matrix.
    """
    from foldwise.learners.registry import follows_target

    sure = asked or _sure(target)
    open_names = {name for name, spec in learners.items() if isinstance(spec, str) and follows_target(spec)}
    made = partial(learner_of, sparse=sparse)
    fixed = {str(name): made(spec, sure) for name, spec in learners.items() if name not in open_names}
    if not open_names:
        return fixed
    task = sure or (task_of(fixed, target) if fixed else _likely(target))
    return {str(name): made(spec, task) if name in open_names else fixed[str(name)] for name, spec in learners.items()}


def made_notes(asked: Mapping[str, Estimator | str], made: Mapping[str, Estimator]) -> tuple[str, ...]:
    """What short names and steps stand for, in one sentence; nothing for learners of ours and classes in full."""
    from foldwise.learners.pipelines import describe_made
    from foldwise.learners.registry import is_short

    said = {
        str(name): describe_made(made[str(name)])
        for name, spec in asked.items()
        if isinstance(spec, str) and is_short(spec)
    }
    if not said:
        return ()
    listed = "; ".join(f"{name} is {what}" for name, what in said.items())
    fitted = ", fitted on each training split" if " behind " in listed else ""
    return (f"here {listed}{fitted}",)


def _sure(target: Labels) -> Task | None:
    """What a target can only be asked for; whole numbers may be either."""
    if target.dtype.kind not in "fiu":
        return "classification"
    return "regression" if target.dtype.kind == "f" and (target % 1 != 0).any() else None


def _likely(target: Labels) -> Task:
    return "regression" if len(np.unique(target)) > MOST_CLASSES else "classification"
