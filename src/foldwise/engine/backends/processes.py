"""The backend of worker processes on this machine (loky, which joblib brings)."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import tempfile
import threading
from concurrent.futures import BrokenExecutor, Future
from pathlib import Path
from typing import Any

from foldwise.core.foreign_output import silence_descriptor
from foldwise.engine.backends.base import Parcel, Workload, do_chunk, pack_job

__all__ = ["Processes"]

INLINE_BYTES = 1_000_000
"""A job up to this size travels with each chunk, a larger one through a file that every worker reads once."""

IDLE_SECONDS = 30
"""How long idle workers wait for the next study: a new worker costs about a second of imports."""

# one thread per worker for every numerical library, set before the libraries are loaded
LIBRARIES = ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR", "NUMBA")
ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in LIBRARIES}


# pools by number of workers. Our own, not loky's reusable one: joblib.Parallel takes that for its own kind and fails
_POOLS: dict[int, Any] = {}
_POOLS_LOCK = threading.Lock()


class Processes:
    """Runs chunks in worker processes; consecutive studies share the workers."""

    shared_fate = True

    def __init__(self, job: Workload, workers: int) -> None:
        self._workers = workers
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._parcel = self._wrap(pack_job(job))
        self._executor = _pool(workers)

    def workers(self) -> int:
        """Number of processes."""
        return self._workers

    def submit(self, chunk: Any) -> Future[Any]:
        """Queue the chunk; a pool that broke meanwhile gives a future that says so."""
        try:
            future: Future[Any] = self._executor.submit(do_chunk, self._parcel, chunk)
        except BrokenExecutor as error:
            future = Future()
            future.set_exception(error)
        return future

    def lost(self, error: BaseException) -> bool:
        """A worker that dies breaks the pool."""
        return isinstance(error, BrokenExecutor)

    def repair(self) -> None:
        """Start a new pool."""
        _end_pool(self._executor)
        self._executor = _pool(self._workers)

    def close(self, *, kill: bool) -> None:
        """Leave the workers to the next study, or end them."""
        if kill:
            _end_pool(self._executor)
        if self._folder is not None:
            self._folder.cleanup()

    def _wrap(self, parcel: Parcel) -> Parcel:
        if parcel.data is None or len(parcel.data) <= INLINE_BYTES:
            return parcel
        self._folder = tempfile.TemporaryDirectory(prefix="foldwise-")
        path = Path(self._folder.name) / "job.pickle"
        path.write_bytes(parcel.data)
        return Parcel(parcel.token, None, str(path))


def _pool(workers: int) -> Any:
    """The pool of that many workers, which are started with their first chunks."""
    from joblib.externals.loky import ProcessPoolExecutor

    with _POOLS_LOCK:
        if workers not in _POOLS:
            _POOLS[workers] = ProcessPoolExecutor(
                max_workers=workers,
                timeout=IDLE_SECONDS,
                initializer=start_worker,
                initargs=(os.getpid(),),
                env=ONE_THREAD,
            )
        return _POOLS[workers]


def _end_pool(pool: Any) -> None:
    """Kill the pool's workers; the next study starts new ones."""
    with _POOLS_LOCK:
        for workers in [count for count, known in _POOLS.items() if known is pool]:
            del _POOLS[workers]
    pool.shutdown(wait=True, kill_workers=True)


def start_worker(parent: int) -> None:
    """Prepare a worker: Ctrl-C and standard output are the parent's business, and no worker outlives its parent."""
    silence_descriptor()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        set_parent_death_signal = 1  # PR_SET_PDEATHSIG in <sys/prctl.h>
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)
        if os.getppid() != parent:  # the parent died before the call above
            os._exit(1)
