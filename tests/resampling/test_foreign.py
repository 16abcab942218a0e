from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
)

from foldwise import resampling
from foldwise.core.errors import InvalidInput
from foldwise.resampling import Foreign, as_plan

Y = np.array(["a", "b", "b", "c"] * 8)


@pytest.mark.parametrize("splitter", [
    StratifiedKFold(4),
    RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=1),
    TimeSeriesSplit(3),
    LeaveOneOut(),
    PredefinedSplit(np.arange(32) % 3),
])  # fmt: skip
def test_a_deterministic_splitter_gives_its_own_splits(splitter):
    expected = list(splitter.split(np.zeros((32, 1)), Y))
    splits = Foreign(splitter).splits(Y, seed=0)
    assert len(splits) == len(expected)
    for split, (train, test) in zip(splits, expected, strict=True):
        assert split.train.tolist() == train.tolist()
        assert split.test.tolist() == test.tolist()


def test_groups_reach_the_splitter():
    groups = np.repeat(np.arange(8), 4)
    for split in Foreign(GroupKFold(4)).splits(Y, seed=0, groups=groups):
        assert not np.intersect1d(groups[split.train], groups[split.test]).size


def test_an_unseeded_splitter_follows_our_seed_and_is_left_alone():
    splitter = ShuffleSplit(2)
    plan = Foreign(splitter)
    assert plan.split(1, 20, seed=7).test.tolist() == plan.split(1, 20, seed=7).test.tolist()
    assert plan.split(1, 20, seed=7).test.tolist() != plan.split(1, 20, seed=8).test.tolist()
    assert splitter.random_state is None


def test_a_random_state_object_is_not_advanced():
    plan = Foreign(ShuffleSplit(2, random_state=np.random.RandomState(3)))
    assert plan.split(0, 20, seed=0).test.tolist() == plan.split(0, 20, seed=0).test.tolist()


def test_repeats_become_runs():
    assert as_plan(RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=1)).shape(Y) == (2, 3)


def test_pairs_and_masks_are_accepted():
    mask = np.array([True, False, False])
    plan = as_plan(iter([(~mask, mask), ([0, 1], [2])]))
    assert [s.test.tolist() for s in plan.splits(3, seed=0)] == [[0], [2]]
    assert plan.describe() == "given pairs"


def test_keys_tell_long_arrays_apart():
    one, other = np.arange(3000) % 3, np.arange(3000) % 3
    other[1500] = 1
    assert Foreign(PredefinedSplit(one)).key != Foreign(PredefinedSplit(other)).key


@pytest.mark.parametrize(("plan", "message"), [
    (Foreign([([0, 1], [40])]), "split indices must lie from 0 to 31, got 0 to 40"),
    (Foreign([([0, 1], [])]), "each split needs at least one training and one test example"),
    (Foreign(KFold(40)), "refuses the data: Cannot have number of splits n_splits=40"),
])  # fmt: skip
def test_bad_splits_are_named(plan, message):
    with pytest.raises(InvalidInput, match=message):
        plan.split(0, Y, seed=0)


def test_a_splitter_that_breaks_its_promise_is_named():
    class Short(KFold):
        def get_n_splits(self, *_):
            return 5

    with pytest.raises(InvalidInput, match="announced 5 splits, but made 3"):
        Foreign(Short(3)).split(0, Y, seed=0)


def test_the_room_exports_every_plan():
    assert set(resampling.__all__) >= {"Holdout", "RandomSplits", "KFold", "RepeatedKFold", "FiveByTwo", "Bootstrap"}
