"""Balanced halvings, nested folds, splits of halves and disjoint parts: what overlaps, and what does not."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import hadamard

from foldwise.core.errors import InvalidInput
from foldwise.resampling import BalancedFiveByTwo, CrossedParts, DisjointParts, DistinctRuns, HalvedSplits, NestedKFold
from foldwise.resampling.kfold import halving

Y = np.array(["a", "b", "b", "b"] * 20)


def test_the_halvings_are_columns_of_the_hadamard_matrix():
    signs = np.stack([halving(run) for run in range(5)])
    assert np.array_equal(1 - 2 * signs.T, hadamard(8)[:, 1:6])


def test_any_two_training_halves_share_a_quarter():
    plan, Y = BalancedFiveByTwo(), np.array(["a", "b", "b", "b"] * 16)  # both classes in equal numbers in each block
    splits = plan.splits(Y, seed=1)
    assert splits.shape == (5, 2)
    for one, other in combinations(splits, 2):
        shared = len(np.intersect1d(one.train, other.train))
        assert shared == (0 if one.run == other.run else 16)
    assert all(sorted(np.unique(Y[s.train], return_counts=True)[1]) == [8, 24] for s in splits)
    assert np.array_equal(plan.fold_ids(Y, seed=1)[3] == 0, np.isin(np.arange(64), splits[6].test))
    assert DistinctRuns(plan, Y, seed=1).take(1) == [0, 1, 2, 3, 4]
    with pytest.raises(InvalidInput, match="blocks must be at most the number of examples, 7, got 8"):
        BalancedFiveByTwo(stratified=False).splits(7, seed=0)


@settings(max_examples=15)
@given(n=st.integers(8, 40), folds=st.sampled_from([4, 6]), seed=st.integers(0, 3))
def test_nested_folds_are_a_cross_validation_and_those_of_the_others(n, folds, seed):
    plan = NestedKFold(2, folds=folds, stratified=False)
    splits = plan.splits(n, seed=seed)
    assert splits.shape == (2 * folds, folds)
    first = [s for s in splits if s.run < folds]
    outer = {tuple(s.test) for s in first[:folds]}
    assert sorted(i for fold in outer for i in fold) == list(range(n))
    inner = {(tuple(s.test), len(s.train)) for s in first[folds:]}
    assert {fold for fold, _ in inner} == outer
    assert len({s.training for s in first}) == folds + folds * (folds - 1) // 2
    for split in first:
        assert np.array_equal(splits[split.training].train, split.train)
        left = plan.fold_ids(n, seed=seed)[split.run]
        assert np.array_equal(split.train, np.flatnonzero(left != left[split.test[0]]))


def test_halves_are_disjoint_and_test_sets_of_one_size():
    splits = HalvedSplits(halvings=3, splits_each=4).splits(Y, seed=2)
    assert splits.shape == (7, 4)
    used = [[set(s.train) | set(s.test) for s in splits if s.run == run] for run in range(7)]
    assert used[0][0] == set(range(80))
    for one, other in ((1, 2), (3, 4), (5, 6)):
        assert all(part == used[one][0] for part in used[one])
        assert not used[one][0] & used[other][0]
        assert len(used[one][0]) == len(used[other][0]) == 40
    assert {s.n_test for s in splits} == {8}
    with pytest.raises(InvalidInput, match="must leave some to train on in each half"):
        HalvedSplits(test_fraction=0.6).splits(Y, seed=0)
    with pytest.raises(InvalidInput, match="groups can't be given"):
        HalvedSplits().splits(Y, seed=0, groups=np.arange(80))


@settings(max_examples=20)
@given(n=st.integers(60, 400), share=st.floats(0.1, 0.9))
def test_parts_share_no_example_and_there_are_twenty_at_least(n, share):
    size = max(1, int(share * (n // 20 - 1)))
    splits = list(DisjointParts(train_size=size).splits(n, seed=4))
    used = np.concatenate([np.concatenate([s.train, s.test]) for s in splits])
    assert len(used) == len(set(used.tolist()))
    assert len(splits) >= 20
    assert {s.n_train for s in splits} == {size}
    assert len({s.n_test for s in splits}) == 1


@settings(max_examples=20)
@given(n=st.integers(20, 200), sets=st.integers(2, 5), seed=st.integers(0, 5))
def test_training_sets_are_disjoint_and_tested_on_the_same(n, sets, seed):
    splits = list(CrossedParts(sets).splits(n, seed=seed))
    used = np.concatenate([splits[0].test, *(s.train for s in splits)])
    assert len(used) == len(set(used.tolist()))
    assert {tuple(s.test) for s in splits} == {tuple(splits[0].test)}
    assert ({s.n_train for s in splits}, splits[0].n_test) == ({(n - n // 2) // sets}, n // 2)
    with pytest.raises(InvalidInput, match="give one example of each group"):
        CrossedParts(sets).splits(n, seed=0, groups=np.arange(n))


def test_too_much_for_twenty_parts_is_refused():
    with pytest.raises(InvalidInput, match="so at most 4 for 100 examples, got 5"):
        DisjointParts(train_size=5).splits(100, seed=0)
    with pytest.raises(InvalidInput, match="give one example of each group"):
        DisjointParts().splits(100, seed=0, groups=np.arange(100))
