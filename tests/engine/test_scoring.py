from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from studies import Centroid, blobs

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.engine import run
from foldwise.engine.scoring import brier, log_loss, resolve_scoring
from foldwise.resampling import Holdout, KFold

X, Y = blobs()


class Given:
    """An estimator that gives the probabilities it was made with."""

    def __init__(self, probabilities, classes):
        self.probabilities, self.classes_ = np.asarray(probabilities), np.asarray(classes)

    def predict_proba(self, X):
        return self.probabilities


@st.composite
def forecasts(draw):
    """(probabilities, codes of the truth) for two to four classes."""
    k, n = draw(st.integers(2, 4)), draw(st.integers(2, 12))
    weights = np.array(draw(st.lists(st.lists(st.floats(0.01, 1), min_size=k, max_size=k), min_size=n, max_size=n)))
    return weights / weights.sum(axis=1, keepdims=True), np.array(
        draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n))
    )


@given(forecasts())
def test_log_loss_is_scikit_learns(case):
    given_, truth = case
    k = given_.shape[1]
    expected = metrics.log_loss(truth, given_, labels=range(k))
    assert log_loss(Given(given_, range(k)), None, truth) == pytest.approx(expected, rel=1e-12)


@given(forecasts())
def test_brier_is_scikit_learns(case):
    given_, truth = case
    k = given_.shape[1]
    expected = metrics.brier_score_loss(truth, given_, labels=range(k))
    assert brier(Given(given_, range(k)), None, truth) == pytest.approx(expected, rel=1e-12)


def test_a_class_the_learner_never_saw_costs_the_most():
    learner = Given([[0.5, 0.5], [1.0, 0.0]], ["ash", "oak"])
    truth = np.array(["elm", "ash"])
    assert log_loss(learner, None, truth) == pytest.approx(-np.log(np.finfo(float).eps) / 2)
    # squared distance from (0, 0) and a one for the unseen class: 0.5 + 1
    assert brier(learner, None, truth) == pytest.approx(1.5 / 2 / 2)


@pytest.mark.parametrize(("name", "scorer", "sign"), [
    ("log_loss", "neg_log_loss", -1),
    ("auc", "roc_auc_ovr", 1),
])  # fmt: skip
def test_short_names_are_the_known_scores(name, scorer, sign):
    ours, theirs = (run({"nb": GaussianNB()}, X, Y, KFold(3), metric=s).scores for s in (name, scorer))
    assert ours == pytest.approx(sign * theirs, rel=1e-12)


def test_auc_of_two_classes_works_with_decision_functions():
    result = run({"svm": LinearSVC(random_state=0)}, X, Y == "elm", KFold(3), metric="auc")
    expected = run({"svm": LinearSVC(random_state=0)}, X, Y == "elm", KFold(3), metric="roc_auc")
    assert result.scores.tolist() == expected.scores.tolist()


def test_error_is_what_accuracy_leaves():
    accuracy, error = (run({"c": Centroid()}, X, Y, 4, metric=s) for s in ("accuracy", "error"))
    assert (accuracy.scores + error.scores).tolist() == [[[1.0] * 4]]
    assert (accuracy.greater_is_better, error.greater_is_better) == (True, False)


@pytest.mark.parametrize(("name", "task", "greater", "from_predictions"), [
    (None, "classification", True, True),
    (None, "regression", True, True),
    ("error", "classification", False, True),
    ("f1_macro", "classification", True, True),
    ("brier", "classification", False, False),
    ("neg_log_loss", "classification", True, False),
    ("roc_auc", "classification", True, False),
    ("mse", "regression", False, True),
    ("mae", "regression", False, True),
    ("rmse", "regression", False, True),
    ("neg_mean_squared_error", "regression", True, True),
])  # fmt: skip
def test_direction_and_need_of_each_score(name, task, greater, from_predictions):
    scoring = resolve_scoring(name, task, 2)
    assert (scoring.greater_is_better, scoring.from_predictions) == (greater, from_predictions)


def test_scorers_made_by_scikit_learn_are_accepted_as_they_are():
    scorer = metrics.make_scorer(metrics.fbeta_score, beta=2, average="macro")
    result = run({"nb": GaussianNB()}, X, Y, Holdout(), metric=scorer)
    split = Holdout().split(0, Y, seed=0)
    fitted = GaussianNB().fit(X[split.train], Y[split.train])
    assert result.scores.item() == scorer(fitted, X[split.test], Y[split.test])


def test_predictions_are_not_made_twice():
    calls = []

    class Once(Centroid):
        def predict(self, X):
            calls.append(len(X))
            return super().predict(X)

    run({"once": Once()}, X, Y, 4, metric="f1_macro")
    assert len(calls) == 4


def test_a_scorer_may_predict_other_examples():
    def on_a_third(estimator, X, y):
        return float((estimator.predict(X[::3]) == y[::3]).mean())

    result = run({"c": Centroid()}, X, Y, Holdout(), metric=on_a_third)
    split = Holdout().split(0, Y, seed=0)
    fitted = Centroid().fit(X[split.train], Y[split.train])
    assert result.scores.item() == (fitted.predict(X[split.test[::3]]) == Y[split.test[::3]]).mean()


@pytest.mark.parametrize(("name", "task", "message"), [
    ("brier", "regression", "metric 'brier' is for classification, but the learners do regression"),
    ("accuracy", "regression", "metric 'accuracy' is for classification"),
    ("rmse", "classification", "metric 'rmse' is for regression"),
])  # fmt: skip
def test_a_score_of_the_other_task_is_refused(name, task, message):
    with pytest.raises(InvalidInput, match=message):
        resolve_scoring(name, task, 2)


@pytest.mark.parametrize(
    ("name", "near"), [("log_los", "log_loss"), ("roc_acu", "roc_auc"), ("mean_sqared", "mse|neg_mean")]
)
def test_an_unknown_score_suggests_a_known_one(name, near):
    with pytest.raises(UnknownName, match=f"did you mean '.*({near})"):
        resolve_scoring(name, "classification", 2)


def test_probability_scores_need_probabilities():
    with pytest.raises(InvalidInput, match="metric 'log_loss' needs predict_proba, which learner 'svm' does not have"):
        run({"lr": LogisticRegression(), "svm": LinearSVC()}, X, Y, 3, metric="log_loss")


def test_two_classes_of_our_own_learners_have_an_area():
    from sklearn.metrics import roc_auc_score

    from foldwise.learners import NaiveBayes

    truth = np.asarray(Y == "elm")
    result = run({"nb": NaiveBayes()}, X, truth, KFold(3), metric="roc_auc", seed=1)
    for split, score in zip(KFold(3).splits(truth, seed=1), result.scores.ravel(), strict=True):
        chances = NaiveBayes().fit(X[split.train], truth[split.train]).predict_proba(X[split.test])[:, 1]
        assert score == pytest.approx(roc_auc_score(truth[split.test], chances))
