"""Learners as the engine needs them: checked, with what is to be known about each before the first fit."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from foldwise.core.errors import InvalidInput
from foldwise.core.imported import reason
from foldwise.core.random import stream
from foldwise.core.types import Estimator, Labels
from foldwise.engine.examples import Form
from foldwise.engine.scoring import Scoring, Task
from foldwise.learners.scikit import ScikitClassifier

__all__ = ["Learner", "check_learners", "params_of", "takes_classes", "task_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """One learner to run.

    Attributes
    ----------
    name
        The caller's name for it.
    estimator
        What is cloned for each fit.
    random_states
        Parameters that take a seed and were left at None: each fit sets them from the seed and the split.
    form
        How it takes the attributes.
    declares_classes
        Whether ``fit`` takes all classes that can occur.
    has_kernel
        Whether ``cross_predict`` gives the same predictions as a fit per split.
    """

    name: str
    estimator: Estimator
    random_states: tuple[str, ...]
    form: Form
    declares_classes: bool
    has_kernel: bool

    def fresh(self, seed: int, split: int) -> Any:
        """An unfitted clone; parameters that were left to chance follow from the seed and the split."""
        estimator = _copy(self.estimator)
        if self.random_states:
            drawn = stream(seed, "random_state", split).integers(2**31, size=len(self.random_states))
            estimator.set_params(**dict(zip(self.random_states, map(int, drawn), strict=True)))
        return estimator


def check_learners(learners: Mapping[str, tuple[Estimator, Form]], *scorings: Scoring) -> tuple[Learner, ...]:
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


def _copy(estimator: Any) -> Any:
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


def _check(name: str, estimator: Estimator, form: Form) -> Learner:
    unset = tuple(
        key
        for key, value in sorted(params_of(name, estimator).items())
        if value is None and (key == "random_state" or key.endswith("__random_state"))
    )
    kernel = hasattr(estimator, "cross_predict")
    return Learner(
        name=name,
        estimator=estimator,
        random_states=unset,
        form=form,
        declares_classes=kernel and all(takes_classes(getattr(estimator, name)) for name in ("fit", "cross_predict")),
        # a kernel knows one random_state for all folds, a fit per split gets its own
        has_kernel=kernel and not unset,
    )


def params_of(name: str, estimator: Estimator) -> dict[str, object]:
    """The parameters of an estimator and of those inside it."""
    try:
        return dict(estimator.get_params(deep=True))
    except Exception as error:  # foreign code
        raise InvalidInput(f"learner {name!r} can't say its parameters: get_params raised {reason(error)}") from error


def takes_classes(call: Callable[..., object]) -> bool:
    """Whether a method can be told all classes that can occur."""
    return "classes" in inspect.signature(call).parameters
