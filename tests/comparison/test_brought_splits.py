"""Splits that somebody brings: any splitter of scikit-learn."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    TimeSeriesSplit,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import foldwise as fw
from foldwise.core.errors import InvalidInput

X, Y = load_iris(return_X_y=True)
A, B = GaussianNB(), DecisionTreeClassifier(max_depth=1, random_state=0)


@pytest.mark.parametrize(
    ("cv", "test", "shape"),
    [
        (RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0), "corrected_repeated_cv_t", (2, 5)),
        (KFold(5, shuffle=True, random_state=0), "corrected_repeated_cv_t", (1, 5)),
        (ShuffleSplit(6, test_size=0.2, random_state=0), "corrected_resampled_t", (6,)),
    ],
)
def test_scores_are_those_of_cross_val_score_and_the_test_follows_from_the_splits(cv, test, shape):
    c = fw.compare([A, B], X, Y, cv=cv)
    assert (c.test, c.evidence.a.shape) == (test, shape)
    np.testing.assert_allclose(c.evidence.a.ravel(), cross_val_score(A, X, Y, cv=cv))
    np.testing.assert_allclose(c.evidence.b.ravel(), cross_val_score(B, X, Y, cv=cv))


def test_groups_reach_the_splitter():
    groups = np.arange(150) % 10
    c = fw.compare([A, B], X, Y, cv=GroupKFold(5), groups=groups)
    np.testing.assert_allclose(c.evidence.a.ravel(), cross_val_score(A, X, Y, cv=GroupKFold(5), groups=groups))


ORDER = np.random.default_rng(0).permutation(150)


def test_splits_in_time_are_no_random_splits():
    c = fw.compare([A, B], X[ORDER], Y[ORDER], cv=TimeSeriesSplit(4))
    assert (c.test, c.design) == ("diebold_mariano_splits", "120 periods in 4 time-ordered splits")
    assert "random split" not in c.details()
    assert c.guarantee.startswith("approximate; training-set overlap ignored; measured Type I error at most")
    scores = [cross_val_score(model, X[ORDER], Y[ORDER], cv=TimeSeriesSplit(4)).mean() for model in (A, B)]
    assert c.pairs[0].means == pytest.approx(scores)
    swapped = fw.compare([B, A], X[ORDER], Y[ORDER], cv=TimeSeriesSplit(4))
    assert swapped.pvalue == pytest.approx(c.pvalue)
    assert swapped.interval.low == pytest.approx(-c.interval.high)


def test_splits_in_time_by_the_same_values_as_their_predictions():
    found = []
    for model in (A, B):
        said = [clone(model).fit(X[ORDER][a], Y[ORDER][a]).predict(X[ORDER][b]) for a, b in TimeSeriesSplit(4).split(X)]
        found.append(np.concatenate(said))
    tested = np.concatenate([test for _, test in TimeSeriesSplit(4).split(X)])
    by_hand = fw.compare_predictions(Y[ORDER][tested], dict(zip("ab", found, strict=True)), time=tested)
    c = fw.compare([A, B], X[ORDER], Y[ORDER], cv=TimeSeriesSplit(4))
    assert (c.estimate, c.pvalue) == pytest.approx((by_hand.estimate, by_hand.pvalue))


def test_scores_that_are_no_mean_of_examples_are_compared_by_splits_in_time():
    c = fw.compare([A, B], X[ORDER], Y[ORDER], cv=TimeSeriesSplit(4), metric="f1_macro")
    assert (c.test, c.design) == ("diebold_mariano_splits", "4 time-ordered splits")
    target = X[ORDER][:, 0] * 2 + X[ORDER][:, 1]
    models = LinearRegression(), LinearRegression(fit_intercept=False)
    losses = [
        fw.compare(models, X[ORDER], target, cv=TimeSeriesSplit(4), metric=how).design for how in ("rmse", "mae", "mse")
    ]
    assert losses == ["4 time-ordered splits", *["120 periods in 4 time-ordered splits"] * 2]


def test_tests_of_splits_in_time_by_name():
    c = fw.compare([A, B], X[ORDER], Y[ORDER], cv=TimeSeriesSplit(4), test="corrected_resampled_t")
    assert any("follow each other in time" in text for text in c.caveats)
    named = fw.compare([A, B], X[ORDER], Y[ORDER], cv=TimeSeriesSplit(4), test="diebold_mariano_splits")
    assert named.pvalue == fw.compare([A, B], X[ORDER], Y[ORDER], cv=TimeSeriesSplit(4)).pvalue
    with pytest.raises(InvalidInput, match="needs scores of time-ordered splits"):
        fw.compare([A, B], X, Y, cv=ShuffleSplit(4), test="diebold_mariano_splits")


def test_a_learner_against_itself_in_time():
    c = fw.compare({"a": A, "again": A}, X[ORDER], Y[ORDER], cv=TimeSeriesSplit(4))
    assert (c.estimate, c.pvalue, c.better) == (0, 1, None)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"cv": 5, "runs": 3}, "runs and folds must not be given, got runs=3"),
        ({"cv": ShuffleSplit(1)}, "at least 2 splits"),
        ({"cv": ShuffleSplit(4), "test": "corrected_repeated_cv_t"}, "cv makes splits that are no cross-validation"),
        ({"cv": "five"}, "a plan must be a splitter"),
    ],
)
def test_what_does_not_fit_is_one_sentence(options, match):
    with pytest.raises(InvalidInput, match=match):
        fw.compare([A, B], X, Y, **options)
