"""The influence-robust test through `compare` and the lab: the numbers of fit and predict, whoever runs them."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import foldwise as fw
from foldwise import inference as inf
from foldwise.core.errors import InvalidInput
from foldwise.lab import type_one_error
from foldwise.lab.gather import Resources
from foldwise.resampling import RepeatedKFold

RNG = np.random.default_rng(5)
Y = np.tile([0, 1], 40)
X = RNG.normal(size=(80, 3)) + 0.7 * Y[:, None]
PAIR = GaussianNB(), DecisionTreeClassifier(random_state=0)


def marks(estimator, plan, y, seed, of):
    """What the predictions are worth on each example in each run, and the fold it was tested in."""
    runs, folds = plan.runs, plan.folds
    values, ids = np.empty((runs, len(y))), np.empty((runs, len(y)), dtype=int)
    for number, split in enumerate(plan.splits(y, seed=seed)):
        predicted = estimator.fit(X[split.train], y[split.train]).predict(X[split.test])
        values[number // folds, split.test] = of(predicted, y[split.test])
        ids[number // folds, split.test] = number % folds
    return values, ids


def test_influence_by_hand():
    c = fw.compare([*PAIR], X, Y, test="influence", folds=5, runs=4, random_state=2)
    plan = RepeatedKFold(runs=4, folds=5)
    (a, ids), (b, _) = (marks(e, plan, Y, 2, lambda p, y: p == y) for e in PAIR)
    wanted = inf.influence(a - b, ids, classes=Y)
    assert [c.estimate, c.statistic, c.pvalue, c.df] == pytest.approx(
        [wanted.estimate, wanted.statistic, wanted.pvalue, wanted.df]
    )
    interval = wanted.confidence_interval(0.95)
    assert [c.interval.low, c.interval.high] == pytest.approx([interval.low, interval.high])
    assert c.fits == 40
    assert any("not yet peer-reviewed" in caveat for caveat in c.caveats)
    assert any("4 runs: the influence test was measured with 10" in caveat for caveat in c.caveats)


def test_losses_are_means_of_examples_too():
    y = X[:, 0] + RNG.normal(size=80)
    pair = LinearRegression(), DecisionTreeRegressor(max_depth=2, random_state=0)
    c = fw.compare([*pair], X, y, metric="mse", test="influence", folds=5, runs=3, random_state=1)
    plan = RepeatedKFold(runs=3, folds=5, stratified=False)
    (a, ids), (b, _) = (marks(e, plan, y, 1, lambda p, t: (p - t) ** 2) for e in pair)
    assert c.pvalue == pytest.approx(inf.influence(a - b, ids).pvalue)
    with pytest.raises(InvalidInput, match="mean over examples"):
        fw.compare([*pair], X, y, metric="r2", test="influence")


def test_groups_are_examples():
    groups = np.repeat(np.arange(20), 4)
    c = fw.compare([*PAIR], X, Y, groups=groups, test="influence", folds=5, runs=3, random_state=2)
    assert c.df <= 14


def test_rare_classes_are_named():
    y = (np.arange(80) % 8 == 0).astype(int)
    c = fw.compare([*PAIR], X, y, test="influence", random_state=0)
    assert any("the rarest class has 10 examples" in caveat for caveat in c.caveats)


def test_its_level_with_nearest_neighbours_through_the_lab():
    """Where the corrected test rejects far too often: 1-nearest neighbour on halves that say equally much."""
    tests = ["influence", "corrected_repeated_cv_t"]
    quiet = Resources(progress=False)
    found = type_one_error(
        tests, "symmetric-halves", learners=["1nn"], n=60, trials=400, seed=3, resources=quiet
    )  # fmt: skip
    rates = {row.test: row.rate for row in found.rows}
    assert rates["corrected_repeated_cv_t"] > 0.085
    assert rates["influence"] < 0.065
