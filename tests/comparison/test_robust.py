"""The robust check and the guarantee in answers: where they are said, and what follows from them."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor
from verb_options import with_options

import foldwise as fw
from foldwise.inference import influence
from foldwise.learners import create
from foldwise.resampling import RepeatedKFold

RNG = np.random.default_rng(3)
Y = np.tile([0, 1], 60)
X = RNG.normal(size=(120, 3)) + 0.6 * Y[:, None]


def test_it_is_the_influence_test_on_the_same_trainings():
    c = fw.compare(["nb", "1nn"], X, Y, random_state=4)
    ids = RepeatedKFold(10, 10).fold_ids(Y, seed=4)
    right = [create(name).cross_predict(X, Y, ids) == Y for name in ("nb", "1nn")]
    wanted = influence(right[0].astype(float) - right[1], ids, classes=Y)
    assert c.robust_pvalue == pytest.approx(float(wanted.pvalue))
    assert c.robust_pvalue == pytest.approx(fw.compare(["nb", "1nn"], X, Y, random_state=4, test="influence").pvalue)
    assert json.loads(json.dumps(c.to_dict()))["robust_pvalue"] == c.robust_pvalue


def test_where_the_two_disagree_the_answer_is_open():
    c = fw.compare(["nb", "majority"], X, Y, random_state=4)
    assert (c.reject, c.better, c.contested) == (True, "nb", False)
    assert "holds when the influence of single training examples is counted" in str(c)
    doubted = c.parts[0].checked(0.09)
    assert doubted.contested
    assert doubted.better is None
    assert doubted.best_set == ("nb", "majority")
    assert "nb looks better, but not once the influence of single training examples" in " ".join(
        str(replace(c, parts=(doubted,))).split()
    )
    assert not replace(doubted, robust_pvalue=None).contested


def test_losses_and_groups_are_checked_too():
    y = X @ [1.0, -1.0, 0.5]
    pair = [LinearRegression(), KNeighborsRegressor(1)]
    assert 0 <= fw.compare(pair, X, y, metric="mse").robust_pvalue <= 1
    groups = np.repeat(np.arange(30), 4)
    assert 0 <= fw.compare(["nb", "1nn"], X, Y, groups=groups).robust_pvalue <= 1


@pytest.mark.parametrize("options", [
    {"runs": 9}, {"folds": 5}, {"test": "kfold_cv_t"}, {"test": "round_robin"}, {"metric": "roc_auc"},
    {"test": "influence"},
])  # fmt: skip
def test_it_stands_beside_the_default_where_it_was_measured(options):
    c = fw.compare(["nb", "majority"], X, Y, **with_options(options))
    assert c.robust_pvalue is None
    assert "robust check" not in str(c)


@pytest.mark.parametrize(("make", "guarantee"), [
    (lambda: fw.compare(["nb", "1nn"], X, Y, runs=2, folds=4), "approximate; valid for stable learners; measured"),
    (lambda: fw.compare(["nb", "1nn"], X, Y, test="kfold_cv_t", folds=4), "heuristic; measured Type I error up to"),
    (lambda: fw.compare(["nb", "1nn"], X, Y, test="disjoint"), "approximate; parts are independent"),
    (lambda: fw.compare_predictions(Y, {"a": Y, "b": 1 - Y}), "approximate; measured Type I error at most .06"),
    (lambda: fw.compare_predictions(Y, {"a": Y, "b": 1 - Y}, test="mcnemar_exact"), "exact under random sampling of"),
    (lambda: fw.watch(Y, 1 - Y), "exact under random sampling of items, at every look"),
    (lambda: fw.compare_table({"a": [0.8, 0.9, 0.7], "b": [0.7, 0.8, 0.6], "c": [0.5, 0.6, 0.7]}),
     "approximate; measured Type I error at most .05 (level .05, 15 data sets); Holm-adjusted"),
    (lambda: fw.compare_predictions(Y, {"a": Y, "b": 1 - Y, "c": np.roll(Y, 3)}),
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
