"""The backend of a Dask cluster: one scheduler, workers on any number of machines."""

from __future__ import annotations

import contextlib
import socket
import time
import warnings
from concurrent.futures import CancelledError, Future
from typing import Any

from foldwise.core.environment import environment
from foldwise.core.errors import ClusterUnavailable, InvalidInput, MissingDependency
from foldwise.engine.backends.base import Parcel, Workload, pack_job
from foldwise.engine.backends.versions import check_workers, do_checked_chunk

__all__ = ["Cluster"]

CONNECT_SECONDS = 5
WORKER_SECONDS = 30
RECOUNT_SECONDS = 2
LONGEST_GREETING = 2**20


class Cluster:
    """Runs chunks on the workers of a running Dask scheduler.

    Parameters
    ----------
    job
        The study.
    cluster
        The scheduler's address, or a `distributed.Client`, which is left open.
    """

    shared_fate = False

    def __init__(self, job: Workload, cluster: Any) -> None:
        parcel = pack_job(job)
        self._owned = isinstance(cluster, str)
        self._client = _connect(cluster)
        self._address = str(self._client.scheduler.address)
        self._counted, self._workers = 0.0, 0
        self._checked: set[str] = set()
        _await_workers(self._client, self._address)
        self.workers()
        self._executor = self._client.get_executor(pure=False, retries=2)
        # a task rather than scattered data: the scheduler computes it again when the worker that holds it dies
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Sending large graph")
            self._parcel = self._client.submit(_keep, parcel, pure=False, retries=2)

    def workers(self) -> int:
        """Threads of all workers; workers may come and go, and those that came must have our versions."""
        now = time.monotonic()
        if now - self._counted > RECOUNT_SECONDS:
            try:
                threads = self._client.sync(self._client.scheduler.ncores, callback_timeout=CONNECT_SECONDS)
                if not self._checked.issuperset(threads):
                    check_workers(self._client, sorted(set(threads) - self._checked), CONNECT_SECONDS)
                    self._checked.update(threads)
                self._workers, self._counted = sum(threads.values()), now
            except (OSError, TimeoutError) as error:
                raise self._gone() from error
        return max(1, self._workers)

    def submit(self, chunk: Any) -> Future[Any]:
        """Send the chunk; the job itself travels to each worker once."""
        future: Future[Any] = self._executor.submit(do_checked_chunk, environment(), self._parcel, chunk)
        return future

    def lost(self, error: BaseException) -> bool:
        """A chunk that killed several workers, or whose future the scheduler lost."""
        from distributed import KilledWorker

        if isinstance(error, ImportError):
            raise ClusterUnavailable(f"the workers at {self._address} lack a package: {error}") from error
        return isinstance(error, (KilledWorker, CancelledError))

    def repair(self) -> None:
        """Workers are the cluster's business; a scheduler that is gone ends the study."""
        try:
            self._client.sync(self._client.scheduler.identity, callback_timeout=CONNECT_SECONDS)
        except Exception as error:
            raise self._gone() from error

    def _gone(self) -> ClusterUnavailable:
        return ClusterUnavailable(f"cluster {self._address!r}: the scheduler no longer answers")

    def close(self, *, kill: bool) -> None:
        """Cancel what still runs, and disconnect if the connection is ours."""
        with contextlib.suppress(Exception):  # the scheduler may be gone: there is nothing left to cancel
            self._executor.shutdown(wait=False)
            self._client.cancel([self._parcel])
        if self._owned:
            self._client.close(timeout=CONNECT_SECONDS)


def _connect(cluster: Any) -> Any:
    try:
        from distributed import Client
    except ImportError as error:
        raise MissingDependency("cluster", "cluster") from error
    if isinstance(cluster, Client):
        return cluster
    if not isinstance(cluster, str):
        raise InvalidInput(f"cluster must be a scheduler's address such as 'tcp://host:8786', got {cluster!r}")
    try:
        _greet(cluster)
        with warnings.catch_warnings():
            # about versions: `check_workers` refuses those that matter
            warnings.filterwarnings("ignore", message="Mismatched versions found")
            return Client(cluster, timeout=CONNECT_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:  # distributed's TimeoutError is an OSError
        raise ClusterUnavailable(f"cluster {cluster!r}: no Dask scheduler answers at this address") from error


def _greet(address: str) -> None:
    """Refuse an address at which something other than a scheduler answers, or nothing: the client would hang.

    A scheduler speaks first: the length of its greeting, as eight bytes.
    """
    from distributed.comm.addressing import parse_address, parse_host_port

    scheme, location = parse_address(address)
    if scheme == "tls":
        _check_certificates(address)
    if scheme != "tcp":
        return
    with socket.create_connection(parse_host_port(location), timeout=CONNECT_SECONDS) as connection:
        length = int.from_bytes(connection.recv(8, socket.MSG_WAITALL), "little")
    if not 0 < length < LONGEST_GREETING:
        raise OSError(f"{address} sent {length} where a scheduler would send the length of its greeting")


def _check_certificates(address: str) -> None:
    """Refuse a tls:// address without certificates: the client would end in a TypeError, and hang when it is closed."""
    from distributed.security import Security

    arguments: dict[str, Any] = Security().get_connection_args("client")  # type: ignore[no-untyped-call]
    if arguments.get("ssl_context") is None:
        raise ClusterUnavailable(
            f"cluster {address!r} needs certificates: name them in Dask's configuration (distributed.comm.tls)"
        )


def _await_workers(client: Any, address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=WORKER_SECONDS)
    except TimeoutError as error:
        raise ClusterUnavailable(f"cluster {address!r}: the scheduler has no workers") from error


def _keep(parcel: Parcel) -> Parcel:
    """The parcel itself, as the result of a task."""
    return parcel
