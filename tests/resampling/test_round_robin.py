"""Round-robin cross-validation: every pair of blocks is left out once, and the engine trains once for both."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import SGDClassifier
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB

from foldwise.core.errors import InvalidInput
from foldwise.engine import run
from foldwise.learners import C45, NearestNeighbours
from foldwise.resampling import DistinctRuns, KFold, RoundRobin
from foldwise.resampling.round_robin import adjacent, partners

RNG = np.random.default_rng(0)
Y = np.array(["a", "b", "b", "c"] * 10)
X = RNG.normal(size=(40, 3)) + (Y == "b")[:, None]
TWO = np.where(Y == "b", "yes", "no")


@pytest.mark.parametrize("g", [4, 6, 8, 10, 20])
def test_every_pair_meets_once_and_nobody_rests(g):
    met, order = partners(g), adjacent(g)
    assert met.shape == order.shape == (g - 1, g)
    games = [frozenset((block, int(other))) for row in met for block, other in enumerate(row)]
    assert sorted(map(sorted, set(games))) == [list(pair) for pair in combinations(range(g), 2)]
    assert all(games.count(game) == 2 for game in set(games))  # once, seen by both
    for row, places in zip(met, order, strict=True):
        assert sorted(places) == list(range(g))
        assert (row[places[::2]] == places[1::2]).all()


@settings(max_examples=20)
@given(n=st.integers(8, 60), blocks=st.sampled_from([4, 6, 8]), seed=st.integers(0, 3))
def test_a_split_tests_one_block_and_leaves_out_two(n, blocks, seed):
    plan = RoundRobin(dealings=2, blocks=blocks, stratified=False)
    splits = plan.splits(n, seed=seed)
    assert len(splits) == 2 * (blocks - 1) * blocks
    for dealing in range(2):
        own = [s for s in splits if s.run // (blocks - 1) == dealing]
        tested = {tuple(s.test) for s in own}
        assert sorted(i for block in tested for i in block) == list(range(n))  # one partition in all rounds
        assert np.ptp([len(block) for block in tested]) <= 1
        left = [frozenset(map(int, np.setdiff1d(np.arange(n), s.train))) for s in own]
        assert set(left) == {frozenset(one + other) for one, other in combinations(tested, 2)}
        assert all(set(s.test) <= out for s, out in zip(own, left, strict=True))


def test_neighbouring_folds_share_their_training_and_the_kernel_leaves_out_both():
    plan = RoundRobin(dealings=2, blocks=6)
    splits, ids = plan.splits(Y, seed=1), plan.fold_ids(Y, seed=1)
    for split in splits:
        first = splits[split.training]
        assert first.index == split.index - split.fold % 2
        assert np.array_equal(first.train, split.train)
        assert np.array_equal(split.train, np.flatnonzero(ids[split.run] != split.fold // 2))
    assert [KFold(5).split(i, Y, seed=0).training for i in range(5)] == list(range(5))


def test_blocks_are_stratified_or_made_of_whole_groups():
    for split in RoundRobin(dealings=1, blocks=10).splits(Y, seed=0):
        assert sorted(Y[split.test]) == ["a", "b", "b", "c"]
    groups = np.repeat(np.arange(8), 5)
    for split in RoundRobin(dealings=1, blocks=4).splits(Y, seed=0, groups=groups):
        assert not set(groups[split.train]) & set(groups[split.test])
    with pytest.raises(InvalidInput, match="at most the number of groups, 8, got 10"):
        RoundRobin(blocks=10).splits(Y, seed=0, groups=groups)


def test_more_dealings_keep_the_earlier_ones():
    few, many = (RoundRobin(dealings=d, blocks=4) for d in (1, 3))
    assert few.key == many.key != KFold(4).key
    assert np.array_equal(few.fold_ids(Y, seed=2), many.fold_ids(Y, seed=2)[:3])
    assert not np.array_equal(many.fold_ids(Y, seed=2)[:3], many.fold_ids(Y, seed=2)[3:6])
    assert many.describe() == "round-robin cross-validation of 4 blocks, 3 dealings, stratified"


def test_a_dealing_that_repeats_is_not_run_again():
    groups = np.repeat(np.arange(4), 10)
    found = DistinctRuns(RoundRobin(dealings=5, blocks=4), Y, seed=0, groups=groups)
    assert (found.take(5), found.drawn) == ([0, 1, 2], 15)
    assert DistinctRuns(RoundRobin(dealings=3, blocks=4), Y, seed=0).take(2) == list(range(6))


@pytest.mark.parametrize(("options", "message"), [
    ({"blocks": 7}, "blocks must be an even number, because each round pairs all of them, got 7"),
    ({"blocks": 2}, "blocks must be a whole number of at least 4, got 2"),
    ({"dealings": 0}, "dealings must be a whole number of at least 1, got 0"),
])  # fmt: skip
def test_what_can_not_be_paired_is_refused(options, message):
    with pytest.raises(InvalidInput, match=message):
        RoundRobin(**options)


def test_rare_classes_are_said():
    (caveat,) = RoundRobin(blocks=4).caveats(["a"] * 9 + ["b"] * 3)
    assert caveat == "Class 'b' has 3 examples for 4 blocks: 1 block tests none of it."


# ---- through the engine


class Counting(ClassifierMixin, BaseEstimator):
    """Counts its trainings."""

    fits = 0

    def fit(self, X, y):
        type(self).fits += 1
        self.classes_, self.most_ = np.unique(y), y[len(self.__dict__) % len(y)]
        return self

    def predict(self, X):
        return np.full(len(X), self.most_)


def test_a_training_serves_both_of_its_blocks():
    plan = RoundRobin(dealings=1, blocks=6)
    Counting.fits = 0
    result = run({"c": Counting()}, X, Y, plan, seed=3)
    assert Counting.fits == result.computed == 15
    assert result.scores.shape == (1, 5, 6)


@pytest.mark.slow
@pytest.mark.parametrize("learner", [NearestNeighbours(), C45(), GaussianNB()], ids=lambda e: type(e).__name__)
def test_predictions_and_scores_are_those_of_fit_and_predict(learner):
    plan = RoundRobin(dealings=2, blocks=4)
    result = run({"own": learner}, X, Y, plan, seed=5)
    for split, outcomes, score in zip(plan.splits(Y, seed=5), result.outcomes[0], result.scores.ravel(), strict=True):
        # both blocks are predicted together: Weka's nearest neighbours look at the examples before
        left = np.setdiff1d(np.arange(40), split.train)
        predicted = type(learner)().fit(X[split.train], Y[split.train]).predict(X[left])[np.isin(left, split.test)]
        assert np.array_equal(result.labels(outcomes), predicted)
        assert score == np.mean(predicted == Y[split.test])


def test_a_score_of_probabilities_is_computed_on_each_block():
    plan = RoundRobin(dealings=1, blocks=4)
    result = run({"nb": GaussianNB()}, X, TWO, plan, seed=5, metric="roc_auc")
    for split, score in zip(plan.splits(TWO, seed=5), result.scores.ravel(), strict=True):
        chances = GaussianNB().fit(X[split.train], TWO[split.train]).predict_proba(X[split.test])[:, 1]
        assert score == roc_auc_score(TWO[split.test], chances)


def test_chance_follows_from_the_training_however_the_work_is_cut(tmp_path):
    plan, learners = RoundRobin(dealings=1, blocks=4), {"sgd": SGDClassifier(max_iter=5, tol=None)}
    whole = run(learners, X, TWO, plan, seed=5)
    some = run(learners, X, TWO, plan, seed=5, runs=[1], store=tmp_path / "r.db")
    rest = run(learners, X, TWO, plan, seed=5, store=tmp_path / "r.db")
    assert np.array_equal(some.scores[:, 0], whole.scores[:, 1])
    assert np.array_equal(rest.scores, whole.scores)
    assert (some.computed, rest.found, rest.computed) == (2, 2, 4)
