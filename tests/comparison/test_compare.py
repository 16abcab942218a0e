from __future__ import annotations

import json
import re

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression, Perceptron
from sklearn.model_selection import TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from verb_options import with_options

import foldwise as fw
from foldwise.core.errors import DegenerateData, FitFailed, InvalidInput, UnknownName
from foldwise.core.table import Table

X, y = load_iris(return_X_y=True)
NB, TREE, DUMMY = GaussianNB(), DecisionTreeClassifier(max_depth=2, random_state=0), DummyClassifier()


@pytest.mark.parametrize(("test", "design"), [
    ("auto", "2×5-fold cross-validation"),
    ("use_all_data", "2×5-fold cross-validation"),
    ("five_by_two_cv_f", "5×2-fold cross-validation"),
    ("five_by_two_cv_t", "5×2-fold cross-validation"),
    ("kfold_cv_t", "5-fold cross-validation"),
    ("resampled_t", "10 random splits"),
    ("corrected_resampled_t", "10 random splits"),
    ("mcnemar", "50 test examples"),
])  # fmt: skip
def test_the_resampling_follows_from_the_test(test, design):
    c = fw.compare([NB, DUMMY], X, y, test=test, runs=2, folds=5)
    assert c.design == design
    assert c.estimate > 0.4
    assert c.pairs[0].means[0] > 0.9


def test_the_scores_are_those_of_a_plain_loop():
    c = fw.compare([NB, TREE], X, y, runs=1, folds=5)
    from foldwise.resampling import RepeatedKFold

    for split, a, b in zip(
        RepeatedKFold(runs=1, folds=5).splits(y, seed=0), c.evidence.a[0], c.evidence.b[0], strict=True
    ):
        for learner, score in ((NB, a), (TREE, b)):
            fitted = learner.fit(X[split.train], y[split.train])
            assert score == pytest.approx(fitted.score(X[split.test], y[split.test]))


def test_swapping_the_learners_mirrors_the_answer():
    c, swapped = fw.compare([NB, TREE], X, y, runs=2, folds=5), fw.compare([TREE, NB], X, y, runs=2, folds=5)
    assert swapped.estimate == pytest.approx(-c.estimate)
    assert swapped.pvalue == pytest.approx(c.pvalue)


def test_a_learner_against_itself_is_never_different():
    c = fw.compare([NB, NB], X, y, runs=2, folds=5)
    assert (c.pvalue, c.better) == (1, None)
    assert c.names == ("GaussianNB (a)", "GaussianNB (b)")


