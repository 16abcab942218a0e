"""Fitting one C4.5 tree on the papers' data sets against scikit-learn's DecisionTreeClassifier.

CPU time of one thread through the public interfaces, all in turn within one run. scikit-learn gets numeric attributes
as they are and nominal ones through its own one-hot encoder; missing values it takes as such. Its nearest counterpart
splits by entropy with leaves of at least two examples; its default splits by the Gini index, which needs no logarithms.
Printed are the medians over the rounds and, as other work on the machine can only add time, the ratio of the shortest.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from foldwise.core.kernels import PATIENCE
from foldwise.core.table import Table
from foldwise.data import load
from foldwise.learners import C45

DATA = Path(os.environ.get("FOLDWISE_DATA", Path(__file__).parents[2] / "shared" / "data"))
SETS = ("vehicle", "vowel", "soybean", "letter")
ROWS_AT_MOST, ROUNDS, REPEAT, GOAL = 2_000, 15, 5, 5


def counterpart(table: Table, **options: object) -> object:
    nominal = np.flatnonzero(table.n_values > 0)
    tree = DecisionTreeClassifier(random_state=0, **options)
    if len(nominal) == 0:
        return tree
    encoder = OneHotEncoder(handle_unknown="ignore")
    return make_pipeline(make_column_transformer((encoder, nominal), remainder="passthrough"), tree)


def milliseconds(estimator: object, X: object, y: np.ndarray) -> float:
    start = time.process_time()
    for _ in range(REPEAT):
        estimator.fit(X, y)
    return (time.process_time() - start) * 1e3 / REPEAT


def main() -> None:
    print(f"fit, at most {ROWS_AT_MOST:,} rows; CPU ms, median of {ROUNDS}; goal {GOAL} ×")
    for key in SETS:
        data = load(key, data_dir=DATA)
        X, y = data.X[:ROWS_AT_MOST], data.y[:ROWS_AT_MOST]
        nearest, default = counterpart(X, criterion="entropy", min_samples_leaf=2), counterpart(X)
        milliseconds(C45(), X, y)  # compile or load
        rounds = [
            (milliseconds(C45(), X, y), milliseconds(nearest, X.values, y), milliseconds(default, X.values, y))
            for _ in range(ROUNDS)
        ]
        ours, entropy, gini = np.median(rounds, axis=0)
        shortest = np.min(rounds, axis=0)
        print(
            f"  {key:8} c45 {ours:6.2f}   scikit-learn entropy {entropy:6.2f}"
            f" ({entropy / ours:4.1f} ×, shortest {shortest[1] / shortest[0]:4.1f} ×)"
            f"   default {gini:6.2f} ({gini / ours:4.1f} ×, shortest {shortest[2] / shortest[0]:4.1f} ×)"
        )


if __name__ == "__main__":
    PATIENCE.seconds = 0.0  # kernels from the first call on
    with threadpool_limits(1):
        main()
