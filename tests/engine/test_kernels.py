"""Whole-cross-validation kernels through the engine: the same results as a fit per split."""

from __future__ import annotations

import numpy as np
import pytest
from studies import Centroid, blobs

from foldwise.core.errors import FitFailed
from foldwise.core.table import Table
from foldwise.engine import run
from foldwise.learners import create
from foldwise.resampling import FiveByTwo, Holdout, KFold, LeaveOneOut, RepeatedKFold

X, Y = blobs()


def mixed(n=60):
    rng = np.random.default_rng(5)
    y = np.arange(n) % 3
    values = np.c_[rng.normal(size=(n, 2)) + y[:, None], (y + (rng.random(n) < 0.3)) % 3, rng.integers(0, 2, n)]
    values[rng.random(values.shape) < 0.05] = np.nan
    return Table.build(values, [None, None, ("a", "b", "c"), ("no", "yes")])


def hits(estimator, X, y):
    """Accuracy by a scorer of which the engine does not know that predictions suffice: no kernel is used."""
    return float((estimator.predict(X) == y).mean())


class Counting(Centroid):
    """A learner whose kernel is right, and which says how its work was done."""

    used: list[str] = []  # noqa: RUF012  (clones share it on purpose)
    accepts_table = False

    def __init__(self, wrong=None, random_state=0):
        self.wrong = wrong
        self.random_state = random_state
        self.pause = 0

    def fit(self, X, y):
        self.used.append("fit")
        return super().fit(X, y)

    def cross_predict(self, X, y, fold_ids):
        self.used.append("kernel")
        if self.wrong == "raise":
            raise ValueError("no kernel today")
        result = np.empty(fold_ids.shape, dtype=y.dtype)
        for run_, ids in enumerate(fold_ids):
            for fold in np.unique(ids):
                test = ids == fold
                result[run_, test] = Centroid().fit(X[~test], y[~test]).predict(X[test])
        if self.wrong == "label":
            result[0, 3] = "fir"
        return result[:, :-1] if self.wrong == "shape" else result


@pytest.fixture(autouse=True)
def clean():
    Counting.used.clear()


@pytest.mark.parametrize(
    "name", ["majority", "nb", "1nn", "c45", "tan", "votedperceptron", "mlp(hidden=2, epochs=9, random_state=0)"]
)
@pytest.mark.parametrize("plan", [RepeatedKFold(2, 5), FiveByTwo(), LeaveOneOut()], ids=lambda p: p.describe())
def test_kernels_of_our_learners_equal_a_fit_per_split(name, plan):
    learner, table = create(name), mixed()
    kernel = run({name: learner}, table, Y, plan)
    plain = run({name: learner}, table, Y, plan, metric=hits)
    assert kernel.predicted(name).tolist() == plain.predicted(name).tolist()
    assert kernel.scores.tolist() == plain.scores.tolist()


@pytest.mark.parametrize("plan", [KFold(4), RepeatedKFold(3, 4), FiveByTwo(), LeaveOneOut()])
def test_a_kernel_does_the_work_of_partition_plans(plan):
    result = run({"c": Counting()}, X, Y, plan)
    assert set(Counting.used) == {"kernel"}
    assert result.scores.tolist() == run({"c": Centroid()}, X, Y, plan).scores.tolist()


@pytest.mark.parametrize("options", [{"plan": Holdout()}, {"metric": hits}, {"learner": Counting(random_state=None)}])
def test_what_a_kernel_can_not_do_is_fitted(options):
    given = {"plan": KFold(4), "metric": None, "learner": Counting(), **options}
    run({"c": given["learner"]}, X, Y, given["plan"], metric=given["metric"])
    assert set(Counting.used) == {"fit"}


@pytest.mark.parametrize("scoring", ["error", "f1_macro", "balanced_accuracy"])
def test_scores_from_predictions_work_with_kernels(scoring):
    kernel = run({"c": Counting()}, X, Y, KFold(4), metric=scoring)
    assert set(Counting.used) == {"kernel"}
    assert kernel.scores.tolist() == run({"c": Centroid()}, X, Y, KFold(4), metric=scoring).scores.tolist()


def test_a_kernel_completes_what_a_store_lacks(tmp_path):
    run({"c": Counting()}, X, Y, RepeatedKFold(2, 4), store=tmp_path / "r.db")
    Counting.used.clear()  # what a class holds is part of its identity in a store
    more = run({"c": Counting()}, X, Y, RepeatedKFold(5, 4), store=tmp_path / "r.db")
    assert (more.found, more.computed) == (8, 12)
    assert more.scores.tolist() == run({"c": Centroid()}, X, Y, RepeatedKFold(5, 4)).scores.tolist()


def test_kernels_run_in_processes_too():
    together = {"majority": create("majority"), "centroid": Centroid()}
    plan = RepeatedKFold(6, 4)
    assert run(together, X, Y, plan, n_jobs=2).scores.tolist() == run(together, X, Y, plan).scores.tolist()


@pytest.mark.parametrize(("wrong", "reason"), [
    ("raise", "ValueError: no kernel today"),
    ("label", "predict returned 'fir', which is no class of y"),
    ("shape", "IndexError|predict returned shape"),
])  # fmt: skip
def test_a_kernel_that_fails_is_named(wrong, reason):
    with pytest.raises(FitFailed, match=rf"learner 'c' failed on split \d \(run 0, fold \d\): .*({reason})"):
        run({"c": Counting(wrong)}, X, Y, KFold(4))


def test_a_failing_kernel_fails_all_its_splits_when_the_study_goes_on():
    result = run({"c": Counting("raise"), "good": Centroid()}, X, Y, KFold(4), on_error="continue")
    assert [(f.learner, f.fold) for f in result.failures] == [("c", f) for f in range(4)]
    assert np.isfinite(result.scores_of("good")).all()
