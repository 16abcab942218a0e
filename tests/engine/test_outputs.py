"""Probabilities and decision values in the store: another metric needs no new fit."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from studies import blobs

import foldwise as fw
from foldwise.core.errors import StoreError
from foldwise.engine import Store, run
from foldwise.engine.job import FittedOutputs, outputs_of
from foldwise.learners import C45, NaiveBayes
from foldwise.resampling import RepeatedKFold, RoundRobin

X, LABELS = blobs()
CODES = np.unique(LABELS, return_inverse=True)[1]
TWO, THREE = np.array(["no", "yes"])[CODES % 2], np.array(["c", "a", "b"])[np.arange(len(CODES)) % 3]
PLAN = RepeatedKFold(2, 3)
BOTH = {"logreg": LogisticRegression(), "nb": GaussianNB(), "ours": NaiveBayes(), "tree": C45()}
OTHERS = {
    "forest": RandomForestClassifier(5, random_state=1),
    "svm": SVC(probability=False),
    "piped": make_pipeline(StandardScaler(), LogisticRegression(C=0.1)),
    "ridge": RidgeClassifier(),
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results.db"


def changed(path, *statements):
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def kept(path):
    with Store(path) as store:
        return [store.outputs_size(series.id)[0] for series in store.listing()]


@pytest.mark.parametrize(
    ("learners", "y", "first", "later"),
    [
        (BOTH, TWO, "roc_auc", ["log_loss", "brier", "neg_log_loss", "accuracy"]),
        (BOTH, TWO, "log_loss", ["roc_auc", "neg_log_loss"]),
        (BOTH, THREE, "roc_auc_ovr", ["log_loss", "brier", "roc_auc_ovo_weighted", "top_k_accuracy"]),
        (OTHERS, TWO, "roc_auc", ["auc", "f1_macro"]),
    ],
)
def test_another_metric_of_the_same_outputs_needs_no_fit_and_is_the_same_to_the_bit(path, learners, y, first, later):
    run(learners, X, y, PLAN, metric=first, store=path)
    assert kept(path) == [6] * len(learners)
    for scoring in later:
        found, anew = (run(learners, X, y, PLAN, metric=scoring, store=store) for store in (path, None))
        assert (found.computed, found.found) == (0, 6 * len(learners)), scoring
        assert found.scores.tobytes() == anew.scores.tobytes()
        again = run(learners, X, y, PLAN, metric=scoring, store=path)
        assert (again.computed, again.scores.tobytes()) == (0, anew.scores.tobytes())


def test_classes_that_a_training_set_lacks_keep_their_columns(path):
    y = np.array(["a"] * 29 + ["b"] * 29 + ["c"] * 2)
    pairs = [(np.setdiff1d(np.arange(60), test), test) for test in (np.arange(0, 60, 3), np.arange(57, 60))]
    learners = {"nb": GaussianNB(), "ours": NaiveBayes()}
    run(learners, X, y, pairs, metric="brier", store=path)
    found, anew = (run(learners, X, y, pairs, metric="log_loss", store=store) for store in (path, None))
    assert found.computed == 0
    assert found.scores.tobytes() == anew.scores.tobytes()


def test_trainings_that_several_splits_share(path):
    run({"nb": GaussianNB()}, X, TWO, RoundRobin(4), metric="brier", store=path)
    found, anew = (run({"nb": GaussianNB()}, X, TWO, RoundRobin(4), metric="log_loss", store=s) for s in (path, None))
    assert found.computed == 0
    np.testing.assert_array_equal(found.scores, anew.scores)


def test_comparisons_by_one_metric_after_another(path):
    def compared(scoring, store):
        return fw.compare(
            ["logreg", "nb"], X, TWO, metric=scoring, runs=2, folds=3, options=fw.Options(positive="yes", store=store)
        )

    compared("roc_auc", path)
    several, anew = (compared(["log_loss", "average_precision"], store) for store in (path, None))
    assert kept(path) == [6, 6]
    assert [(c.estimate, c.pvalue) for c in several.parts] == [(c.estimate, c.pvalue) for c in anew.parts]


def test_nothing_is_kept_where_no_metric_needs_it(path):
    run({"nb": GaussianNB()}, X, TWO, PLAN, store=path)
    run({"nb": GaussianNB()}, X, TWO, PLAN, metric=lambda e, X, y: float(e.score(X, y)), store=path)
    assert kept(path) == [0]
    loss = run({"nb": GaussianNB()}, X, TWO, PLAN, metric="log_loss", store=path)
    assert (loss.computed, kept(path)) == (6, [6])


def test_one_of_several_metrics_that_needs_them_suffices(path):
    fw.compare(
        [GaussianNB(), NaiveBayes()],
        X,
        TWO,
        metric=["accuracy", "roc_auc"],
        runs=2,
        folds=3,
        options=fw.Options(store=path),
    )
    assert kept(path) == [6, 6]


def test_damaged_outputs_are_noticed(path):
    run({"nb": GaussianNB()}, X, TWO, PLAN, metric="roc_auc", store=path)
    changed(path, "UPDATE output SET content = zeroblob(LENGTH(content)) WHERE split = 4")
    before = path.read_bytes()
    # what each example adds comes from them, so that they are read where the score itself is there, too
    for metric in ("log_loss", "roc_auc"):
        with pytest.raises(StoreError, match="outputs of split 4 of series 1 do not match their checksum"):
            run({"nb": GaussianNB()}, X, TWO, PLAN, metric=metric, store=path)
    assert path.read_bytes()[:100] == before[:100]
    assert run({"nb": GaussianNB()}, X, TWO, PLAN, metric="accuracy", store=path).computed == 0


def test_outputs_under_another_split_are_noticed(path):
    run({"nb": GaussianNB()}, X, TWO, PLAN, metric="roc_auc", store=path)
    changed(path, "DELETE FROM output WHERE split = 5", "UPDATE output SET split = 5 WHERE split = 4")
    with pytest.raises(StoreError, match="outputs of split 5 of series 1"):
        run({"nb": GaussianNB()}, X, TWO, PLAN, metric="log_loss", store=path)


STUDY = """
import sys
sys.path.insert(0, sys.argv[1])
from sklearn.naive_bayes import GaussianNB
from studies import blobs
import os
from foldwise.engine import run
from foldwise.resampling import RepeatedKFold

