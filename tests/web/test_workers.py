from __future__ import annotations

import os
import signal
import threading
from dataclasses import replace

import pytest

from foldwise.core.errors import FoldwiseError, InvalidInput, LimitExceeded, MissingDependency, UnknownName
from foldwise.web import jobs
from foldwise.web.doors.base import Submission
from foldwise.web.limits import Limits
from foldwise.web.workers import JobFailed, PageWork, Workers, portable

ENTRY = Submission(text="truth,a,b\n" + "x,x,y\n" * 20, filename="f.csv")


@pytest.fixture(scope="module")
def workers():
    made = Workers(count=1, seconds=300, waiting=1)
    yield made
    made.close()


def only_process(workers):
    (process,) = workers._pool._processes
    return process._popen.pid


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def look(workers):
    return workers.run("visit", "predictions", ENTRY, False)


def test_a_job_is_done_in_another_process_which_is_kept(workers):
    assert look(workers).understanding.header == ("truth", "a", "b")
    first = only_process(workers)
    assert first != os.getpid()
    look(workers)
    assert only_process(workers) == first


def test_what_a_job_refuses_is_raised_here(workers):
    with pytest.raises(InvalidInput, match="the text is empty"):
        workers.run("visit", "predictions", Submission(text=" "), True)
    assert alive(only_process(workers))


def test_an_error_nobody_foresaw_is_told_apart(workers):
    with pytest.raises(JobFailed, match="KeyError: 'no such door'"):
        workers.run("visit", "no such door", ENTRY, True)
    assert workers.run("visit", "predictions", ENTRY, False).understanding.problem == ""


def test_a_process_that_was_killed_is_replaced(workers):
    look(workers)
    (process,) = workers._pool._processes
    os.kill(process._popen.pid, signal.SIGKILL)
    while process.alive:
        threading.Event().wait(0.01)
    assert look(workers).report == ""  # without a word
    assert only_process(workers) != process._popen.pid


def test_a_job_that_takes_too_long_is_ended_with_its_process():
    workers = Workers(count=1, seconds=0.001)
    try:
        with pytest.raises(LimitExceeded, match=r"this takes longer than 0\.001 seconds"):
            workers.run("visit", "predictions", ENTRY, True)
        while workers._pool._processes:  # its thread is ending it
            threading.Event().wait(0.01)
    finally:
        workers.close()


def test_a_process_that_never_begins_is_ended(workers, monkeypatch):
    look(workers)
    limits = replace(workers._limits, start_seconds=0.2)
    monkeypatch.setattr(workers, "_limits", limits)
    process = only_process(workers)
    os.kill(process, signal.SIGSTOP)  # it will never answer
    with pytest.raises(LimitExceeded, match="this takes longer than 300 seconds"):
        look(workers)
    while alive(process):
        threading.Event().wait(0.01)


def test_only_so_many_may_wait(workers):
    for _ in range(2):  # as many jobs as may be done or wait
        workers._places.acquire()
    with pytest.raises(LimitExceeded, match="busy with other answers"):
        look(workers)
    workers._places.release()
    assert look(workers).understanding.header
    workers._places.release()


def test_twenty_at_once_are_answered_in_turn():
    made, found = Workers(count=1, seconds=300, waiting=Limits().waiting), []
    before = made.queue
    asking = [threading.Thread(target=lambda: found.append(look(made).understanding.header)) for _ in range(20)]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    made.close()
    assert found == [("truth", "a", "b")] * 20
    assert (before, made.queue) == ({"taken": 0, "done": 0}, {"taken": 20, "done": 20})


def test_nothing_is_left_when_it_is_closed():
    workers = Workers(count=1, seconds=300)
    look(workers)
    process = only_process(workers)
    workers.close()
    assert not alive(process)
    assert workers._pool._processes == set()
    with pytest.raises(LimitExceeded, match="the page is being closed"):
        look(workers)


def test_a_process_that_is_still_starting_is_ended_too():
    workers, found = Workers(count=1, seconds=300), []

    def ask():
        with pytest.raises(LimitExceeded) as refused:
            look(workers)
        found.append(refused)

    asking, waiting = (threading.Thread(target=ask, daemon=True) for _ in range(2))
    asking.start()
    while not workers._pool._processes:
        threading.Event().wait(0.001)
    waiting.start()
    process = only_process(workers)
    os.kill(process, signal.SIGSTOP)  # it will never be ready
    workers.close()
    for thread in (asking, waiting):
        thread.join(120)
    assert len(found) == 2
    assert not alive(process)


def test_outcomes(monkeypatch):
    def full():
        raise MemoryError

    monkeypatch.setattr("foldwise.web.workers.limit_time", lambda seconds: None)  # of this very process
    monkeypatch.setattr(jobs, "full", full, raising=False)
    monkeypatch.setattr(jobs, "add", lambda x: x + 1, raising=False)
    assert PageWork(1).work(("add", (1,))) == ("done", 2)
    kind, error = PageWork(1).work(("full", ()))
    assert kind == "refused"
    assert "more memory than this page gives it" in str(error)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (InvalidInput("a"), InvalidInput),
        (UnknownName("test", "x", ["y"]), InvalidInput),
        (MissingDependency("x", "data"), FoldwiseError),
    ],
)
def test_errors_pass_the_pipe_with_their_message(error, kind):
    passed = portable(error)
    assert type(passed) is kind
    assert str(passed) == str(error)
