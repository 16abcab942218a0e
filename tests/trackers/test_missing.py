"""Without the packages one sentence names the extra; scikit-learn's `cross_validate` for several estimators."""

from __future__ import annotations

import sys

import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import KFold, TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB

import foldwise as fw
from foldwise.core.errors import InvalidInput, MissingDependency
from foldwise.sklearn import cross_validate
from foldwise.trackers import log_to_mlflow, log_to_wandb

RESULT = fw.compare_predictions(None, {"a": [1, 0, 1], "b": [1, 1, 0]})
MODELS = [GaussianNB(), DummyClassifier()]
IRIS = load_iris(return_X_y=True)


@pytest.mark.parametrize(
    ("package", "call"),
    [
        ("mlflow", lambda: log_to_mlflow(RESULT)),
        ("mlflow", lambda: fw.judge("mlflow:x")),
        ("wandb", lambda: log_to_wandb(RESULT)),
    ],
)
def test_a_missing_package_is_named(monkeypatch, package, call):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingDependency, match=rf"pip install 'foldwise\[{package}\]'"):
        call()


def test_splits_without_a_seed_are_the_same_for_all():
    found = cross_validate(MODELS, *IRIS, cv=KFold(5, shuffle=True), scoring=["accuracy", "neg_log_loss"])
    assert list(found) == ["GaussianNB", "DummyClassifier"]
    judged = fw.judge(found, metric="accuracy")
    assert judged.main.better == "GaussianNB"
    assert judged.main.test == "corrected_repeated_cv_t"
    assert judged.understanding.times["fit"]["GaussianNB"] == pytest.approx(found["GaussianNB"]["fit_time"].mean())
    told = fw.judge(found, metric="accuracy").to_dict()["understood"]["times"]
    assert set(told) == {"fit", "score"}


def test_splits_that_are_no_partition_are_random_ones():
    found = cross_validate(MODELS, *IRIS, cv=TimeSeriesSplit(4))
    assert fw.judge(found).main.test == "corrected_resampled_t"


def test_one_estimator_and_indices_are_refused():
    with pytest.raises(InvalidInput, match="estimators must be at least two, got 1"):
        cross_validate(MODELS[:1], *IRIS)
    with pytest.raises(InvalidInput, match="return_indices is always set"):
        cross_validate(MODELS, *IRIS, return_indices=False)
