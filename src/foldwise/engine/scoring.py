"""Scores: any scikit-learn scorer by name or as a callable, and losses in their own unit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.types import Array, Estimator, Labels

Task = Literal["classification", "regression"]

# Scores a fitted estimator on X and y, as scikit-learn's scorers do; greater is better.
Scorer = Callable[[Any, Any, Any], float]

# losses in their own unit: short name -> the scorer whose negative they are
LOSSES = {
    "mse": "neg_mean_squared_error", "rmse": "neg_root_mean_squared_error", "mae": "neg_mean_absolute_error",
}  # fmt: skip
# what scikit-learn's scorers of these names can be; make_scorer with the same name may be anything
BOUNDS: dict[str, tuple[float | None, float | None]] = {
    **dict.fromkeys(("accuracy", "auc", "roc_auc", "f1", "precision", "recall", "jaccard", "top_k"), (0.0, 1.0)),
    "balanced_accuracy": (None, 1.0),
    "matthews": (-1.0, 1.0),
    "r2": (None, 1.0),
    "neg_": (None, 0.0),
}
DEFAULTS: dict[Task, str] = {"classification": "accuracy", "regression": "r2"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """How a fitted learner is scored on a test set."""

    name: str  #: What reports call it
    greater_is_better: bool  #: False for losses
    #: ``scorer(estimator, X, y)``, or None for accuracy and error, which are counted from the predictions
    scorer: Scorer | None
    response: tuple[str, ...] | None  #: The methods of which the estimator needs one, or None when that is not known

    @property
    def from_predictions(self) -> bool:
        """Whether predictions alone suffice, so that no fitted estimator is needed."""
        return self.response == ("predict",)

    @property
    def needs_outputs(self) -> bool:
        """Whether it is known to need probabilities or decision values, and nothing else of a fitted estimator."""
        return bool(self.response) and not self.from_predictions

    @property
    def bounds(self) -> tuple[float | None, float | None]:
        """The least and the greatest value that is possible, where that is known; a function of one's own has none."""
        if self.scorer is None:
            return 0.0, 1.0
        if self.scorer is log_loss or self.scorer is brier:
            return 0.0, None
        own = getattr(self.scorer, "scorer", self.scorer)  # turned round, or about a class that is not called 1
        if not type(own).__module__.startswith("sklearn."):
            return None, None
        if isinstance(self.scorer, _Negated):
            return 0.0, None
        starts = (bounds for start, bounds in BOUNDS.items() if self.name.startswith(start))
        return next(starts, (None, None))

    @property
    def any_order(self) -> bool:
        """Whether the scorer looks at ``classes_``; scikit-learn's take the columns for the sorted classes."""
        return self.scorer in (log_loss, brier)

    def check(self, name: str, estimator: Estimator) -> None:
        """Refuse an estimator that lacks what the score needs."""
        if self.response and not any(hasattr(estimator, method) for method in self.response):
            needs = " or ".join(self.response)
            raise InvalidInput(f"metric {self.name!r} needs {needs}, which learner {name!r} does not have")

    def count(self, hits: NDArray[np.bool_]) -> float:
        """Accuracy or error from which predictions are right."""
        share = float(np.count_nonzero(hits)) / len(hits)
        return share if self.greater_is_better else 1 - share


def resolve_scoring(scoring: str | Scorer | None, task: Task, n_classes: int) -> Scoring:
    """The scoring behind a name, a callable or None.

    `scoring`: None (accuracy, or R² for regression); "accuracy" or "error"; "log_loss", "brier", "mse", "rmse" or
    "mae", which are losses in their own unit; "auc"; any name scikit-learn knows; or ``scorer(estimator, X, y)``.
    `task`, `n_classes`: what the learners do, and how many classes there are.

    >>> resolve_scoring("error", "classification", 2).greater_is_better
    False
    """
    if scoring is None:
        return resolve_scoring(DEFAULTS[task], task, n_classes)
    if callable(scoring):
        return _wrap(getattr(scoring, "__name__", None) or str(scoring), scoring, sign=1)
    if scoring in ("accuracy", "error"):
        _need(task, "classification", scoring)
        return Scoring(name=scoring, greater_is_better=scoring == "accuracy", scorer=None, response=("predict",))
    if scoring in ("log_loss", "brier"):
        _need(task, "classification", scoring)
        loss = log_loss if scoring == "log_loss" else brier
        return Scoring(name=scoring, greater_is_better=False, scorer=loss, response=("predict_proba",))
    if scoring in LOSSES:
        _need(task, "regression", scoring)
        return _wrap(scoring, named_scorer(LOSSES[scoring]), sign=-1)
    if scoring == "auc":
        return _wrap("auc", named_scorer("roc_auc" if n_classes == 2 else "roc_auc_ovr"), sign=1)
    return _wrap(str(scoring), named_scorer(scoring), sign=1)


