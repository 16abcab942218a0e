"""The sizes of a trial, against the splits that the resampling plans really make."""

from __future__ import annotations

import numpy as np
import pytest

from foldwise.core.errors import InvalidInput
from foldwise.lab.design import Design
from foldwise.resampling import FiveByTwo, Holdout, KFold, RandomSplits, RepeatedKFold

DESIGN = Design(n=60, runs=3, folds=5, splits=7, parts=4)
PLANS = {
    "repeated_cv": RepeatedKFold(runs=3, folds=5, stratified=False),
    "kfold": KFold(folds=5, stratified=False),
    "five_by_two": FiveByTwo(stratified=False),
    "splits": RandomSplits(n=7, test_fraction=1 / 4, stratified=False),
    "table": Holdout(test_fraction=1 / 4, stratified=False),
}


@pytest.mark.parametrize("needs", PLANS)
def test_a_design_knows_the_sizes_and_number_of_its_splits(needs):
    splits = list(PLANS[needs].splits(np.zeros(60), seed=0))
    train, test = len(splits[0].train), len(splits[0].test)
    assert DESIGN.n_train(needs) == train
    assert DESIGN.ratio(needs) == test / train
    assert DESIGN.fits(needs) == 2 * len(splits)
    assert DESIGN.numbers(needs) == (4 if needs == "table" else len(splits))


@pytest.mark.parametrize("needs", ["repeated_cv", "kfold"])
@pytest.mark.parametrize("folds", [2, 3, 10])
def test_uneven_folds_leave_the_nominal_ratio(needs, folds):
    design = Design(n=61, folds=folds)
    assert design.ratio(needs) == 1 / (folds - 1)
    assert design.n_train(needs) == 61 - -(-61 // folds)


def test_the_smallest_design_and_what_is_below_it():
    assert Design(n=4, runs=1, folds=2, splits=2, parts=2).n_test == 2
    assert Design(n=10, folds=10, parts=10).n_test == 1
    for wrong in ({"n": 3}, {"runs": 0}, {"folds": 1}, {"splits": 1}, {"parts": 1}, {"repetitions": 0}):
        with pytest.raises(InvalidInput, match=next(iter(wrong))):
            Design(**{"n": 4, "folds": 2, "parts": 2, **wrong})
    for too_many in ({"folds": 11}, {"parts": 11}):
        with pytest.raises(InvalidInput, match="at most n = 10"):
            Design(**{"n": 10, "folds": 2, "parts": 2, **too_many})


def test_the_defaults_are_those_of_the_papers():
    assert Design() == Design(n=300, runs=10, folds=10, splits=30, parts=3, repetitions=1)
