"""The stability meter and the guarantee in answers: where they are said, and what follows from them."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor

import foldwise as fw
from foldwise.inference import instability
from foldwise.learners import create
from foldwise.resampling import RepeatedKFold

RNG = np.random.default_rng(3)
Y = np.tile([0, 1], 60)
X = RNG.normal(size=(120, 3)) + 0.6 * Y[:, None]


def test_it_is_that_of_the_predictions_of_all_runs():
    c = fw.compare(["nb", "1nn"], X, Y, runs=3, folds=5, random_state=4)
    ids = RepeatedKFold(3, 5).fold_ids(Y, seed=4)
    right = [create(name).cross_predict(X, Y, ids) == Y for name in ("nb", "1nn")]
    assert c.instability == pytest.approx(float(instability(right[0].astype(float) - right[1])))
    assert json.loads(json.dumps(c.to_dict()))["instability"] == c.instability
    error = fw.compare(["nb", "1nn"], X, Y, runs=3, folds=5, random_state=4, scoring="roc_auc")
    assert error.instability == c.instability  # whatever the score


@pytest.mark.usefixtures("without_pictures")
def test_where_it_is_high_the_other_test_is_named():
    c = fw.compare(["nb", "1nn"], X, Y, runs=3, folds=5)
    assert c.instability > 0.1
    assert "(high: unstable from 0.1 on)" in c.details()
    assert "--test round_robin" in c.caveats[-1]
    assert "Type I error" in c.caveats[-2]
    assert "instability of the learners" in c.to_html()
    other = fw.compare(["votedperceptron", "majority"], X, Y, runs=2, folds=4)  # of a kind that was never measured
    assert "with nb and 1nn it rejected a true null hypothesis in 0.0" in other.caveats[-1]


def test_where_it_is_low_nothing_is_added():
    c = fw.compare(["nb", "majority"], X, Y, runs=3, folds=5)
    assert c.instability < 0.1
    assert "(low: " in c.details()
    assert not any("round_robin" in caveat for caveat in c.caveats)


def test_regressors_count_squared_errors():
    y = X @ [1.0, -1.0, 0.5]
    stable, shaky = (fw.compare([LinearRegression(), other], X, y, runs=3, folds=5, scoring="mse").instability
                     for other in (KNeighborsRegressor(60), KNeighborsRegressor(1)))  # fmt: skip
    assert stable < shaky


@pytest.mark.parametrize("options", [{"runs": 1}, {"test": "kfold_cv_t"}, {"test": "round_robin"}])
def test_it_needs_several_partitions_of_repeated_cross_validation(options):
    c = fw.compare(["nb", "1nn"], X, Y, folds=4, **options)
    assert c.instability is None
    assert "instability" not in c.details()


@pytest.mark.parametrize(("make", "guarantee"), [
    (lambda: fw.compare(["nb", "1nn"], X, Y, runs=2, folds=4), "approximate; valid for stable learners; measured"),
    (lambda: fw.compare(["nb", "1nn"], X, Y, test="kfold_cv_t", folds=4), "heuristic; measured Type I error up to"),
    (lambda: fw.compare(["nb", "1nn"], X, Y, test="disjoint"), "approximate; parts are independent"),
    (lambda: fw.compare_predictions(Y, Y, 1 - Y), "approximate; measured Type I error at most .06"),
    (lambda: fw.compare_predictions(Y, Y, 1 - Y, test="mcnemar_exact"), "exact under random sampling of items"),
    (lambda: fw.watch(Y, 1 - Y), "exact under random sampling of items, at every look"),
    (lambda: fw.compare_many({"a": [0.8, 0.9, 0.7], "b": [0.7, 0.8, 0.6], "c": [0.5, 0.6, 0.7]}),
     "approximate; measured Type I error at most .05 (level .05, 15 data sets); Holm-adjusted"),
    (lambda: fw.compare_models(Y, {"a": Y, "b": 1 - Y, "c": np.roll(Y, 3)}),
     "approximate; measured Type I error at most .06 (level .05, 100 to 200 items); Holm-adjusted for 3 pairs"),
])  # fmt: skip
@pytest.mark.usefixtures("without_pictures")
def test_every_answer_says_what_its_procedure_guarantees(make, guarantee):
    c = make()
    assert c.guarantee.startswith(guarantee)
    assert c.to_dict()["guarantee"] == c.guarantee
    sentence = f"{c.guarantee[:1].upper()}{c.guarantee[1:]}."
    assert f"Guarantee {sentence}" in " ".join(c.details().split())
    assert sentence in c.to_html()
    assert sentence in " ".join(c.to_markdown().split())
    assert not {"proved", "promise"} & set(c.details().lower().split())
