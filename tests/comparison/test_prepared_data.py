"""The same data give the same answer through every door, and frames reach scikit-learn's pipelines as frames."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import ColumnTransformer, make_column_selector, make_column_transformer
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import foldwise as fw
from foldwise.cli.main import main
from foldwise.comparison import estimate_error
from foldwise.core.table import Table, as_table
from foldwise.data import dataset_from_frame
from foldwise.engine import prepare, run
from foldwise.lab.populations.population import Sample
from foldwise.lab.training import predict_folds
from foldwise.resampling import KFold

RNG = np.random.default_rng(7)
Y = np.array(["no", "yes"])[np.arange(60) % 2]
SIDE = np.arange(60) % 2
FRAME = pd.DataFrame({
    "size": RNG.normal(size=60) + SIDE,
    "age": RNG.normal(size=60) * 9 + 40,
    "colour": np.where(RNG.random(60) < 0.3, "green", np.where(SIDE == 1, "red", "blue")),
})  # fmt: skip
LR = LogisticRegression()
BY_KIND = make_pipeline(
    make_column_transformer(
        (StandardScaler(), make_column_selector(dtype_include="number")),
        (OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_exclude="number")),
    ),
    LR,
)
BY_NAME = make_pipeline(
    ColumnTransformer([
        ("numbers", StandardScaler(), ["size", "age"]),
        ("names", OneHotEncoder(handle_unknown="ignore"), ["colour"]),
    ]),
    LR,
)  # fmt: skip
NESTED = GridSearchCV(BY_NAME, {"logisticregression__C": [0.1, 1.0]}, cv=2)
BY_FUNCTION = make_pipeline(FunctionTransformer(lambda X: X[["age", "size"]]), LR)
BY_COLUMNS = {"kind": BY_KIND, "name": BY_NAME, "search": NESTED, "function": BY_FUNCTION}
LEARNERS = {"logistic": LR, "nb": "nb", "boosting": HistGradientBoostingClassifier(max_iter=2), **BY_COLUMNS}
FRAMES = {
    "pandas": FRAME,
    "polars": pl.from_dict({name: FRAME[name].to_list() for name in FRAME}),
    "pyarrow": pa.table({name: FRAME[name].to_list() for name in FRAME}),
    "table": as_table(FRAME),
    "data set": dataset_from_frame(FRAME.assign(y=Y), target="y"),
}


def accuracy(learner, X, y=Y):
    y = None if isinstance(X, fw.data.Dataset) else y
    return run({"x": learner}, X, y, KFold(3)).scores.ravel().tolist()


@cache
def expected(name):
    """Accuracies of one of the learners on the pandas frame."""
    return accuracy(LEARNERS[name], FRAME)


# everything is compared with the pandas frame
@pytest.mark.parametrize("X", list(FRAMES.values())[1:], ids=list(FRAMES)[1:])
@pytest.mark.parametrize("name", BY_COLUMNS)
def test_columns_can_be_selected_whatever_the_data_came_in(X, name):
    assert accuracy(LEARNERS[name], X) == expected(name)


@pytest.mark.parametrize("name", ["kind", "name", "search"])
def test_the_selected_columns_are_worth_having(name):
    assert np.mean(expected(name)) > np.mean(accuracy(DummyClassifier(), FRAME)) + 0.2


@pytest.mark.parametrize("X", FRAMES.values(), ids=FRAMES)
def test_what_can_not_be_taken_is_encoded_and_said(X):
    c = fw.compare([LR, "nb"], X, None if isinstance(X, fw.data.Dataset) else Y, runs=1, folds=3)
    assert (
        "LogisticRegression gets nominal attributes one-hot encoded, as learned from each training split." in c.caveats
    )
    assert c.pairs[0].means == pytest.approx([np.mean(expected(name)) for name in ("logistic", "nb")])
    assert accuracy(LR, X) == expected("logistic")
    assert accuracy("nb", X) == expected("nb")


@pytest.mark.parametrize("X", FRAMES.values(), ids=FRAMES)
def test_gradient_boosting_gets_categories_as_they_are(X):
    learner = LEARNERS["boosting"]
    prepared = prepare({"x": learner}, X, None if isinstance(X, fw.data.Dataset) else Y)
    assert prepared.learners["x"] == (learner, "typed")
    assert accuracy(learner, X) == expected("boosting")


def test_the_command_line(tmp_path, monkeypatch, capsys):
    FRAME.assign(y=Y).to_csv(tmp_path / "shop.csv", index=False)
    (tmp_path / "shoplearners.py").write_text(
        f"import sys\n\ntests = sys.modules[{__name__!r}]\n\ndef kind():\n    return tests.BY_KIND\n\n"
        "def name():\n    return tests.BY_NAME\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    args = ["compare", "shoplearners:kind", "shoplearners:name", "--data", str(tmp_path / "shop.csv"), "--runs", "1"]
    main([*args, "--folds", "3", "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert answer["pairs"][0]["means"] == pytest.approx([np.mean(expected(name)) for name in ("kind", "name")])


class Picky(ClassifierMixin, BaseEstimator):
    """A user's own learner, which wants the frame that the user has."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.cut_ = X["size"].median()
        return self

    def predict(self, X):
        return np.where(X["size"] > self.cut_, self.classes_[1], self.classes_[0])


