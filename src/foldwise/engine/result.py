"""What a study delivers: scores, predictions and times, and scores per example made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.types import Array, Integers, Labels
from foldwise.metrics.catalogue import known_metric
from foldwise.metrics.item_means import ItemMean
from foldwise.metrics.metric import Metric, Needs, Output, SumMetric, Truth
from foldwise.metrics.weighable import WeightMetric
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


@dataclass(frozen=True, kw_only=True, eq=False)
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
    #: Per learner and split what each test example adds to the score, where it takes more than predictions to know it
    each: tuple[tuple[Array | None, ...], ...] = ()
    also: tuple[RunResult, ...] = ()  #: The same fits by each of the other scorings that were asked for

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
        if self.splits.deals_folds and (ids := self.fold_ids) is not None:
            tests = np.array([np.bincount(row, minlength=self.shape[1]) for row in ids])
            return len(self.y) - tests, tests
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

    @cached_property
    def _tested(self) -> list[list[Integers]]:
        """Per run the test examples of each fold."""
        folds = self.shape[1]
        return [[self.splits[run * folds + fold].test for fold in range(folds)] for run in self.runs]

    @cached_property
    def fold_ids(self) -> Integers | None:
        """The fold in which each example was tested in each run: (runs, examples); None where not each was once."""
        n = len(self.y)
        if self.splits.deals_folds:
            return np.array([self.splits.folds_of(run) for run in self.runs], dtype=np.int64)
        ids = np.full((len(self.runs), n), -1, dtype=np.int64)
        for row, tests in zip(ids, self._tested, strict=True):
            sizes = [len(test) for test in tests]
            if sum(sizes) != n:
                return None
            row[np.concatenate(tests)] = np.repeat(np.arange(len(tests)), sizes)
        return None if ids.min() < 0 else ids

    @cached_property
    def by_example(self) -> Array | None:
        """What each example adds to the scores, by learner, run and example; their means are the scores.

        None where some example is not tested once in each run, or where nobody knows what it adds.
        """
        ids = self.fold_ids
        if ids is None or self.failures or not adds_up(self.scoring):
            return None
        if (once := self._at_once(ids)) is not None:
            return once
        found = np.empty((len(self.names), *ids.shape))
        folds = self.shape[1]
        for learner in range(len(self.names)):
            for place, test in enumerate(test for tests in self._tested for test in tests):
                values = self.added(learner, place, test)
                if values is None:
                    return None
                found[learner, place // folds, test] = values
        return found

    def added(self, learner: int, place: int, test: Integers) -> Array | None:
        """What each test example of a split adds to the score of a learner."""
        if self.each and self.each[learner][place] is not None:
            return self.each[learner][place]
        said = self.outcomes[learner][place]
        plain = Needs.NUMBERS if self.classes is None else Needs.LABELS
        readings: Readings = lambda needs, _: () if said is None or needs is not plain else (said,)  # noqa: E731
        score = float(self.scores[learner].ravel()[place])
        return adding_up(self.scoring, truths(self.y[test], self.classes), readings, score)

    def _at_once(self, ids: Integers) -> Array | None:
        """All of them in one go, where they are means of values that predictions tell; None where they are not."""
        metric = known_metric(self.scoring)
        if not isinstance(metric, ItemMean) or not from_predictions(metric):
            return None
        (runs, folds), n = self.shape, len(self.y)
        classes = () if self.classes is None else tuple(self.classes.tolist())
        truth = Truth(values=np.tile(self.y, runs), classes=classes)
        cell, found = (ids + folds * np.arange(runs)[:, None]).ravel(), []
        place = (np.argsort(ids, axis=1, kind="stable") + n * np.arange(runs)[:, None]).ravel()
        said = np.empty(runs * n, dtype=self.y.dtype)
        for rows in self.outcomes:
            said[place] = np.concatenate([row for row in rows if row is not None])
            found.append(metric.items(truth, said))
        means = np.array([np.bincount(cell, one) for one in found]) / np.bincount(cell)
        scores = self.scores.reshape(len(found), -1)
        signs = [sign for sign in (1.0, -1.0) if np.allclose(sign * means, scores, rtol=1e-9, atol=1e-12)]
        return signs[0] * np.reshape(found, (len(found), runs, n)) if signs else None

    def labels(self, codes: Labels) -> Labels:
        """Class labels of codes; numbers stay as they are for regression."""
        return codes if self.classes is None else self.classes[codes]

    def _splits(self) -> Iterator[Split]:
        folds = self.shape[1]
        return (self.splits[run * folds + fold] for run in self.runs for fold in range(folds))


# ---- What each example adds to a score: a mean over examples, or to first order a metric that is known.

Readings: TypeAlias = Callable[[Needs, Truth], Iterable[Output]]
"""Outputs as what a metric may take them that needs them in some form."""


def truths(values: Labels, classes: Labels | None) -> Iterator[Truth]:
    """The truth, about each class that may be the positive one."""
    if classes is None:
        yield Truth(values=values)
        return
    labels = tuple(classes.tolist())
    for positive in (1, 0) if len(labels) == 2 else (None,):
        yield Truth(values=values, classes=labels, positive=positive)


def adding_up(name: str, of: Iterable[Truth], readings: Readings, score: float) -> Array | None:
    """What each example adds to a score: what the metric of that name gives, if it gives this very score."""
    metric = known_metric(name)
    if metric is None:
        return None
    for truth in of:
        for output in readings(metric.needs, truth):
            values = metric.by_item(truth, output)
            if values is None:
                return None
            for sign in (1.0, -1.0):
                if np.isclose(sign * values.mean(), score, rtol=1e-9, atol=1e-12):
                    return np.asarray(sign * values)
    return None


def from_predictions(metric: Metric | None) -> bool:
    """Whether a metric is a mean over examples that predictions tell."""
    return isinstance(metric, ItemMean) and metric.needs in (Needs.LABELS, Needs.NUMBERS)


def adds_up(name: str) -> bool:
    """Whether it is known of a score what each example adds to it.

    >>> adds_up("accuracy"), adds_up("roc_auc"), adds_up("max_error")
    (True, True, False)
    """
    metric = known_metric(name)
    return isinstance(metric, (SumMetric, WeightMetric)) and metric.needs in ADDED


ADDED = (Needs.LABELS, Needs.NUMBERS, Needs.SCORES, Needs.PROBABILITIES, Needs.CLASS_SCORES)


def example_scores(result: RunResult, learner: int) -> Array:
    """What each example scored in each run: (runs, examples).

    For plans that test every example once per run.
    """
    if not from_predictions(known_metric(result.scoring)) or result.by_example is None:
        raise InvalidInput(f"metric must be a mean over examples that predictions give, got {result.scoring!r}")
    return np.asarray(result.by_example[learner])


def tested_scores(result: RunResult, learner: int) -> Array:
    """What each test example scored in each training: (trainings, test examples), for plans that test the same ones."""
    rows = []
    for place, (run, predicted) in enumerate(zip(result.runs, result.outcomes[learner], strict=True)):
        if predicted is None:
            raise InvalidInput(f"learner {result.names[learner]!r} failed on training set {run + 1}: see failures")
        found = result.added(learner, place, result.splits[run].test)
        if found is None or not from_predictions(known_metric(result.scoring)):
            raise InvalidInput(f"metric must be a mean over examples that predictions give, got {result.scoring!r}")
        rows.append(found)
    return np.stack(rows)
