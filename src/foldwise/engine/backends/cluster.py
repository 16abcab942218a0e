"""The backend of a Dask cluster: one scheduler, workers on any number of machines."""

from __future__ import annotations

import contextlib
import logging
import platform
import socket
import threading
import time
import warnings
from collections.abc import Mapping
from concurrent.futures import CancelledError, Future
from importlib.util import find_spec
from typing import Any

from foldwise.core.errors import ClusterUnavailable, InvalidInput, MissingDependency
from foldwise.core.process import PACKAGES, environment
from foldwise.engine.backends import Backend, Parcel, WorkerDied, Workload, do_chunk, pack_job
from foldwise.engine.backends.processes import WorkerProcess
from foldwise.engine.limits import WorkLimits

_OWN = threading.local()  # The process that does the fits of this thread.


def check_workers(client: Any, workers: list[str], timeout: float) -> None:
    """Refuse workers of other versions, before any work is given to them.

    Dask itself is asked, because code can't be sent to a worker whose Python may not be able to read it.
    """
    message = {"op": "versions", "packages": ["foldwise", *PACKAGES]}
    answers = client.sync(
        client.scheduler.broadcast, msg=message, workers=workers, on_error="ignore", callback_timeout=timeout
    )
    for worker, answer in sorted(answers.items()):
        _compare(worker, _flat(answer))
    unknown = [worker for worker, answer in sorted(answers.items()) if answer["packages"].get("foldwise") is None]
    # Dask reads what was installed; a folder of sources on the worker's path is there, too
    found = client.run(find_spec, "foldwise", workers=unknown) if unknown else {}
    for worker in unknown:
        if found.get(worker) is None:
            raise ClusterUnavailable(
                f"worker {worker} has no foldwise: the same versions of foldwise, Python and {', '.join(PACKAGES)} are "
                "needed everywhere"
            )


def do_checked_chunk(expected: dict[str, str], parcel: Parcel, chunk: object, limits: WorkLimits) -> Any:
    """Run a chunk in a worker, which compares its versions first: it may have joined a moment ago.

    With limits the fits run in a process that the worker starts, one for each of its threads. That this process was
    ended is returned, not raised: Dask would try again.
    """
    if environment() != expected:
        _compare(_own_address(), environment(), expected)
    if not limits.apart:
        return do_chunk(parcel, chunk)
    if getattr(_OWN, "process", None) is None:
        _OWN.process = WorkerProcess()
    try:
        return _OWN.process.do(parcel, chunk, limits)
    except WorkerDied as death:
        _OWN.process = None
        return death


def _own_address() -> str:
    """Where the scheduler knows this worker, so that it is named alike whichever side finds it out."""
    from distributed import get_worker

    try:
        return str(get_worker().address)
    except ValueError:  # not in a task of Dask
        return platform.node()


def _flat(answer: Mapping[str, Any]) -> dict[str, str]:
    """Dask's answer as `environment` has it; a package of which Dask knows no version is left to the worker itself."""
    python = ".".join(str(answer["host"]["python"]).split(".")[:3])
    known = {name: answer["packages"].get(name) for name in ("foldwise", *PACKAGES)}
    return {"Python": python, **{name: str(version) for name, version in known.items() if version is not None}}


def _compare(worker: str, found: Mapping[str, str], expected: Mapping[str, str] | None = None) -> None:
    wanted = environment() if expected is None else expected
    for name, version in wanted.items():
        if found.get(name, version) != version:
            raise ClusterUnavailable(
                f"worker {worker} has {name} {found[name]}, but this process has {version}: the same versions of "
                f"foldwise, Python and {', '.join(PACKAGES)} are needed everywhere"
            )


# ---- Getting in touch with a Dask scheduler, or finding out soon that there is none.

CONNECT_SECONDS = 5  # How long a scheduler may take to greet, and then to accept the client.

LONGEST_GREETING = 2**20


def connect(cluster: object) -> Any:
    """A client of the scheduler at an address, or the client itself; refuses what is no scheduler within seconds."""
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
            return _client(cluster)
    except (OSError, ValueError) as error:  # distributed's TimeoutError is an OSError
        raise ClusterUnavailable(f"cluster {cluster!r}: no Dask scheduler answers at this address") from error


def _silence() -> list[logging.Logger]:
    """Turn off the logs of a client that is ours: what is wrong with the cluster is said once, in our sentence."""
    names = ("asyncio", "tornado.application", *logging.root.manager.loggerDict)
    loggers = [logging.getLogger(n) for n in names if n.startswith(("asyncio", "distributed", "tornado.application"))]
    silenced = [logger for logger in dict.fromkeys(loggers) if not logger.disabled]
    for logger in silenced:
        logger.disabled = True
    return silenced


