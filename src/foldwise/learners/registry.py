"""Learners by name: ``nb``, ``logreg``, ``c45(confidence=0.1)``, ``scale+knn5``, ``models.py:gbm()``."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeGuard

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.named_objects import import_named, is_own_function, parse_spec, reason, returned_class
from foldwise.core.process import prints_to_stderr
from foldwise.core.types import Estimator

# short name -> module:class
_NAMES = {
    "c45": "foldwise.learners.c45:C45", "ib1": "foldwise.learners.nearest_neighbours:IB1",
    "lp": "foldwise.learners.perceptrons:LinearPerceptron", "majority": "foldwise.learners.base:Majority",
    "mlp": "foldwise.learners.perceptrons:MultilayerPerceptron", "nb": "foldwise.learners.naive_bayes:NaiveBayes",
    "tan": "foldwise.learners.tan:TAN", "votedperceptron": "foldwise.learners.voted_perceptron:VotedPerceptron",
}  # fmt: skip

# Where learners that can't do without kernels have them.
_KERNELS = {
    "foldwise.learners.perceptrons": "foldwise.learners._perceptron_kernels",
    "foldwise.learners.tan": "foldwise.learners.tan",
    "foldwise.learners.voted_perceptron": "foldwise.learners.voted_perceptron",
}

# pattern with one number -> module:class and the parameter that the number sets
_FAMILIES = {
    r"(\d+)nn": ("foldwise.learners.nearest_neighbours:NearestNeighbours", "k"),
    r"mlp(\d+)": ("foldwise.learners.perceptrons:MultilayerPerceptron", "hidden"),
}


def known_names() -> list[str]:
    """The short names, with one example of each family."""
    return sorted([*_NAMES, "1nn", "3nn", "mlp20", *sorted([*EVERYDAY, "knn5"])])


def learner_classes() -> dict[str, str]:
    """Every class behind a short name, and the module that defines it."""
    places = [*_NAMES.values(), *(place for place, _ in _FAMILIES.values())]
    return {name: module for module, _, name in (place.partition(":") for place in places)}


def is_short(spec: str) -> bool:
    """Whether a specification is a short name of scikit-learn's learners, or has steps: its answer says what it is.

    >>> is_short("logreg"), is_short("raw+nb"), is_short("nb"), is_short("sklearn.svm:SVC(C=2)")
    (True, True, False, False)
    """
    steps = split_steps(spec)
    return len(steps) > 1 or find_everyday(parse_spec(spec, "learner")[0]) is not None


def kernels_of(spec: str) -> str | None:
    """The module with the kernels of a learner that can't do without them; None for other learners.

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
            return path, {parameter: _number(found[1], name)}
    raise UnknownName("learner", name, known_names())


