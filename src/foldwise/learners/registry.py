"""Learners by name: ``nb``, ``3nn``, ``c45(confidence=0.1)``, ``sklearn.svm:SVC(C=2.0)``."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.spec import parse_spec

__all__ = ["create", "known_names"]

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


def known_names() -> list[str]:
    """The short names, with one example of each family."""
    return sorted([*_NAMES, "1nn", "3nn", "mlp20"])


def create(spec: str) -> Any:
    """The estimator that `spec` names, not fitted.

    Parameters
    ----------
    spec
        A short name (``nb``, ``c45``, ``1nn``, ``3nn``, ``tan``, ``votedperceptron``, ``lp``, ``mlp``,
        ``mlp20``, ``majority``) or ``module:Class``, followed by parameters in brackets if any. The values
        are Python literals; nothing is evaluated.

    Examples
    --------
    >>> create("majority")
    Majority()
    >>> create("sklearn.tree:DecisionTreeClassifier(max_depth=3)")
    DecisionTreeClassifier(max_depth=3)
    """
    name, given = parse_spec(spec, "learner")
    path, preset = _resolve(name)
    make = _load(path)
    try:
        learner = make(**{**preset, **given})
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"learner {spec!r} does not take these parameters: {error}") from error
    if not (hasattr(learner, "fit") and hasattr(learner, "predict")):
        raise InvalidInput(f"learner {spec!r} must have fit and predict, but it is a {type(learner).__name__}")
    return learner


def _resolve(name: str) -> tuple[str, dict[str, int]]:
    if ":" in name:
        return name, {}
    if name.lower() in _NAMES:
        return _NAMES[name.lower()], {}
    for pattern, (path, parameter) in _FAMILIES.items():
        if found := re.fullmatch(pattern, name.lower()):
            return path, {parameter: int(found[1])}
    raise UnknownName("learner", name, known_names())


def _load(path: str) -> Any:
    module, _, name = path.partition(":")
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise InvalidInput(f"learner {path!r} can't be imported: {error}") from error
    if not callable(found):
        raise InvalidInput(f"learner {path!r} must be a class, but it is a {type(found).__name__}")
    return found
