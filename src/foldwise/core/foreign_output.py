"""Standard output belongs to the answer: what other people's code prints goes to standard error."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from typing import TextIO

__all__ = ["answers_alone", "prints_to_stderr", "silence_descriptor"]

STDOUT, STDERR = 1, 2
"""File descriptors, as POSIX numbers them."""

_lock = threading.Lock()
_inside = 0
_answers: TextIO | None = None


@contextlib.contextmanager
def prints_to_stderr() -> Iterator[None]:
    """While learners, scorers and populations run, ``print`` writes to standard error.

    Threads may be inside at the same time (a Dask worker has several): the first one in redirects and the last one out
    restores, which ``contextlib.redirect_stdout`` would get wrong.

    Examples
    --------
    >>> with prints_to_stderr():
    ...     print("progress of a learner")
    """
    global _inside, _answers  # noqa: PLW0603  (sys.stdout is the process's, and so is this)
    with _lock:
        _inside += 1
        if _inside == 1:
            _answers, sys.stdout = sys.stdout, sys.stderr
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0 and _answers is not None:
                sys.stdout, _answers = _answers, None


@contextlib.contextmanager
def answers_alone() -> Iterator[None]:
    """For a whole command: ``sys.stdout`` keeps the real standard output, descriptor 1 becomes standard error.

    Compiled code that prints, and processes started meanwhile, write to the descriptor. Nothing happens where
    ``sys.stdout`` is not that descriptor (a notebook, a test that captures it) or there is no standard error.
    """
    try:
        real = sys.stdout.fileno() == STDOUT and os.fstat(STDERR) is not None
    except (AttributeError, OSError, ValueError):
        real = False
    if not real:
        yield
        return
    usual = sys.stdout
    usual.flush()
    kept = os.dup(STDOUT)
    sys.stdout = open(kept, "w", encoding=usual.encoding, errors=usual.errors, closefd=False)  # noqa: SIM115
    os.dup2(STDERR, STDOUT)
    try:
        yield
    finally:
        try:
            with contextlib.suppress(BrokenPipeError):
                sys.stdout.flush()
        except OSError:  # a full disk: what could not be written must not be tried again when Python ends
            with open(os.devnull, "w") as nowhere:  # noqa: PTH123
                os.dup2(nowhere.fileno(), kept)
            sys.stdout.flush()
            raise
        finally:
            sys.stdout = usual
            os.dup2(kept, STDOUT)
            os.close(kept)


def silence_descriptor() -> None:
    """In a process that gives no answers: descriptor 1 is standard error from now on."""
    with contextlib.suppress(OSError):  # a process without standard streams
        os.dup2(STDERR, STDOUT)
