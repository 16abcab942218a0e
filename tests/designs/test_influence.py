"""The influence-robust test through `compare` and the lab: the numbers of fit and predict, whoever runs them."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.metrics
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold
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
    with pytest.raises(InvalidInput, match="a metric of which it is known what examples add to it"):
        fw.compare([*pair], X, y, metric="max_error", test="influence")
    with pytest.raises(InvalidInput, match="a mean over examples"):
        fw.compare([*pair], X, y, metric="r2", test="crossed_trainings")


def left_out(score):
    """Pseudo-values of a score of truth and outputs, by a loop, moved to the score as their mean."""

    def of(output, truth):
        n, rest = len(truth), ~np.eye(len(truth), dtype=bool)
        values = n * score(truth, output) - (n - 1) * np.array([score(truth[one], output[one]) for one in rest])
        return values - values.mean() + score(truth, output)

    return of


METRICS = {
    "f1": ("predict", left_out(sklearn.metrics.f1_score)),
    "balanced_accuracy": ("predict", left_out(sklearn.metrics.balanced_accuracy_score)),
    "roc_auc": ("positive", left_out(sklearn.metrics.roc_auc_score)),
    "average_precision": ("positive", left_out(sklearn.metrics.average_precision_score)),
    "neg_log_loss": ("positive", lambda p, y: np.log(np.where(y == 1, p, 1 - p))),
    "brier": ("positive", lambda p, y: (y - p) ** 2),
}


def test_metrics_that_are_no_means_by_hand(tmp_path):
    """What each example adds is found by leaving it out of the test set, with scikit-learn's own metrics."""
    pair = GaussianNB(), LogisticRegression(C=0.01)
    values, ids = np.empty((len(METRICS), 2, 3, 80)), np.empty((3, 80), dtype=int)
    for number, split in enumerate(RepeatedKFold(runs=3, folds=5).splits(Y, seed=2)):
        ids[number // 5, split.test] = number % 5
        for place, estimator in enumerate(pair):
            fitted = estimator.fit(X[split.train], Y[split.train])
            given = {"predict": fitted.predict(X[split.test]), "positive": fitted.predict_proba(X[split.test])[:, 1]}
            for row, (method, of) in zip(values, METRICS.values(), strict=True):
                row[place, number // 5, split.test] = of(given[method], Y[split.test])
    options = {"metric": ["accuracy", *METRICS], "test": "influence", "folds": 5, "runs": 3, "random_state": 2}
    store = fw.Options(store=tmp_path / "fits.db")
    here, there, again = (
        fw.compare([*pair], X, Y, **options, **more).parts[1:]
        for more in ({"n_jobs": 1}, {"n_jobs": 2, "options": store}, {"options": store})
    )
    for c, (a, b) in zip(here, values, strict=True):
        wanted = inf.influence(a - b, ids, classes=Y)
        assert [c.estimate, c.pvalue, c.df] == pytest.approx([wanted.estimate, wanted.pvalue, wanted.df])
    assert [c.pvalue for c in here] == [c.pvalue for c in there] == [c.pvalue for c in again]
    assert {(c.found, c.fits) for c in again} == {(30, 30)}


def test_r_squared_adds_squared_errors_over_the_variance_of_each_fold():
    y = X[:, 0] + RNG.normal(size=80)
    pair = LinearRegression(), DecisionTreeRegressor(max_depth=2, random_state=0)
    c = fw.compare([*pair], X, y, test="influence", folds=5, runs=3, random_state=1)
    plan = RepeatedKFold(runs=3, folds=5, stratified=False)
    (a, ids), (b, _) = (marks(e, plan, y, 1, lambda p, t: 1 - (p - t) ** 2 / np.var(t)) for e in pair)
    assert [c.metric, c.pvalue] == ["r2", pytest.approx(inf.influence(a - b, ids).pvalue)]


def accuracy(estimator, X, y):
    return float(sum(estimator.predict(X) == y) - 3)


def test_a_function_called_as_a_metric_is_not_taken_for_it():
    c = fw.compare([*PAIR], X, Y, metric=accuracy)
    assert c.test == "corrected_repeated_cv_t"
    assert any("the influence of single training examples is not counted" in caveat for caveat in c.caveats)


def test_splits_of_a_repeated_cross_validation_that_is_brought_are_judged_alike():
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    c = fw.compare([*PAIR], X, Y, cv=cv)
    ids, right = np.empty((10, 80), dtype=int), np.empty((2, 10, 80))
    for number, (train, test) in enumerate(cv.split(X, Y)):
        ids[number // 10, test] = number % 10
        for place, estimator in enumerate(PAIR):
            right[place, number // 10, test] = estimator.fit(X[train], Y[train]).predict(X[test]) == Y[test]
    assert c.test == "influence"
    assert c.pvalue == pytest.approx(inf.influence(right[0] - right[1], ids, classes=Y).pvalue)
    assert c.classical is not None


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
