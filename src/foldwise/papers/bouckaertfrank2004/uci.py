"""Naive Bayes, C4.5 and nearest neighbour on the 27 UCI data sets: every resampling of Tables 1 to 4, ten times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from foldwise import __version__
from foldwise.core.digest import digest
from foldwise.core.random import stream
from foldwise.core.types import Array
from foldwise.lab.evidence import Evidence
from foldwise.lab.gather import gather
from foldwise.papers.bouckaertfrank2004.printed import DRAWS
from foldwise.papers.study import Task

__all__ = ["LEARNERS", "REPETITIONS", "SETS", "differences", "names", "run_sets"]

LEARNERS = ("nb", "c45", "1nn")
SETS = tuple(DRAWS)
REPETITIONS = 10
SLOW = "arrhythmia"
"""Takes as long as all other data sets together, and therefore only part of full runs."""


def names(task: Task) -> tuple[str, ...]:
    """The data sets of this scale."""
    return task.pick(smoke=("iris", "labor"), quick=tuple(n for n in SETS if n != SLOW), full=SETS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Repetitions:
    """One data set: each block is one repetition of all resamplings.

    Attributes
    ----------
    name, data_dir
        The data set and where it is.
    seed
        Determines the partitionings.
    """

    name: str
    data_dir: str | None
    seed: int

    @property
    def block(self) -> int:
        """Repetitions in a block."""
        return 1

    @property
    def numbers(self) -> int:
        """How many numbers are kept of each trial."""
        return 3 * (100 + 10 + 100)

    @property
    def lower(self) -> str:
        """What would make it fewer, for a message."""
        return "the number of repetitions"

    def blocks(self, trials: int) -> int:
        """Number of blocks."""
        return trials

    @property
    def key(self) -> str:
        """What a store files the accuracies under."""
        return digest(["bouckaertfrank2004", self.name, self.seed, __version__])

    def worker(self) -> _Worker:
        """Runs repetitions."""
        return _Worker(self)


class _Worker:
    """Loads the data set once and runs repetitions."""

    def __init__(self, work: Repetitions) -> None:
        from foldwise.data import load

        self._work = work
        self._data = load(work.name, data_dir=work.data_dir)
        self._codes = np.unique(self._data.y, return_inverse=True)[1].astype(np.int64)

    def work(self, number: int) -> Evidence:
        """Accuracies of the three learners on every test set of repetition `number`."""
        from foldwise.resampling import FiveByTwo, RepeatedKFold

        seed = int(stream(self._work.seed, self._work.name, number).integers(2**31))
        cv = RepeatedKFold(runs=10, folds=10).fold_ids(self._codes, seed=seed)
        five = FiveByTwo().fold_ids(self._codes, seed=seed)
        splits = _random_tenths(len(self._codes), 100, stream(seed, "splits"))
        arrays = {
            "cv": self._accuracies(cv, 10),
            "five": self._accuracies(five, 2),
            "splits": self._accuracies(splits, 1),
        }
        return Evidence(arrays=cast(Any, arrays))

    def _accuracies(self, ids: NDArray[np.int64], folds: int) -> Array:
        """Of shape (1, learners, runs, folds)."""
        from foldwise.learners.registry import create

        found = []
        for name in LEARNERS:
            right = create(name).cross_predict(self._data.X, self._codes, ids) == self._codes
            found.append(
                [[row[fold_ids == f].mean() for f in range(folds)] for row, fold_ids in zip(right, ids, strict=True)]
            )
        return np.array(found)[None]


def _random_tenths(n: int, runs: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Random splits that test on a tenth, not stratified (section 4.2): 0 where tested, else −1."""
    order = rng.permuted(np.broadcast_to(np.arange(n), (runs, n)), axis=1)
    return np.where(order < round(n / 10), 0, -1)


def run_sets(task: Task) -> dict[str, Evidence]:
    """The accuracies on each data set, of shape (repetitions, learners, …)."""
    repetitions = task.pick(smoke=3, quick=REPETITIONS, full=REPETITIONS)
    key = (names(task), repetitions, task.seed, task.data_dir)
    if key not in _DONE:
        _DONE[key] = {
            name: gather(Repetitions(name=name, data_dir=task.data_dir, seed=task.seed), repetitions, task.resources)
            for name in names(task)
        }
    return _DONE[key]


# four tables are made of the same runs; kept while the process lives
_DONE: dict[tuple[Any, ...], dict[str, Evidence]] = {}


def differences(evidence: Evidence, kind: str, pair: tuple[str, str]) -> Array:
    """Accuracy differences of a pair, of shape (repetitions, runs, folds)."""
    array = cast(dict[str, Array], evidence.arrays)[kind]
    first, second = (LEARNERS.index(name) for name in pair)
    return np.asarray(array[:, first] - array[:, second])
