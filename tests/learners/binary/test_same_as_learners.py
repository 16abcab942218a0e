"""The binary kernels give the same counts as the learners' cross_predict on the same folds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foldwise.core.table import Table
from foldwise.learners import create
from foldwise.learners.binary import cross_validate, stratified_folds
from foldwise.resampling.round_robin import partners


def by_learner(name, X, y, seed, *, runs, folds):
    table = Table.build(X, [("0", "1")] * X.shape[1])
    ids = stratified_folds(y, runs=runs, folds=folds, seed=seed)
    hits = create(name).cross_predict(table, y, ids, classes=[0, 1]) == y
    return [[hits[r, ids[r] == k].sum() for k in range(folds)] for r in range(runs)]


@pytest.mark.parametrize("name", ["nb", "1nn", "c45", "tan", "votedperceptron"])
@settings(max_examples=60)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(4, 140),
    p=st.sampled_from([1, 2, 5, 6, 10, 12, 13, 20, 62]),
    folds=st.sampled_from([2, 3, 10, 150]),
    skew=st.sampled_from([0.5, 0.1, 0.0]),
)
def test_same_counts(name, seed, n, p, folds, skew):
    rng = np.random.default_rng(seed)
    X = (rng.random((n, p)) < rng.choice([0.5, 0.05])).astype(int)
    y = ((rng.random(n) < skew) ^ (X[:, 0] == 1)).astype(int)
    counts = cross_validate(X[None], y[None], [name], seeds=[seed], runs=2, folds=folds, jobs=1)[name][0]
    np.testing.assert_array_equal(counts, by_learner(name, X, y, seed, runs=2, folds=folds))


@pytest.mark.parametrize("name", ["nb", "1nn", "c45", "tan", "votedperceptron"])
@settings(max_examples=25)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(8, 140),
    p=st.sampled_from([1, 5, 10, 13]),
    blocks=st.sampled_from([4, 6]),
    skew=st.sampled_from([0.5, 0.1, 0.0]),
)
def test_same_counts_in_a_round_robin(name, seed, n, p, blocks, skew):
    rng = np.random.default_rng(seed)
    X = (rng.random((n, p)) < rng.choice([0.5, 0.05])).astype(int)
    y = ((rng.random(n) < skew) ^ (X[:, 0] == 1)).astype(int)
    met, runs = partners(blocks), 2 * (blocks - 1)
    found = cross_validate(X[None], y[None], [name], seeds=[seed], runs=runs, folds=blocks, partners=met, jobs=1)
    table, dealt = Table.build(X, [("0", "1")] * p), stratified_folds(y, runs=2, folds=blocks, seed=seed)
    for run, counts in enumerate(found[name][0]):
        block_of = dealt[run // (blocks - 1)]
        left = np.minimum(block_of, met[run % (blocks - 1)][block_of])
        hits = create(name).cross_predict(table, y, left[None], classes=[0, 1])[0] == y
        assert counts.tolist() == [hits[block_of == block].sum() for block in range(blocks)]


def test_exact_ties_are_decided_as_the_learner_does():
    # classes mirror each other, so that both classes' probabilities are equal up to the order of their factors
    X = np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 0], [1, 0, 1], [0, 1, 1]] * 5)
    y = np.array([0, 0, 0, 1, 1, 1] * 5)
    for seed in range(40):
        counts = cross_validate(X[None], y[None], ["nb"], seeds=[seed], runs=3, folds=3, jobs=1)["nb"][0]
        np.testing.assert_array_equal(counts, by_learner("nb", X, y, seed, runs=3, folds=3))
