"""Where the work is done: in this process, in processes of this machine, or on a Dask cluster."""

from __future__ import annotations

import pickle
import uuid
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Protocol

from foldwise.core.errors import InvalidInput
from foldwise.core.process import prints_to_stderr
from foldwise.engine.limits import WorkLimits, at_home, crashes_are_said, end_copies, tell_beginnings

__all__ = ["Backend", "Worker", "WorkerDied", "Workload", "choose_backend", "count_workers"]


def choose_backend(job: Workload, *, n_jobs: int | None, cluster: Any, limits: WorkLimits) -> Backend:
    """The backend for `n_jobs` processes, or for a cluster's scheduler when its address is given.

    One process is this one, unless there are limits, which can be kept from outside only.
    """
    if cluster is not None:
        from foldwise.engine.backends.cluster import Cluster

        return Cluster(job, cluster, limits)
    workers = count_workers(n_jobs)
    if workers == 1 and not limits.apart:
        return Sequential(job)
    from foldwise.engine.backends.processes import Processes

    return Processes(job, workers, limits)


def count_workers(n_jobs: int | None) -> int:
    """Number of processes for `n_jobs`: None is 1, −1 all processors, −2 all but one.

    >>> count_workers(None), count_workers(3)
    (1, 3)
    """
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, int) or n_jobs == 0:
        raise InvalidInput(f"n_jobs must be a whole number other than 0, or None, got {n_jobs!r}")
    if n_jobs > 0:
        return n_jobs
    from joblib import cpu_count

    return max(1, int(cpu_count()) + 1 + n_jobs)


# ---- The contract of a backend, and how a job travels to workers.


class Worker(Protocol):
    """Does pieces of one workload; may keep what they share."""

    def work(self, chunk: Any) -> Any: ...


class Workload(Protocol):
    """Anything picklable that can be done in pieces: the fits of a study, the trials of a simulation."""

    def worker(self) -> Worker: ...


class WorkerDied(Exception):
    """A worker went down with the piece that it was doing.

    `reason`: what is known of it. `at`: the part of the piece that was being done, as the workload told it; None where
    that is not known. `final`: whether it was ended because the part took more than it may: there is no use in doing it
    again.
    """

    def __init__(self, reason: str, at: Any = None, final: bool = False) -> None:
        super().__init__(reason, at, final)
        self.reason, self.at, self.final = reason, at, final


class Backend:
    """Runs chunks behind the interface of `concurrent.futures`.

    A future's result is what the workload's worker makes of the chunk. A chunk whose future raises an error that
    `lost` recognises was taken down with its worker: the engine calls `repair` and submits it again.
    """

    def submit(self, chunk: object) -> Future[Any]:
        """Start a chunk."""
        raise NotImplementedError

    def workers(self) -> int:
        """Number of chunks that can run at the same time."""
        return 1

    def watch(self) -> None:
        """Called now and then while chunks run: raise if they can't be expected to end."""

    def lost(self, error: BaseException) -> WorkerDied | None:
        """What the error says of a worker that died; None where the work itself failed."""
        return error if isinstance(error, WorkerDied) else None

    def repair(self) -> None:
        """Make the backend usable again after a worker died."""

    def close(self) -> None:
        """Let go of the workers; chunks that still run are abandoned."""


@dataclass(frozen=True, slots=True)
class Parcel:
    token: str
    data: bytes


def pack_job(job: Workload) -> Parcel:
    """Pickle a job; classes and functions of the user's script travel with it."""
    import cloudpickle

    try:
        data = cloudpickle.dumps(job, protocol=5)
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        raise InvalidInput(f"learners and scoring must be picklable to run in other processes: {error}") from error
    return Parcel(uuid.uuid4().hex, data)


def unpack_job(data: bytes) -> Workload:
    import cloudpickle

    job: Workload = cloudpickle.loads(data)
    return job


# what a worker of a cluster has unpacked; a second job may run while the first one's last chunks end
_UNPACKED: OrderedDict[str, Worker] = OrderedDict()
_KEEP = 2


def do_chunk(parcel: Parcel, chunk: object) -> Any:
    """Run a chunk in a worker of a cluster, which unpacks each job once."""
    worker: Any = _UNPACKED.get(parcel.token)
    if worker is None:
        worker = unpack_job(parcel.data).worker()
        _UNPACKED[parcel.token] = worker
        while len(_UNPACKED) > _KEEP:
            _UNPACKED.popitem(last=False)
    at_home()
    with prints_to_stderr():
        return worker.work(chunk)


# ---- The backend that works in the calling process.


class Sequential(Backend):
    """Runs each chunk when it is submitted."""

    def __init__(self, job: Workload) -> None:
        self._worker = job.worker()
        self._now: Any = None  # the piece that is being done
        self._describe: Callable[[Any], str] | None = getattr(job, "describe", None)

    def submit(self, chunk: object) -> Future[Any]:
        future: Future[Any] = Future()
        at_home()
        tell_beginnings(self._begins)
        with prints_to_stderr(), crashes_are_said(self._doing):
            future.set_result(self._worker.work(chunk))
        end_copies()
        return future

    def _begins(self, piece: object, fits: int, of: int) -> None:
        self._now = piece

    def _doing(self) -> str:
        return "a learner" if self._now is None or self._describe is None else self._describe(self._now)
