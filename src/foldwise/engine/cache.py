"""Between a study and a store: under what name results are kept, what is known already, and what to keep."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from foldwise.core.digest import Identity, digest, identify
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array
from foldwise.engine.examples import Examples
from foldwise.engine.fitting import Fit, Nonsense, Target, score_fitted, score_predicted
from foldwise.engine.job import FittedBefore, FittedOutputs, Job, Report, compact, each_of
from foldwise.engine.learners import NamedLearner
from foldwise.engine.scoring import Scoring
from foldwise.engine.store import Record, SeriesKey, Store
from foldwise.resampling.plan import Plan, Splits


def series_key(
    learner: NamedLearner, examples: Examples, data_digest: str, *, plan: Plan, seed: int, folds: int, data_name: str
) -> SeriesKey:
    """The key of one learner's series, with what listings show about it."""
    identity = identify(learner.estimator)
    described = identity.described
    params = described.get("params", described) if isinstance(described, Mapping) else described
    kind = type(learner.estimator)
    labels: dict[str, str | int] = {
        "data": data_name, "examples": len(examples), "attributes": int(examples.X.shape[1]),
        "classes": 0 if examples.classes is None else len(examples.classes), "learner": learner.name,
        "class": f"{kind.__module__}.{kind.__qualname__}", "params": json.dumps(params, sort_keys=True),
        "versions": json.dumps(versions_of(identity), sort_keys=True), "folds": folds,
    }  # fmt: skip
    return SeriesKey(data=data_digest, learner=identity.digest, plan=plan.key, seed=seed, labels=labels)


def versions_of(identity: Identity) -> dict[str, str]:
    """Versions of the installed packages something comes from, and one digest for the user's own code behind it."""
    own = {"own code": digest(identity.code)[:16]} if identity.code else {}
    return {**identity.packages, **own}


def scoring_digest(scoring: Scoring) -> str:
    """Digest of a scoring: its name, and what the scorer is and does."""
    return digest([scoring.name, scoring.greater_is_better, scoring.scorer])


def unseen_caveats(store: object, things: object) -> tuple[str, ...]:
    """What of these a store can't tell from another of its kind, as a caveat; nothing without a store."""
    unseen = () if store is None else identify(things).unseen
    if not unseen:
        return ()
    names = ", ".join(name.replace(":", ".") for name in unseen)
    return (
        f"the store can't look into {names}: if it changes, old results are served for it, so use another store then",
    )


# ---- Between a study and a store: what the store already knows, and what is to be kept.


class Ledger:
    """The series of one study in a store.

    `made`: when the first and the last of the fits that were recalled were made, in seconds since 1970; None before.
    """

    def __init__(self, store: Store, job: Job, splits: Splits, data_name: str) -> None:
        self._store, self._job, self._splits = store, job, splits
        self.made: tuple[int, int] | None = None
        self._scorings = [store.scoring(how.name, scoring_digest(how), how.bounds) for how in job.scorings]
        data, folds = job.examples.digest(), splits.shape[1]
        self._series = [
            store.series(
                series_key(learner, job.examples, data, plan=job.plan, seed=job.seed, folds=folds, data_name=data_name)
            )
            for learner in job.learners
        ]

    def recall(self, splits: range) -> Iterator[Fit]:
        """The fits that the store has with all scores, or with what it takes to score them."""
        rescored: dict[int, list[Record]] = {scoring: [] for scoring in self._scorings}
        for position, series in enumerate(self._series):
            for records in self._by_split(series, splits):
                scores = [self._score(position, how, r) for how, r in zip(self._job.scorings, records, strict=True)]
                known = [score for score in scores if score is not None]
                if len(known) < len(scores):
                    continue
                for scoring, record, score in zip(self._scorings, records, known, strict=True):
                    if record.score is None:
                        rescored[scoring].append(replace(record, score=score))
                first = records[0]
                each = self._each(first, known)
                outcomes = compact(first.outcomes, self._job.examples)
                begin, end = self.made or (first.made, first.made)
                self.made = min(begin, first.made), max(end, first.made)
                yield Fit(position, first.split, known[0], outcomes, first.seconds, tuple(known[1:]), each=each)
        for scoring, again in rescored.items():
            if again:
                self._store.record(again, scoring)

    def _by_split(self, series: int, splits: range) -> Iterator[tuple[Record, ...]]:
        """Per split its row under each scoring; rows that another process adds meanwhile may be seen by some only."""
        first, *others = self._scorings
        beside = [{row.split: row for row in self._store.recall(series, splits, scoring)} for scoring in others]
        for row in self._store.recall(series, splits, first):
            if all(row.split in rows for rows in beside):
                yield (row, *(rows[row.split] for rows in beside))

    def record(self, report: Report) -> None:
        records = []
        for fit in report.fits:
            split = self._splits[fit.split]
            records.append(
                Record(
                    series=self._series[fit.learner], split=fit.split, n_train=split.n_train, n_test=split.n_test,
                    seconds=fit.seconds, outcomes=fit.outcomes, score=fit.score, outputs=fit.outputs,
                    origin=report.origin,
                )
            )  # fmt: skip
        for place, scoring in enumerate(self._scorings if records else ()):
            scored = [replace(r, score=fit.scores[place]) for r, fit in zip(records, report.fits, strict=True)]
            records = [replace(r, outputs=None) for r in records]  # they go with the first
            self._store.record(scored, scoring)

    def _each(self, record: Record, scores: Sequence[float]) -> tuple[Array | None, ...]:
        """By scoring what each test example adds to it, from the probabilities and the like that the store has."""
        job = self._job
        if job.examples.classes is None or not job.needs_outputs:
            return ()
        content = self._store.outputs(record.series, record.split)
        given = None if content is None else FittedOutputs.from_bytes(content)
        target = Target.of(job.examples, self._splits[record.split].test)
        return tuple(
            each_of(how, given, target, job.examples, score) for how, score in zip(job.scorings, scores, strict=True)
        )

    def _score(self, position: int, how: Scoring, record: Record) -> float | None:
        """The score of a row; None where it takes a new fit."""
        if record.score is not None:
            return record.score
        job = self._job
        target = Target.of(job.examples, self._splits[record.split].test)
        learner, classes = job.learners[position], job.examples.classes
        try:
            if how.from_predictions:
                return score_predicted(how, learner.estimator, record.outcomes, of=target, classes=classes)
            if how.needs_outputs and classes is not None:
                # the score by what the store has besides predictions; None where it does not have it
                content = self._store.outputs(record.series, record.split)
                fitted = (
                    None
                    if content is None
                    else FittedBefore(learner.estimator, FittedOutputs.from_bytes(content), classes)
                )
                if fitted is None or not fitted.complete:
                    return None
                present = self._job.examples.present() if learner.declares_classes else None
                rows, predictions = np.empty((len(record.outcomes), 1)), classes[record.outcomes]
                return score_fitted(how, fitted, rows, predictions, record.outcomes, of=target, present=present)
        except (Nonsense, ValueError):  # the study itself will meet the same problem and report it
            return None
        return None


StoreLike = Store | str | os.PathLike[str]  # A store, or the path of one.


def open_store(store: StoreLike) -> tuple[Store, bool]:
    """(the store, whether it is ours to close) from a path or a store."""
    if isinstance(store, Store):
        return store, False
    if not isinstance(store, (str, os.PathLike)):
        raise InvalidInput(f"store must be a path or a Store, got {store!r}")
    return Store(store), True
