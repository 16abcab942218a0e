"""What holds a worker process back, by the operating system, so that it holds whatever the process is doing.

Three bounds: memory (RLIMIT_AS), processor time (RLIMIT_CPU), and the life of the page itself. A process that computes
does not look whether the page is still there; the system does, and ends it. PR_SET_PDEATHSIG would be tied to the
*thread* that started the process, and the page's threads come and go; so the pipe that ends with the page is asked to
send a signal (O_ASYNC), whose default action is to end the process.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from multiprocessing.connection import wait

try:
    import fcntl
    import resource
except ImportError:  # Windows has neither; the page's own time limit holds there
    KEPT_BY_THE_SYSTEM = False
else:
    KEPT_BY_THE_SYSTEM = True

_end_at_once = os._exit  # the real one: while learners run it is another
SPARE_SECONDS = 2


def end_with_the_page() -> None:
    """End this process as soon as the one that started it is gone, even by SIGKILL."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    if KEPT_BY_THE_SYSTEM and hasattr(os, "O_ASYNC"):
        fcntl.fcntl(parent.sentinel, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(parent.sentinel, fcntl.F_SETFL, fcntl.fcntl(parent.sentinel, fcntl.F_GETFL) | os.O_ASYNC)
    threading.Thread(target=_watch, args=(parent.sentinel,), daemon=True, name="foldwise watch").start()


def limit_time(seconds: float) -> None:
    """Let this process compute so long from now, on all processors, before the system ends it."""
    if not KEPT_BY_THE_SYSTEM:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    allowed = used.ru_utime + used.ru_stime + seconds * (os.cpu_count() or 1)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(allowed) + SPARE_SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _watch(sentinel: int) -> None:
    """Where no signal comes: wait for the end of the page."""
    wait([sentinel])
    _end_at_once(1)
