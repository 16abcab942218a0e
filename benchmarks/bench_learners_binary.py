"""Whole 10×10-fold cross-validations on binary data against scikit-learn's cross_val_score.

Each data set is a new one of 300 examples and 10 random binary attributes. CPU time of one thread; both sides are
timed in turn within one run. scikit-learn is timed on one run of ten folds of a few data sets and extrapolated.
"""

from __future__ import annotations

import time

import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import BernoulliNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from foldwise.learners.binary import cross_validate

EXAMPLES, ATTRIBUTES, RUNS, FOLDS = 300, 10, 10, 10
SETS, SLICE, ROUNDS = 1_000, 3, 5

# our learner -> its nearest counterpart, and the goal
ROWS = {
    "nb": (BernoulliNB(), 5_000),
    "1nn": (KNeighborsClassifier(1), 2_000),
    "c45": (DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2), 100),
}


def batch(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    shape = (SETS, EXAMPLES, ATTRIBUTES)
    return rng.integers(0, 2, shape, dtype=np.uint8), rng.integers(0, 2, shape[:2], dtype=np.uint8)


def ours(name: str, X: np.ndarray, y: np.ndarray) -> float:
    """Milliseconds per data set."""
    start = time.process_time()
    cross_validate(X, y, [name], seeds=np.arange(len(X)), runs=RUNS, folds=FOLDS, jobs=1)
    return (time.process_time() - start) * 1e3 / len(X)


def theirs(estimator: object, X: np.ndarray, y: np.ndarray) -> float:
    """Milliseconds per data set, from one run on each of a few."""
    start = time.process_time()
    for d in range(SLICE):
        splits = StratifiedKFold(FOLDS, shuffle=True, random_state=d)
        cross_val_score(estimator, X[d], y[d], cv=splits)
    return (time.process_time() - start) * 1e3 / SLICE * RUNS


def main() -> None:
    print(
        f"10×10-fold cv, {EXAMPLES} examples, {ATTRIBUTES} binary attributes; CPU ms per data set, median of {ROUNDS}"
    )
    for name, (estimator, goal) in ROWS.items():
        X, y = batch(0)
        ours(name, X[:2], y[:2])  # compile or load
        times = []
        for r in range(ROUNDS):
            X, y = batch(r + 1)
            times.append((ours(name, X, y), theirs(estimator, X, y)))
        mine, other = np.median(times, axis=0)
        label = type(estimator).__name__
        print(f"  {name:4} {mine:8.4f}   {label:23} {other:7.1f}   ratio {other / mine:7.0f} ×   (goal {goal:,} ×)")


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
