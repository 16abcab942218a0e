"""The coordinator against a backend whose deaths are scripted."""

from __future__ import annotations

from concurrent.futures import Future

import pytest
from sklearn.naive_bayes import GaussianNB
from studies import Centroid, blobs

from foldwise.core.errors import FitFailed
from foldwise.engine.backends import WorkerDied
from foldwise.engine.driver import MOST_DEATHS, Coordinator, Schedule, plan_batches
from foldwise.engine.job import Job, SplitWorker
from foldwise.engine.learners import check_learners
from foldwise.engine.prepared import prepare
from foldwise.engine.runner import _job
from foldwise.resampling import RepeatedKFold

X, Y = blobs()


class Scripted:
    """Runs chunks in order; `dies(chunk, n)` says whether the n-th submission takes the worker down."""

    def __init__(self, job: Job, dies, *, workers: int = 2) -> None:
        self.worker, self.dies = SplitWorker(job), dies
        self.count, self.submitted, self.repaired, self.most = workers, [], 0, 0
        self.open: list[Future] = []

    def workers(self):
        return self.count

    def submit(self, chunk):
        future = Future()
        self.submitted.append(chunk)
        self.open = [f for f in self.open if not f.done()] + [future]
        self.most = max(self.most, len(self.open))
        if self.dies(chunk, len(self.submitted)):
            future.set_exception(WorkerDied("killed"))
        else:
            future.set_result(self.worker.work(chunk))
        return future

    def watch(self):
        pass

    def lost(self, error):
        return error if isinstance(error, WorkerDied) else None

    def repair(self):
        self.repaired += 1


def drive(dies, *, workers=2, on_error="continue"):
    plan = RepeatedKFold(2, 5)
    learners = {"nb": GaussianNB(), "centroid": Centroid()}
    job = _job(prepare(learners, X, Y), plan, seed=0, scorings=(None,), on_error=on_error, stored=False)
    backend = Scripted(job, dies, workers=workers)
    fits, failures = {}, []

    def accept(report):
        fits.update({(f.learner, f.split): f.score for f in report.fits})
        failures.extend(report.failures)
        if failures and on_error == "raise":
            raise FitFailed(str(failures[0]))

    schedule = Schedule(plan_batches(job, {0: list(range(10)), 1: list(range(10))}, 5))
    Coordinator(job, backend, schedule, accept).drive()
    return backend, fits, failures


@pytest.mark.parametrize("deaths", [(), (1,), (2, 3), (1, 4, 7)])
def test_single_deaths_lose_nothing(deaths):
    backend, fits, failures = drive(lambda chunk, n: n in deaths)
    assert len(fits) == 20
    assert failures == []
    assert bool(deaths) == bool(backend.repaired)


def test_the_fit_that_kills_is_singled_out():
    _, fits, failures = drive(lambda chunk, n: 0 in chunk.learners and 7 in chunk.splits)
    assert len(fits) == 19
    assert [(f.learner, f.split, f.run, f.fold) for f in failures] == [("nb", 7, 1, 2)]


def test_a_learner_that_always_kills_is_not_tried_forever():
    _, fits, failures = drive(lambda chunk, n: 0 in chunk.learners)
    assert {learner for learner, _ in fits} == {1}
    assert len(fits) == len(failures) == 10
    untried = [f for f in failures if f.reason.startswith(f"not tried, because {MOST_DEATHS} fits of this learner")]
    assert len(untried) >= 5


def test_a_killing_fit_ends_the_study_when_errors_do():
    with pytest.raises(FitFailed, match=r"'centroid' failed on split 3 \(run 0, fold 3\): its worker process died"):
        drive(lambda chunk, n: 1 in chunk.learners and 3 in chunk.splits, on_error="raise")


def test_an_error_of_the_backend_itself_is_passed_on():
    def fail(chunk, n):
        raise OSError("no such host")

    with pytest.raises(OSError, match="no such host"):
        drive(fail)


class Waiting(Scripted):
    """Finishes the first chunk only; the others never begin."""

    def submit(self, chunk):
        if not self.submitted:
            return super().submit(chunk)
        self.submitted.append(chunk)
        self.open.append(Future())
        return self.open[-1]


@pytest.mark.parametrize(("stop", "cancelled"), [(FitFailed("bad"), True), (KeyboardInterrupt(), False)])
def test_waiting_chunks_are_called_off_after_a_failure_and_left_to_the_kill_after_ctrl_c(stop, cancelled):
    job = _job(
        prepare({"c": Centroid()}, X, Y), RepeatedKFold(2, 5), seed=0, scorings=(None,), on_error="raise", stored=False
    )
    backend = Waiting(job, lambda chunk, n: False)

    def accept(report):
        raise stop

    with pytest.raises(type(stop)):
        Coordinator(job, backend, Schedule(plan_batches(job, {0: list(range(10))}, 5)), accept).drive()
    waiting = [future for future in backend.open if not future.done() or future.cancelled()]
    assert len(waiting) == 3
    assert [future.cancelled() for future in waiting] == [cancelled] * 3


def test_learners_that_miss_the_same_splits_run_together():
    learners = {"a": Centroid(), "b": Centroid(), "c": Centroid()}
    job = _job(prepare(learners, X, Y), 5, seed=0, scorings=(None,), on_error="raise", stored=False)
    batches = plan_batches(job, {0: [0, 1, 2], 1: [1, 2, 3], 2: []}, 5)
    assert {b.learners: b.splits for b in batches} == {(0,): [0], (0, 1): [1, 2], (1,): [3]}
    assert check_learners({"a": (Centroid(), "plain")}, job.scoring)[0].has_kernel is False


def test_chunks_grow_to_the_wanted_time_and_shrink_at_the_end():
    job = _job(
        prepare({"a": Centroid()}, X, Y),
        RepeatedKFold(100, 10),
        seed=0,
        scorings=(None,),
        on_error="raise",
        stored=False,
    )
    schedule = Schedule(plan_batches(job, {0: list(range(1000))}, 10))
    sizes = []
    while (chunk := schedule.next(4)) is not None:
        sizes.append(len(chunk.splits))
        schedule.learn(chunk, 0.01 * len(chunk.splits))
    assert sizes[0] == 1
    assert max(sizes) == 40
    assert sizes[-1] == 1
    assert sum(sizes) == 1000
