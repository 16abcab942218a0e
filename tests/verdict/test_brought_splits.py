"""Splits that somebody brings: any splitter of scikit-learn."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
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
    c = fw.compare(A, B, X, Y, cv=cv)
    assert (c.test, c.evidence.a.shape) == (test, shape)
    np.testing.assert_allclose(c.evidence.a.ravel(), cross_val_score(A, X, Y, cv=cv))
    np.testing.assert_allclose(c.evidence.b.ravel(), cross_val_score(B, X, Y, cv=cv))


def test_groups_reach_the_splitter():
    groups = np.arange(150) % 10
    c = fw.compare(A, B, X, Y, cv=GroupKFold(5), groups=groups)
    np.testing.assert_allclose(c.evidence.a.ravel(), cross_val_score(A, X, Y, cv=GroupKFold(5), groups=groups))


def test_a_time_series_gets_the_caveat_it_needs():
    order = np.random.default_rng(0).permutation(150)
    c = fw.compare(A, B, X[order], Y[order], cv=TimeSeriesSplit(4))
    assert c.test == "corrected_resampled_t"
    assert any("follow each other in time" in text for text in c.caveats)


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
        fw.compare(A, B, X, Y, **options)
