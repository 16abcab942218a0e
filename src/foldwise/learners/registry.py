"""Learners by name: ``nb``, ``3nn``, ``c45(confidence=0.1)``, ``sklearn.svm:SVC(C=2.0)``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeGuard

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.foreign_output import prints_to_stderr
from foldwise.core.imported import import_named, is_own_function, reason, returned_class
from foldwise.core.spec import parse_spec
from foldwise.core.types import Estimator

__all__ = ["create", "known_names", "learner_classes"]

# short name -> module:class
_NAMES = {
    "c45": "foldwise.learners.c45:C45",
    "lp": "foldwise.learners.perceptrons:LinearPerceptron",
    "majority": "foldwise.learners.majority:Majority",
    "mlp": "foldwise.learners.perceptrons:MultilayerPerceptron",
    "nb": "foldwise.learners.naive_bayes:NaiveBayes",
    "tan": "foldwise.learners.tan:TAN",
    "votedperceptron": "foldwise.learners.voted_perceptron:VotedPerceptron",
}

# pattern with one number -> module:class and the parameter that the number sets
_FAMILIES = {
    r"(\d+)nn": ("foldwise.learners.nearest_neighbours:NearestNeighbours", "k"),
    r"mlp(\d+)": ("foldwise.learners.perceptrons:MultilayerPerceptron", "hidden"),
}

MOST_DIGITS = 9
"""Of the number in a name; no data set has more examples."""


def known_names() -> list[str]:
    """The short names, with one example of each family."""
    return sorted([*_NAMES, "1nn", "3nn", "mlp20"])


def learner_classes() -> dict[str, str]:
    """Every class behind a short name, and the module that defines it."""
    places = [*_NAMES.values(), *(place for place, _ in _FAMILIES.values())]
    return {name: module for module, _, name in (place.partition(":") for place in places)}


def create(spec: str) -> Estimator:
    """The estimator that `spec` names, not fitted.

    Parameters
    ----------
    spec
        A short name (``nb``, ``c45``, ``1nn``, ``3nn``, ``tan``, ``votedperceptron``, ``lp``, ``mlp``,
        ``mlp20``, ``majority``) or ``module:Class``, followed by parameters in brackets if any. The values
        are Python literals; nothing is evaluated.

    Notes
    -----
    ``module:Class`` imports the module, which runs it, and calls the class: name only code that you trust. What is
    called must be a class with ``fit`` and ``predict``, a function defined in a module of your own, or one annotated
    to return such a class; anything else (``os:system``) is refused before it is called.

    Examples
    --------
    >>> create("majority")
    Majority()
    >>> create("sklearn.tree:DecisionTreeClassifier(max_depth=3)")
    DecisionTreeClassifier(max_depth=3)
    """
    name, given = parse_spec(spec, "learner")
    path, preset = _resolve(name)
    make = _maker(path)
    try:
        with prints_to_stderr():
            learner = make(**{**preset, **given})
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"learner {spec!r} does not take these parameters: {reason(error)}") from error
    except (Exception, SystemExit) as error:
        raise InvalidInput(f"learner {spec!r} can't be made: {type(error).__name__}: {reason(error)}") from error
    if not _learns(learner):
        raise InvalidInput(f"learner {spec!r} must have fit and predict, but it is a {type(learner).__name__}")
    return learner


def _resolve(name: str) -> tuple[str, dict[str, int]]:
    if ":" in name:
        return name, {}
    if name.lower() in _NAMES:
        return _NAMES[name.lower()], {}
    for pattern, (path, parameter) in _FAMILIES.items():
        if found := re.fullmatch(pattern, name.lower()):
            if len(found[1]) > MOST_DIGITS:
                raise InvalidInput(f"the number in learner {name[:40]!r} must have at most {MOST_DIGITS} digits")
            return path, {parameter: int(found[1])}
    raise UnknownName("learner", name, known_names())


def _maker(path: str) -> Callable[..., object]:
    """What is to be called: refused before the call where it can't give a learner, for a call may do anything."""
    found: object = import_named(path, "learner")
    if isinstance(found, type):
        made: Callable[..., object] = found
        if not _learns(found):
            raise InvalidInput(f"learner {path!r} must have fit and predict, but the class {found.__name__} has not")
        return made
    if not callable(found):
        raise InvalidInput(f"learner {path!r} must be a class, but it is a {type(found).__name__}")
    if not (is_own_function(found, path) or _learns(returned_class(found))):
        raise InvalidInput(
            f"learner {path!r} must be a class with fit and predict, a function of your own module, or one that is "
            f"annotated to return such a class, but it is a {type(found).__name__}; it was not called"
        )
    return found


def _learns(value: object) -> TypeGuard[Estimator]:
    try:
        return callable(getattr(value, "fit", None)) and callable(getattr(value, "predict", None))
    except Exception:  # noqa: BLE001  # a property of a foreign class can end in any error
        return False
