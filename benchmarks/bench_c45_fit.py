"""Fitting one C4.5 tree on the papers' data sets against scikit-learn's DecisionTreeClassifier.

CPU time of one thread through the public interfaces, both sides in turn within one run. scikit-learn gets numeric
attributes as they are and nominal ones through its own one-hot encoder; missing values it takes as such.
"""

from __future__ import annotations

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import time
from pathlib import Path

import numpy as np
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from foldwise.core.table import Table
from foldwise.data import load
from foldwise.learners import C45

DATA = Path(os.environ.get("FOLDWISE_DATA", Path(__file__).parents[2] / "shared" / "data"))
SETS = ("vehicle", "vowel", "soybean", "letter")
ROWS_AT_MOST, ROUNDS, REPEAT, GOAL = 2_000, 9, 5, 5


def counterpart(table: Table) -> object:
    nominal = np.flatnonzero(table.n_values > 0)
    tree = DecisionTreeClassifier(random_state=0)
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
    print(f"fit, at most {ROWS_AT_MOST:,} rows; CPU ms, median of {ROUNDS}")
    for key in SETS:
        data = load(key, data_dir=DATA)
        X, y = data.X[:ROWS_AT_MOST], data.y[:ROWS_AT_MOST]
        theirs, ours = counterpart(X), C45()
        milliseconds(ours, X, y)  # compile or load
        times = [(milliseconds(ours, X, y), milliseconds(theirs, X.values, y)) for _ in range(ROUNDS)]
        mine, other = np.median(times, axis=0)
        ratio = np.median([b / a for a, b in times])
        print(
            f"  {key:8} c45 {mine:6.2f}   DecisionTreeClassifier {other:6.2f}   ratio {ratio:5.1f} ×   (goal {GOAL} ×)"
        )


if __name__ == "__main__":
    main()
