"""Splits that somebody brings: scikit-learn's splitters, (train, test) pairs. What they are decides the test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Labels
from foldwise.kinds import RANDOM_SPLITS, REPEATED_CV, Procedure, find_procedure
from foldwise.kinds.resampled import resampled
from foldwise.resampling import Foreign, Plan, Split, as_plan

__all__ = ["Brought", "bring_splits"]

_IN_TIME = (
    "the splits follow each other in time, each training set containing the one before: what correlates them is not "
    "what the correction assumes, so that the level of this test is not known"
)
_UNEVEN = "training sets differ in size by more than a tenth: the answer is about sizes between {low} and {high}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """A plan that was brought, the test that suits it, and what to know of it."""

    plan: Plan
    procedure: Procedure
    caveats: tuple[str, ...]


def bring_splits(cv: object, y: Labels, groups: Labels | None, *, test: str, seed: int) -> Brought:
    """Find out what the splits are.

    Parameters
    ----------
    cv
        A splitter of scikit-learn, a number of folds, or (train, test) pairs.
    y, groups, seed
        What determines the splits.
    test
        A test by name, or "auto": the corrected test for repeated cross-validation where every run tests every example
        once, else the one for random splits.
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
    procedure = find_procedure(recommended if test == "auto" else test)
    kind = resampled(procedure)
    suited = kind == (REPEATED_CV if partition else RANDOM_SPLITS)
    if not suited:
        what = "cross-validation" if partition else "splits that are no cross-validation"
        raise InvalidInput(f"test {procedure.name!r} needs {kind.words}, but cv makes {what}")
    sizes = [len(split.train) for split in splits]
    caveats = [_IN_TIME] if _grows(splits) else []
    if not caveats and max(sizes) > 1.1 * min(sizes):
        caveats.append(_UNEVEN.format(low=min(sizes), high=max(sizes)))
    if not partition and isinstance(plan, Foreign):
        plan = Foreign(plan.splitter, each_a_run=True)
    return Brought(plan=plan, procedure=procedure, caveats=tuple(caveats))


def _grows(splits: Sequence[Split]) -> bool:
    """Whether every test set lies behind its training set, as in a time series."""
    return all(int(split.train.max()) < int(split.test.min()) for split in splits)
