"""A learner that is another one at each training size."""

from __future__ import annotations

from collections.abc import Sequence

from sklearn.base import BaseEstimator

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Estimator

__all__ = ["SizedLearner", "at_size"]


class SizedLearner(BaseEstimator):  # type: ignore[misc]
    """A learner whose damage differs by training size; the lab asks it for the right one.

    Parameters
    ----------
    learner
        The undamaged learner.
    sizes, estimators
        Training sizes, and what to use at each.
    """

    def __init__(self, learner: Estimator, sizes: Sequence[int], estimators: Sequence[Estimator]) -> None:
        self.learner = learner
        self.sizes = sizes
        self.estimators = estimators

    def at(self, n_train: int) -> Estimator:
        """The estimator for this training size: that of the nearest size, which must be within 2 %."""
        nearest = min(self.sizes, key=lambda size: abs(size - n_train))
        if abs(nearest - n_train) > max(1, 0.02 * n_train):
            raise InvalidInput(
                f"{self.learner} was made equal at training sizes {', '.join(map(str, self.sizes))}, got {n_train}: "
                "give equalise the tests, n, folds and parts of the study"
            )
        return self.estimators[list(self.sizes).index(nearest)]

    def __str__(self) -> str:
        same = all(estimator is self.learner for estimator in self.estimators)
        return f"{self.learner}" if same else f"{self.learner}, damaged"


def at_size(learner: Estimator | SizedLearner, n_train: int) -> Estimator:
    """The learner to use at this training size."""
    return learner.at(n_train) if isinstance(learner, SizedLearner) else learner
