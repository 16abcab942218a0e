"""Processes that work out answers, and are ended when an answer takes too long.

A thread can't be stopped; a process can. So the page itself never computes: it stays quick whatever somebody pastes.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from foldwise.core.errors import FoldwiseError, LimitExceeded
from foldwise.core.process import limit_memory
from foldwise.web import process_limits

START_SECONDS = 300.0
"""Time for a new process to load everything, on a very busy machine."""

READY = "ready"


class JobFailed(RuntimeError):
    """A job ended in an error that nobody foresaw; the message is its traceback, for the log."""


class Workers:
    """A few processes, each with one job at a time.

    Parameters
    ----------
    count
        Processes, and so jobs at the same time.
    seconds
        Time for one job.
    waiting
        Jobs that may wait for a process.
    megabytes
        Memory for one job, beyond what a process needs to be ready.
    """

    def __init__(self, *, count: int, seconds: float, waiting: int = 8, megabytes: float = 2000.0) -> None:
        self._seconds, self._megabytes = seconds, megabytes
        self._turn = threading.Semaphore(count)
        self._places = threading.Semaphore(count + waiting)
        self._idle: list[_Worker] = []
        self._busy: list[_Worker] = []
        self._lock = threading.Lock()
        self._closed = False

    def run(self, job: str, *arguments: object) -> Any:
        """Do a job of `foldwise.web.jobs` in one of the processes, and wait for it.

        Raises
        ------
        FoldwiseError
            What the job raised, or `LimitExceeded` when it took too long or too many others are waiting.
        JobFailed
            The job ended in another error.
        """
        if not self._places.acquire(blocking=False):
            raise LimitExceeded("the page is busy with other answers: try again in a moment")
        try:
            with self._turn:
                return self._run(job, arguments)
        finally:
            self._places.release()

    def warm_up(self) -> None:
        """Start a process now, so that the first answer need not wait for it."""
        with self._turn:
            try:
                worker = self._take()
            except LimitExceeded:  # closed already
                return
            try:
                started = worker.ready()
            except (EOFError, OSError):
                started = False
            if started:
                self._give_back(worker)
            else:
                self._end(worker)

    def close(self) -> None:
        """End all processes; whoever waits for one is told that it has ended."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
            for worker in self._busy:
                worker.kill()
        for worker in idle:
            worker.end()

    def _run(self, job: str, arguments: tuple[object, ...]) -> Any:
        worker = self._take()
        try:
            kind, value = worker.run(job, arguments, self._seconds)
        except TimeoutError:
            self._end(worker)
            raise LimitExceeded(
                f"this takes longer than {self._seconds:g} seconds, the most this page spends on an answer: "
                "use fewer rows, the command line, or start the page with --time-limit"
            ) from None
        except (EOFError, OSError):
            self._end(worker)
            raise LimitExceeded("the answer was broken off, perhaps for want of memory: try with less data") from None
        self._give_back(worker)
        if kind == "refused":
            raise value
        if kind == "failed":
            raise JobFailed(value)
        return value

    def _take(self) -> _Worker:
        with self._lock:
            if self._closed:
                raise LimitExceeded("the page is being closed")
            while self._idle and not self._idle[-1].alive:  # killed by the system, or by somebody
                self._idle.pop().end()
            self._busy.append(self._idle.pop() if self._idle else self._start())
            return self._busy[-1]

    def _start(self) -> _Worker:
        return _Worker(work, self._seconds, self._megabytes)

    def _give_back(self, worker: _Worker) -> None:
        with self._lock:
            if not self._closed:
                self._busy.remove(worker)
                self._idle.append(worker)
                return
        self._end(worker)

    def _end(self, worker: _Worker) -> None:
        with self._lock:
            self._busy.remove(worker)
        worker.end()


class _Worker:
    """One process and the pipe to it."""

    def __init__(self, target: Callable[[Connection, float, float], None], seconds: float, megabytes: float) -> None:
        os.environ["PYTHONSAFEPATH"] = "1"  # a new interpreter would look for modules in the working folder first
        context = multiprocessing.get_context("spawn")  # threads run here, so that a fork would not be safe
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=target, args=(theirs, seconds, megabytes), daemon=True, name="foldwise worker"
        )
        self._process.start()
        theirs.close()
        self._ready = False

    @property
    def alive(self) -> bool:
        """Whether the process is there."""
        return self._process.is_alive()

    def ready(self) -> bool:
        """Whether the process has loaded everything; waits for it."""
        if not self._ready:
            self._ready = self._pipe.poll(START_SECONDS) and self._pipe.recv() == READY
        return self._ready

    def run(self, job: str, arguments: tuple[object, ...], seconds: float) -> tuple[str, Any]:
        """What came of a job: ("done", value), ("refused", error) or ("failed", traceback)."""
        if not self.ready():
            raise TimeoutError
        self._pipe.send((job, arguments))
        if not self._pipe.poll(seconds):
            raise TimeoutError
        outcome: tuple[str, Any] = self._pipe.recv()
        return outcome

    def kill(self) -> None:
        """Stop it, whatever it does; who waits for it will notice, and has to `end` it."""
        self._process.kill()

    def end(self) -> None:
        """Stop it and give back what it had."""
        self._process.kill()
        self._process.join()
        self._process.close()
        self._pipe.close()


def work(pipe: Connection, seconds: float, megabytes: float) -> None:
    """What a process does: one job after the other until the pipe is closed, within bounds of memory and time."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the page, which then closes the pipe
    process_limits.end_with_the_page()
    from foldwise.web import jobs

    jobs.load_everything()
    limit_memory(megabytes)
    pipe.send(READY)
    while True:
        try:
            job, arguments = pipe.recv()
        except (EOFError, OSError):
            return
        process_limits.limit_time(seconds)
        pipe.send(_outcome(getattr(jobs, job), arguments))


def _outcome(job: Callable[..., object], arguments: tuple[object, ...]) -> tuple[str, Any]:
    try:
        return "done", job(*arguments)
    except FoldwiseError as error:
        return "refused", _portable(error)
    except MemoryError:
        return "refused", LimitExceeded(
            "the answer needs more memory than this page gives it: use less data, the command line, or start the page "
            "with --max-memory"
        )
    except Exception:  # noqa: BLE001  # whatever it is, the page must say so in one sentence and go on
        return "failed", "".join(traceback.format_exception(*sys.exc_info()))


def _portable(error: FoldwiseError) -> FoldwiseError:
    """The same message; errors whose constructor takes more than a message can't pass a pipe."""
    kind = next(cls for cls in type(error).__mro__ if "__init__" not in vars(cls))
    message = error.said("page")
    return kind(message) if issubclass(kind, FoldwiseError) else FoldwiseError(message)
