"""A learner that errs on purpose: any estimator with random classification errors added."""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from foldwise.core.random import stream
from foldwise.core.types import Estimator, Labels
from foldwise.core.validation import fraction, integer

__all__ = ["RandomErrors"]


class RandomErrors(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Replace predictions at random by another class.

    Parameters
    ----------
    estimator
        Whose predictions are disturbed.
    rate
        Probability that a prediction is replaced by one of the other classes, all equally likely.
    random_state
        Seed of the errors; None means 0.

    Attributes
    ----------
    estimator_
        The fitted estimator.
    classes_
        The classes of the training examples.

    Notes
    -----
    With K classes, an accuracy A becomes A − rate·(A − (1 − A)/(K − 1)). Which predictions are replaced depends on the
    seed and on the labels trained on, not on the attributes: two fits on different examples err in different places.
    This is how C4.5 was made as bad as nearest neighbour in [1]_, section 6.1.

    References
    ----------
    .. [1] Dietterich (1998), Neural Computation 10.

    Examples
    --------
    >>> from foldwise.learners import Majority
    >>> wrong = RandomErrors(Majority(), rate=1.0).fit([[0.0], [1.0], [2.0]], ["no", "yes", "yes"])
    >>> wrong.predict([[5.0]]).tolist()
    ['no']
    """

    accepts_table = True

    def __init__(self, estimator: Estimator, rate: float = 0.0, random_state: int | None = None) -> None:
        self.estimator = estimator
        self.rate = rate
        self.random_state = random_state

    def fit(self, X: object, y: ArrayLike) -> Self:
        """Fit the estimator; the errors come when it predicts."""
        fraction(self.rate, "rate", closed=True)
        self.classes_, codes = np.unique(np.asarray(y), return_inverse=True)
        self.estimator_ = clone(self.estimator).fit(X, y)
        self.labels_ = codes.astype(np.uint32)
        return self

    def predict(self, X: object) -> Labels:
        """The estimator's predictions with errors; the same again for the same examples."""
        check_is_fitted(self, "estimator_")
        return self.disturb(self.estimator_.predict(X), self.classes_, self._rng(self.labels_))

    def cross_predict(self, X: object, y: ArrayLike, fold_ids: ArrayLike) -> Labels:
        """The estimator's `cross_predict` with independent errors in every run."""
        fraction(self.rate, "rate", closed=True)
        classes, codes = np.unique(np.asarray(y), return_inverse=True)
        clean = clone(self.estimator).cross_predict(X, y, fold_ids)
        return self.disturb(clean, classes, self._rng(codes.astype(np.uint32)))

    def disturb(self, predicted: ArrayLike, classes: Labels, rng: np.random.Generator) -> Labels:
        """These predictions, with each replaced by one of the other `classes` at the learner's rate."""
        labels = np.asarray(predicted)
        hit = rng.random(labels.shape) < self.rate
        step = rng.integers(1, max(len(classes), 2), size=labels.shape)
        place = np.searchsorted(classes, labels)
        return np.where(hit, classes[(place + step) % len(classes)], labels)

    def _rng(self, codes: NDArray[np.uint32]) -> np.random.Generator:
        seed = 0 if self.random_state is None else integer(self.random_state, "random_state", minimum=0)
        return stream(seed, "random errors", codes.tobytes().hex())
