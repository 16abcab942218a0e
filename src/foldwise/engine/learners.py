"""Learners as the engine needs them: checked, with what is to be known about each before the first fit."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.kernels import need_kernels
from foldwise.core.named_objects import reason
from foldwise.core.random import stream
from foldwise.core.types import Estimator, Labels
from foldwise.engine.examples import Form
from foldwise.engine.scoring import Scoring, Task
from foldwise.learners.scikit import ScikitClassifier

LONGEST = 60  # Characters of a name with its parameters.


def spoken(learner: Estimator | str) -> str:
    """What to call a learner: a specification without its modules, an estimator by its class, a pipeline by its steps.

    >>> spoken("sklearn.svm:SVC(C=2)"), spoken("models.py:gbm()"), spoken("pca+sklearn.svm:SVC")
    ('SVC(C=2)', 'gbm', 'pca+SVC')
    """
    if isinstance(learner, str):
        from foldwise.learners.registry import split_steps

        return "+".join(_without_module(step) for step in split_steps(learner))
    steps = getattr(learner, "steps", None)
    if isinstance(steps, list) and steps:
        return " + ".join(spoken(step) for _, step in steps if hasattr(step, "fit"))
    return type(learner).__name__


def name_learners(
    learners: Sequence[Estimator | str], names: Sequence[str] | None = None
) -> dict[str, Estimator | str]:
    """Learners under the names given, or as people say them; two that are called the same get (a), (b).

    Names that are given stand as they are. Estimators of one class are distinguished by their parameters.
    """
    labels = _labels(learners) if names is None else list(names)
    if len(labels) != len(learners):
        raise InvalidInput(f"names must be one for each of the {len(learners)} learners, got {labels!r}")
    if names is None and len(labels) == 2 and labels[0] == labels[1]:
        labels = [f"{label} ({letter})" for label, letter in zip(labels, "ab", strict=True)]
    repeated = [label for label in labels if labels.count(label) > 1]
    if repeated:
        raise InvalidInput(f"learners must be different, got {repeated[0]!r} more than once")
    return dict(zip(labels, learners, strict=True))


def _labels(learners: Sequence[Estimator | str]) -> list[str]:
    short = [spoken(learner) for learner in learners]
    longer = [_with_parameters(learner) for learner in learners]
    labels = [full if short.count(brief) > 1 else brief for brief, full in zip(short, longer, strict=True)]
    return labels if len(set(labels)) == len(labels) or len(set(longer)) < len(longer) else longer


def _with_parameters(learner: Estimator | str) -> str:
    if isinstance(learner, str):
        return learner
    try:
        said = " ".join(repr(learner).split()).removesuffix("()")
    except Exception:  # noqa: BLE001 - a learner that can't say what it is has its class for a name
        return spoken(learner)
    return said if len(said) <= LONGEST and "object at 0x" not in said else spoken(learner)


def _without_module(spec: str) -> str:
    name, bracket, given = spec.partition("(")
    return name.rpartition(":")[2] + (bracket + given if given.strip(" )") else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedLearner:
    """One learner to run."""

    name: str  #: The caller's name for it
    estimator: Estimator  #: What is cloned for each fit
    #: Parameters that take a seed and were left at None: each fit sets them from the seed and the split
    random_states: tuple[str, ...]
    form: Form  #: How it takes the attributes
    declares_classes: bool  #: Whether ``fit`` takes all classes that can occur
    has_kernel: bool  #: Whether ``cross_predict`` gives the same predictions as a fit per split

    def fresh(self, seed: int, split: int) -> Any:
        """An unfitted clone; parameters that were left to chance follow from the seed and the split."""
        estimator = _copy(self.estimator)
        if self.random_states:
            drawn = stream(seed, "random_state", split).integers(2**31, size=len(self.random_states))
            estimator.set_params(**dict(zip(self.random_states, map(int, drawn), strict=True)))
        return estimator


def check_learners(learners: Mapping[str, tuple[Estimator, Form]], *scorings: Scoring) -> tuple[NamedLearner, ...]:
    """Check the learners, each with the form in which it takes the attributes, and find out what each can do."""
    for scoring in scorings:
        for name, (estimator, _) in learners.items():
            scoring.check(name, estimator)
    return tuple(_check(name, estimator, form) for name, (estimator, form) in learners.items())


def task_of(learners: Mapping[str, Estimator], y: Labels) -> Task:
    """Whether the learners classify or regress; refuses a mixture.

    Objects that say neither follow the target: one with fractions is regressed.
    """
    for name, estimator in learners.items():
        _check_interface(str(name), estimator)
    kinds = {name: _kind(estimator) for name, estimator in learners.items()}
    said = {kind for kind in kinds.values() if kind}
    if len(said) > 1:
        listed = ", ".join(f"{name!r} does {kind}" for name, kind in kinds.items() if kind)
        raise InvalidInput(f"learners must all be classifiers or all regressors, but {listed}")
    if said:
        return said.pop()
    return "regression" if y.dtype.kind == "f" and (y % 1 != 0).any() else "classification"


def _copy(estimator: object) -> Any:
    """What scikit-learn's `clone` returns; objects that have a way of their own are asked without loading it."""
    if hasattr(estimator, "__sklearn_clone__"):
        return estimator.__sklearn_clone__()
    from sklearn.base import clone

    return clone(estimator)


