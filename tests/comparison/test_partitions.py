"""Partitions that repeat: few groups, leave-one-out, tiny classes. They are run once and count once."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from verb_options import with_options

import foldwise as fw
from foldwise.comparison.adding_runs import Pieces
from foldwise.comparison.pairs import judge_evidence
from foldwise.core.errors import InvalidInput
from foldwise.evidence.scores import Scores
from foldwise.resampling import DistinctRuns, FiveByTwo, KFold, LeaveOneOut, RandomSplits, RepeatedKFold

NB, DUMMY = GaussianNB(), DummyClassifier()


def noise(n, seed=0, columns=3):
    """Examples whose attributes know nothing of the class."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, columns)), np.arange(n) % 2


def test_five_groups_in_five_folds_are_one_run_however_many_are_asked_for():
    X, y = noise(60)
    groups = np.arange(60) // 12
    c = fw.compare([NB, DUMMY], X, y, groups=groups, runs=10, folds=5)
    once = fw.compare([NB, DUMMY], X, y, groups=groups, runs=1, folds=5)
    assert c.evidence.a.shape == (1, 5)
    assert (c.df, c.fits) == (4, 10)
    assert c.pvalue == once.pvalue
    assert c.design == "5-fold cross-validation"
    assert any("only 1 of the 10 runs asked for is a partition of its own" in text for text in c.caveats)
    assert not any("asked for" in text for text in once.caveats)


def test_leave_one_out_is_one_run():
    X, y = noise(10, seed=7)
    c = fw.compare([NB, DUMMY], X, y, runs=10, folds=10)
    assert (c.evidence.a.shape, c.df) == ((1, 10), 9)