def _client(address: str) -> Any:
    """A client; one that does not come about counts as closed, or Python would wait for it, in vain, when it ends."""
    from distributed import Client

    client = Client.__new__(Client)
    try:
        client.__init__(address, timeout=CONNECT_SECONDS, set_as_default=False)  # type: ignore[misc]
    except BaseException:
        client.status = "closed"
        raise
    return client


def _greet(address: str) -> None:
    """Refuse an address at which something other than a scheduler answers, or nothing: the client would hang.

    A scheduler speaks first: the length of its greeting, as eight bytes.
    """
    from distributed.comm.addressing import parse_address, parse_host_port

    scheme, location = parse_address(address)
    if scheme == "tls":
        # refuse a tls:// address without certificates: the client would end in a TypeError, and hang when it is
        # closed
        from distributed.security import Security

        try:
            arguments: dict[str, Any] = Security().get_connection_args("client")  # type: ignore[no-untyped-call]
        except OSError as error:  # a file that is missing, or is no certificate (ssl.SSLError)
            where = "the certificates of Dask's configuration (distributed.comm.tls)"
            raise ClusterUnavailable(f"cluster {address!r}: {where} can't be read: {error}") from error
        if arguments.get("ssl_context") is None:
            raise ClusterUnavailable(
                f"cluster {address!r} needs certificates: name them in Dask's configuration (distributed.comm.tls)"
            )
    if scheme != "tcp":
        return
    with socket.create_connection(parse_host_port(location), timeout=CONNECT_SECONDS) as connection:
        length = int.from_bytes(connection.recv(8, socket.MSG_WAITALL), "little")
    if not 0 < length < LONGEST_GREETING:
        raise OSError(f"{address} sent {length} where a scheduler would send the length of its greeting")


RECOUNT_SECONDS = 2  # How often the scheduler is asked for its workers.

ANSWER_SECONDS = 15  # How long it may take to answer.

WORKER_SECONDS = 30  # How long a cluster may be without any worker, at the beginning or later.

# How long a worker may be silent before its chunks are given to others too; workers speak up once a second or so.
SILENT_SECONDS = 30

# How long all workers may be silent: compiled code that keeps Python's lock can make an honest worker so.
DEAF_SECONDS = 120


