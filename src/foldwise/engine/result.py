"""What a study delivers: scores, predictions and times, and scores per example made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.types import Array, Labels
from foldwise.resampling.plan import Plan, Split, Splits


@dataclass(frozen=True, slots=True)
class Failure:
    #: learner, split: Name of the learner, index of the split
    learner: str
    split: int
    #: run, fold: The split's place in the plan
    run: int
    fold: int
    reason: str  #: First line of the error and where it came from

    def __str__(self) -> str:
        return (
            f"learner {self.learner!r} failed on split {self.split} (run {self.run}, fold {self.fold}): {self.reason}"
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunResult:
    """Scores, predictions and times of learners on the splits of a plan."""

    names: tuple[str, ...]  #: The learners, in the order of the first axis of the arrays
    #: scores, seconds: Score and time of the fit, of shape (learners, runs, folds); NaN where `failures` has the reason
    scores: Array
    seconds: Array
    runs: tuple[int, ...]  #: Which runs of the plan these are
    #: scoring, greater_is_better: What the scores are, and which way they point
    scoring: str
    greater_is_better: bool
    classes: Labels | None  #: Class labels, or None for regression
    y: Labels  #: The truth: class codes (indices into `classes`), or numbers for regression
    plan: Plan
    seed: int
    splits: Splits  #: The plan's splits (all runs), to be indexed by run × folds + fold
    #: Per learner and split the predictions for its test examples, in their order: class codes, or numbers for
    #: regression; None where the fit failed
    outcomes: tuple[tuple[Labels | None, ...], ...]
    failures: tuple[Failure, ...]  #: The fits that failed, by learner and split; empty unless ``on_error="continue"``
    warnings: dict[str, Counter[str]]  #: Per learner how many fits gave each warning
    #: found, computed: Number of trainings taken from the store, and done now
    found: int
    computed: int
    #: When the oldest and the newest of those from the store were made, in seconds since 1970; None if there is none
    found_made: tuple[int, int] | None = None
    also: tuple[RunResult, ...] = ()  #: The same fits by each of the other scorings that were asked for

    def scored(self, scoring: str, greater_is_better: bool, scores: Array) -> RunResult:
        """The same fits by another scoring."""
        return replace(self, scoring=scoring, greater_is_better=greater_is_better, scores=scores)

    @property
    def shape(self) -> tuple[int, int]:
        """(runs, folds)."""
        return self.scores.shape[1], self.scores.shape[2]

    def position(self, learner: str | int) -> int:
        """Position of a learner given by name (or position)."""
        if isinstance(learner, int):
            return learner
        if learner not in self.names:
            raise UnknownName("learner", learner, self.names)
        return self.names.index(learner)

    def scores_of(self, learner: str | int) -> Array:
        """Scores of one learner, of shape (runs, folds)."""
        return np.asarray(self.scores[self.position(learner)])

    def sizes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(training sizes, test sizes), each of shape (runs, folds)."""
        pairs = np.array([(s.n_train, s.n_test) for s in self._splits()], dtype=np.int64)
        return pairs[:, 0].reshape(self.shape), pairs[:, 1].reshape(self.shape)

    def predicted(self, learner: str | int) -> Labels:
        """Predictions of one learner, of shape (runs, examples): class codes, or numbers for regression.

        Only for plans that test every example once per run; others have `outcomes` by split.
        """
        if not self.plan.is_partition:
            raise InvalidInput(f"predictions by run need a plan that tests each example once per run: {self.plan.key}")
        rows = self.outcomes[self.position(learner)]
        table: Labels = np.empty((len(self.runs), len(self.y)), dtype=self.y.dtype)
        place = {run: position for position, run in enumerate(self.runs)}
        for row, split in zip(rows, self._splits(), strict=True):
            if row is None:
                raise InvalidInput(f"learner {learner!r} failed on split {split.index}: see failures")
            table[place[split.run], split.test] = row
        return table

    def labels(self, codes: Labels) -> Labels:
        """Class labels of codes; numbers stay as they are for regression."""
        return codes if self.classes is None else self.classes[codes]

    def _splits(self) -> Iterator[Split]:
        folds = self.shape[1]
        return (self.splits[run * folds + fold] for run in self.runs for fold in range(folds))


# ---- What each example adds to a score that is a mean over examples: what predictions alone tell.

# The scorings that are means over examples, and what one example adds.
MEANS: dict[str, Callable[[Labels, Labels], Array]] = {
    "accuracy": lambda predicted, truth: (predicted == truth).astype(np.float64),
    "error": lambda predicted, truth: (predicted != truth).astype(np.float64),
    "mse": lambda predicted, truth: (predicted - truth) ** 2.0,
    "mae": lambda predicted, truth: np.abs(predicted - truth).astype(np.float64),
    "neg_mean_squared_error": lambda predicted, truth: -((predicted - truth) ** 2.0),
    "neg_mean_absolute_error": lambda predicted, truth: -np.abs(predicted - truth).astype(np.float64),
}


def is_mean(scoring: str) -> bool:
    """Whether a score is the mean of what predictions score on single examples."""
    return scoring in MEANS


def example_scores(result: RunResult, learner: int) -> Array:
    """What each example scored in each run: (runs, examples).

    For plans that test every example once per run.
    """
    return _mean(result)(result.predicted(learner), result.y)


def tested_scores(result: RunResult, learner: int) -> Array:
    """What each test example scored in each training: (trainings, test examples), for plans that test the same ones."""
    scores = _mean(result)
    rows = []
    for run, predicted in zip(result.runs, result.outcomes[learner], strict=True):
        if predicted is None:
            raise InvalidInput(f"learner {result.names[learner]!r} failed on training set {run + 1}: see failures")
        rows.append(scores(predicted, result.y[result.splits[run].test]))
    return np.stack(rows)


def _mean(result: RunResult) -> Callable[[Labels, Labels], Array]:
    if not is_mean(result.scoring):
        raise InvalidInput(
            f"scoring must be a mean over examples that predictions give ({', '.join(MEANS)}), got {result.scoring!r}"
        )
    return MEANS[result.scoring]
