"""Scores about one of two classes, whatever the labels are: scikit-learn's own take the class called 1."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

import numpy as np

from foldwise.core.types import Array, Labels
from foldwise.engine.scoring import Scorer, named_scorer

__all__ = ["ABOUT_ONE_CLASS", "PositiveScorer", "positive_scorer"]

ABOUT_ONE_CLASS = frozenset({"average_precision", "f1", "jaccard", "precision", "recall"})
"""Scikit-learn's scorers that mean another thing when the two classes change places."""


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
        """The score of a fitted estimator."""
        return self.scorer(_Recoded(estimator, self.positive), X, (y == self.positive).astype(np.int64))


def positive_scorer(name: str, positive: object) -> PositiveScorer:
    """The scorer of that name, about one class.

    Examples
    --------
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
