"""Learners by name: ``nb``, ``logreg``, ``c45(confidence=0.1)``, ``scale+knn5``, ``models.py:gbm()``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeGuard

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.imported import import_named, is_own_function, parse_spec, reason, returned_class
from foldwise.core.process import prints_to_stderr
from foldwise.core.types import Estimator
from foldwise.learners.everyday import MOST_DIGITS, Task, behind, everyday_names, find_everyday, for_both, split_steps

__all__ = ["create", "follows_target", "is_short", "kernels_of", "known_names", "learner_classes"]

# short name -> module:class
_NAMES = {
    "c45": "foldwise.learners.c45:C45",
    "ib1": "foldwise.learners.ib1:IB1",
    "lp": "foldwise.learners.perceptrons:LinearPerceptron",
    "majority": "foldwise.learners.base:Majority",
    "mlp": "foldwise.learners.perceptrons:MultilayerPerceptron",
    "nb": "foldwise.learners.naive_bayes:NaiveBayes",
    "tan": "foldwise.learners.tan:TAN",
    "votedperceptron": "foldwise.learners.voted_perceptron:VotedPerceptron",
}

_KERNELS = {
    "foldwise.learners.perceptrons": "foldwise.learners._perceptron_kernels",
    "foldwise.learners.tan": "foldwise.learners._tan_kernels",
    "foldwise.learners.voted_perceptron": "foldwise.learners._voted_kernels",
}
"""Where learners that can't do without kernels have them."""

# pattern with one number -> module:class and the parameter that the number sets
_FAMILIES = {
    r"(\d+)nn": ("foldwise.learners.nearest_neighbours:NearestNeighbours", "k"),
    r"mlp(\d+)": ("foldwise.learners.perceptrons:MultilayerPerceptron", "hidden"),
}


def known_names() -> list[str]:
    """The short names, with one example of each family."""
    return sorted([*_NAMES, "1nn", "3nn", "mlp20", *everyday_names()])


def learner_classes() -> dict[str, str]:
    """Every class behind a short name, and the module that defines it."""
    places = [*_NAMES.values(), *(place for place, _ in _FAMILIES.values())]
    return {name: module for module, _, name in (place.partition(":") for place in places)}


def is_short(spec: str) -> bool:
    """Whether a specification is a short name of scikit-learn's learners, or has steps: its answer says what it is.

    Examples
    --------
    >>> is_short("logreg"), is_short("raw+nb"), is_short("nb"), is_short("sklearn.svm:SVC(C=2)")
    (True, True, False, False)
    """
    steps = split_steps(spec)
    return len(steps) > 1 or find_everyday(parse_spec(spec, "learner")[0]) is not None


def kernels_of(spec: str) -> str | None:
    """The module with the kernels of a learner that can't do without them; None for other learners.

    Examples
    --------
    >>> kernels_of("mlp20"), kernels_of("nb")
    ('foldwise.learners._perceptron_kernels', None)
    """
    name = parse_spec(split_steps(spec)[-1], "learner")[0]
    return None if find_everyday(name) else _KERNELS.get(_resolve(name)[0].partition(":")[0])


def follows_target(spec: str) -> bool:
    """Whether a specification means a classifier or a regressor, as the target asks."""
    return for_both(parse_spec(split_steps(spec)[-1], "learner")[0])


def create(spec: str, task: Task | None = None, *, sparse: bool = False) -> Estimator:
    """The estimator that `spec` names, not fitted.

    Parameters
    ----------
    spec
        A short name of ours (``nb``, ``c45``, ``1nn``, ``3nn``, ``tan``, ``votedperceptron``, ``lp``, ``mlp``,
        ``mlp20``, ``majority``) or of scikit-learn's learners (``logreg``, ``rf``, ``et``, ``gb``, ``hgb``, ``svm``,
        ``linsvm``, ``knn5``, ``tree``, ``gnb``, ``lda``, ``ridge``, ``lasso``, ``elasticnet``, ``linear``, ``dummy``);
        ``module:Class``, ``module:function()`` or ``file.py:function()``; followed by parameters in brackets if any.
        The values are Python literals; nothing is evaluated. Steps stand in front, ``scale+svm(C=2)``: scale, minmax,
        robust, quantile, pca, poly, or any ``module:Class`` with fit and transform.
    task
        What the learner is to do, where the name leaves it open (``rf``); classification by default.
    sparse
        Whether the attributes are a sparse matrix, which ``scale`` and ``robust`` do not shift then.

    Notes
    -----
    ``module:Class`` imports the module, which runs it, and calls the class: name only code that you trust. What is
    called must be a class with ``fit`` and ``predict``, a function defined in a module of your own, or one annotated
    to return such a class; anything else (``os:system``) is refused before it is called.

    ``logreg``, ``svm``, ``linsvm``, ``knn5``, ``ridge``, ``lasso`` and ``elasticnet`` get attributes scaled to mean 0
    and variance 1 by what each training split shows, unless steps are given: ``raw+svm`` has none. The mean of sparse
    attributes is left where it is.

    Examples
    --------
    >>> create("majority")
    Majority()
    >>> create("sklearn.tree:DecisionTreeClassifier(max_depth=3)")
    DecisionTreeClassifier(max_depth=3)
    >>> create("tree(max_depth=3)", "regression")
    DecisionTreeRegressor(max_depth=3)
    """
    *steps, last = split_steps(spec)
    name, given = parse_spec(last, "learner")
    everyday = find_everyday(name)
    if everyday is None:
        path, preset = _resolve(name)
    else:
        path, preset = everyday.place(name, task), everyday.preset
        steps = steps or (["scale"] if everyday.scaled else [])
    return behind(steps, _made(spec, path, {**preset, **given}), sparse=sparse)


def _made(spec: str, path: str, given: dict[str, object]) -> Estimator:
    make = _maker(path)
    try:
        with prints_to_stderr():
            learner = make(**given)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"learner {spec!r} does not take these parameters: {reason(error)}") from error
    except (Exception, SystemExit) as error:
        raise InvalidInput(f"learner {spec!r} can't be made: {type(error).__name__}: {reason(error)}") from error
    if not _learns(learner):
        raise InvalidInput(f"learner {spec!r} must have fit and predict, but it is a {type(learner).__name__}")
    return learner


def _resolve(name: str) -> tuple[str, dict[str, Any]]:
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
    if _learns(found):
        return lambda: found  # an estimator that a module holds ready
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
