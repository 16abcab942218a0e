"""Learners by name do without scikit-learn, and are its estimators as soon as it is there."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV

from foldwise.learners import C45, Majority, MultilayerPerceptron, NaiveBayes, NearestNeighbours
from foldwise.learners.registry import create

ALONE = """
import pickle, sys
from foldwise import compare, load
from foldwise.learners.registry import create

str(compare(["nb", "3nn"], load("iris"), runs=1, folds=2))
learner = create("3nn")
print({"sklearn", "scipy.stats", "pandas", "joblib", "numba"} & set(sys.modules), learner)

from sklearn import config_context
from sklearn.base import BaseEstimator, clone, is_classifier

copy = pickle.loads(pickle.dumps(learner))
print(is_classifier(learner), isinstance(learner, BaseEstimator), isinstance(copy, BaseEstimator), clone(copy))
"""


def test_a_comparison_by_name_loads_neither_scikit_learn_nor_numba():
    """And learners that were made before scikit-learn was loaded derive from its classes afterwards."""
    done = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, check=True)
    *_, before, after = done.stdout.splitlines()
    assert before == "set() NearestNeighbours(k=3)"
    assert after == "True True True NearestNeighbours(k=3)"


@pytest.mark.parametrize("learner", [Majority(), NaiveBayes(), NearestNeighbours(k=3), C45(), MultilayerPerceptron(5)])
def test_learners_are_scikit_learns_estimators(learner):
    assert isinstance(learner, BaseEstimator)
    assert isinstance(learner, ClassifierMixin)
    assert is_classifier(learner)
    assert type(learner).__name__ in learner._repr_html_()


@pytest.mark.parametrize(
    ("learner", "written"),
    [
        (Majority(), "Majority()"),
        (NearestNeighbours(k=1), "NearestNeighbours()"),
        (C45(stopping=0.05, pruned=False), "C45(pruned=False, stopping=0.05)"),
    ],
)
def test_only_parameters_that_differ_are_written(learner, written):
    assert repr(learner) == written
    assert BaseEstimator.__repr__(learner) == written


def test_parameters_are_those_of_scikit_learns_classes():
    learner = C45(confidence=0.1)
    assert learner.get_params() == BaseEstimator.get_params(learner)
    assert learner.set_params(confidence=0.2, pruned=False).get_params()["confidence"] == 0.2
    with pytest.raises(
        ValueError, match=r"Invalid parameter 'k' for estimator Majority\(\). Valid parameters are: \[\]"
    ):
        Majority().set_params(k=1)


def test_copies_are_not_fitted_and_keep_what_is_routed():
    with config_context(enable_metadata_routing=True):
        learner = NearestNeighbours(k=3).set_fit_request(classes=True)
    learner.fit([[0.0], [1.0], [2.0]], [0, 1, 1])
    copy = clone(learner)
    assert copy.get_params() == learner.get_params()
    assert copy.get_metadata_routing().fit.requests == {"classes": True}
    with pytest.raises(NotFittedError, match="NearestNeighbours instance is not fitted yet"):
        copy.predict([[0.0]])


def test_a_tree_that_is_not_grown_has_no_text():
    with pytest.raises(NotFittedError, match="C45 instance is not fitted yet"):
        C45().to_text()


def test_scikit_learns_searches_take_learners_by_name():
    X, y = np.arange(20.0)[:, None], np.arange(20) // 5 % 2
    found = GridSearchCV(create("1nn"), {"k": [1, 15]}, cv=2).fit(X, y)
    assert found.best_estimator_.score(X, y) == np.mean(found.predict(X) == y)