def _kind(estimator: Estimator) -> Task | None:
    if isinstance(estimator, ScikitClassifier):  # ours, for which scikit-learn need not be loaded
        return "classification"
    from sklearn.base import is_classifier, is_regressor

    try:
        if is_classifier(estimator):
            return "classification"
        return "regression" if is_regressor(estimator) else None
    except AttributeError:  # an object without scikit-learn's tags
        return None


def _check_interface(name: str, estimator: Estimator) -> None:
    if isinstance(estimator, type):
        raise InvalidInput(f"learner {name!r} must be an object, but {estimator.__name__} is a class: call it first")
    missing = [method for method in ("fit", "predict", "get_params") if not hasattr(estimator, method)]
    if missing:
        raise InvalidInput(f"learner {name!r} must have scikit-learn's interface, but it lacks {', '.join(missing)}")


def _check(name: str, estimator: Estimator, form: Form) -> NamedLearner:
    unset = tuple(
        key
        for key, value in sorted(params_of(name, estimator).items())
        if value is None and (key == "random_state" or key.endswith("__random_state"))
    )
    kernel = hasattr(estimator, "cross_predict")
    return NamedLearner(
        name=name,
        estimator=estimator,
        random_states=unset,
        form=form,
        declares_classes=kernel and all(takes_classes(getattr(estimator, name)) for name in ("fit", "cross_predict")),
        # a kernel knows one random_state for all folds, a fit per split gets its own
        has_kernel=kernel and not unset,
    )


def params_of(name: str, estimator: Estimator) -> dict[str, object]:
    try:
        return dict(estimator.get_params(deep=True))
    except Exception as error:  # foreign code
        raise InvalidInput(f"learner {name!r} can't say its parameters: get_params raised {reason(error)}") from error


def takes_classes(call: Callable[..., object]) -> bool:
    """Whether a method can be told all classes that can occur."""
    return "classes" in inspect.signature(call).parameters


# ---- Learners given by name: what the name means for this target, and how the answer says it.

MOST_CLASSES = 20  # Different whole numbers that `load` takes for classes, too; more are a number to predict.


def learner_of(learner: Estimator | str, task: Task | None = None, *, sparse: bool = False) -> Estimator:
    """The estimator that a specification such as ``"nb"`` names; an estimator is returned as it is."""
    if not isinstance(learner, str):
        return learner
    from foldwise.learners.registry import create, kernels_of  # scikit-learn is not needed for simulated learners

    if kernels := kernels_of(learner):
        need_kernels(kernels, f"learner {learner!r}")  # to import such a learner loads numba
    return create(learner, task, sparse=sparse)


def make_learners(
    learners: Mapping[str, Estimator | str], target: Labels, asked: Task | None = None, *, sparse: bool = False
) -> dict[str, Estimator]:
    """The estimators behind the names, those with two meanings as the target asks.

    `asked` is what a data set says of its target; None for arrays, whose numbers may be classes: the other learners
    decide, and where they don't, more than 20 different numbers, or fractions, are no classes.
    """
    from foldwise.learners.registry import follows_target

    sure = asked or _sure(target)
    open_names = {name for name, spec in learners.items() if isinstance(spec, str) and follows_target(spec)}
    made = partial(learner_of, sparse=sparse)
    fixed = {str(name): made(spec, sure) for name, spec in learners.items() if name not in open_names}
    if not open_names:
        return fixed
    task = sure or (task_of(fixed, target) if fixed else None)
    if task is None:
        task = "regression" if len(np.unique(target)) > MOST_CLASSES else "classification"
    return {str(name): made(spec, task) if name in open_names else fixed[str(name)] for name, spec in learners.items()}


def made_notes(asked: Mapping[str, Estimator | str], made: Mapping[str, Estimator]) -> tuple[str, ...]:
    """What short names and steps stand for, in one sentence; nothing for learners of ours and classes in full."""
    from foldwise.learners.registry import describe_made, is_short

    said = {
        str(name): describe_made(made[str(name)])
        for name, spec in asked.items()
        if isinstance(spec, str) and is_short(spec)
    }
    if not said:
        return ()
    listed = "; ".join(f"{name} is {what}" for name, what in said.items())
    fitted = ", fitted in each training split" if " after " in listed else ""
    return (f"learners: {listed}{fitted}",)


def _sure(target: Labels) -> Task | None:
    """What a target can only be asked for; whole numbers may be either."""
    if target.dtype.kind not in "fiu":
        return "classification"
    return "regression" if target.dtype.kind == "f" and (target % 1 != 0).any() else None