class Stop:
    def start(self, total, found): pass
    def stop(self): pass
    def advance(self, fits):
        os.kill(os.getpid(), 9)  # after the first batch: on a fast machine the second one has all other fits

X, y = blobs()
run({"nb": GaussianNB()}, X, y, RepeatedKFold(6, 3), metric="brier", store=sys.argv[2], progress=Stop())
"""


def test_a_study_that_was_killed_has_the_outputs_of_all_fits_that_it_has(path):
    command = [sys.executable, "-c", STUDY, str(Path(__file__).parent), str(path)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == -9
    plan = RepeatedKFold(6, 3)
    with Store(path) as store:
        (series,) = store.listing()
    assert 0 < series.splits < 18
    assert kept(path) == [series.splits]
    loss, anew = (run({"nb": GaussianNB()}, X, LABELS, plan, metric="log_loss", store=store) for store in (path, None))
    assert (loss.found, loss.computed) == (series.splits, 18 - series.splits)
    assert loss.scores.tobytes() == anew.scores.tobytes()


class Odd:
    classes_ = np.array(["no", "yes"])

    def __init__(self, answer):
        self.answer = answer

    def predict_proba(self, X):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    "answer", [ValueError("no"), np.zeros((2, 2)), np.array([["a"], ["b"], ["c"]]), np.zeros((3, 1, 1))]
)
def test_what_is_not_understood_is_not_kept(answer):
    assert outputs_of(Odd(answer), lambda: X[:3], 3, np.array(["no", "yes"])) is None


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_outputs_survive_as_bytes(kind):
    given = {
        "predict_proba": np.array([[0.1, 0.9], [-0.0, 1.0]], kind),
        "decision_function": np.array([np.inf, 1e-310], kind),
    }
    back = FittedOutputs.from_bytes(FittedOutputs(np.array([1, 0]), given).to_bytes())
    assert back.classes.tolist() == [1, 0]
    assert {name: (v.dtype, v.tobytes()) for name, v in back.given.items()} == {
        n: (v.dtype, v.tobytes()) for n, v in given.items()
    }
