"""What Python holds already, through the one door."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV, RepeatedKFold, cross_val_score, cross_validate
from sklearn.tree import DecisionTreeClassifier

import foldwise as fw
from foldwise.core.errors import InvalidInput

X, Y = load_iris(return_X_y=True)
LEARNERS = {"tree": DecisionTreeClassifier(max_depth=2, random_state=0), "dummy": DummyClassifier()}


def test_vectors_of_cross_val_score():
    found = fw.judge({name: cross_val_score(learner, X, Y, cv=5) for name, learner in LEARNERS.items()})
    assert found.main.better == "tree"
    assert found.main.design == "5-fold cross-validation"


def test_dictionaries_of_cross_validate_bring_sizes_and_prove_the_pairing():
    cv = RepeatedKFold(n_splits=5, n_repeats=2, random_state=0)
    given = {
        name: cross_validate(learner, X, Y, cv=cv, scoring=["accuracy", "neg_log_loss"], return_indices=True)
        for name, learner in LEARNERS.items()
    }
    found = fw.judge(given, metric="accuracy")
    assert (found.main.evidence.n_train, found.main.evidence.n_test) == (120, 30)
    assert found.understanding.other_metrics == ("neg_log_loss",)
    other = cross_validate(
        LEARNERS["dummy"], X, Y, cv=RepeatedKFold(n_splits=5, n_repeats=2, random_state=1), return_indices=True
    )
    with pytest.raises(InvalidInput, match="'tree' and 'dummy' must be tested on the same splits"):
        fw.judge({"tree": given["tree"], "dummy": other})
    with pytest.raises(InvalidInput, match=r"one metric on one task are needed to compare, got none$"):
        fw.judge({})


def test_a_search_and_its_results_are_the_same():
    search = GridSearchCV(LEARNERS["tree"], {"max_depth": [1, 2, 3]}, cv=5).fit(X, Y)
    one, other = fw.judge(search), fw.judge(search.cv_results_)
    assert one.main.names == other.main.names == ("max_depth=1", "max_depth=2", "max_depth=3")
    np.testing.assert_allclose(list(one.main.means.values()), search.cv_results_["mean_test_score"])
    assert fw.judge(search, models=["max_depth=1", "max_depth=3"]).main.better == "max_depth=3"


@pytest.mark.parametrize("library", [pd, pl])
def test_frames_that_are_long_tables(library):
    rows = [(m, f"q{i}", (i * k) % 3 / 2) for k, m in enumerate("ab", start=1) for i in range(40)]
    frame = library.DataFrame(
        {"model": [r[0] for r in rows], "item": [r[1] for r in rows], "score": [r[2] for r in rows]}
    )
    found = fw.judge(frame)
    assert found.main.test == "paired_t"
    assert found.main.estimate == pytest.approx(np.mean([r[2] for r in rows[:40]]) - np.mean([r[2] for r in rows[40:]]))


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ({"a": {"fit_time": [1]}, "b": [1, 2]}, "must have test_score"),
        ({"a": np.ones((2, 2, 2)), "b": np.ones(4)}, r"shape \(splits,\) or \(runs, folds\)"),
        ({"a": [0.5, 0.6]}, "got only 'a'"),
        (pd.DataFrame({"x": [1.0]}), "so that one model is there at most"),
    ],
)
def test_bad_objects_are_one_sentence(given, match):
    with pytest.raises(InvalidInput, match=match):
        fw.judge(given)