def test_learners_of_the_users_own_get_the_users_frame():
    assert np.mean(accuracy(Picky(), FRAME)) > 0.6
    assert accuracy(make_pipeline(Picky()), FRAME) == accuracy(Picky(), FRAME)


def test_numbers_and_truth_values_reach_scikit_learn_as_they_are():
    numbers = FRAME[["size", "age"]].assign(flag=RNG.integers(0, 2, 60) == SIDE)
    for learner in (LR, GaussianNB(), DecisionTreeClassifier(random_state=0)):
        prepared = prepare({"x": learner}, numbers, Y)
        assert (prepared.learners["x"], prepared.notes) == ((learner, "frame"), ())
        assert accuracy(learner, numbers) == accuracy(learner, numbers.to_numpy(dtype=float))
    plain = prepare({"x": LR}, Table.build(numbers.to_numpy(dtype=float)), Y)
    assert plain.learners["x"] == (LR, "plain")


@pytest.mark.parametrize("learner", ["nb", "1nn", "c45", GaussianNB()], ids=str)
def test_numbers_typed_as_objects_give_one_answer_at_all_doors(learner):
    frame = FRAME[["size", "age"]].astype(object)
    wanted = accuracy(learner, FRAME[["size", "age"]])
    assert accuracy(learner, frame) == accuracy(learner, frame.to_numpy()) == wanted
    c = fw.compare([learner, "majority"], frame, Y, runs=1, folds=3)
    assert c.pairs[0].means[0] == pytest.approx(np.mean(wanted))
    assert estimate_error(learner, frame, Y, folds=3).estimate == pytest.approx(1 - np.mean(wanted))


@pytest.mark.parametrize(
    ("learner", "gaps"),
    [(LR, False), (LR, True), ("nb", False), ("nb", True), (BY_KIND, False)],
    ids=["logistic", "logistic-gaps", "nb", "nb-gaps", "pipeline"],
)
def test_all_doors_agree_on_a_frame_of_text(learner, gaps):
    frame = FRAME.copy()
    if gaps:
        frame.loc[[3, 17], "size"] = np.nan
        frame.loc[[5, 21], "colour"] = None
    wanted = np.mean(accuracy(learner, frame))
    assert fw.compare([learner, "majority"], frame, Y, runs=1, folds=3).pairs[0].means[0] == pytest.approx(wanted)
    assert estimate_error(learner, frame, Y, folds=3).estimate == pytest.approx(1 - wanted)
    whole = frame.assign(y=Y)
    data = [dataset_from_frame(whole[:n], target="y", name=f"first {n}") for n in (60, 50)]
    many = fw.compare({"it": learner, "majority": "majority"}, data, runs=1, folds=3)
    assert many.table.means[0, 0] == pytest.approx(wanted)
    ids = KFold(3).fold_ids(Y, seed=0)
    estimator = fw.learners.create(learner) if isinstance(learner, str) else learner
    hits = predict_folds(estimator, Sample(X=as_table(frame), y=Y), ids, 0) == Y
    assert hits.mean() == pytest.approx(wanted)


def test_a_value_missing_among_the_test_examples_alone_is_imputed_in_the_lab_too():
    numbers = FRAME[["size", "age"]].to_numpy(copy=True)
    numbers[0, 0] = np.nan
    sample = Sample(X=Table.build(numbers), y=Y)
    ids = np.where(np.arange(60) < 6, 0, -1)[None]
    assert predict_folds(LR, sample, ids, 0).shape == (1, 60)


def test_lists_that_mix_text_and_numbers_stay_mixed():
    rows = FRAME.to_numpy().tolist()
    assert accuracy("nb", rows) == expected("nb")
    assert accuracy(LR, rows) == expected("logistic")
