"""The engine against the bare loop: GaussianNB vs a decision tree, breast_cancer, 10×10-fold cross-validation.

The bare loop clones, fits, predicts and scores both learners on the same splits and keeps nothing else. All variants
are timed in turn, several times, and compared by the median of the ratios within a round, because a busy machine slows
a whole round. Goals: serial overhead at most 5 %, with a store at most 10 % more, two processes at least 1.6 times as
fast.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from foldwise.engine import run
from foldwise.resampling import RepeatedKFold

ROUNDS = 9
PLAN = RepeatedKFold(10, 10)
X, Y = load_breast_cancer(return_X_y=True)
PAIR = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}


def bare() -> np.ndarray:
    scores = []
    for split in PLAN.splits(Y, seed=0):
        X_train, y_train, X_test, y_test = X[split.train], Y[split.train], X[split.test], Y[split.test]
        scores.extend((clone(e).fit(X_train, y_train).predict(X_test) == y_test).mean() for e in PAIR.values())
    return np.array(scores).reshape(-1, 2).T


def scikit_learn() -> np.ndarray:
    cv = [(split.train, split.test) for split in PLAN.splits(Y, seed=0)]
    return np.array([cross_val_score(estimator, X, Y, cv=cv) for estimator in PAIR.values()])


def engine(**options) -> np.ndarray:
    return run(PAIR, X, Y, PLAN, seed=0, progress=False, **options).scores.reshape(2, -1)


def stored() -> np.ndarray:
    with tempfile.TemporaryDirectory() as folder:
        return engine(store=Path(folder) / "results.db")


VARIANTS = {
    "bare loop": bare,
    "cross_val_score twice": scikit_learn,
    "engine": engine,
    "engine with store": stored,
    "engine, 2 processes": lambda: engine(n_jobs=2),
}


def timed(call) -> tuple[float, np.ndarray]:
    start = time.perf_counter()
    scores = call()
    return time.perf_counter() - start, scores


def main() -> None:
    reference = bare()
    cold, _ = timed(VARIANTS["engine, 2 processes"])
    seconds = {name: [] for name in VARIANTS}
    for _ in range(ROUNDS):
        for name, call in VARIANTS.items():
            taken, scores = timed(call)
            assert np.array_equal(scores, reference), name
            seconds[name].append(taken)
    medians = {name: statistics.median(taken) for name, taken in seconds.items()}

    def ratio(name: str, to: str) -> float:
        return statistics.median(a / b for a, b in zip(seconds[name], seconds[to], strict=True))

    print(
        f"GaussianNB vs decision tree, breast_cancer, 10×10 ({os.cpu_count()} processors, {ROUNDS} rounds, same scores)"
    )
    for name, taken in medians.items():
        print(f"  {name:24} {taken:7.3f} s   {100 * (ratio(name, 'bare loop') - 1):+6.1f} % against the bare loop")
    print(f"  serial overhead          {100 * (ratio('engine', 'bare loop') - 1):6.1f} %   (goal ≤ 5 %)")
    print(f"  store on top             {100 * (ratio('engine with store', 'engine') - 1):6.1f} %   (goal ≤ 10 %)")
    print(f"  2 processes              {1 / ratio('engine, 2 processes', 'engine'):6.2f} × as fast   (goal ≥ 1.6 ×)")
    print(f"  2 processes, first call  {cold:6.2f} s   (starts the workers, which later calls reuse)")


if __name__ == "__main__":
    main()
