"""The accuracy of always answering the most frequent class, beside every accuracy."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

import foldwise as fw

rng = np.random.default_rng(2)
X, y = rng.normal(size=(90, 2)), np.array(["rare"] * 20 + ["often"] * 70)
DESIGNS = ["auto", "mcnemar", "five_by_two_cv_f", "corrected_resampled_t", "kfold_cv_t"]


@given(st.lists(st.tuples(*[st.sampled_from("xyz")] * 3), min_size=1, max_size=40))
def test_predictions_have_the_share_of_the_most_frequent_label(rows):
    truth, a, b = zip(*rows, strict=True)
    c, swapped = fw.compare_predictions(truth, {"a": a, "b": b}), fw.compare_predictions(truth, {"a": b, "b": a})
    always = fw.compare_predictions(truth, {"a": a, "b": [max(sorted(set(truth)), key=truth.count)] * len(truth)})
    assert c.baseline == swapped.baseline == always.pairs[0].means[1]
    said = any("neither does better than always answering" in caveat for caveat in c.caveats)
    assert said == (max(c.pairs[0].means) <= c.baseline)


@pytest.mark.parametrize("test", DESIGNS)
def test_learners_have_the_mean_of_the_learner_that_does_just_that(test):
    c = fw.compare(["majority", GaussianNB()], X, y, test=test, runs=2, folds=5, random_state=3)
    assert c.baseline == pytest.approx(c.pairs[0].means[0], abs=1e-12)


def test_errors_have_the_error_of_it():
    c = fw.compare(["majority", "nb"], X, y, runs=2, folds=5, metric="error")
    assert c.baseline == pytest.approx(c.pairs[0].means[0])
    assert c.baseline < 0.5


def test_runs_that_are_added_count_too():
    c = fw.compare(["majority", "nb"], X, y, runs="auto", folds=5, options=fw.Options(max_runs=10))
    assert c.baseline == pytest.approx(c.pairs[0].means[0])


def test_neither_beats_it_is_said_and_one_that_does_is_not():
    weak = fw.compare([DummyClassifier(strategy="uniform", random_state=1), "majority"], X, y, runs=2, folds=5)
    assert any("neither does better than always answering the most frequent class" in words for words in weak.caveats)
    X_good = np.where(y == "rare", 3.0, -3.0)[:, None] + X
    good = fw.compare(["nb", "majority"], X_good, y, runs=2, folds=5)
    assert good.pairs[0].means[0] > good.baseline
    assert not any("neither" in words for words in good.caveats)


@pytest.mark.parametrize("scoring", ["f1_macro", "log_loss"])
def test_other_scores_and_marks_have_none(scoring):
    assert fw.compare(["majority", "nb"], X, y, runs=1, folds=5, metric=scoring).baseline is None
    marks = fw.compare_predictions(None, {"a": [1, 0, 1], "b": [1, 1, 1]})
    assert (marks.baseline, marks.to_dict()["baseline"]) == (None, None)
    assert "most frequent" not in str(marks)


@pytest.mark.usefixtures("without_pictures")
def test_it_is_in_the_text_the_json_and_the_page():
    c = fw.compare_predictions(["x"] * 9 + ["y"] * 3, {"a": ["x"] * 12, "b": ["y"] * 12})
    assert c.baseline == 0.75
    assert json.loads(json.dumps(c.to_dict()))["baseline"] == 0.75
    for shown in (" ".join(c.details().split()), c.to_html()):
        assert "accuracy of the most frequent class" in shown
        assert "75.0 %" in shown
        assert "either does better than always answering the most frequent class" in shown
