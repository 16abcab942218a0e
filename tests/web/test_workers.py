from __future__ import annotations

import multiprocessing
import os
import signal
import threading

import pytest

from foldwise.core.errors import FoldwiseError, InvalidInput, LimitExceeded, MissingDependency, UnknownName
from foldwise.web.doors.base import Entry
from foldwise.web.workers import JobFailed, Workers, _outcome, _portable

ENTRY = Entry(text="truth,a,b\n" + "x,x,y\n" * 20, filename="f.csv")


@pytest.fixture(scope="module")
def workers():
    made = Workers(count=1, seconds=300, waiting=1)
    yield made
    made.close()


def only_process(workers):
    (worker,) = workers._idle
    return worker._process


def alive(pid):
    return pid in {child.pid for child in multiprocessing.active_children()}


def test_a_job_is_done_in_another_process_which_is_kept(workers):
    workers.warm_up()
    first = only_process(workers).pid
    assert first != os.getpid()
    visit = workers.run("visit", "predictions", ENTRY, False)
    assert visit.understanding.header == ("truth", "a", "b")
    assert only_process(workers).pid == first


def test_what_a_job_refuses_is_raised_here(workers):
    with pytest.raises(InvalidInput, match="the text is empty"):
        workers.run("visit", "predictions", Entry(text=" "), True)
    assert alive(only_process(workers).pid)


def test_an_error_nobody_foresaw_is_told_apart(workers):
    with pytest.raises(JobFailed, match="KeyError: 'no such door'"):
        workers.run("visit", "no such door", ENTRY, True)
    assert workers.run("visit", "predictions", ENTRY, False).understanding.problem == ""


def test_a_process_that_was_killed_is_replaced(workers):
    workers.warm_up()
    process = only_process(workers)
    pid = process.pid
    os.kill(pid, signal.SIGKILL)
    process.join()
    assert workers.run("visit", "predictions", ENTRY, False).report == ""  # without a word
    assert only_process(workers).pid != pid


def test_a_job_that_takes_too_long_is_ended_with_its_process():
    workers = Workers(count=1, seconds=0.001)
    try:
        workers.warm_up()
        pid = only_process(workers).pid
        os.kill(pid, signal.SIGSTOP)  # it will never answer
        with pytest.raises(LimitExceeded, match=r"this takes longer than 0\.001 seconds"):
            workers.run("visit", "predictions", ENTRY, True)
        assert not alive(pid)
        assert workers._idle == []
    finally:
        workers.close()


def test_only_so_many_may_wait(workers):
    done = []
    with workers._turn:  # somebody's job takes long
        waiting = threading.Thread(target=lambda: done.append(workers.run("visit", "predictions", ENTRY, False)))
        workers._places.acquire()
        waiting.start()
        while workers._places._value:
            threading.Event().wait(0.01)
        with pytest.raises(LimitExceeded, match="busy with other answers"):
            workers.run("visit", "predictions", ENTRY, False)
    workers._places.release()
    waiting.join()
    assert len(done) == 1


def test_nothing_is_left_when_it_is_closed():
    workers = Workers(count=1, seconds=300)
    workers.warm_up()
    process = only_process(workers).pid
    workers.close()
    assert not alive(process)
    workers.warm_up()  # too late
    assert workers._idle == []
    with pytest.raises(LimitExceeded, match="the page is being closed"):
        workers.run("visit", "predictions", ENTRY, False)


def test_a_process_that_is_still_starting_is_ended_too():
    workers = Workers(count=1, seconds=300)
    warming = threading.Thread(target=workers.warm_up, daemon=True)
    warming.start()
    while not (busy := list(workers._busy)):
        threading.Event().wait(0.001)
    process = busy[0]._process.pid
    os.kill(process, signal.SIGSTOP)  # it will never be ready
    workers.close()
    warming.join(120)
    assert not warming.is_alive()
    assert not alive(process)
    assert workers._busy == []


def test_outcomes():
    def full():
        raise MemoryError

    assert _outcome(lambda x: x + 1, (1,)) == ("done", 2)
    kind, error = _outcome(full, ())
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
    passed = _portable(error)
    assert type(passed) is kind
    assert str(passed) == str(error)
