"""The backend of worker processes on this machine."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
from concurrent.futures import Future, wait
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any

import foldwise
from foldwise.core.kernels import say
from foldwise.engine.backends import Backend, Parcel, WorkerDied, Workload, pack_job
from foldwise.engine.backends.child import read_frame, write_frame
from foldwise.engine.limits import WorkLimits

# a plain interpreter rather than multiprocessing's: the user's script is not imported again, there are no semaphores
# to clean up, and no fork of a process with threads what the package needs comes from where it was installed; the
# folders of the user's modules are looked at afterwards
START = (
    "import json,sys;paths,home=json.loads(sys.argv[1]);sys.path[:0]=[home]*(home not in sys.path);sys.path+=paths;"
    "from foldwise.engine.backends.child import serve;sys.path[:]=paths;serve({})"
)
HOME = str(Path(foldwise.__file__).parents[1])

# one thread per worker for every numerical library, set before the libraries are loaded
LIBRARIES = ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR", "NUMBA")
ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in LIBRARIES}

POSIX = os.name == "posix"


class WorkerProcess:
    """Does one piece at a time; must be used by the thread that made it, to whose life the system ties its own.

    It is the head of a process group of its own: Ctrl-C does not reach it, at whatever moment of its start, and what a
    learner started is ended with it.
    """

    def __init__(self) -> None:
        flags: list[str] = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
        command = [sys.executable, *flags, "-P", "-c", START.format(os.getpid()), json.dumps((sys.path, HOME))]
        self._popen = subprocess.Popen(  # noqa: S603 (our own interpreter)
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **ONE_THREAD},
            process_group=0 if POSIX else None,
        )
        self._token: tuple[str, float | None] | None = None
        self._overdue = False

    def do(self, parcel: Parcel, chunk: object, limits: WorkLimits) -> Any:
        """The outcome of a piece; raises what it raised, or WorkerDied, after which this process can't be used."""
        at: Any = None
        allowance = limits.start_seconds
        token = (parcel.token, limits.fit_memory)
        job = None if token == self._token else (parcel.data, sys.path)  # which may have grown since it was started
        try:
            self._send((job, chunk, limits.fit_memory, limits.fit_seconds is not None))
            self._token = token
            while True:
                kind, value = self._receive(allowance)
                if kind == "says":
                    say(value)
                    continue
                if kind != "at":
                    break
                at, fits = value
                allowance = None if limits.fit_seconds is None else limits.fit_seconds * fits
        except (EOFError, OSError):
            code = self.end()
            if self._overdue:
                reason = f"it took longer than the {limits.fit_seconds:g} seconds that a fit may take (fit_seconds)"
                raise WorkerDied(reason, at, final=True) from None
            raise WorkerDied(_cause(code, limits), at) from None
        if kind == "raised":
            raise value
        return value

    @property
    def alive(self) -> bool:
        return self._popen.poll() is None

    def kill(self) -> None:
        if self._popen.returncode is not None:  # its number may belong to another process by now
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if POSIX:
                os.killpg(self._popen.pid, signal.SIGKILL)
            else:
                self._popen.kill()

    def end(self) -> int:
        """Stop it, if it has not stopped, and give back what it had; returns its exit code."""
        self.kill()
        code = self._popen.wait()
        for stream in (self._popen.stdin, self._popen.stdout):
            with contextlib.suppress(OSError):
                assert stream is not None
                stream.close()
        return code

    def _send(self, message: tuple[Any, ...]) -> None:
        assert self._popen.stdin is not None
        write_frame(self._popen.stdin, pickle.dumps(message, protocol=5))

    def _receive(self, seconds: float | None) -> tuple[str, Any]:
        stream: IO[bytes] | None = self._popen.stdout
        assert stream is not None
        if seconds is None:
            content = read_frame(stream)
        else:
            timer = threading.Timer(seconds, self._end_overdue)
            timer.daemon = True
            timer.start()
            try:
                content = read_frame(stream)
            finally:
                timer.cancel()
        message: tuple[str, Any] = pickle.loads(content)  # noqa: S301 (from a process that this one started)
        return message

    def _end_overdue(self) -> None:
        self._overdue = True
        self.kill()


def _cause(code: int, limits: WorkLimits) -> str:
    if POSIX and code == -signal.SIGKILL:
        return "it was killed, as the system does when memory runs out"
    what = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
    hint = f", perhaps for want of memory beyond fit_memory = {limits.fit_memory:g} MB" if limits.fit_memory else ""
    return f"it ended with {what}{hint}"


# ---- The backend of worker processes on this machine.

IDLE_SECONDS = 30  # How long idle workers wait for the next study: a new worker costs about a second of imports.

END_SECONDS = 10  # How long to wait for killed processes to be gone.