class Cluster(Backend):
    """Runs chunks on the workers of a running Dask scheduler.

    A `distributed.Client` that is given is left open. Limits of single fits are kept by a process that the worker
    starts.
    """

    def __init__(self, job: Workload, cluster: object, limits: WorkLimits) -> None:
        self._job, self._limits = pack_job(job), limits
        self._owned = isinstance(cluster, str)
        self._client = connect(cluster)
        self._silenced = _silence() if self._owned else []
        self._address = str(self._client.scheduler.address)
        self._roll = _Roll()
        self._counted = 0.0
        self._checked: set[str] = set()
        self._open: dict[Future[Any], _Sent] = {}
        try:
            self._client.wait_for_workers(1, timeout=WORKER_SECONDS)
        except TimeoutError as error:
            raise ClusterUnavailable(f"cluster {self._address!r}: the scheduler has no workers") from error
        self._count()
        self._parcel = self._send_parcel()

    def workers(self) -> int:
        """Threads of all workers; workers may come and go, and those that came must have our versions."""
        self.watch()
        return max(1, self._roll.threads)

    def watch(self) -> None:
        """Give the chunks of silent workers to others; raise when nobody is left who could do them."""
        if time.monotonic() - self._counted <= RECOUNT_SECONDS:
            return
        self._count()
        if self._roll.gone > WORKER_SECONDS:
            raise ClusterUnavailable(
                f"cluster {self._address!r}: no worker is left, for {WORKER_SECONDS:g} seconds now"
            )
        if self._roll.silence > DEAF_SECONDS:
            raise ClusterUnavailable(f"cluster {self._address!r}: no worker answers, for {DEAF_SECONDS:g} seconds now")
        if self._roll.silent and self._roll.heard:
            self._give_to_others()

    def submit(self, chunk: object) -> Future[Any]:
        future: Future[Any] = Future()
        self._open = {known: sent for known, sent in self._open.items() if not known.done()}
        self._open[future] = _Sent(chunk)
        self._send(future)
        return future

    def lost(self, error: BaseException) -> WorkerDied | None:
        """A chunk that killed several workers, or whose future the scheduler lost."""
        from distributed import KilledWorker

        if isinstance(error, ImportError):
            raise ClusterUnavailable(f"the workers at {self._address} lack a package: {error}") from error
        if isinstance(error, (KilledWorker, CancelledError)):
            return WorkerDied("a crash, or no memory left")
        return super().lost(error)

    def repair(self) -> None:
        """Workers are the cluster's business; a scheduler that is gone ends the study."""
        self._ask(self._client.scheduler.identity)

    def close(self) -> None:
        sent = [task for each in self._open.values() for task in each.tasks]
        self._open = {}
        with contextlib.suppress(Exception):  # the scheduler may be gone: there is nothing left to cancel
            self._client.cancel([*sent, self._parcel], asynchronous=False)
        if self._owned:
            self._client.close(timeout=CONNECT_SECONDS)
        for logger in self._silenced:
            logger.disabled = False

    def _count(self) -> None:
        workers = self._ask(self._client.scheduler.identity)["workers"]
        fresh = sorted(set(workers) - self._checked)
        self._roll.call(workers)
        if fresh:
            try:
                check_workers(self._client, fresh, ANSWER_SECONDS)
            except (OSError, TimeoutError) as error:
                raise self._gone() from error
            self._checked.update(fresh)
        self._counted = time.monotonic()

    def _ask(self, question: object) -> Any:
        try:
            return self._client.sync(question, callback_timeout=ANSWER_SECONDS)
        except Exception as error:
            raise self._gone() from error

    def _gone(self) -> ClusterUnavailable:
        return ClusterUnavailable(f"cluster {self._address!r}: the scheduler no longer answers")

    def _send_parcel(self) -> Any:
        # a task rather than scattered data: the scheduler computes it again when the worker that holds it dies
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Sending large graph")
            return self._client.submit(_keep, self._job, pure=False, retries=2, workers=self._roll.preferred)

    def _send(self, future: Future[Any]) -> None:
        sent = self._open[future]
        task = self._client.submit(
            do_checked_chunk, environment(), self._parcel, sent.chunk, self._limits,
            pure=False, retries=2, workers=self._roll.preferred,
        )  # fmt: skip
        sent.tasks.append(task)
        sent.heard = frozenset(self._roll.heard)
        task.add_done_callback(lambda done: _hand_on(done, future))

    def _give_to_others(self) -> None:
        """Send again, to workers that answer, what was sent when a worker that is silent now was among those asked."""
        late = [f for f, sent in self._open.items() if not f.done() and not sent.heard <= self._roll.heard]
        if late:
            self._parcel = self._send_parcel()  # the other copy may lie with the silent worker
        for future in late:
            self._send(future)


class _Sent:
    """A chunk, the tasks that do it, and which workers were heard when it was last sent."""

    def __init__(self, chunk: object) -> None:
        self.chunk, self.tasks = chunk, list[Any]()
        self.heard: frozenset[str] = frozenset()


class _Roll:
    """Which workers there are, and when each was last heard, by our own clock."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[float, float]] = {}
        self._threads: dict[str, int] = {}
        self._last = time.monotonic()

    def call(self, workers: dict[str, Any]) -> None:
        now = time.monotonic()
        if workers:
            self._last = now
        before = self._seen
        self._seen = {}
        for address, known in workers.items():
            said = float(known["last_seen"])
            old = before.get(address)
            self._seen[address] = old if old is not None and old[0] == said else (said, now)
        self._threads = {address: int(known["nthreads"]) for address, known in workers.items()}

    @property
    def heard(self) -> set[str]:
        now = time.monotonic()
        return {address for address, (_, when) in self._seen.items() if now - when <= SILENT_SECONDS}

    @property
    def silent(self) -> set[str]:
        return set(self._seen) - self.heard

    @property
    def preferred(self) -> list[str] | None:
        return sorted(self.heard) if self.silent and self.heard else None

    @property
    def threads(self) -> int:
        return sum(self._threads[address] for address in self.heard)

    @property
    def gone(self) -> float:
        return time.monotonic() - self._last if not self._seen else 0.0

    @property
    def silence(self) -> float:
        return time.monotonic() - max(when for _, when in self._seen.values()) if self._seen else 0.0


def _hand_on(task: Any, future: Future[Any]) -> None:
    """What came of a task is what came of the chunk, unless another task was first or cancelled this one."""
    error: BaseException | None = None
    try:
        outcome = task.result(timeout=CONNECT_SECONDS)
    except TimeoutError:  # the worker that has it went silent
        outcome = WorkerDied("its result could not be fetched")
    except BaseException as raised:  # noqa: BLE001 (the future's reader raises it)
        outcome, error = None, raised
    with contextlib.suppress(Exception):  # another was first
        if error is None and not isinstance(outcome, WorkerDied):
            future.set_result(outcome)
        else:
            future.set_exception(error or outcome)


def _keep(parcel: Parcel) -> Parcel:
    return parcel
