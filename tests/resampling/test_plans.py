"""What holds for every plan."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import ShuffleSplit

from foldwise.core.errors import InvalidInput
from foldwise.resampling import (
    BalancedFiveByTwo,
    Bootstrap,
    FiveByTwo,
    Foreign,
    HalvedSplits,
    Holdout,
    KFold,
    LeaveOneOut,
    NestedKFold,
    RandomSplits,
    RepeatedKFold,
    RoundRobin,
    as_plan,
)

PLANS = [
    Holdout(),
    Holdout(0.5, stratified=True),
    RandomSplits(4, 0.25),
    KFold(5),
    KFold(5, stratified=False),
    RepeatedKFold(runs=3, folds=4),
    FiveByTwo(),
    LeaveOneOut(),
    Bootstrap(6),
    Foreign(ShuffleSplit(3)),
    RoundRobin(dealings=2, blocks=4),
    NestedKFold(2, folds=4),
    BalancedFiveByTwo(),
    HalvedSplits(halvings=2, splits_each=3),
]
GROWING = [
    (RepeatedKFold(2, 3), RepeatedKFold(7, 3)),
    (KFold(2), FiveByTwo()),
    (Holdout(), RandomSplits(5)),
    (Bootstrap(2), Bootstrap(9)),
    (RoundRobin(1, 4), RoundRobin(3, 4)),
    (NestedKFold(1, 4), NestedKFold(2, 4)),
    (HalvedSplits(1, 3), HalvedSplits(3, 3)),
]
Y = np.array(["a", "b", "b", "c"] * 8)
FROZEN = {"kfold": [2, 4, 5, 7, 8], "holdout": [2, 3, 8], "bootstrap": [1, 1, 5, 5, 5, 6, 6, 7]}
GROUPS = np.repeat(np.arange(8), 4)


def same(one, other):
    return np.array_equal(one.train, other.train) and np.array_equal(one.test, other.test)


@pytest.mark.parametrize("plan", PLANS, ids=lambda p: p.describe())
def test_any_split_alone_equals_the_same_split_in_sequence(plan):
    splits = list(plan.splits(Y, seed=3))
    assert len(splits) == len(plan.splits(Y, seed=3)) == np.prod(plan.shape(Y))
    for i in reversed(range(len(splits))):
        assert same(plan.split(i, Y, seed=3), splits[i])
        assert splits[i].index == i == splits[i].run * plan.shape(Y)[1] + splits[i].fold


@pytest.mark.parametrize("plan", PLANS, ids=lambda p: p.describe())
def test_train_and_test_are_disjoint_and_not_empty(plan):
    for split in plan.splits(Y, seed=1):
        assert split.n_train
        assert split.n_test
        assert not np.intersect1d(split.train, split.test).size


@pytest.mark.parametrize("plan", PLANS, ids=lambda p: p.describe())
def test_a_pickled_plan_makes_the_same_splits(plan):
    copy = pickle.loads(pickle.dumps(plan))
    assert copy.key == plan.key
    assert all(same(a, b) for a, b in zip(copy.splits(Y, seed=5), plan.splits(Y, seed=5), strict=True))


@pytest.mark.parametrize("plan", [p for p in PLANS if not isinstance(p, LeaveOneOut)], ids=lambda p: p.describe())
def test_another_seed_makes_other_splits(plan):
    assert not all(same(a, b) for a, b in zip(plan.splits(Y, seed=0), plan.splits(Y, seed=1), strict=True))


@pytest.mark.parametrize(("few", "many"), GROWING)
def test_more_runs_keep_the_key_and_all_earlier_splits(few, many):
    assert few.key == many.key
    for short, long in zip(few.splits(Y, seed=2), many.splits(Y, seed=2), strict=False):
        assert same(short, long)


def test_keys_differ_where_splits_do():
    keys = [p.key for p in PLANS]
    assert len(set(keys)) == len(keys)
    assert all(json.loads(k)["plan"] for k in keys)


def test_splits_are_the_same_in_another_process():
    code = (
        "from foldwise.resampling import RepeatedKFold;"
        "print(RepeatedKFold(3, 4).split(6, ['a','b','b','c']*8, seed=9).test.tolist())"
    )
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert other == str(RepeatedKFold(3, 4).split(6, Y, seed=9).test.tolist())


def test_the_first_splits_never_change():
    # a change here makes every store out there useless: it needs a new plan name
    assert KFold(2, stratified=False).split(0, 10, seed=0).test.tolist() == FROZEN["kfold"]
    assert Holdout().split(0, 9, seed=0).test.tolist() == FROZEN["holdout"]
    assert Bootstrap(1).split(0, 8, seed=0).train.tolist() == FROZEN["bootstrap"]


@pytest.mark.parametrize(
    "plan", [KFold(4), KFold(4, stratified=False), Holdout(), RandomSplits(3), LeaveOneOut(), Bootstrap(5)]
)
def test_no_group_is_on_both_sides(plan):
    for split in plan.splits(Y, seed=0, groups=GROUPS):
        assert not np.intersect1d(GROUPS[split.train], GROUPS[split.test]).size
        assert len(np.union1d(split.train, split.test)) == len(Y)


def test_leaving_one_group_out_makes_one_split_per_group():
    assert LeaveOneOut().shape(Y, groups=GROUPS) == (1, 8)


@pytest.mark.parametrize("plan", [KFold(4), RepeatedKFold(3, 5, stratified=False), FiveByTwo(), LeaveOneOut()])
def test_fold_ids_say_which_fold_tests_each_example(plan):
    ids = plan.fold_ids(Y, seed=4)
    runs, _ = plan.shape(Y)
    assert ids.shape == (runs, len(Y))
    for split in plan.splits(Y, seed=4):
        assert np.array_equal(np.flatnonzero(ids[split.run] == split.fold), split.test)


def test_fold_ids_of_chosen_runs():
    plan = RepeatedKFold(6, 3)
    assert np.array_equal(plan.fold_ids(Y, seed=0, runs=[4, 1]), plan.fold_ids(Y, seed=0)[[4, 1]])
    assert plan.fold_ids(Y, seed=0, runs=[]).shape == (0, len(Y))


@pytest.mark.parametrize("plan", [Holdout(), Bootstrap(3)])
def test_fold_ids_are_refused_where_runs_are_no_partitions(plan):
    with pytest.raises(InvalidInput, match="fold_ids exist for plans that test each example once per run"):
        plan.fold_ids(Y, seed=0)


@given(st.integers(3, 60), st.integers(0, 5))
def test_bootstrap_tests_what_it_did_not_draw(n, seed):
    split = Bootstrap(1).split(0, n, seed=seed)
    assert split.n_train == n
    assert np.array_equal(np.union1d(split.train, split.test), np.arange(n))


def test_bootstrap_leaves_out_about_a_third():
    left_out = np.mean([s.n_test for s in Bootstrap(200).splits(100, seed=0)])
    assert left_out == pytest.approx(100 * 0.99**100, abs=1)


@pytest.mark.parametrize(("value", "expected"), [(5, KFold(5)), (KFold(3), KFold(3))])
def test_as_plan_takes_numbers_and_plans(value, expected):
    assert as_plan(value) == expected


@pytest.mark.parametrize(("call", "message"), [
    (lambda: KFold(1), "folds must be a whole number of at least 2, got 1"),
    (lambda: RepeatedKFold(0, 10), "runs must be a whole number of at least 1, got 0"),
    (lambda: Holdout(1.0), "test_fraction must be strictly between 0 and 1, got 1.0"),
    (lambda: Bootstrap(0), "n must be a whole number of at least 1, got 0"),
    (lambda: KFold(40).shape(Y), "folds must be at most the number of examples, 32, got 40"),
    (lambda: KFold(9).shape(Y, groups=GROUPS), "folds must be at most the number of groups, 8, got 9"),
    (lambda: Holdout(0.01).shape(10), "test_fraction 0.01 of 10 examples leaves one side empty"),
    (lambda: Holdout().shape(10, groups=[1] * 10), "groups must be at least 2, got 1"),
    (lambda: Bootstrap(3).shape(10, groups=[1] * 10), "groups must be at least 2, got 1"),
    (lambda: LeaveOneOut().shape(10, groups=[1] * 10), "groups must be at least 2 for leave-one-out"),
    (lambda: KFold(2).split(0, 10, seed=0), "a stratified plan needs y"),
    (lambda: KFold(2).split(0, [0.5, 1.5, 2.0], seed=0), "needs classes, but y has the value 0.5"),
    (lambda: KFold(2).split(0, np.array(["a", 1, None], dtype=object), seed=0), "values of one kind"),
    (lambda: KFold(2).shape([[1, 2]]), r"y must have one axis with at least 2 examples, got shape \(1, 2\)"),
    (lambda: KFold(2).shape(Y, groups=[1, 2]), r"groups must have one value per example, shape \(32,\)"),
    (lambda: KFold(2).splits(Y, seed=-1)[0], "seed must be a whole number of at least 0"),
    (lambda: as_plan("ten"), "a plan must be a splitter with a split method or"),
    (lambda: as_plan([(0, 1, 2)]), "a plan must be a splitter"),
    (lambda: as_plan([([0.5], [1])]), "a plan must be a splitter"),
])  # fmt: skip
def test_bad_input_is_named(call, message):
    with pytest.raises(InvalidInput, match=message):
        call()


def test_an_index_beyond_the_plan_is_refused():
    splits = KFold(2).splits(Y, seed=0)
    assert same(splits[-1], splits[1])
    assert [s.index for s in splits[0:2]] == [0, 1]
    with pytest.raises(IndexError, match="split must be below 2, got 2"):
        splits[2]
