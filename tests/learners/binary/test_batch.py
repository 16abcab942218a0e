"""Folds and batches; the kernels' agreement with the learners is in test_same_as_learners.py."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.learners import binary
from foldwise.learners.binary import cross_validate, stratified_folds
from foldwise.resampling.round_robin import partners


def random_batch(seed, *, sets=6, n=40, p=5):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, (sets, n, p)), rng.integers(0, 2, (sets, n)), np.arange(sets) + 100


@given(st.lists(st.integers(0, 1), min_size=2, max_size=90), st.integers(2, 12), st.integers(0, 2**63))
def test_folds_are_stratified(y, folds, seed):
    labels = np.array(y)
    for ids in stratified_folds(labels, runs=3, folds=folds, seed=seed):
        for chosen in (ids, ids[labels == 0], ids[labels == 1]):
            sizes = np.bincount(chosen, minlength=folds)
            assert len(sizes) == folds
            assert sizes.max() - sizes.min() <= 1


def test_every_example_is_equally_likely_in_every_fold():
    ids = stratified_folds([0] * 7 + [1] * 5, runs=20_000, folds=3, seed=1)
    shares = np.array([(ids == fold).mean(axis=0) for fold in range(3)])
    # seven and five examples dealt out to three folds; four standard errors
    margin = 4 * np.sqrt(0.25 / 20_000)
    np.testing.assert_allclose(shares[:, :7], np.tile([[3 / 7], [2 / 7], [2 / 7]], 7), atol=margin)
    np.testing.assert_allclose(shares[:, 7:], np.tile([[1 / 5], [2 / 5], [2 / 5]], 5), atol=margin)


def test_pairs_of_examples_meet_as_often_as_chance_says():
    ids = stratified_folds([0] * 10, runs=20_000, folds=2, seed=5)
    together = (ids[:, :1] == ids[:, 1:]).mean(axis=0)
    np.testing.assert_allclose(together, 4 / 9, atol=4 * np.sqrt(20 / 81 / 20_000))


def test_runs_and_seeds_differ():
    y = [0, 1] * 30
    first = stratified_folds(y, runs=5, folds=10, seed=1)
    assert len(np.unique(first, axis=0)) == 5
    assert (first != stratified_folds(y, runs=5, folds=10, seed=2)).any()


@pytest.mark.parametrize("learner", ["nb", "1nn", "c45", "tan", "votedperceptron"])
def test_counts_depend_neither_on_threads_nor_on_the_batch(learner):
    X, y, seeds = random_batch(0)
    options = {"runs": 2, "folds": 4}
    together = cross_validate(X, y, [learner], seeds=seeds, jobs=1, **options)[learner]
    threaded = cross_validate(X, y, [learner], seeds=seeds, jobs=3, **options)[learner]
    alone = [
        cross_validate(X[d : d + 1], y[d : d + 1], [learner], seeds=seeds[d : d + 1], **options)[learner][0]
        for d in range(6)
    ]
    np.testing.assert_array_equal(together, threaded)
    np.testing.assert_array_equal(together, alone)


@pytest.mark.parametrize("learner", ["nb", "1nn", "c45", "tan", "votedperceptron"])
def test_fewer_tested_folds_are_the_first_folds(learner):
    X, y, seeds = random_batch(1)
    whole = cross_validate(X, y, [learner], seeds=seeds, runs=3, folds=5)[learner]
    part = cross_validate(X, y, [learner], seeds=seeds, runs=3, folds=5, tested=2)[learner]
    np.testing.assert_array_equal(part, whole[..., :2])


@pytest.mark.parametrize("learner", ["nb", "1nn", "c45"])
def test_a_round_robin_takes_the_kernels_of_cross_validation(learner):
    X, y, seeds = random_batch(2)
    for options in ({"runs": 1}, {"runs": 3, "partners": partners(4)}):
        cross_validate(X, y, [learner], seeds=seeds, folds=4, **options)
    kernel = import_module(binary._KERNELS[learner])._data_sets
    assert len(kernel.signatures) == 1  # to compile it again for arrays of another type takes seconds


class TestBadInput:
    X, y, seeds = random_batch(2)

    def test_other_values_than_zero_and_one(self):
        with pytest.raises(InvalidInput, match="X must have zeros and ones only"):
            cross_validate(self.X + 1, self.y, ["nb"], seeds=self.seeds)

    def test_shapes(self):
        with pytest.raises(InvalidInput, match="X must have 3 axes, got shape"):
            cross_validate(self.X[0], self.y, ["nb"], seeds=self.seeds)
        with pytest.raises(InvalidInput, match=r"X has \(data sets, examples\) = \(6, 40\), but y has \(6, 39\)"):
            cross_validate(self.X, self.y[:, 1:], ["nb"], seeds=self.seeds)

    def test_too_many_attributes(self):
        with pytest.raises(InvalidInput, match="1 to 62 attributes"):
            cross_validate(np.zeros((1, 5, 63)), np.zeros((1, 5)), ["nb"], seeds=[1])

    def test_seeds(self):
        with pytest.raises(InvalidInput, match=r"one whole number for each of 6 data sets, got int64 of shape \(1,\)"):
            cross_validate(self.X, self.y, ["nb"], seeds=[1])

    def test_unknown_learner(self):
        with pytest.raises(UnknownName, match=r"unknown binary learner 'c4\.5': did you mean 'c45'"):
            cross_validate(self.X, self.y, ["c4.5"], seeds=self.seeds)

    def test_tested_folds(self):
        with pytest.raises(InvalidInput, match=r"tested must be at most the number of folds \(3\), got 4"):
            cross_validate(self.X, self.y, ["nb"], seeds=self.seeds, folds=3, tested=4)

    def test_one_fold(self):
        with pytest.raises(InvalidInput, match="folds must be a whole number of at least 2, got 1"):
            cross_validate(self.X, self.y, ["nb"], seeds=self.seeds, folds=1)

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"runs": 0}, "runs must be a whole number of at least 1, got 0"),
            ({"folds": 1}, "folds must be a whole number of at least 2, got 1"),
            ({"seed": 1.5}, "seed must be a whole number of at most 64 bits, got 1.5"),
            ({"seed": 2**64}, "seed must be a whole number of at most 64 bits, got 18446744073709551616"),
        ],
    )
    def test_parameters_of_folds(self, changes, message):
        with pytest.raises(InvalidInput, match=message):
            stratified_folds(self.y[0], **{"runs": 2, "folds": 3, "seed": 1, **changes})


def test_seeds_below_zero_are_the_same_for_folds_and_counts():
    X, y, _ = random_batch(3, sets=1)
    counts = cross_validate(X, y, ["nb"], seeds=[-5], runs=1, folds=4)["nb"]
    wrapped = cross_validate(X, y, ["nb"], seeds=np.array([2**64 - 5], dtype=np.uint64), runs=1, folds=4)["nb"]
    np.testing.assert_array_equal(counts, wrapped)
    np.testing.assert_array_equal(
        stratified_folds(y[0], runs=1, folds=4, seed=-5), stratified_folds(y[0], runs=1, folds=4, seed=2**64 - 5)
    )
