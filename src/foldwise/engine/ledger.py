"""Between a study and a store: what the store already knows, and what is to be kept."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace

from foldwise.core.errors import InvalidInput
from foldwise.engine.fitting import Fit, Nonsense, Target, score_predicted
from foldwise.engine.identity import scoring_digest, series_key
from foldwise.engine.job import Job, Report, compact
from foldwise.engine.store import Record, Store
from foldwise.resampling import Splits

__all__ = ["Ledger", "open_store"]


class Ledger:
    """The series of one study in a store.

    Attributes
    ----------
    made
        When the first and the last of the fits that were recalled were made, in seconds since 1970; None before.
    """

    def __init__(self, store: Store, job: Job, splits: Splits, data_name: str) -> None:
        self._store, self._job, self._splits = store, job, splits
        self.made: tuple[int, int] | None = None
        self._scoring = store.scoring(job.scoring.name, scoring_digest(job.scoring), job.scoring.bounds)
        data, folds = job.examples.digest(), splits.shape[1]
        self._series = [
            store.series(
                series_key(learner, job.examples, data, plan=job.plan, seed=job.seed, folds=folds, data_name=data_name)
            )
            for learner in job.learners
        ]

    def recall(self, splits: range) -> Iterator[Fit]:
        """The fits that the store has, scored if need be: a score that needs predictions only needs no new fit."""
        rescored = []
        for position, series in enumerate(self._series):
            for record in self._store.recall(series, splits, self._scoring):
                score = record.score
                if score is None:
                    score = self._rescore(position, record)
                    if score is None:
                        continue
                    rescored.append(replace(record, score=score))
                outcomes = compact(record.outcomes, self._job.examples)
                first, last = self.made or (record.made, record.made)
                self.made = min(first, record.made), max(last, record.made)
                yield Fit(position, record.split, score, outcomes, record.seconds)
        if rescored:
            self._store.record(rescored, self._scoring)

    def record(self, report: Report) -> None:
        """Keep the fits of a chunk."""
        records = []
        for fit in report.fits:
            split = self._splits[fit.split]
            records.append(
                Record(
                    series=self._series[fit.learner],
                    split=fit.split,
                    n_train=split.n_train,
                    n_test=split.n_test,
                    seconds=fit.seconds,
                    outcomes=fit.outcomes,
                    score=fit.score,
                    origin=report.origin,
                )
            )
        if records:
            self._store.record(records, self._scoring)

    def _rescore(self, position: int, record: Record) -> float | None:
        job = self._job
        if not job.scoring.from_predictions:
            return None
        target = Target.of(job.examples, self._splits[record.split].test)
        estimator, classes = job.learners[position].estimator, job.examples.classes
        try:
            return score_predicted(job.scoring, estimator, record.outcomes, of=target, classes=classes)
        except (Nonsense, ValueError):  # the study itself will meet the same problem and report it
            return None


StoreLike = Store | str | os.PathLike[str]
"""A store, or the path of one."""


def open_store(store: StoreLike) -> tuple[Store, bool]:
    """(the store, whether it is ours to close) from a path or a store."""
    if isinstance(store, Store):
        return store, False
    if not isinstance(store, (str, os.PathLike)):
        raise InvalidInput(f"store must be a path or a Store, got {store!r}")
    return Store(store), True