def test_the_same_outcomes_bound_the_difference_by_what_so_many_examples_show():
    c = fw.compare([NB, NB], X, y, runs=2, folds=5)
    alone = fw.compare_predictions(y, {"a": y, "b": y})
    assert (c.interval, c.rope_probabilities) == (alone.interval, alone.rope_probabilities)
    assert c.interval.low < 0 < c.interval.high
    assert "the same 150 examples" in c.details()
    assert "99.9" not in str(c)
    few = fw.compare([NB, NB], X[45:60], y[45:60], runs="auto", folds=3)
    assert few.interval.width > 0.3
    assert str(few).splitlines()[2].strip().startswith("No difference is shown:")
    grouped = fw.compare([NB, NB], X, y, runs=1, folds=5, groups=np.arange(150) // 3)
    assert (grouped.interval, grouped.rope_probabilities) == (None, None)
    losses = fw.compare([NB, NB], X, y, runs=1, folds=5, metric="log_loss")
    assert (losses.interval, losses.better) == (None, None)


def test_the_seed_decides_and_the_number_of_processes_does_not():
    first, again, other = (fw.compare([NB, TREE], X, y, runs=2, folds=5, random_state=s).evidence.a for s in (0, 0, 1))
    assert (first == again).all()
    assert not (first == other).all()
    assert (fw.compare([NB, TREE], X, y, runs=2, folds=5, n_jobs=2).evidence.a == first).all()


def test_replication_reports_whether_other_partitionings_agree():
    c = fw.compare([NB, DUMMY], X, y, runs=2, folds=5, options=fw.Options(replicate=3))
    assert c.replicability.verdicts == ("GaussianNB",) * 3
    assert c.replicability.consistent
    assert "other partitions" in str(c)
    assert "yes (3 of 3)" in str(c)
    assert json.loads(json.dumps(c.to_dict()))["replicability"]["R"] == 1


def test_automatic_runs_stop_when_the_verdict_is_settled():
    c = fw.compare([NB, DUMMY], X, y, runs="auto", folds=5)
    assert c.evidence.a.shape == (10, 5)
    assert c.df == 49
    assert any("10 runs settled the verdict" in caveat for caveat in c.caveats)


def test_automatic_runs_end_with_the_budget():
    data = load_breast_cancer()
    c = fw.compare([NB, TREE], data.data, data.target, runs="auto", folds=2, options=fw.Options(max_runs=12))
    assert c.evidence.a.shape[0] in (10, 12)
    assert any("runs" in caveat for caveat in c.caveats)


def test_regression_and_losses_work():
    features, target = load_diabetes(return_X_y=True)
    c = fw.compare([LinearRegression(), DummyRegressor()], features, target, runs=2, folds=5, metric="mse")
    assert (c.better, c.higher_is_better, c.metric) == ("LinearRegression", False, "mse")
    assert c.estimate < 0
    r2 = fw.compare([LinearRegression(), DummyRegressor()], features, target, runs=2, folds=5)
    assert r2.metric == "r2"


class FirstClass:
    """A learner that owes nothing to scikit-learn but the names of its methods."""

    def get_params(self, deep=True):
        return {}

    def set_params(self):
        return self

    def fit(self, X, y):
        self.first = np.unique(y)[0]
        return self

    def predict(self, X):
        return np.full(len(X), self.first)


def test_learners_need_not_come_from_scikit_learn():
    c = fw.compare([FirstClass(), GaussianNB()], X, y, runs=1)
    assert c.better == "GaussianNB"


def test_probability_scores_work_and_need_probabilities():
    assert fw.compare([NB, DUMMY], X, y, runs=1, folds=5, metric="log_loss").better == "GaussianNB"
    with pytest.raises(InvalidInput, match="predict_proba"):
        fw.compare([NB, Perceptron()], X, y, runs=1, folds=5, metric="log_loss")


def test_nominal_tables_are_encoded_for_foreign_learners_and_the_report_says_so():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 60)
    values = np.stack([np.where(rng.random(60) < 0.9, labels, 1 - labels), rng.normal(size=60)], axis=1)
    values[3, 0] = np.nan
    table = Table.build(values, [("no", "yes"), None])
    c = fw.compare([NB, "majority"], table, labels, runs=2, folds=5)
    assert c.better == "GaussianNB"
    assert any("one-hot" in caveat for caveat in c.caveats)


@pytest.mark.parametrize("scoring", ["f1_macro", "error", len])
def test_tests_on_predictions_take_accuracy_only(scoring):
    X, y = np.arange(20.0)[:, None], np.arange(20) % 2
    with pytest.raises(InvalidInput, match="metric must be 'accuracy' for test 'mcnemar', which compares right"):
        fw.compare(["nb", "1nn"], X, y, metric=scoring, test="mcnemar")


def test_clusters_are_kept_together():
    groups = np.arange(150) // 3
    c = fw.compare([NB, DUMMY], X, y, runs=1, folds=5, groups=groups)
    assert c.better == "GaussianNB"
    clustered = fw.compare([NB, DUMMY], X, y, test="clustered_difference", groups=groups)
    assert "clusters" in clustered.design


@pytest.mark.parametrize(("change", "error", "message"), [
    ({"test": "mcnemr"}, UnknownName, "did you mean 'mcnemar'"),
    ({"models": ["nbb", DUMMY]}, UnknownName, "unknown learner 'nbb'"),
    ({"y": y[:-1]}, InvalidInput, "149"),
    ({"y": np.zeros(150)}, DegenerateData, "class"),
    ({"runs": 0}, InvalidInput, "runs must be a whole number of at least 1"),
    ({"runs": "many"}, InvalidInput, "runs must be a whole number"),
    ({"folds": 1}, InvalidInput, "folds"),
    ({"alpha": 0}, InvalidInput, "alpha must be strictly between"),
    ({"rope": -0.1}, InvalidInput, "rope must be a number of at least 0"),
    ({"replicate": 1}, InvalidInput, "replicate must be a whole number of at least 2"),
    ({"metric": "acuracy"}, UnknownName, "did you mean 'accuracy'"),
    ({"random_state": -1}, InvalidInput, "random_state must be a whole number of at least 0"),
    ({"runs": "auto", "test": "mcnemar"}, InvalidInput, "runs='auto' works with"),
])  # fmt: skip
def test_bad_input_is_one_sentence(change, error, message):
    arguments = {"models": [NB, DUMMY], "X": X, "y": y, "folds": 5} | change
    with pytest.raises(error, match=message):
        fw.compare(**with_options(arguments))


