"""Processes that work out answers, and are ended when an answer takes too long.

A thread can't be stopped; a process can. So the page itself never computes: it stays quick whatever somebody pastes.
The processes are the engine's: memory and time are kept by the operating system, and so is their end with the page's.
"""

from __future__ import annotations

import sys
import threading
import traceback
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import Any

from foldwise.core.errors import FoldwiseError, LimitExceeded
from foldwise.core.process import is_enforced, limit_time
from foldwise.engine.backends import WorkerDied, pack_job
from foldwise.engine.backends.processes import Pool, PoolTask
from foldwise.engine.limits import WorkLimits, begin

START_SECONDS = 300.0  # Time for a new process to load everything, on a very busy machine.


class JobFailed(RuntimeError):
    """A job ended in an error that nobody foresaw; the message is its traceback, for the log."""


@dataclass(frozen=True, slots=True)
class PageWork:
    """What a process does for the page: jobs of `foldwise.web.jobs`, each a name with its arguments."""

    seconds: float  #: Time for one job

    def worker(self) -> PageWork:
        from foldwise.web import jobs

        jobs.load_everything()
        return self

    def work(self, asked: tuple[str, tuple[object, ...]]) -> tuple[str, Any]:
        """What came of a job: ("done", value), ("refused", error) or ("failed", traceback)."""
        from foldwise.web import jobs

        begin()
        limit_time(self.seconds)
        job, arguments = asked
        try:
            return "done", getattr(jobs, job)(*arguments)
        except FoldwiseError as error:
            return "refused", portable(error)
        except MemoryError:
            return "refused", LimitExceeded(
                "the answer needs more memory than this page gives it: use less data, the command line, or start the "
                "page with --max-memory"
            )
        except Exception:  # noqa: BLE001  # whatever it is, the page must say so in one sentence and go on
            return "failed", "".join(traceback.format_exception(*sys.exc_info()))


def portable(error: FoldwiseError) -> FoldwiseError:
    """The same message; errors whose constructor takes more than a message can't pass a pipe."""
    kind = next(cls for cls in type(error).__mro__ if "__init__" not in vars(cls))
    message = error.said("page")
    return kind(message) if issubclass(kind, FoldwiseError) else FoldwiseError(message)


class Workers:
    """A few processes, each with one job at a time.

    `count` is the number of processes, and so of jobs at the same time; `waiting` further ones may wait for their turn.
    A job may take so many `seconds`, and `megabytes` beyond what a process needs to be ready.
    """

    def __init__(self, *, count: int, seconds: float, waiting: int = 8, megabytes: float = 2000.0) -> None:
        memory = megabytes if is_enforced() else None
        self._limits = WorkLimits(fit_seconds=seconds, fit_memory=memory, start_seconds=START_SECONDS)
        self._places = threading.Semaphore(count + waiting)
        self._counting, self._taken, self._done_with = threading.Lock(), 0, 0
        self._pool = Pool(count)
        self._parcel = pack_job(self._work(seconds))

    def _work(self, seconds: float) -> PageWork:
        return PageWork(seconds)

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
        with self._counting:
            self._taken += 1
        try:
            kind, value = self._done(job, arguments)
        finally:
            self._places.release()
            with self._counting:
                self._done_with += 1
        if kind == "refused":
            raise value
        if kind == "failed":
            raise JobFailed(value)
        return value

    @property
    def queue(self) -> dict[str, int]:
        """How many jobs were taken and how many are done: the others wait in turn, or are at work."""
        with self._counting:
            return {"taken": self._taken, "done": self._done_with}

    def _done(self, job: str, arguments: tuple[object, ...]) -> tuple[str, Any]:
        task = PoolTask(self._parcel, (job, arguments), self._limits)
        self._pool.put(task)
        try:
            outcome: tuple[str, Any] = task.future.result()
        except CancelledError:
            raise LimitExceeded("the page is being closed") from None
        except (WorkerDied, OSError, MemoryError) as error:
            if isinstance(error, WorkerDied) and error.final:
                raise LimitExceeded(
                    f"this takes longer than {self._limits.fit_seconds:g} seconds, the most this page spends on an "
                    "answer: use fewer rows, the command line, or start the page with --time-limit"
                ) from None
            raise LimitExceeded("the answer was broken off, perhaps for want of memory: try with less data") from None
        return outcome

    def close(self) -> None:
        """End all processes; whoever waits for one is told that it has ended."""
        self._pool.close()
