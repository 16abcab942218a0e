from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from measuring.table import measure_coverage
from scipy import stats
from sklearn import datasets
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import LeaveOneOut, PredefinedSplit, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from verb_options import with_options

import foldwise as fw
from foldwise.comparison import METHODS, error_estimators, estimate_error
from foldwise.comparison.estimate import cross_validated_interval
from foldwise.core.errors import DegenerateData, FitFailed, InvalidInput, UnknownName
from foldwise.core.table import Table
from foldwise.lab.populations.bayes_net import BayesNet
from foldwise.resampling import Holdout, KFold, RepeatedKFold

IRIS = datasets.load_iris()
X, Y = IRIS.data, IRIS.target_names[IRIS.target]
SMALL = np.r_[0:12, 55:67, 110:122]
ONCE = ["kfold", "loo", "holdout"]


def cheap(method, learner, X=X, y=Y, **options):
    return estimate_error(learner, X, y, method=method, repeats=None if method in ONCE else 5, **with_options(options))


def test_kfold_agrees_with_scikit_learn_on_the_same_folds():
    folds = KFold(10).fold_ids(Y, seed=3)[0]
    predicted = cross_val_predict(GaussianNB(), X, Y, cv=PredefinedSplit(folds))
    result = fw.estimate_error(GaussianNB(), X, Y, random_state=3)
    assert result.errors == (predicted != Y).sum()
    assert result.estimate == (predicted != Y).mean()
    assert result.design == "10-fold cross-validation, stratified"


def test_leave_one_out_agrees_with_scikit_learn():
    predicted = cross_val_predict(GaussianNB(), X, Y, cv=LeaveOneOut())
    assert estimate_error(GaussianNB(), X, Y, method="loo").errors == (predicted != Y).sum()


def test_holdout_agrees_with_one_fit():
    split = Holdout(0.25, stratified=True).split(0, Y, seed=7)
    wrong = GaussianNB().fit(X[split.train], Y[split.train]).predict(X[split.test]) != Y[split.test]
    result = estimate_error(
        GaussianNB(), X, Y, method="holdout", random_state=7, options=fw.Options(test_fraction=0.25)
    )
    assert (result.errors, result.tested, result.n) == (wrong.sum(), split.n_test, 150)


def test_apparent_error_agrees_with_one_fit():
    wrong = GaussianNB().fit(X, Y).predict(X) != Y
    assert estimate_error(GaussianNB(), X, Y, method="apparent").estimate == wrong.mean()


def test_a_nearest_neighbour_has_no_apparent_error():
    assert estimate_error(KNeighborsClassifier(1), X, Y, method="apparent").estimate == 0


def test_iterated_kfold_is_the_mean_over_its_runs():
    folds = RepeatedKFold(runs=4, folds=5).fold_ids(Y, seed=0)
    runs = [(cross_val_predict(GaussianNB(), X, Y, cv=PredefinedSplit(ids)) != Y).mean() for ids in folds]
    result = estimate_error(GaussianNB(), X, Y, method="iterated_kfold", folds=5, repeats=4)
    assert result.estimate == pytest.approx(np.mean(runs))
    assert result.components["lowest_run"] == pytest.approx(min(runs))
    assert result.components["spread_of_runs"] == pytest.approx(np.std(runs, ddof=1))


def test_one_iteration_is_one_cross_validation():
    once = estimate_error(GaussianNB(), X, Y, method="iterated_kfold", repeats=1)
    assert once.estimate == estimate_error(GaussianNB(), X, Y).estimate
    assert once.components["spread_of_runs"] == 0


@pytest.mark.parametrize("learner", [KNeighborsClassifier(1), KNeighborsClassifier(9), GaussianNB()])
def test_loo_star_takes_the_lower_for_small_samples(learner):
    x, y = X[SMALL], Y[SMALL]
    result = estimate_error(learner, x, y, method="loo_star", repeats=6)
    loo = estimate_error(learner, x, y, method="loo").estimate
    halves = estimate_error(learner, x, y, method="iterated_kfold", folds=2, repeats=6).estimate
    assert result.components == pytest.approx({"loo": loo, "two_fold_iterated": halves})
    assert result.estimate == pytest.approx(min(loo, halves))


def test_loo_star_is_leave_one_out_for_larger_samples(monkeypatch):
    result = estimate_error(GaussianNB(), X, Y, method="loo_star")
    assert result.estimate == estimate_error(GaussianNB(), X, Y, method="loo").estimate
    assert "two_fold_iterated" not in result.components
    monkeypatch.setattr(error_estimators, "SMALL_SAMPLE", 150)
    assert "two_fold_iterated" in cheap("loo_star", GaussianNB()).components


