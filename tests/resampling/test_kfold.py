from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from foldwise.resampling import Holdout, KFold, LeaveOneOut, RepeatedKFold

labels = st.lists(st.integers(0, 4), min_size=4, max_size=80)
folds = st.integers(2, 10)


def table(y, ids, k):
    """Class × fold counts."""
    names, codes = np.unique(y, return_inverse=True)
    counts = np.zeros((len(names), k), dtype=int)
    np.add.at(counts, (codes, ids), 1)
    return counts


@given(labels, folds, st.integers(0, 3))
def test_fold_sizes_and_class_counts_differ_by_at_most_one(y, k, seed):
    assume(k <= len(y))
    counts = table(y, KFold(k).fold_ids(y, seed=seed)[0], k)
    assert np.ptp(counts, axis=1).max() <= 1
    assert np.ptp(counts.sum(axis=0)) <= 1


@given(st.integers(4, 80), folds)
def test_plain_folds_differ_by_at_most_one(n, k):
    assume(k <= n)
    sizes = np.bincount(KFold(k, stratified=False).fold_ids(n, seed=0)[0], minlength=k)
    assert np.ptp(sizes) <= 1
    assert sizes.sum() == n


@given(labels, st.floats(0.2, 0.8), st.integers(0, 3))
def test_a_stratified_holdout_takes_each_class_in_proportion(y, share, seed):
    split = Holdout(share, stratified=True).split(0, y, seed=seed)
    n_test = round(len(y) * share)
    assert split.n_test == n_test
    for name in set(y):
        taken = sum(1 for i in split.test if y[i] == name)
        assert abs(taken - y.count(name) * n_test / len(y)) < 1


@given(st.lists(st.integers(0, 11), min_size=12, max_size=80), st.integers(2, 4), st.booleans(), st.integers(0, 3))
def test_groups_stay_together_and_no_fold_is_empty(groups, k, stratified, seed):
    assume(len(set(groups)) >= k)
    y = [g % 3 for g in groups]
    ids = KFold(k, stratified=stratified).fold_ids(y, seed=seed, groups=groups)[0]
    assert all(len({f for f, g in zip(ids, groups, strict=True) if g == name}) == 1 for name in set(groups))
    sizes = np.bincount(ids, minlength=k)
    assert sizes.min() > 0
    if not stratified:
        assert np.ptp(sizes) <= max(map(groups.count, set(groups)))


def test_stratified_groups_balance_classes():
    groups = np.repeat(np.arange(40), 5)
    y = (groups % 2).astype(int)
    ids = KFold(4).fold_ids(y, seed=0, groups=groups)[0]
    assert np.ptp(table(y, ids, 4), axis=1).tolist() == [0, 0]


def test_runs_with_groups_differ():
    groups = np.repeat(np.arange(12), np.arange(1, 13))
    ids = RepeatedKFold(2, 3, stratified=False).fold_ids(len(groups), seed=0, groups=groups)
    assert not np.array_equal(ids[0], ids[1])


def test_every_example_is_as_likely_to_meet_any_other():
    # in 2-fold cv of 6 examples two given ones share a fold with probability 2/5
    ids = RepeatedKFold(4000, 2, stratified=False).fold_ids(6, seed=0)
    together = [(ids[:, i] == ids[:, j]).mean() for i in range(6) for j in range(i)]
    # five standard errors of a mean of 4000 draws
    assert np.abs(np.array(together) - 0.4).max() < 5 * np.sqrt(0.4 * 0.6 / 4000)


def test_rare_classes_are_dealt_and_told():
    y = ["common"] * 20 + ["rare"] * 3 + ["single"]
    plan = KFold(10)
    assert table(y, plan.fold_ids(y, seed=0)[0], 10).max(axis=1).tolist() == [2, 1, 1]
    assert plan.caveats(y) == (
        "Class 'rare' has 3 examples for 10 folds: 7 folds test none of it.",
        "Class 'single' has a single example: where it is tested, no training example shows it.",
    )


@pytest.mark.parametrize("plan", [KFold(3), KFold(10, stratified=False), LeaveOneOut()])
def test_no_caveat_without_rare_classes(plan):
    assert plan.caveats(["a", "b", "c"] * 4) == ()


@pytest.mark.parametrize(("plan", "text"), [
    (KFold(10), "10-fold cross-validation, stratified"),
    (RepeatedKFold(10, 10, stratified=False), "10×10-fold cross-validation"),
    (Holdout(), "one random split, 33.3 % tested"),
    (Holdout(0.25, stratified=True), "one random split, 25 % tested, stratified"),
    (LeaveOneOut(), "leave-one-out"),
])  # fmt: skip
def test_plans_describe_themselves(plan, text):
    assert plan.describe() == text
