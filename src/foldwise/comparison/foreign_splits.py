"""Splits that somebody brings: scikit-learn's splitters, (train, test) pairs. What they are decides the test."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Integers, Labels
from foldwise.designs import RANDOM_SPLITS, REPEATED_CV, TIME_SPLITS, Procedure, find_procedure
from foldwise.designs.resampled import resampled
from foldwise.engine.result import from_predictions
from foldwise.evidence.items import Items
from foldwise.evidence.mark_input import right_wrong_scale
from foldwise.metrics.catalogue import known_metric
from foldwise.resampling.foreign import Foreign, as_plan
from foldwise.resampling.plan import Plan

if TYPE_CHECKING:
    from foldwise.engine.result import RunResult

_IN_TIME = (
    "the splits follow each other in time: what correlates them is not what the correction assumes, so that the level "
    "of this test is not known"
)
_UNEVEN = "training sets differ in size by more than a tenth: the answer is about sizes between {low} and {high}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """A plan that was brought, the test that suits it, and what to know of it."""

    #: plan, procedure: The splits, and the test by which they are run
    plan: Plan
    procedure: Procedure
    caveats: tuple[str, ...]  #: What to know of them
    in_time: bool = False  #: Whether each test set lies behind its training set, and the answer is judged in that order

    def evidence(self, result: RunResult) -> Items:
        """Values in order of time: of the tested examples where the score is a mean over them, else of the splits."""
        index = [run * result.shape[1] + fold for run in result.runs for fold in range(result.shape[1])]
        splits = [result.splits[number] for number in index]
        values = np.reshape(result.scores, (len(result.names), -1))
        times: Integers = np.array([split.test.min() for split in splits])
        if from_predictions(known_metric(result.scoring)):
            added = ([result.added(m, place, one.test) for place, one in enumerate(splits)] for m in range(len(values)))
            found = [[one for one in row if one is not None] for row in added]
            if all(len(row) == len(splits) for row in found):
                values = np.array([np.concatenate(row) for row in found])
                times = np.concatenate([split.test for split in splits])
        items = Items(
            names=result.names, values=values, right_wrong=right_wrong_scale(values) is not None, metric=result.scoring,
            higher_is_better=result.greater_is_better,
        )  # fmt: skip
        return replace(items.in_time(times), splits=len(splits))


def bring_splits(cv: object, y: Labels, groups: Labels | None, *, test: str, seed: int) -> Brought:
    """Find out what the splits of a splitter, a number of folds or (train, test) pairs are, and which test suits them.

    That is the corrected test for repeated cross-validation where every run tests every example once; of splits that
    follow each other in time the test of Diebold and Mariano; else the one for random splits.
    """
    plan = as_plan(cv)
    runs, folds = plan.shape(y, groups=groups)
    splits = list(plan.splits(y, seed=seed, groups=groups))
    if len(splits) < 2:
        raise InvalidInput(
            f"cv must make at least 2 splits, because one says nothing of their variance, got {len(splits)}"
        )
    tested = np.zeros((runs, len(y)), dtype=np.int64)
    for number, split in enumerate(splits):
        tested[number // folds, split.test] += 1
    partition = folds > 1 and bool((tested == 1).all())
    recommended = REPEATED_CV.recommended if partition else RANDOM_SPLITS.recommended
    ordered = all(int(split.train.max()) < int(split.test.min()) for split in splits)  # as in a time series
    if test == TIME_SPLITS.recommended and not ordered:
        raise InvalidInput(f"test {test!r} needs {TIME_SPLITS.words}, but cv makes others")
    in_time = ordered and test in ("auto", TIME_SPLITS.recommended)
    procedure = find_procedure(recommended if test == "auto" or in_time else test)
    kind = resampled(procedure)
    suited = kind == (REPEATED_CV if partition else RANDOM_SPLITS)
    if not suited:
        what = "cross-validation" if partition else "splits that are no cross-validation"
        raise InvalidInput(f"test {procedure.name!r} needs {kind.words}, but cv makes {what}")
    sizes = [len(split.train) for split in splits]
    caveats = [_IN_TIME] if ordered and not in_time else []
    if in_time and groups is not None:
        caveats.append("groups are not used beyond the splits: neighbours in time may be correlated, distant ones not")
    if not ordered and max(sizes) > 1.1 * min(sizes):
        caveats.append(_UNEVEN.format(low=min(sizes), high=max(sizes)))
    if not partition and isinstance(plan, Foreign):
        plan = Foreign(plan.splitter, each_a_run=True)
    return Brought(plan=plan, procedure=procedure, caveats=tuple(caveats), in_time=in_time)
