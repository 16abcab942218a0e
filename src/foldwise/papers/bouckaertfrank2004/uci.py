"""Naive Bayes, C4.5 and nearest neighbour on the 27 UCI data sets: every resampling of Tables 1 to 4, ten times."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from foldwise.core.random import stream
from foldwise.core.types import Array
from foldwise.papers.bouckaertfrank2004.printed import DRAWS
from foldwise.papers.one_neighbour import cross_predict_one, squared_distances
from foldwise.papers.study import Task
from foldwise.papers.trials import Trials, do_trials

__all__ = ["LEARNERS", "REPETITIONS", "SETS", "SLOW", "differences", "names", "run_sets"]

LEARNERS = ("nb", "c45", "1nn")
"""The nearest neighbour is that of `foldwise.papers.one_neighbour`."""

SETS = tuple(DRAWS)
REPETITIONS = 10
SLOW = "arrhythmia"
"""Takes as long as all other data sets together, and therefore only part of full runs."""

FOLDS = {"cv": 10, "five": 2, "splits": 1}


def names(task: Task) -> tuple[str, ...]:
    """The data sets of this scale that are there."""
    return task.present(
        task.pick(smoke=("iris", "labor"), quick=tuple(name for name in SETS if name != SLOW), full=SETS)
    )


def _start(name: str, data_dir: str | None, seed: int) -> Callable[[int], dict[str, Array]]:
    """Load a data set; the function that runs repetition `number` of all resamplings on it."""
    from foldwise.data import load
    from foldwise.learners import C45, NaiveBayes

    data = load(name, data_dir=data_dir)
    codes = np.unique(data.y, return_inverse=True)[1].astype(np.int64)
    distances = squared_distances(data.X)

    def repetition(number: int) -> dict[str, Array]:
        from foldwise.resampling import FiveByTwo, RepeatedKFold

        drawn = int(stream(seed, name, number).integers(2**31))
        ids = {
            "cv": RepeatedKFold(runs=10, folds=10).fold_ids(codes, seed=drawn),
            "five": FiveByTwo().fold_ids(codes, seed=drawn),
            "splits": _random_tenths(len(codes), 100, stream(drawn, "splits")),
        }
        found = {}
        for kind, folds in ids.items():
            predicted = [learner.cross_predict(data.X, codes, folds) for learner in (NaiveBayes(), C45())]
            predicted.append(cross_predict_one(distances, codes, folds, stream(drawn, "neighbour", kind)))
            found[kind] = np.array([_accuracies(one == codes, folds, FOLDS[kind]) for one in predicted])
        return found

    return repetition


def _accuracies(right: NDArray[np.bool_], ids: NDArray[np.int64], folds: int) -> Array:
    """Share of right predictions on every test set: shape (runs, folds)."""
    return np.array(
        [[row[fold_ids == f].mean() for f in range(folds)] for row, fold_ids in zip(right, ids, strict=True)]
    )


def _random_tenths(n: int, runs: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Random splits that test on a tenth, not stratified (section 4.2): 0 where tested, else −1."""
    order = rng.permuted(np.broadcast_to(np.arange(n), (runs, n)), axis=1)
    return np.where(order < round(n / 10), 0, -1)


def run_sets(task: Task) -> dict[str, dict[str, Array]]:
    """By data set and kind of resampling the accuracies, of shape (repetitions, learners, runs, folds)."""
    repetitions = task.pick(smoke=3, quick=REPETITIONS, full=REPETITIONS)
    key = (names(task), repetitions, task.seed, task.data_dir)
    if key not in _DONE:
        _DONE[key] = {name: do_trials(_work(task, name), repetitions, task.resources) for name in names(task)}
    return _DONE[key]


# four tables are made of the same runs; kept while the process lives
_DONE: dict[tuple[object, ...], dict[str, dict[str, Array]]] = {}


def _work(task: Task, name: str) -> Trials:
    return Trials(
        identity=("bouckaertfrank2004", "one neighbour", name, task.seed),
        start=partial(_start, name, task.data_dir, task.seed),
        numbers=len(LEARNERS) * (100 + 10 + 100),
    )


def differences(accuracies: dict[str, Array], kind: str, pair: tuple[str, str]) -> Array:
    """Accuracy differences of a pair, of shape (repetitions, runs, folds)."""
    first, second = (LEARNERS.index(name) for name in pair)
    return np.asarray(accuracies[kind][:, first] - accuracies[kind][:, second])