@pytest.mark.usefixtures("without_pictures")
def test_a_store_makes_the_work_resumable_and_more_runs_cheap(tmp_path):
    store = tmp_path / "results.sqlite"
    first = fw.compare([NB, TREE], X, y, runs=2, folds=5, options=fw.Options(store=store))
    again = fw.compare([NB, TREE], X, y, runs=3, folds=5, options=fw.Options(store=store))
    assert (first.fits, first.found) == (20, 0)
    assert (again.fits, again.found) == (30, 20)
    assert first.found_made is None
    assert again.to_dict()["found_made"] == list(again.found_made)
    started, ended = again.found_made
    assert re.match(r"\d{4}-\d\d-\d\d", started)
    assert started <= ended
    told = f"20 of 30 fits were found in the store, made {'' if started == ended else 'from '}{started}"
    assert told in " ".join(again.details().split())
    assert started in again.to_html()
    assert (again.evidence.a[:2] == first.evidence.a).all()


class Handle:
    """Something that can be copied, but neither looked into nor written: a connection, a device."""

    __slots__ = ()

    def __deepcopy__(self, memo):
        return self

    def __reduce_ex__(self, protocol):
        raise TypeError("no content")


class Own(GaussianNB):
    def __init__(self, handle=None):
        super().__init__()
        self.handle = handle


def test_what_a_store_can_not_look_into_is_named(tmp_path):
    learner = Own(Handle())
    c = fw.compare([learner, NB], X, y, runs=1, folds=3, options=fw.Options(store=tmp_path / "results.sqlite"))
    assert any("the store can't look into tests.comparison.test_compare.Handle" in caveat for caveat in c.caveats)
    assert not any("look into" in caveat for caveat in fw.compare([learner, NB], X, y, runs=1, folds=3).caveats)


class FailsOnce(GaussianNB):
    def fit(self, features, labels):
        if not features[:, 0].max() < 7.9:
            raise ArithmeticError("no good")
        return super().fit(features, labels)


@pytest.mark.parametrize("on_error", ["raise", "continue"])
def test_there_is_no_verdict_from_failed_fits(on_error):
    with pytest.raises(FitFailed, match="no good"):
        fw.compare([FailsOnce(), NB], X, y, runs=1, folds=5, options=fw.Options(on_error=on_error))


def test_data_have_a_name_in_the_text():
    c = fw.compare([NB, DUMMY], X, y, runs=1, folds=5, options=fw.Options(data_name="flowers"))
    assert "on flowers (150 examples, 4 attributes, 3 classes)" in str(c)


def test_the_old_order_gets_the_sentence_that_shows_the_call():
    with pytest.raises(InvalidInput, match=r"models must be a list or a dict: compare\(\[a, b\], X, y\), not compare"):
        fw.compare(NB, DUMMY, X, y)


@pytest.mark.parametrize("test", ["five_by_two_cv_f", "corrected_resampled_t", "mcnemar", "round_robin", "nested_cv"])
def test_three_learners_by_any_test_are_the_tests_of_two(test):
    three = {"nb": NB, "tree": TREE, "dummy": DUMMY}
    options = {"test": test, "folds": 4, "runs": 2}
    m = fw.compare(three, X, y, **with_options(options))
    for pair in m.pairs:
        c = fw.compare({name: three[name] for name in (pair.a, pair.b)}, X, y, **with_options(options))
        assert c.test == test
        assert (pair.estimate, pair.pvalue, pair.statistic) == pytest.approx((c.estimate, c.pvalue, c.statistic))
    assert len(m.pairs) == 3
    assert "dummy" not in m.best_set


def test_three_learners_on_splits_that_are_brought():
    three = {"nb": NB, "tree": TREE, "dummy": DUMMY}
    m = fw.compare(three, X, y, cv=5)
    assert m.pair("nb", "dummy").pvalue == fw.compare([NB, DUMMY], X, y, cv=5).pvalue
    order = np.random.default_rng(0).permutation(len(y))
    in_time = fw.compare(three, X[order], y[order], cv=TimeSeriesSplit(4))
    assert in_time.procedure.name == "diebold_mariano_splits"


def test_three_learners_until_every_pair_is_settled_by_another_test():
    m = fw.compare(
        {"nb": NB, "tree": TREE, "dummy": DUMMY},
        X,
        y,
        test="round_robin",
        runs="auto",
        folds=4,
        options=fw.Options(max_runs=40),
    )
    assert m.settled == {"folds": 4, "limit": None}
