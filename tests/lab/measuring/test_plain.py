"""Learners of the measured sources that are no kernels of ours predict as scikit-learn's do."""

from __future__ import annotations

import numpy as np
import pytest
from measuring.plain import Forest, LeastSquares, LinearDiscriminant, NeighboursMean, Tree
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier

from foldwise.core.table import Table
from foldwise.lab.populations import find_population
from foldwise.lab.training import predict_folds

PAIRS = [
    (LinearDiscriminant(), LinearDiscriminantAnalysis(), "symmetric-halves()"),
    (LeastSquares(), LinearRegression(), "regression-halves()"),
    (NeighboursMean(), KNeighborsRegressor(), "regression-halves()"),
    (Tree(4), DecisionTreeClassifier(max_depth=4), "symmetric-halves(columns=4, distance=1.5, pattern='xor')"),
]


def drawn(spec, n=60, seed=0):
    population = find_population(spec)
    return population.views(population.draw(n, np.random.default_rng(seed)))[0]


@pytest.mark.parametrize(("ours", "theirs", "source"), PAIRS, ids=lambda value: type(value).__name__)
def test_they_predict_as_scikit_learns_learners_do(ours, theirs, source):
    for seed in range(5):
        sample = drawn(source, seed=seed)
        ids = np.stack([np.random.default_rng(run).permutation(60) % 10 for run in range(2)])
        found, wanted = (predict_folds(learner, sample, ids, 3) for learner in (ours, theirs))
        np.testing.assert_allclose(found.astype(float), wanted.astype(float), rtol=1e-9, atol=1e-9)


def test_examples_that_are_only_trained_on_have_no_part_in_the_test_sets():
    sample = drawn("symmetric-halves()")
    ids = np.where(np.arange(60) < 30, -1, np.arange(60) % 2)[None]
    learner = LinearDiscriminant()
    found = learner.cross_predict(sample.X, sample.y, ids)[0]
    for fold in range(2):
        test = ids[0] == fold
        again = LinearDiscriminant().fit(sample.X.values[~test], sample.y[~test]).predict(sample.X.values[test])
        assert found[test].tolist() == again.tolist()


def test_the_forest_is_as_good_as_scikit_learns_and_follows_its_seed():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2200, 4))
    y = np.where((X[:, 0] * X[:, 1] > 0) ^ (rng.random(2200) < 0.1), "yes", "no")
    train, test = slice(0, 200), slice(200, None)
    forests = [Forest(random_state=seed).fit(X[train], y[train]).predict(X[test]) for seed in (*range(20), 0)]
    others = [
        RandomForestClassifier(5, random_state=seed).fit(X[train], y[train]).predict(X[test]) for seed in range(20)
    ]
    assert (forests[0] == forests[-1]).all()
    assert (forests[0] != forests[1]).any()
    ours, theirs = ([float((found == y[test]).mean()) for found in some[:20]] for some in (forests, others))
    spread = np.sqrt((np.var(ours, ddof=1) + np.var(theirs, ddof=1)) / 20)
    assert abs(np.mean(ours) - np.mean(theirs)) < 4 * spread


def test_one_class_alone_is_always_predicted_by_the_discriminant():
    X = np.random.default_rng(1).normal(size=(6, 2))
    assert LinearDiscriminant().fit(X, np.array(["a"] * 6)).predict(X).tolist() == ["a"] * 6
    table = Table(X, (None, None), ("p", "q"))
    found = LinearDiscriminant().cross_predict(table, np.array(["a"] * 6), np.arange(6)[None] % 3)
    assert found.tolist() == [["a"] * 6]
