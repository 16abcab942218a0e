"""No learner sees what another one, or an earlier fit, did to its data."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from vandals import SpoilingKernel, Vandal
from verb_options import with_options

import foldwise as fw
from foldwise.comparison import estimate_error
from foldwise.core.table import Table
from foldwise.engine import run
from foldwise.lab.damage import Exams, examine_learners
from foldwise.lab.populations.from_data import FromFunction
from foldwise.lab.populations.population import Sample
from foldwise.lab.training import predict_folds
from foldwise.resampling import Holdout, KFold, RepeatedKFold

X, Y = load_wine(return_X_y=True)
KNN = KNeighborsClassifier()
SCALED_IN_PLACE, SCALED = (make_pipeline(StandardScaler(copy=copy), KNN) for copy in (False, True))
FORMS = {"array": np.array, "table": Table.build, "frame": lambda values: pd.DataFrame(np.array(values))}


@pytest.fixture(autouse=True)
def forget():
    Vandal.kept.clear()


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("swapped", [False, True])
def test_scaling_in_place_does_not_reach_the_other_learner(form, swapped):
    pair = (KNN, SCALED_IN_PLACE) if swapped else (SCALED_IN_PLACE, KNN)
    c = fw.compare(pair, form(X), Y, runs=2, folds=5, random_state=1)
    wanted = [run({"x": e}, X, Y, RepeatedKFold(2, 5), seed=1).scores.mean() for e in (SCALED, KNN)]
    assert list(c.pairs[0].means) == pytest.approx(wanted[::-1] if swapped else wanted, abs=1e-15)
    assert abs(c.estimate) > 0.2


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("scoring", [None, "log_loss", "roc_auc_ovr"])
@pytest.mark.parametrize("plan", [KFold(4), Holdout()], ids=["cv", "holdout"])
def test_learners_that_spoil_training_test_and_target_leave_all_others_alone(form, scoring, plan):
    given, target = form(X), Y.copy()
    order = {"vandal": Vandal(), "table": Vandal(True), "kernel": SpoilingKernel(), "honest": KNeighborsClassifier(1)}
    together = run(order, given, target, plan, metric=scoring)
    backwards = run(dict(reversed(order.items())), given, target, plan, metric=scoring)
    alone = run({"honest": KNeighborsClassifier(1)}, X, Y, plan, metric=scoring).scores_of("honest")
    for name in order:
        assert together.scores_of(name).tolist() == backwards.scores_of(name).tolist() == alone.tolist()
    assert np.array_equal(np.asarray(given), X)
    assert np.array_equal(target, Y)


def test_workers_retries_and_a_resumed_study_give_the_same_bits(tmp_path):
    vandal = Vandal(keeps=False)  # what a class keeps is part of its identity in a store
    learners, plan = {"vandal": vandal, "scaled": SCALED_IN_PLACE, "knn": KNN}, RepeatedKFold(2, 5)
    wanted = run(learners, X, Y, plan).scores.tolist()
    assert run(learners, X, Y, plan, n_jobs=2).scores.tolist() == wanted
    run({"knn": KNN, "vandal": vandal}, X, Y, RepeatedKFold(1, 5), store=tmp_path / "s.db")
    resumed = run(learners, X, Y, plan, store=tmp_path / "s.db")
    assert (resumed.found, resumed.scores.tolist()) == (10, wanted)


@pytest.mark.parametrize("method", ["kfold", "holdout", "apparent", "bootstrap632plus"])
def test_error_estimates(method):
    options = {"method": method, "repeats": None if method == "kfold" else 5, "random_state": 3}
    given = X.copy()
    in_place = estimate_error(SCALED_IN_PLACE, given, Y, **with_options(options))
    assert in_place.estimate == estimate_error(SCALED, X, Y, **with_options(options)).estimate
    assert np.array_equal(given, X)


def test_the_lab_fits_on_copies():
    sample = Sample(X=Table.build(X), y=Y.copy())
    ids = np.arange(len(Y))[None] % 4
    wanted = predict_folds(KNeighborsClassifier(1), sample, ids, 0).tolist()
    for vandal in (Vandal(), Vandal(True), SpoilingKernel()):
        assert predict_folds(vandal, sample, ids, 0).tolist() == wanted
        assert np.array_equal(sample.X.values, X)
        assert np.array_equal(sample.y, Y)


def test_the_exams_of_the_lab_give_each_learner_its_own_data():
    wine = FromFunction(function=lambda n, rng: (lambda i: (X[i], Y[i]))(rng.permutation(len(Y))[:n]))
    orders = [(SCALED_IN_PLACE, Vandal(), KNN), (KNN, SCALED, KNeighborsClassifier(1))]
    first, second = (
        examine_learners(Exams(source=wine, learners=learners, n=60, n_train=40, n_test=40, seed=0), 10)
        for learners in orders
    )
    assert first.accuracy[:, [2, 0, 1]].tolist() == second.accuracy.tolist()
