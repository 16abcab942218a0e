from __future__ import annotations

import numpy as np
import pytest
from studies import Centroid, Failing, blobs

from foldwise.core.errors import DegenerateData, FitFailed
from foldwise.engine import run
from foldwise.resampling import KFold, RepeatedKFold

X, Y = blobs()
MARK = X[17, 0]
REASONS = {
    "raise": r"RuntimeError: out of luck \(studies.py, line \d+\)",
    "short": r"predict returned shape \(14,\) for 15 test examples",
    "unknown": "predict returned 'fir', which is no class of y",
    "number": "predict returned nan, which is no class of y|no classes of y",
    "matrix": r"predict returned shape \(15, 1\) for 15 test examples",
}


@pytest.mark.parametrize(("how", "n_jobs"), [*((how, 1) for how in REASONS), ("raise", 2)])
def test_a_failed_fit_names_learner_split_and_reason(how, n_jobs):
    split = int(KFold(4).fold_ids(Y, seed=0)[0, 17])
    message = rf"learner 'bad' failed on split {split} \(run 0, fold {split}\): ({REASONS[how]})"
    with pytest.raises(FitFailed, match=message):
        run({"good": Centroid(), "bad": Failing(how, MARK)}, X, Y, KFold(4), n_jobs=n_jobs)


@pytest.mark.parametrize("how", REASONS)
def test_a_study_may_go_on_with_a_list_of_failures(how):
    plan = RepeatedKFold(3, 4)
    result = run({"good": Centroid(), "bad": Failing(how, MARK)}, X, Y, plan, on_error="continue")
    where = plan.fold_ids(Y, seed=0)[:, 17]
    assert [(f.learner, f.run, f.fold) for f in result.failures] == [("bad", r, where[r]) for r in range(3)]
    assert np.argwhere(np.isnan(result.scores)).tolist() == [[1, r, where[r]] for r in range(3)]
    assert result.computed == 24 - 3
    assert result.scores_of("good").tolist() == run({"c": Centroid()}, X, Y, plan).scores[0].tolist()


@pytest.mark.parametrize(("scorer", "reason"), [
    (lambda estimator, X, y: float("nan"), "returned nan"),
    (lambda estimator, X, y: "good", "returned 'good', which is no number"),
    (lambda estimator, X, y: 1 / 0, "ZeroDivisionError: division by zero"),
])  # fmt: skip
def test_a_score_that_is_no_number_is_a_failure(scorer, reason):
    with pytest.raises(FitFailed, match=reason):
        run({"good": Centroid()}, X, Y, 4, metric=scorer)


def test_a_scorer_of_ones_own_is_used():
    result = run({"good": Centroid()}, X, Y, 4, metric=lambda estimator, X, y: len(y) / 100)
    assert (result.scores == 0.15).all()


def test_an_undefined_score_is_refused_before_any_fit():
    # leave-one-out leaves one class in each test set: AUC does not exist
    from sklearn.naive_bayes import GaussianNB

    with pytest.raises(DegenerateData, match=r"'auc' is undefined on 60 of the 60 test sets, which lack a class"):
        run({"nb": GaussianNB()}, X, Y == "elm", 60, metric="auc")