@pytest.mark.parametrize(("method", "share"), [("holdout", 1.0), ("kfold", 1 / (1 + 10 / 9)), ("loo", 149 / 299)])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_interval_is_jeffreys_with_examples_at_their_worth(method, share, level):
    result = estimate_error(GaussianNB(), X, Y, method=method, confidence_level=level)
    posterior = stats.beta(share * result.errors + 0.5, share * (result.tested - result.errors) + 0.5)
    tail = (1 - level) / 2
    assert result.interval.low == pytest.approx(posterior.ppf(tail))
    assert result.interval.high == pytest.approx(posterior.ppf(1 - tail))
    assert result.estimate in result.interval
    assert any("counts each example as 0." in caveat for caveat in result.caveats) == (method != "holdout")


@pytest.mark.parametrize(("learner", "n"), [("1nn", 50), ("nb", 50)])
def test_the_interval_holds_the_true_error_as_often_as_it_says(learner, n):
    trials = 200
    found = measure_coverage(BayesNet(set=3), learner, n, trials=trials, seed=1)
    slack = 3 * np.sqrt(0.95 * 0.05 / trials)
    assert min(found.counted, found.counted_expected) > 0.95 - slack
    assert found.independent < found.counted  # what was reported before: .90


def test_an_interval_without_errors_reaches_zero_and_mirrors():
    none, all_wrong = (cross_validated_interval(m, 40, folds=10, confidence_level=0.95) for m in (0, 40))
    assert (none.low, all_wrong.high) == (0, 1)
    assert none.high == pytest.approx(1 - all_wrong.low)
    assert 0.08 < none.high < 0.2


@pytest.mark.parametrize("method", sorted(set(METHODS) - {*ONCE, "delve"}))
def test_no_interval_where_none_is_justified(method):
    result = cheap(method, GaussianNB(), X[SMALL], Y[SMALL])
    assert (result.interval, result.errors, result.tested) == (None, None, None)
    assert any(sentence.startswith("No interval is given") for sentence in result.caveats)


@pytest.mark.parametrize("method", METHODS)
def test_what_every_method_keeps(method):
    result = cheap(method, DecisionTreeClassifier(random_state=0), X[SMALL], Y[SMALL])
    again = cheap(method, DecisionTreeClassifier(random_state=0), X[SMALL], Y[SMALL])
    assert 0 <= result.estimate <= 1
    assert result.to_dict() == again.to_dict()
    assert result.caveats[0] == METHODS[method].caveat
    assert "wrong sign" in result.caveats[-1]
    assert json.loads(json.dumps(result.to_dict()))["method"] == method
    assert "Error rate" in str(result)
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.estimate = 0


@pytest.mark.parametrize("method", ["loo", "apparent"])
def test_methods_without_chance_do_not_depend_on_order_or_seed(method):
    order = np.random.default_rng(0).permutation(len(Y))
    plain = estimate_error(GaussianNB(), X, Y, method=method)
    assert estimate_error(GaussianNB(), X[order], Y[order], method=method, random_state=5).estimate == plain.estimate


@pytest.mark.parametrize("method", METHODS)
def test_a_learner_that_ignores_the_attributes(method):
    y = np.array(["a"] * 30 + ["b"] * 10)
    seeds = range(30 if method == "delve" else 1)  # its halves are not stratified: only their mean is near 0.25
    results = [cheap(method, "majority", np.zeros((40, 1)), y, random_state=seed) for seed in seeds]
    assert np.mean([result.estimate for result in results]) == pytest.approx(0.25, abs=0.06)
    assert {result.learner for result in results} == {"majority"}


@pytest.mark.parametrize("method", ["kfold", "loo", "holdout", "apparent", "bootstrap632", "bootstrap632plus"])
def test_regression(method):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 2))
    y = x[:, 0] + rng.normal(size=60)
    result = cheap(method, LinearRegression(), x, y)
    assert result.metric == "mean squared error"
    assert 0.4 < result.estimate < 1.6
    assert result.interval is None
    assert "Mean squared error" in str(result)


def test_regression_by_leave_one_out_agrees_with_scikit_learn():
    x, y = datasets.load_diabetes(return_X_y=True)
    predicted = cross_val_predict(LinearRegression(), x[:80], y[:80], cv=LeaveOneOut())
    result = estimate_error(LinearRegression(), x[:80], y[:80], method="loo")
    assert result.estimate == pytest.approx(np.mean((predicted - y[:80]) ** 2))


