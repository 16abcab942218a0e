"""Random problems with everything that can go wrong: for the learners' property tests."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foldwise.core.table import Table


@dataclass(frozen=True)
class Problem:
    X: Table
    y: np.ndarray
    folds: np.ndarray
    classes: np.ndarray


def mixed_problem(seed, *, n=None, n_classes=None, runs=2, max_columns=6):
    """Nominal and numeric columns (few levels, many, constant, all missing, far from zero), missing values, folds.

    Fold ids include −1 now and then, and folds may be empty. Some declared classes may have no example.
    """
    rng = np.random.default_rng(seed)
    n = n or int(rng.integers(3, 60))
    n_classes = n_classes or int(rng.choice([1, 2, 2, 3, 5, 12]))
    y = rng.integers(0, n_classes, n)
    columns, categories = zip(*(_column(rng, n, y) for _ in range(rng.integers(1, max_columns + 1))), strict=True)
    values = np.column_stack(columns)
    values[rng.random(values.shape) < rng.choice([0.0, 0.1, 0.4])] = np.nan
    return Problem(Table.build(values, categories), y, _folds(rng, n, runs), np.arange(n_classes))


def _column(rng, n, y):
    kind = rng.integers(0, 8)
    if kind == 0:
        return rng.normal(y * rng.choice([0.0, 1.0]), 1.0), None
    if kind == 1:
        return rng.integers(0, 4, n).astype(float), None
    if kind == 2:
        return np.round(1e6 + rng.normal(size=n), 2), None
    if kind == 3:
        return np.full(n, rng.choice([0.0, 5.3, np.nan])), None
    if kind == 4:  # a constant with one exception: its fold's training range has no width
        return np.where(np.arange(n) == rng.integers(n), 7.0, 2.5), None
    width = int(rng.integers(1, 6))
    codes = np.where(rng.random(n) < 0.5, y % width, rng.integers(0, width, n))
    return codes.astype(float), tuple("abcdef"[:width])


def _folds(rng, n, runs):
    n_folds = int(rng.integers(2, 8))
    lowest = -1 if rng.random() < 0.3 else 0
    folds = rng.integers(lowest, n_folds, (runs, n))
    folds[:, 0], folds[:, 1] = 0, 1  # every run leaves something to train on
    return folds


def looped(learner, problem):
    """What `cross_predict` has to give, by fitting and predicting through the public interface."""
    from sklearn.base import clone

    predicted = np.full(problem.folds.shape, problem.classes[0])
    for run, ids in enumerate(problem.folds):
        for fold in np.unique(ids[ids >= 0]):
            test = ids == fold
            model = clone(learner).fit(problem.X[~test], problem.y[~test], classes=problem.classes)
            predicted[run, test] = model.predict(problem.X[test])
    return predicted