def log_loss(estimator: Any, X: object, y: Labels) -> float:
    """Mean of −log of the probability given to the true class; a class unseen in training has probability 0.

    Probabilities are kept at least one rounding error away from 0, as scikit-learn does.
    """
    given, truth = _probabilities(estimator, X, y)
    of_truth = np.where(truth < 0, 0.0, given[np.arange(len(given)), np.maximum(truth, 0)])
    return float(-np.log(np.clip(of_truth, np.finfo(np.float64).eps, 1)).mean())


def brier(estimator: Any, X: object, y: Labels) -> float:
    """Mean squared distance of the probabilities from the true class; over two classes, halved as is customary."""
    given, truth = _probabilities(estimator, X, y)
    of_truth = np.where(truth < 0, 0.0, given[np.arange(len(given)), np.maximum(truth, 0)])
    distances = (given**2).sum(axis=1) - 2 * of_truth + 1
    return float(distances.mean()) / (2 if len(estimator.classes_) <= 2 else 1)


def _probabilities(estimator: Any, X: object, y: Labels) -> tuple[Array, NDArray[np.int64]]:
    """(probabilities, per example the column of its true class or −1)."""
    given = np.asarray(estimator.predict_proba(X), dtype=np.float64)
    known = np.asarray(estimator.classes_)
    order = np.argsort(known)
    place = order[np.minimum(np.searchsorted(known, y, sorter=order), len(known) - 1)]
    return given, np.where(known[place] == y, place, -1)


def _wrap(name: str, scorer: Scorer, *, sign: int) -> Scoring:
    method = getattr(scorer, "_response_method", None)
    response = (method,) if isinstance(method, str) else tuple(method) if method else None
    if response == ("default",):
        response = None
    call = scorer if sign > 0 else _Negated(scorer)
    return Scoring(name=name, greater_is_better=sign > 0, scorer=call, response=response)


@dataclass(frozen=True, slots=True)
class _Negated:
    scorer: Scorer

    def __call__(self, estimator: Any, X: object, y: Labels) -> float:
        return -self.scorer(estimator, X, y)


def named_scorer(name: str) -> Scorer:
    from sklearn.metrics import get_scorer, get_scorer_names

    if name not in get_scorer_names():
        own = ["accuracy", "error", "log_loss", "brier", "auc", *LOSSES]
        raise UnknownName("metric", name, [*get_scorer_names(), *own])
    found: Scorer = get_scorer(name)
    return found


def _need(task: Task, wanted: Task, scoring: str) -> None:
    if task != wanted:
        raise InvalidInput(f"metric {scoring!r} is for {wanted}, but the learners do {task}")


# ---- Scores about one of two classes, whatever the labels are: scikit-learn's own take the class called 1.

# Scikit-learn's scorers that mean another thing when the two classes change places.
ABOUT_ONE_CLASS = frozenset({"average_precision", "f1", "jaccard", "precision", "recall"})


@dataclass(frozen=True, slots=True)
class PositiveScorer:
    """A scorer that sees 1 for the positive class and 0 for the other one."""

    name: str
    scorer: Scorer
    positive: Any

    def __str__(self) -> str:
        return self.name

    @property
    def _response_method(self) -> Any:
        return getattr(self.scorer, "_response_method", None)

    def __call__(self, estimator: Any, X: object, y: Labels) -> float:
        return self.scorer(_Recoded(estimator, self.positive), X, (y == self.positive).astype(np.int64))


def positive_scorer(name: str, positive: object) -> PositiveScorer:
    """The scorer of that name, about one class.

    >>> positive_scorer("f1", "yes").positive
    'yes'
    """
    return PositiveScorer(name, named_scorer("roc_auc" if name == "auc" else name), positive)


class _Recoded:
    """A fitted estimator that speaks of 0 and 1."""

    def __init__(self, estimator: Any, positive: object) -> None:
        self._estimator, self._positive = estimator, positive
        self.classes_ = np.array([0, 1])

    def predict(self, X: object) -> Labels:
        return np.asarray(np.asarray(self._estimator.predict(X)) == self._positive).astype(np.int64)

    def _is_positive(self) -> Labels:
        return np.asarray(np.asarray(self._estimator.classes_) == self._positive)

    def _probabilities(self, values: Array) -> Array:
        """Columns (other, positive); a class that training did not show has probability 0."""
        share = values[:, self._is_positive()].sum(axis=1)
        return np.stack([1 - share, share], axis=1)

    def _decisions(self, values: Array) -> Array:
        return values if bool(self._is_positive()[-1]) else -values

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._estimator, name)
        change = {"predict_proba": self._probabilities, "decision_function": self._decisions}.get(name)
        return found if change is None else _changed(found, change)


def _changed(method: Callable[[object], Any], change: Callable[[Array], Array]) -> Callable[[object], Array]:
    @wraps(method)  # scikit-learn looks at the name of the function
    def changed(X: object) -> Array:
        return change(np.asarray(method(X), dtype=np.float64))

    return changed
