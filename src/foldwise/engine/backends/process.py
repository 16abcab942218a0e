"""One worker process, seen from the process that started it."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
from typing import IO, Any

from foldwise.engine.backends.base import Parcel, WorkerDied
from foldwise.engine.backends.child import read_frame, write_frame
from foldwise.engine.limits import Limits
from foldwise.learners.notice import say

__all__ = ["WorkerProcess"]

# a plain interpreter rather than multiprocessing's: the user's script is not imported again, there are no semaphores to
# clean up, and no fork of a process with threads
START = "import json,sys;sys.path[:]=json.loads(sys.argv[1]);from foldwise.engine.backends.child import serve;serve({})"

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
        command = [sys.executable, *flags, "-P", "-c", START.format(os.getpid()), json.dumps(sys.path)]
        self._popen = subprocess.Popen(  # noqa: S603 (our own interpreter)
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **ONE_THREAD},
            process_group=0 if POSIX else None,
        )
        self._token: tuple[str, float | None] | None = None
        self._overdue = False

    def do(self, parcel: Parcel, chunk: Any, limits: Limits) -> Any:
        """The outcome of a piece; raises what it raised, or WorkerDied, after which this process can't be used."""
        at: Any = None
        allowance: float | None = None
        token = (parcel.token, limits.fit_memory)
        job = None if token == self._token else parcel.data
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

    def kill(self) -> None:
        """Stop it and what it started; the thread that waits for it notices."""
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


def _cause(code: int, limits: Limits) -> str:
    if POSIX and code == -signal.SIGKILL:
        return "it was killed, as the system does when memory runs out"
    what = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
    hint = f", perhaps for want of memory beyond fit_memory = {limits.fit_memory:g} MB" if limits.fit_memory else ""
    return f"it ended with {what}{hint}"