@pytest.mark.parametrize("runs", [10, "auto"])
def test_four_groups_in_two_folds_have_three_partitions(runs):
    X, y = noise(40)
    c = fw.compare([NB, DUMMY], X, y, groups=np.arange(40) // 10, runs=runs, folds=2, alpha=0.5)
    assert c.evidence.a.shape == (3, 2)
    assert c.df == 3  # four groups, not six differences
    assert any("at most 3 degrees of freedom" in text for text in c.caveats)


def test_automatic_runs_end_where_there_is_one_partition():
    X, y = noise(30)
    c = fw.compare([NB, DUMMY], X, y, groups=np.arange(30) % 3, runs="auto", folds=3)
    assert (c.evidence.a.shape, c.df, c.fits) == ((1, 3), 2, 6)
    assert any("only one partition was found" in text for text in c.caveats)


def test_random_splits_that_repeat_count_once():
    X, y = noise(40)
    c = fw.compare([NB, DUMMY], X, y, groups=np.arange(40) % 4, runs=5, folds=4, test="corrected_resampled_t")
    assert c.evidence.a.shape == (4,)
    assert c.df == 3
    assert any("only 4 of the 20 random splits asked for are different" in text for text in c.caveats)


def test_five_by_two_finds_five_different_halvings_or_refuses():
    X, y = noise(40)
    c = fw.compare([NB, DUMMY], X, y, groups=np.arange(40) % 5, test="five_by_two_cv_f")
    assert c.evidence.a.shape == (5, 2)
    with pytest.raises(InvalidInput, match=r"needs 5 different partitions, but 4 groups gave only 3"):
        fw.compare([NB, DUMMY], X, y, groups=np.arange(40) // 10, test="five_by_two_cv_f")
    with pytest.raises(InvalidInput, match=r"needs 2 different partitions|at least 2"):
        fw.compare([NB, DUMMY], X[:4], y[:4], groups=[0, 0, 1, 1], folds=2, test="sorted_runs")


def test_another_partitioning_is_not_asked_where_there_is_none():
    X, y = noise(60)
    c = fw.compare([NB, DUMMY], X, y, groups=np.arange(60) % 5, runs=2, folds=5, options=fw.Options(replicate=3))
    assert c.replicability is None
    assert any("no other partitioning" in text for text in c.caveats)
    assert c.fits == 10


def test_the_store_is_asked_for_the_runs_that_differ_only(tmp_path):
    X, y = noise(40)
    options = {"groups": np.arange(40) // 10, "folds": 2, "store": tmp_path / "results.sqlite"}
    first = fw.compare([NB, DUMMY], X, y, runs=10, **with_options(options))
    again = fw.compare([NB, DUMMY], X, y, runs=10, **with_options(options))
    assert (first.found, again.found, again.fits) == (0, 12, 12)
    assert np.array_equal(first.evidence.a, again.evidence.a)


@given(st.integers(2, 6), st.integers(2, 4), st.integers(0, 50), st.booleans())
@settings(max_examples=40, deadline=None)
def test_runs_are_the_same_exactly_when_their_sets_of_test_sets_are(n, folds, seed, stratified):
    y, folds = np.arange(n) % 2, min(folds, n)
    plan = RepeatedKFold(runs=12, folds=folds, stratified=stratified)
    ids = plan.fold_ids(y, seed=seed)
    sets = [frozenset(frozenset(np.flatnonzero(row == fold).tolist()) for fold in range(folds)) for row in ids]
    first = [run for run, parts in enumerate(sets) if parts not in sets[:run]]
    found = DistinctRuns(plan, y, seed=seed)
    assert found.take(12) == first
    assert (found.exhausted, found.take(1)) == (True, [])


def test_every_plan_has_signatures():
    for plan, count in ((LeaveOneOut(), 1), (KFold(3), 1), (RandomSplits(8, 0.5), 3), (FiveByTwo(False), 3)):
        distinct = DistinctRuns(plan, np.array([0, 0, 1, 1]), seed=1, groups=None)
        assert 1 <= len(distinct.take(99)) <= max(count, 6)


def rejections(groups, folds, runs, trials, *, influence):
    """Type I error of the test as `compare` runs it, from a model of group effects without a true difference."""
    rng = np.random.default_rng(groups * 100 + folds)
    place, pieces = np.repeat(np.arange(groups), 2), Pieces(count=groups, grouped=True)
    rejected = 0
    for trial in range(trials):
        plan = RepeatedKFold(runs=runs, folds=folds, stratified=False)
        chosen = DistinctRuns(plan, len(place), seed=trial, groups=place).take(runs)
        ids = plan.fold_ids(len(place), seed=trial, groups=place, runs=chosen)
        tested, trained = rng.normal(size=groups)[place], influence * rng.normal(size=groups)[place]
        x = np.array([[tested[r == f].mean() + trained[r != f].mean() for f in range(folds)] for r in ids])
        scores = Scores.build({"a": x, "b": np.zeros_like(x)}, pieces=pieces.limit(folds))
        rejected += judge_evidence(scores).reject
    return rejected / trials


@pytest.mark.parametrize(("groups", "folds"), [(3, 2), (4, 3), (5, 5)])
@pytest.mark.parametrize("influence", [0.0, 1.0])
def test_few_groups_keep_the_level(groups, folds, influence):
    # 4000 trials gave .01 to .05; with every run counted .09 to .22, with distinct ones and kr − 1 df up to .12
    trials = 150
    rate = rejections(groups, folds, 10, trials, influence=influence)
    assert rate <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / trials)


def test_ten_noise_examples_left_out_one_by_one_keep_the_level():
    found = []
    for seed in range(15):
        X, y = noise(10, seed=seed, columns=2)
        found.append(fw.compare([NB, LogisticRegression()], X, y, runs=10, folds=10).reject)
    assert sum(found) <= 3


def test_leave_one_out_is_one_run_over_data_sets_too():
    iris = fw.load("sklearn:iris")
    few = np.r_[0:4, 50:54]
    small = [dataclasses.replace(iris, X=iris.X[few + i], y=iris.y[few + i], name=f"part {i}") for i in (0, 4, 8)]
    c = fw.compare(["nb", "majority"], small, runs=3, folds=8)
    assert c.table.n_splits == 8
    assert any("part 0 has only one partition" in text for text in c.caveats)


def test_rows_given_twice_are_noticed():
    rng = np.random.default_rng(3)
    a, b = rng.random((2, 1, 5))
    order = [3, 1, 0, 2, 4]
    c = fw.compare_scores({"a": np.vstack([a, a[:, order]]), "b": np.vstack([b, b[:, order]])})
    assert any("runs 1 and 2 have the same scores but for their order" in text for text in c.caveats)
    c = fw.compare_scores(list(rng.random((2, 4, 5))))
    assert not any("but for their order" in text for text in c.caveats)
