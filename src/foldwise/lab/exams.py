"""True accuracies: learners trained on samples of a source and examined on what the source says is true."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from foldwise import __version__
from foldwise.core.digest import digest
from foldwise.core.random import stream
from foldwise.core.types import Array, Estimator
from foldwise.lab.evidence import Evidence
from foldwise.lab.gather import BLOCK, Resources, gather, identity
from foldwise.lab.populations import Source
from foldwise.lab.training import is_random, predict_others, reseeded


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Grades:
    """How well learners do, of shape (trials, learners)."""

    accuracy: Array  #: Share of right predictions
    chance: Array  #: Share of predictions that would become right if each were replaced by another class at random


@dataclass(frozen=True, slots=True, kw_only=True)
class Exams:
    """Trials in each of which all learners are trained on the same examples and examined on the same others.

    Notes
    -----
    What a learner is examined on, and how its accuracy is found, is the source's `exam` and `grade`: exactly where
    all cases are known, otherwise on the rest of a finite population or on new examples.
    """

    source: Source  #: Where the examples come from
    learners: tuple[Estimator, ...]  #: What to train
    #: n, n_train: A data set has n examples, of which n_train at random are trained on
    n: int
    n_train: int
    n_test: int  #: Most examples in an examination that is not exact
    seed: int  #: Determines the trials; the same whatever the learners are

    @property
    def block(self) -> int:
        return BLOCK

    @property
    def numbers(self) -> int:
        return 2 * len(self.learners)

    @property
    def lower(self) -> str:
        return "trials"

    def blocks(self, trials: int) -> int:
        return math.ceil(trials / BLOCK)

    @property
    def key(self) -> str:
        sizes = [self.n, self.n_train, self.n_test, self.seed]
        return digest(["exams", identity(self.source), list(self.learners), sizes, __version__])

    def worker(self) -> _ExamWorker:
        return _ExamWorker(self)


def examine_learners(exams: Exams, trials: int, resources: Resources | None = None) -> Grades:
    """The grades of the first `trials` trials; they are kept in the store, and in memory while the process lives."""
    key = f"{exams.key} {trials}"
    if key not in _GRADED:
        arrays = gather(exams, trials, resources).arrays
        _GRADED[key] = Grades(accuracy=arrays["accuracy"], chance=arrays["chance"])
    return _GRADED[key]


# a search for the right amount of damage comes back to the same learners again and again
_GRADED: dict[str, Grades] = {}


class _ExamWorker:
    def __init__(self, exams: Exams) -> None:
        self._exams = exams

    def work(self, number: int) -> Evidence:
        grades = np.array([_grade(self._exams, trial) for trial in range(number * BLOCK, (number + 1) * BLOCK)])
        return Evidence(arrays={"accuracy": grades[:, 0], "chance": grades[:, 1]})


def _grade(exams: Exams, trial: int) -> tuple[list[float], list[float]]:
    """Accuracies and chances of all learners in one trial."""
    source = exams.source
    sample, exam = source.exam(exams.n, exams.n_test, stream(exams.seed, "exam", trial))
    train = sample.rows(stream(exams.seed, "exam subset", trial).permutation(exams.n)[: exams.n_train])
    known = np.unique(train.y)
    accuracies, chances = [], []
    for place, learner in enumerate(exams.learners):
        own = int(stream(exams.seed, "exam learner", trial, place).integers(2**31))
        ready = reseeded(learner, own) if is_random(learner) else learner
        accuracy, chance = source.grade(exam, predict_others(ready, train, exam.X), known)
        accuracies.append(accuracy)
        chances.append(chance)
    return accuracies, chances
