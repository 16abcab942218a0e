"""What a fit may take, kept from outside: learners that never come back, or take all memory."""

from __future__ import annotations

import sys
import time
from types import SimpleNamespace

import cloudpickle
import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from studies import Centroid, Countdown, Hungry, SlowKernel, Stuck, blobs, say_stuck

from foldwise.core.errors import FitFailed, InvalidInput, LimitExceeded
from foldwise.engine import limits, run
from foldwise.engine.driver import run_tasks
from foldwise.learners.registry import create
from foldwise.resampling import RepeatedKFold

# workers can't import a test module, so its classes travel with the work
cloudpickle.register_pickle_by_value(sys.modules[__name__])

X, Y = blobs()
MARK = X[17, 0]
PLAN = RepeatedKFold(2, 4)
WHERE = [(run, int(PLAN.fold_ids(Y, seed=0)[run, 17])) for run in range(2)]


@pytest.mark.usefixtures("only_the_stuck_are_late")
@pytest.mark.parametrize(("n_jobs", "runs"), [(None, 2), (2, 1)])
def test_a_fit_that_never_ends_is_a_failure_and_the_others_are_done(n_jobs, runs):
    learners, plan = {"good": Centroid(), "stuck": Stuck(mark=MARK)}, RepeatedKFold(runs, 4)
    result = run(learners, X, Y, plan, fit_seconds=0.5, n_jobs=n_jobs, on_error="continue")
    assert [(f.learner, f.run, f.fold) for f in result.failures] == [("stuck", *place) for place in WHERE[:runs]]
    assert {f.reason for f in result.failures} == {
        "it took longer than the 0.5 seconds that a fit may take (fit_seconds)"
    }
    expected = run({"c": Centroid()}, X, Y, plan).scores[0]
    assert result.scores_of("good").tolist() == expected.tolist()
    left = ~np.isnan(result.scores_of("stuck"))
    assert left.sum() == 3 * runs
    assert result.scores_of("stuck")[left].tolist() == expected[left].tolist()


def test_limits_change_no_number():
    learners, plan = {"nb": GaussianNB(), "kernel": create("nb")}, RepeatedKFold(3, 4)
    bounded = run(learners, X, Y, plan, fit_seconds=60, n_jobs=2)
    assert bounded.scores.tolist() == run(learners, X, Y, plan).scores.tolist()


@pytest.mark.usefixtures("only_the_stuck_are_late")
def test_a_kernel_has_the_time_of_its_fits_and_is_cut_into_runs_first():
    plan = RepeatedKFold(2, 4)
    first = int(plan.fold_ids(Y, seed=0)[0, 0])
    assert int(plan.fold_ids(Y, seed=0)[1, 0]) != first
    result = run({"k": SlowKernel(pause=first)}, X, Y, plan, fit_seconds=0.1, on_error="continue")
    assert [f.run for f in result.failures] == [1] * 4
    assert (result.scores[0, 0] == 1).all()


def test_the_whole_has_its_limit_too(tmp_path, monkeypatch):
    learners, store = {"good": Centroid(), "stuck": Stuck(mark=MARK)}, tmp_path / "s.db"
    clock = SimpleNamespace(now=0.0, monotonic=lambda: clock.now)
    with monkeypatch.context() as patch:  # the time is over as soon as a fit is done
        patch.setattr("foldwise.engine.limits.time", clock)
        patch.setattr("foldwise.engine.driver.time", clock)
        progress = Countdown(1, lambda: vars(clock).update(now=6.0))
        message = r"max_seconds are over after \d+ of 16 fits; store .* has them"
        with pytest.raises(LimitExceeded, match=message):
            run(learners, X, Y, PLAN, max_seconds=5, n_jobs=2, store=store, progress=progress)
    assert run({"good": Centroid()}, X, Y, PLAN, store=store).found >= 1
    with pytest.raises(LimitExceeded, match=r"of 16 fits; with a store the next call would continue there"):
        run(learners, X, Y, PLAN, max_seconds=1)


linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps limits of memory")


@linux
@pytest.mark.parametrize("n_jobs", [None, 2])
def test_a_fit_that_takes_too_much_memory_is_a_failure(n_jobs):
    learners = {"good": Centroid(), "hungry": Hungry(mark=MARK)}
    result = run(learners, X, Y, PLAN, fit_memory=300, n_jobs=n_jobs, on_error="continue")
    assert [(f.learner, f.run, f.fold) for f in result.failures] == [("hungry", *place) for place in WHERE]
    assert all(f.reason.startswith("it needed more memory than there is or than fit_memory") for f in result.failures)
    assert not np.isnan(result.scores_of("good")).any()


def test_a_fit_that_is_killed_for_memory_is_repeated_once_and_takes_no_other_with_it():
    learners = {"hungry": Hungry("killed", mark=MARK), "good": Centroid()}
    result = run(learners, X, Y, 4, n_jobs=2, on_error="continue")
    reason = "its worker process died each time: it was killed, as the system does when memory runs out"
    assert [(f.learner, f.fold, f.reason) for f in result.failures] == [("hungry", WHERE[0][1], reason)]
    assert np.isnan(result.scores).sum() == 1


def test_limits_are_checked():
    with pytest.raises(InvalidInput, match="fit_seconds must be a number above 0, got 0"):
        run({"c": Centroid()}, X, Y, 4, fit_seconds=0)
    with pytest.raises(InvalidInput, match="max_seconds must be a number above 0, got -1"):
        run({"c": Centroid()}, X, Y, 4, max_seconds=-1)
    with pytest.raises(InvalidInput, match="fit_memory must be a number above 0, got nan"):
        run({"c": Centroid()}, X, Y, 4, fit_memory=float("nan"))


def test_where_memory_can_not_be_limited_it_is_said(monkeypatch):
    monkeypatch.setattr(limits, "is_enforced", lambda: False)
    with pytest.raises(InvalidInput, match="fit_memory can be kept on Linux only, got 100"):
        run({"c": Centroid()}, X, Y, 4, fit_memory=100)


class Loop:
    """A workload whose third piece never ends."""

    def worker(self):
        return self

    def work(self, number):
        limits.begin()
        if number == 3:
            say_stuck()
            time.sleep(600)
        return number


@pytest.mark.usefixtures("only_the_stuck_are_late")
def test_pieces_of_any_workload_are_bounded():
    found = {}
    with pytest.raises(FitFailed, match=r"a fit of block 3 was ended: it took longer than the 0\.5 seconds"):
        run_tasks(Loop(), range(5), found.__setitem__, fit_seconds=0.5)
    assert set(found) == {0, 1, 2}
