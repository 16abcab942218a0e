"""Learners of the measured sources that are no kernels of ours: scikit-learn's algorithms without its checks.

A source trains some 600,000 of them. scikit-learn looks at its input for some milliseconds before each training of
a tenth of one; these don't look, and predict the same.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.tree import DecisionTreeClassifier

from foldwise.core.table import Table
from foldwise.core.types import Array, Integers, Labels


class Plain(BaseEstimator, ABC):  # type: ignore[misc]
    """A learner that is cross-validated here, without the engine's care for foreign learners."""

    def fit(self, X: Array, y: Labels) -> Self:
        self._fit(X, y)
        return self

    def predict(self, X: Array) -> Labels:
        return self._predict(X)

    @abstractmethod
    def _fit(self, X: Array, y: Labels) -> None: ...

    @abstractmethod
    def _predict(self, X: Array) -> Labels: ...

    def cross_predict(self, X: Table, y: Labels, fold_ids: Integers) -> Labels:
        """Predictions of shape (runs, examples); those of examples that are tested in no fold mean nothing."""
        values = np.asarray(X.values)
        predicted = np.repeat(np.asarray(y)[None], len(fold_ids), axis=0)
        for run, folds in enumerate(fold_ids):
            for fold in range(folds.max() + 1):
                test = folds == fold
                predicted[run, test] = self.fit(values[~test], y[~test]).predict(values[test])
        return predicted


class LinearDiscriminant(Plain):
    """Two normal classes with one covariance: scikit-learn's ``LinearDiscriminantAnalysis()``.

    References
    ----------
    .. [1] R. A. Fisher (1936), The use of multiple measurements in taxonomic problems, Annals of Eugenics 7.
    """

    def _fit(self, X: Array, y: Labels) -> None:
        self.classes_ = np.unique(y)
        if len(self.classes_) == 1:  # where scikit-learn refuses
            self._slope, self._intercept = np.zeros(X.shape[1]), -1.0
            return
        rows = [X[y == label] for label in self.classes_]
        means = [part.mean(axis=0) for part in rows]
        centred = np.concatenate([part - mean for part, mean in zip(rows, means, strict=True)])
        self._slope = np.linalg.solve(centred.T @ centred / len(X), means[1] - means[0])
        odds = np.log(len(rows[1]) / len(rows[0]))
        self._intercept = float(odds - self._slope @ (means[0] + means[1]) / 2)

    def _predict(self, X: Array) -> Labels:
        return np.asarray(self.classes_[(X @ self._slope + self._intercept > 0).astype(int)])


class LeastSquares(Plain):
    """A line: scikit-learn's ``LinearRegression()``."""

    def _fit(self, X: Array, y: Labels) -> None:
        self._mean, self._level = X.mean(axis=0), float(y.mean())
        centred = X - self._mean
        self._slope = np.linalg.solve(centred.T @ centred, centred.T @ (y - self._level))

    def _predict(self, X: Array) -> Labels:
        return np.asarray((X - self._mean) @ self._slope + self._level)


class NeighboursMean(Plain):
    """The mean of the five nearest examples: scikit-learn's ``KNeighborsRegressor()``."""

    def _fit(self, X: Array, y: Labels) -> None:
        self._X, self._y = X, y

    def _predict(self, X: Array) -> Labels:
        squares = ((X[:, None] - self._X[None]) ** 2).sum(axis=2)
        return np.asarray(self._y[np.argpartition(squares, 4, axis=1)[:, :5]].mean(axis=1))


class Tree(Plain):
    """A tree of scikit-learn's, ``DecisionTreeClassifier(max_depth=depth)``.

    Parameters
    ----------
    depth
        Questions on the longest way from the root to a leaf; any number where it is not given.
    features
        Attributes among which each question is chosen.
    random_state
        Of the order in which attributes are looked at, which decides between equally good ones.
    """

    def __init__(self, depth: int | None = None, features: str | None = None, random_state: int = 0) -> None:
        self.depth, self.features, self.random_state = depth, features, random_state

    def _fit(self, X: Array, y: Labels) -> None:
        tree = DecisionTreeClassifier(max_depth=self.depth, max_features=self.features, random_state=self.random_state)
        self._tree = tree.fit(X.astype(np.float32), y, check_input=False)

    def _predict(self, X: Array) -> Labels:
        return np.asarray(self._tree.predict(X.astype(np.float32), check_input=False))


class Forest(Plain):
    """Trees on resampled examples that vote with their probabilities, as scikit-learn's ``RandomForestClassifier``.

    Parameters
    ----------
    trees
        Number of trees, each with √columns attributes for each question.
    random_state
        Of resampling and trees.
    """

    def __init__(self, trees: int = 5, random_state: int = 0) -> None:
        self.trees, self.random_state = trees, random_state

    def _fit(self, X: Array, y: Labels) -> None:
        rng = np.random.default_rng(self.random_state)
        self.classes_, codes = np.unique(y, return_inverse=True)
        values, self._trees = X.astype(np.float32), []
        for _ in range(self.trees):
            tree = DecisionTreeClassifier(max_features="sqrt", random_state=int(rng.integers(2**31)))
            # weights instead of rows, as scikit-learn has it: every tree knows all classes
            weights = np.bincount(rng.integers(len(y), size=len(y)), minlength=len(y)).astype(float)
            self._trees.append(tree.fit(values, codes, sample_weight=weights, check_input=False))

    def _predict(self, X: Array) -> Labels:
        values = X.astype(np.float32)
        votes = sum(tree.predict_proba(values, check_input=False) for tree in self._trees)
        return np.asarray(self.classes_[np.argmax(votes, axis=1)])