def test_groups_are_kept_together_and_leave_no_interval():
    groups = np.repeat(np.arange(15), 10)
    shuffled = np.random.default_rng(1).permutation(150)
    result = estimate_error(GaussianNB(), X[shuffled], Y[shuffled], groups=groups)
    assert (result.tested, result.interval) == (150, None)
    assert "No interval is given: errors within a group are not independent." in result.caveats


def test_tables_are_encoded_where_needed_and_the_caveats_say_so():
    table = Table.build(
        np.column_stack([np.where(np.arange(40) % 7, np.arange(40.0), np.nan), np.arange(40) % 3]), [None, "abc"]
    )
    y = np.array(["u", "v"] * 20)
    result = estimate_error(GaussianNB(), table, y)
    assert any(sentence.startswith("GaussianNB gets nominal attributes one-hot encoded") for sentence in result.caveats)
    assert not any("encoded" in sentence for sentence in estimate_error("majority", table, y).caveats)


def test_frames_are_accepted():
    pandas = pytest.importorskip("pandas", reason="the frame is made with pandas")
    frame = pandas.DataFrame(X)
    assert estimate_error(GaussianNB(), frame, pandas.Series(Y)).estimate == estimate_error(GaussianNB(), X, Y).estimate


def test_rare_classes_are_in_the_caveats():
    y = np.array(["a"] * 20 + ["b"] * 4)
    result = estimate_error("majority", np.zeros((24, 1)), y)
    assert "Class 'b' has 4 examples for 10 folds: 6 folds test none of it." in result.caveats


class Failing(GaussianNB):
    def fit(self, X, y):
        raise RuntimeError("too hot")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"method": "kfol"}, UnknownName, "unknown method 'kfol': did you mean 'kfold'"),
        ({"repeats": 10}, InvalidInput, "repeats must be 1 for method 'kfold', got 10: use 'iterated_kfold'"),
        ({"method": "bootstrap632", "repeats": 0}, InvalidInput, "repeats must be a whole number of at least 1, got 0"),
        ({"folds": 1}, InvalidInput, "folds must be a whole number of at least 2, got 1"),
        ({"folds": 151}, InvalidInput, "folds must be at most the number of examples, 150, got 151"),
        ({"method": "holdout", "test_fraction": 1.0}, InvalidInput, "test_fraction must be strictly between 0 and 1"),
        ({"confidence_level": 95}, InvalidInput, "confidence_level must be strictly between 0 and 1, got 95"),
        (
            {"random_state": -1},
            InvalidInput,
            "random_state must be a whole number of at least 0, got -1",
        ),
        ({"y": Y[:-1]}, InvalidInput, "X and y must have the same length, got 150 and 149"),
        ({"y": np.full(150, "a")}, DegenerateData, "y must have at least 2 classes, but all 150 examples are 'a'"),
        ({"learner": "nbb"}, UnknownName, "unknown learner 'nbb': did you mean 'nb'"),
        ({"learner": Failing()}, FitFailed, r"learner 'Failing' failed on split 0 .*too hot"),
        ({"learner": GaussianNB}, InvalidInput, "must be an object, but GaussianNB is a class"),
    ],
)
def test_bad_input(options, error, message):
    arguments = {"learner": GaussianNB(), "X": X, "y": Y, **options}
    with pytest.raises(error, match=message):
        estimate_error(arguments.pop("learner"), arguments.pop("X"), arguments.pop("y"), **with_options(arguments))


@pytest.mark.usefixtures("without_pictures")
def test_the_estimate_says_what_came_from_the_store_and_from_when(tmp_path):
    store = tmp_path / "results.sqlite"
    X, y = datasets.load_iris(return_X_y=True)
    first = fw.estimate_error("nb", X, y, folds=5, options=fw.Options(store=store))
    again = fw.estimate_error("nb", X, y, folds=5, options=fw.Options(store=store))
    assert (first.fits, first.found, first.found_made) == (5, 0, None)
    assert (again.fits, again.found, again.estimate) == (5, 5, first.estimate)
    said = f"5 of 5 fits were found in the store, made {again.found_made[0]}"
    assert "found in the store" not in str(first)
    assert said in str(again).replace("made from", "made")
    assert said in again.to_html().replace("made from", "made")
    assert again.to_dict()["found_made"] == list(again.found_made)
