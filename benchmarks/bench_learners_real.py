"""Whole 10×10-fold cross-validations on the papers' data sets against scikit-learn's cross_val_score.

CPU time of one thread, both sides in turn within one run; scikit-learn is timed on one run of ten folds and
extrapolated. It gets the attributes as numbers (categories coded, missing values filled), outside the clock.
"""

from __future__ import annotations

import os
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from threadpoolctl import threadpool_limits

from foldwise.core.kernels import PATIENCE
from foldwise.core.table import Table
from foldwise.data import load
from foldwise.learners import create

DATA = Path(os.environ.get("FOLDWISE_DATA", Path(__file__).parents[2] / "shared" / "data"))
SETS = ("vehicle", "vowel", "soybean", "letter")
ROWS_AT_MOST, RUNS, FOLDS, ROUNDS, GOAL = 2_000, 10, 10, 5, 20


def folds_of(y: np.ndarray) -> np.ndarray:
    """Stratified fold ids, (runs, examples)."""
    ids = np.empty((RUNS, len(y)), dtype=np.int64)
    for run in range(RUNS):
        for k, (_, test) in enumerate(StratifiedKFold(FOLDS, shuffle=True, random_state=run).split(y, y)):
            ids[run, test] = k
    return ids


def filled(table: Table) -> np.ndarray:
    """Numbers for scikit-learn: missing values become the most frequent category or the mean."""
    values = table.values.copy()
    for column, width in zip(values.T, table.n_values, strict=True):
        missing = np.isnan(column)
        known = column[~missing]
        column[missing] = np.bincount(known.astype(int)).argmax() if width else known.mean()
    return values


def counterpart(name: str, table: Table) -> object:
    if name == "1nn":
        return KNeighborsClassifier(1)
    if (table.n_values > 0).all():
        return CategoricalNB(min_categories=table.n_values)
    return GaussianNB()


def ours(name: str, X: Table, y: np.ndarray, ids: np.ndarray) -> float:
    start = time.process_time()
    create(name).cross_predict(X, y, ids)
    return (time.process_time() - start) * 1e3


def theirs(estimator: object, X: np.ndarray, y: np.ndarray, run: int) -> float:
    splits = StratifiedKFold(FOLDS, shuffle=True, random_state=run)
    start = time.process_time()
    cross_val_score(estimator, X, y, cv=splits)
    return (time.process_time() - start) * 1e3 * RUNS


def main() -> None:
    print(f"10×10-fold cv, at most {ROWS_AT_MOST:,} rows; CPU ms, median of {ROUNDS}")
    for key in SETS:
        data = load(key, data_dir=DATA)
        X, y = data.X[:ROWS_AT_MOST], data.y[:ROWS_AT_MOST]
        ids, numbers, codes = folds_of(y), filled(X), np.unique(y, return_inverse=True)[1]
        for name in ("nb", "1nn"):
            estimator = counterpart(name, X)
            ours(name, X, y, ids)  # compile or load
            times = [(ours(name, X, y, ids), theirs(estimator, numbers, codes, r)) for r in range(ROUNDS)]
            mine, other = np.median(times, axis=0)
            row = f"  {key:8} {name:4} {mine:8.2f}   {type(estimator).__name__:21} {other:8.1f}"
            print(f"{row}   ratio {other / mine:6.1f} ×   (goal {GOAL} ×)")


if __name__ == "__main__":
    warnings.filterwarnings("ignore", "The least populated class")  # soybean has a class of 8
    PATIENCE.seconds = 0.0  # kernels from the first call on
    with threadpool_limits(1):
        main()