class Processes(Backend):
    """Runs chunks in worker processes; consecutive studies share the workers."""

    def __init__(self, job: Workload, workers: int, limits: WorkLimits) -> None:
        self._workers, self._limits = workers, limits
        self._parcel = pack_job(job)
        self._tasks: list[PoolTask] = []

    def workers(self) -> int:
        return self._workers

    def submit(self, chunk: object) -> Future[Any]:
        self._tasks = [task for task in self._tasks if not task.future.done()]
        self._tasks.append(PoolTask(self._parcel, chunk, self._limits))
        # the pool of that many workers, which are started with their first chunks
        _POOLS.setdefault((os.getpid(), self._workers), Pool(self._workers, IDLE_SECONDS)).put(self._tasks[-1])
        return self._tasks[-1].future

    def close(self) -> None:
        """Leave the workers to the next study; those that still work on this one are killed."""
        for task in self._tasks:
            task.abandon()
        wait([task.future for task in self._tasks], timeout=END_SECONDS)


class PoolTask:
    def __init__(self, parcel: Parcel, chunk: object, limits: WorkLimits) -> None:
        self.future: Future[Any] = Future()
        self._parcel, self._chunk, self._limits = parcel, chunk, limits
        self._process: WorkerProcess | None = None
        self._abandoned = False

    def do(self, process: WorkerProcess) -> bool:
        """Let the process do the chunk; False when the process is gone afterwards."""
        self._process = process
        if self._abandoned:  # looked at after the line above, as `abandon` writes before it looks
            self.future.set_exception(WorkerDied("it was abandoned"))
            return True
        try:
            outcome = process.do(self._parcel, self._chunk, self._limits)
        except WorkerDied as death:
            self.future.set_exception(death)
            return False
        except BaseException as error:  # noqa: BLE001 (the future's reader raises it)
            self.future.set_exception(error)
        else:
            self.future.set_result(outcome)
        return True

    def abandon(self) -> None:
        """See to it that it is not begun, or ends now."""
        self._abandoned = True
        if not self.future.cancel() and not self.future.done() and self._process is not None:
            self._process.kill()


class Pool:
    """Threads that take tasks from one queue, each with a process of its own.

    A process that had nothing to do for `idle_seconds` is ended; None keeps it. Threads outlast their tasks, because
    the system ends a process with the thread that started it.
    """

    def __init__(self, workers: int, idle_seconds: float | None = None) -> None:
        self._workers, self._idle_seconds = workers, idle_seconds
        self._tasks: SimpleQueue[PoolTask | None] = SimpleQueue()
        self._processes: set[WorkerProcess] = set()
        self._threads: list[threading.Thread] = []
        self._closed = False
        self._lock = threading.Lock()

    def put(self, task: PoolTask) -> None:
        """Queue a task; that of a closed pool is cancelled."""
        with self._lock:
            if self._closed:
                task.future.cancel()
                return
            self._tasks.put(task)
            if self._threads:
                return
            atexit.register(self._end, os.getpid())
            for _ in range(self._workers):
                self._threads.append(threading.Thread(target=self._serve, daemon=True, name="foldwise worker"))
                self._threads[-1].start()

    def close(self) -> None:
        """End all processes, whatever they do, and wait until they are gone; tasks that wait are cancelled."""
        with self._lock:
            self._closed = True
        with contextlib.suppress(Empty):
            while task := self._tasks.get_nowait():
                task.future.cancel()
        for _ in self._threads:
            self._tasks.put(None)
        self._end(os.getpid())
        for thread in self._threads:
            thread.join(END_SECONDS)

    def _serve(self) -> None:
        process: WorkerProcess | None = None
        while True:
            try:
                task = self._tasks.get(timeout=None if process is None else self._idle_seconds)
            except Empty:
                self._part_with(process)
                process = None
                continue
            if task is None:
                self._part_with(process)
                return
            if not task.future.set_running_or_notify_cancel():
                continue
            if process is not None and not process.alive:  # killed by the system, or by somebody
                self._part_with(process)
                process = None
            try:
                process = process or self._start()
            except OSError as error:  # no more processes, or no memory for one
                task.future.set_exception(error)
                continue
            if not task.do(process):
                self._part_with(process)
                process = None

    def _start(self) -> WorkerProcess:
        process = WorkerProcess()
        self._processes.add(process)
        if self._closed:
            process.kill()
        return process

    def _part_with(self, process: WorkerProcess | None) -> None:
        if process is not None:
            process.end()
            self._processes.discard(process)

    def _end(self, pid: int) -> None:
        """At the end of the program; not in a process forked from it, whose children these are not."""
        if os.getpid() == pid:
            for process in list(self._processes):
                with contextlib.suppress(OSError):
                    process.kill()


# by process, because a fork inherits the dictionary but no threads, and by number of workers
_POOLS: dict[tuple[int, int], Pool] = {}


def is_warm(workers: int) -> bool:
    """Whether so many workers wait for work, or some of them."""
    pool = _POOLS.get((os.getpid(), workers))
    return pool is not None and bool(pool._processes)
