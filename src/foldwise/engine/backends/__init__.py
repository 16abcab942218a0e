"""Where the work is done: in this process, in processes of this machine, or on a Dask cluster."""

from __future__ import annotations

from typing import Any

from foldwise.core.errors import InvalidInput
from foldwise.engine.backends.base import Backend, Sequential, Worker, WorkerDied, Workload
from foldwise.engine.limits import WorkLimits

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

    Examples
    --------
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
