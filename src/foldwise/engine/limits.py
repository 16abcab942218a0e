"""What one fit, and all of them together, may take; kept from outside, by ending the process that does the fit."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from foldwise.core.errors import InvalidInput
from foldwise.core.process import is_enforced
from foldwise.core.validation import positive


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkLimits:
    """Bounds of the work; None where there is none."""

    fit_seconds: float | None = None  #: Time of one fit with its predictions and its score
    fit_memory: float | None = None  #: Megabytes that a fit may take beyond what its process has with the data
    start_seconds: float | None = None  #: Time from when a piece is handed to a process until its first fit begins
    deadline: float | None = None  #: When everything must be over, by `time.monotonic`

    @property
    def apart(self) -> bool:
        """Whether fits need processes of their own: compiled code that runs on and on can't be stopped otherwise."""
        return (self.fit_seconds, self.fit_memory, self.deadline) != (None, None, None)

    @property
    def over(self) -> bool:
        return self.deadline is not None and time.monotonic() >= self.deadline


def limits_of(
    *, fit_seconds: float | None = None, fit_memory: float | None = None, max_seconds: float | None = None
) -> WorkLimits:
    """Check what the user gave.

    >>> limits_of(fit_seconds=60).apart, limits_of().apart
    (True, False)
    """
    if fit_seconds is not None:
        positive(fit_seconds, "fit_seconds")
    if fit_memory is not None:
        positive(fit_memory, "fit_memory")
        if not is_enforced():
            raise InvalidInput(f"fit_memory can be kept on Linux only, got {fit_memory:g} on another system")
    deadline = None if max_seconds is None else time.monotonic() + positive(max_seconds, "max_seconds")
    return WorkLimits(fit_seconds=fit_seconds, fit_memory=fit_memory, deadline=deadline)


# who is told when a fit begins: nobody, or whoever started this worker process
_told: Callable[[Any, int, int], None] | None = None


def begin(piece: object = None, *, fits: int = 1, of: int = 1) -> None:
    """Say that a fit begins, or so many that are done in one call: the time that they may take begins now.

    `piece` is the part of the workload's piece that they are; None for all of it. The call may take `fits` times
    `fit_seconds`. Of very many short beginnings (`of`) nobody is told, unless their time counts.
    """
    end_copies()
    if _told is not None:
        _told(piece, fits, of)


# the process that does the work; None where none was begun
_home: int | None = None


def at_home() -> None:
    """Say that this process does the work from now on: before each piece."""
    global _home  # noqa: PLW0603
    _home = os.getpid()


def end_copies() -> None:
    """End this process if a learner made it by a fork and went on in both: each would do all the work that is left.

    With every fit their number would double, and each would write to the same store and the same answer.
    """
    if _home not in (None, os.getpid()):
        sys.stderr.write("foldwise: a learner forked the program in a fit and did not end the copy: it is ended here\n")
        sys.stderr.flush()
        os._exit(70)


def tell_beginnings(listener: Callable[[Any, int, int], None]) -> None:
    """In a worker process: whom `begin` tells."""
    global _told  # noqa: PLW0603  (fits begin deep inside workloads, and a worker process has one listener)
    _told = listener


# ---- A crash in compiled code ends the program before Python can say anything: the system's handler says it.

_CRASHES = ("SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE")
_watched = threading.Lock()


@contextlib.contextmanager
def crashes_are_said(doing: Callable[[], str]) -> Iterator[None]:
    """Write a sentence on standard error before a fit in this process dies by a signal such as SIGSEGV.

    Python's own handlers run between two of its instructions, so never after a crash. The C library is told to call
    back instead, and to end the program as it would have ended when the instruction that crashed is tried again.
    """
    if os.name != "posix" or not _watched.acquire(blocking=False):  # another thread's fits are watched already
        yield
        return
    libc = ctypes.CDLL(None)
    libc.signal.restype, libc.signal.argtypes = ctypes.c_void_p, (ctypes.c_int, ctypes.c_void_p)
    before: dict[int, int | None] = {}

    def say(number: int) -> None:
        libc.signal(number, before[number])
        what = f"foldwise: {doing()} crashed in compiled code ({signal.Signals(number).name}), which ends the program"
        os.write(2, f"{what}; with n_jobs=2 (--jobs 2) fits have processes of their own, and it is reported\n".encode())

    handler = ctypes.CFUNCTYPE(None, ctypes.c_int)(say)
    try:
        for number in (getattr(signal, name) for name in _CRASHES):
            before[number] = libc.signal(number, ctypes.cast(handler, ctypes.c_void_p))
        yield
    finally:
        for number, old in before.items():
            libc.signal(number, old)
        _watched.release()
