from __future__ import annotations

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.metrics import average_precision_score, f1_score, precision_score, recall_score, roc_auc_score
from sklearn.svm import LinearSVC
from verb_options import with_options

import foldwise as fw
from foldwise.core.errors import InvalidInput
from foldwise.engine.scoring import ABOUT_ONE_CLASS, positive_scorer, resolve_scoring

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2))
Y = np.where(X[:, 0] + RNG.normal(size=60) > 0.5, "sick", "well")
LABELS = {"f1": f1_score, "precision": precision_score, "recall": recall_score}
ORDERS = {"roc_auc": roc_auc_score, "average_precision": average_precision_score}


@pytest.mark.parametrize("positive", ["sick", "well"])
@pytest.mark.parametrize("learner", [LinearDiscriminantAnalysis(), LinearSVC()])
def test_scores_are_about_the_positive_class(positive, learner):
    """By scikit-learn's own functions; one learner gives probabilities, the other distances."""
    fitted = learner.fit(X[:40], Y[:40])
    truth = Y[40:] == positive
    score = fitted.decision_function(X[40:]) * (1 if fitted.classes_[1] == positive else -1)
    for name, function in LABELS.items():
        expected = function(Y[40:], fitted.predict(X[40:]), pos_label=positive)
        assert positive_scorer(name, positive)(fitted, X[40:], Y[40:]) == pytest.approx(expected, abs=1e-12)
    for name, function in ORDERS.items():
        expected = function(truth, score)
        assert positive_scorer(name, positive)(fitted, X[40:], Y[40:]) == pytest.approx(expected, abs=1e-12)


def test_a_class_that_training_did_not_show_has_probability_zero():
    fitted = DummyClassifier().fit(np.zeros((3, 1)), ["a", "b", "a"])
    scorer = positive_scorer("neg_brier_score", "c")
    assert scorer(fitted, np.zeros((4, 1)), np.array(["c", "a", "a", "b"])) == pytest.approx(-0.25)


def test_scoring_keeps_its_name_bounds_and_needs():
    for name in ABOUT_ONE_CLASS:
        plain, about = (resolve_scoring(s, "classification", 2) for s in (name, positive_scorer(name, "sick")))
        assert (about.name, about.bounds, about.response) == (plain.name, plain.bounds, plain.response)


def test_compare_is_about_the_class_that_is_named():
    both = {
        p: fw.compare(["gnb", "dummy"], X, Y, metric="f1", runs=1, folds=3, options=fw.Options(positive=p))
        for p in ("sick", "well")
    }
    assert both["sick"].pairs[0].means != both["well"].pairs[0].means
    assert "the positive class is sick" in both["sick"].caveats


def test_names_of_classes_may_say_which_is_positive():
    answers = np.where(Y == "sick", "yes", "no")
    told = fw.compare(["gnb", "dummy"], X, answers, metric="f1", runs=1, folds=3)
    assert (
        told.pairs[0].means
        == fw.compare(["gnb", "dummy"], X, Y, metric="f1", runs=1, folds=3, options=fw.Options(positive="sick"))
        .pairs[0]
        .means
    )
    numbers = fw.compare(["gnb", "dummy"], X, (Y == "sick").astype(int), metric="f1", runs=1, folds=3)
    assert told.pairs[0].means == numbers.pairs[0].means


@pytest.mark.parametrize(
    ("y", "options", "message"),
    [
        (
            Y,
            {"metric": "f1"},
            r"positive must name the class that metric 'f1' is about, one of 'sick'",
        ),
        (Y, {"metric": "f1", "positive": "ill"}, "positive must be a class that occurs"),
        (np.arange(60) % 3, {"positive": 1}, "positive is for two classes, got 1 with 3 classes"),
    ],
)
def test_a_class_that_is_not_known_is_asked_for(y, options, message):
    with pytest.raises(InvalidInput, match=message):
        fw.compare(["gnb", "dummy"], X, y, runs=1, folds=3, **with_options(options))