def _number(digits: str, name: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise InvalidInput(f"the number in learner {name[:40]!r} must have at most {MOST_DIGITS} digits")
    return int(digits)


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


# ---- Scikit-learn's learners under the short names people use, with scaling in front where a learner needs it.

Task = Literal["classification", "regression"]

MOST_DIGITS = 9  # Of the number in a name; no data set has more examples.


@dataclass(frozen=True, slots=True, kw_only=True)
class Everyday:
    """What a short name means."""

    #: classifier, regressor: ``module:Class`` for each task; None where the name has no meaning for it
    classifier: str | None = None
    regressor: str | None = None
    preset: dict[str, Any] = field(default_factory=dict)  #: Parameters that differ from scikit-learn's own
    #: Whether attributes are brought to mean 0 and variance 1 in front of it, by what each training split shows:
    #: learners that measure distances or penalise weights depend on the units otherwise
    scaled: bool = False

    def place(self, name: str, task: Task | None) -> str:
        """``module:Class`` for the task; without one, the classifier where there is one."""
        found = self.regressor if task == "regression" else self.classifier
        if task is None and found is None:
            found = self.regressor
        if found is None:
            other = "regression" if task == "classification" else "classification"
            raise InvalidInput(f"learner {name!r} is for {other}, but the target asks for {task}")
        return found


def _pair(module: str, stem: str, *, scaled: bool = False, **preset: Any) -> Everyday:
    """A class of scikit-learn that has a sister for regression."""
    return Everyday(
        classifier=f"sklearn.{module}:{stem}Classifier", regressor=f"sklearn.{module}:{stem}Regressor", preset=preset,
        scaled=scaled,
    )  # fmt: skip


# By name. The penalty of ``lasso`` and ``elasticnet`` is chosen in each training split: none suits all units.
EVERYDAY = {
    "dummy": _pair("dummy", "Dummy"),
    "elasticnet": Everyday(regressor="sklearn.linear_model:ElasticNetCV", scaled=True),
    "et": _pair("ensemble", "ExtraTrees"),
    "gb": _pair("ensemble", "GradientBoosting"),
    "gnb": Everyday(classifier="sklearn.naive_bayes:GaussianNB"),
    "hgb": _pair("ensemble", "HistGradientBoosting"),
    "knn": _pair("neighbors", "KNeighbors", scaled=True),
    "lasso": Everyday(regressor="sklearn.linear_model:LassoCV", scaled=True),
    "lda": Everyday(classifier="sklearn.discriminant_analysis:LinearDiscriminantAnalysis"),
    "linear": Everyday(regressor="sklearn.linear_model:LinearRegression"),
    "linsvm": Everyday(classifier="sklearn.svm:LinearSVC", regressor="sklearn.svm:LinearSVR", scaled=True),
    "logreg": Everyday(
        classifier="sklearn.linear_model:LogisticRegression", preset={"max_iter": 1000}, scaled=True
    ),
    "rf": _pair("ensemble", "RandomForest"),
    "ridge": Everyday(
        classifier="sklearn.linear_model:RidgeClassifier", regressor="sklearn.linear_model:Ridge", scaled=True
    ),
    "svm": Everyday(classifier="sklearn.svm:SVC", regressor="sklearn.svm:SVR", scaled=True),
    "tree": _pair("tree", "DecisionTree"),
}  # fmt: skip

# What may stand in front of a learner (``scale+logreg``); ``raw`` is nothing, not even the learner's own scaling.
STEPS = {
    "minmax": "sklearn.preprocessing:MinMaxScaler", "pca": "sklearn.decomposition:PCA",
    "poly": "sklearn.preprocessing:PolynomialFeatures", "quantile": "sklearn.preprocessing:QuantileTransformer",
    "raw": "", "robust": "sklearn.preprocessing:RobustScaler", "scale": "sklearn.preprocessing:StandardScaler",
}  # fmt: skip

_NEIGHBOURS = re.compile(r"knn(\d+)")


def find_everyday(name: str) -> Everyday | None:
    """What a short name means, or None where it is none.

    >>> find_everyday("knn7").preset, find_everyday("nb")
    ({'n_neighbors': 7}, None)
    """
    lowered = name.strip().lower()
    if (counted := _NEIGHBOURS.fullmatch(lowered)) is not None:
        return _pair("neighbors", "KNeighbors", scaled=True, n_neighbors=_number(counted[1], name))
    return EVERYDAY.get(lowered)


def for_both(name: str) -> bool:
    """Whether a name means a classifier or a regressor, as the target asks.

    >>> for_both("rf"), for_both("logreg"), for_both("nb")
    (True, False, False)
    """
    found = find_everyday(name)
    return found is not None and found.classifier is not None and found.regressor is not None


# ---- Learners with steps in front of them, as text: ``scale+logreg``, ``pca(n_components=5)+svm``.


def split_steps(spec: str) -> list[str]:
    """The parts between plus signs, outside brackets and quotes.

    >>> split_steps("scale + svm(C=1e+2)"), split_steps("models.py:gbm()")
    (['scale', 'svm(C=1e+2)'], ['models.py:gbm()'])
    """
    parts, depth, quote = [""], 0, ""
    for character in spec:
        if quote or character in "'\"":
            quote = "" if character == quote else quote or character
        depth += (not quote) * ((character in "([{") - (character in ")]}"))
        if character == "+" and depth == 0 and not quote:
            parts.append("")
        else:
            parts[-1] += character
    stripped = [part.strip() for part in parts]
    if len(stripped) > 1 and not all(stripped):
        raise InvalidInput(f"a learner with steps must be written step+learner, got {spec!r}")
    return stripped


# What keeps a step from shifting attributes: the zeros that a sparse matrix leaves out would no longer be zeros.
_UNCENTRED = {STEPS["scale"]: "with_mean", STEPS["robust"]: "with_centering"}

# What scales a sparse matrix in place of a step that can't but shift: to at most 1 in size, zeros staying zeros.
_UNSHIFTED = {STEPS["minmax"]: "sklearn.preprocessing:MaxAbsScaler"}


def behind(steps: list[str], learner: Estimator, *, sparse: bool = False) -> Estimator:
    """The learner behind the steps, all of which learn from each training split anew.

    With `sparse` attributes are scaled, but not shifted.
    """
    made = [step for step in (_step(spec, sparse=sparse) for spec in steps) if step is not None]
    if not made:
        return learner
    from sklearn.pipeline import make_pipeline

    pipeline: Estimator = make_pipeline(*made, learner)
    return pipeline


def describe_made(estimator: object) -> str:
    """What a short name turned out to be, on one line.

    >>> from foldwise.learners.registry import create
    >>> describe_made(create("logreg")), describe_made(create("tree(max_depth=2)"))
    ('LogisticRegression(max_iter=1000) after StandardScaler()', 'DecisionTreeClassifier(max_depth=2)')
    """
    *front, last = [step for _, step in estimator.steps] if hasattr(estimator, "steps") else [estimator]
    said = " ".join(repr(last).split())
    return f"{said} after {' and '.join(' '.join(repr(step).split()) for step in front)}" if front else said


def _step(spec: str, *, sparse: bool) -> Any:
    """The transformer that a part names; None for ``raw``."""
    name, given = parse_spec(spec, "step")
    if ":" not in name and name.lower() not in STEPS:
        raise UnknownName("step", name, STEPS)
    path = STEPS.get(name.lower(), name)
    if not path:
        return None
    if sparse and path in _UNCENTRED:
        given = {_UNCENTRED[path]: False, **given}
    elif sparse and path in _UNSHIFTED:
        if given:
            raise InvalidInput(
                f"step {spec!r} shifts attributes, which would fill a sparse X: leave the parameters away to have them "
                "scaled only, or make X dense"
            )
        path = _UNSHIFTED[path]
    found = import_named(path, "step")
    if not isinstance(found, type) or not (hasattr(found, "fit") and hasattr(found, "transform")):
        raise InvalidInput(f"step {spec!r} must be a class with fit and transform; it was not called")
    try:
        return found(**given)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"step {spec!r} does not take these parameters: {reason(error)}") from error
