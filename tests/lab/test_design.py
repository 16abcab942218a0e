"""The sizes of a trial, against the splits that the resampling plans really make."""

from __future__ import annotations

import numpy as np
import pytest

from foldwise.core.errors import InvalidInput
from foldwise.designs import FIVE_BY_TWO, ONE_CV, RANDOM_SPLITS, REPEATED_CV, RIGHT_WRONG, Design
from foldwise.resampling import FiveByTwo, Holdout, KFold, RandomSplits, RepeatedKFold

DESIGN = Design(n=60, runs=3, folds=5, splits=7, parts=4)
PLANS = {
    REPEATED_CV: RepeatedKFold(runs=3, folds=5, stratified=False),
    ONE_CV: KFold(folds=5, stratified=False),
    FIVE_BY_TWO: FiveByTwo(stratified=False),
    RANDOM_SPLITS: RandomSplits(n=7, test_fraction=1 / 4, stratified=False),
    RIGHT_WRONG: Holdout(test_fraction=1 / 4, stratified=False),
}


@pytest.mark.parametrize("kind", PLANS, ids=str)
def test_a_kind_knows_the_sizes_and_number_of_its_splits(kind):
    splits = list(PLANS[kind].splits(np.zeros(60), seed=0))
    train, test = len(splits[0].train), len(splits[0].test)
    assert kind.n_train(DESIGN) == train
    assert kind.ratio(DESIGN) == test / train
    assert kind.trainings(DESIGN) == len(splits)
    assert kind.numbers(DESIGN) == (4 if kind == RIGHT_WRONG else len(splits))


@pytest.mark.parametrize("kind", [REPEATED_CV, ONE_CV], ids=str)
@pytest.mark.parametrize("folds", [2, 3, 10])
def test_uneven_folds_leave_the_nominal_ratio(kind, folds):
    design = Design(n=61, folds=folds)
    assert kind.ratio(design) == 1 / (folds - 1)
    assert kind.n_train(design) == 61 - -(-61 // folds)


def test_the_smallest_design_and_what_is_below_it():
    assert Design(n=4, runs=1, folds=2, splits=2, parts=2).n_test == 2
    assert Design(n=10, folds=10, parts=10).n_test == 1
    for wrong in ({"n": 3}, {"runs": 0}, {"folds": 1}, {"splits": 1}, {"parts": 1}, {"repetitions": 0}, {"nestings": 0},
                  {"blocks": 5}, {"dealings": 0}):  # fmt: skip
        with pytest.raises(InvalidInput, match=next(iter(wrong))):
            Design(**{"n": 4, "folds": 2, "parts": 2, **wrong})
    for too_many in ({"folds": 11}, {"parts": 11}):
        with pytest.raises(InvalidInput, match="at most n = 10"):
            Design(**{"n": 10, "folds": 2, "parts": 2, **too_many})


def test_the_defaults_are_those_of_the_papers():
    assert Design() == Design(n=300, runs=10, folds=10, splits=30, parts=3, nestings=2, blocks=6, dealings=6)
