"""The contract of a backend, and how a job travels to workers."""

from __future__ import annotations

import pickle
import uuid
from collections import OrderedDict
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from foldwise.core.errors import InvalidInput
from foldwise.core.foreign_output import prints_to_stderr

__all__ = ["Backend", "Parcel", "Worker", "Workload", "do_chunk", "pack_job"]


class Worker(Protocol):
    """Does pieces of one workload; may keep what they share."""

    def work(self, chunk: Any) -> Any:
        """The outcome of one piece."""


class Workload(Protocol):
    """Anything picklable that can be done in pieces: the fits of a study, the trials of a simulation."""

    def worker(self) -> Worker:
        """One for each process that does pieces."""


class Backend(Protocol):
    """Runs chunks behind the interface of `concurrent.futures`.

    A future's result is what the workload's worker makes of the chunk. A chunk whose future raises an error that
    `lost` recognises was taken down with its worker: the engine calls `repair` and submits it again.
    """

    shared_fate: bool
    """Whether the death of one worker takes all running chunks with it."""

    def workers(self) -> int:
        """Number of chunks that can run at the same time."""

    def submit(self, chunk: Any) -> Future[Any]:
        """Start a chunk."""

    def lost(self, error: BaseException) -> bool:
        """Whether the error says that a worker died rather than that the work failed."""

    def repair(self) -> None:
        """Make the backend usable again after a worker died."""

    def close(self, *, kill: bool) -> None:
        """Let go of the workers; with `kill`, running chunks are abandoned."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """A pickled job: its bytes, or a file that holds them."""

    token: str
    data: bytes | None
    path: str | None

    def unpack(self) -> Workload:
        """The job itself."""
        import cloudpickle

        data = self.data if self.data is not None else Path(str(self.path)).read_bytes()
        job: Workload = cloudpickle.loads(data)
        return job


def pack_job(job: Workload) -> Parcel:
    """Pickle a job; classes and functions of the user's script travel with it."""
    import cloudpickle

    try:
        data = cloudpickle.dumps(job, protocol=5)
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        raise InvalidInput(f"learners and scoring must be picklable to run in other processes: {error}") from error
    return Parcel(uuid.uuid4().hex, data, None)


# what a worker process has unpacked; a second job may run while the first one's last chunks end
_UNPACKED: OrderedDict[str, Worker] = OrderedDict()
_KEEP = 2


def do_chunk(parcel: Parcel, chunk: Any) -> Any:
    """Run a chunk in a worker process, which unpacks each job once."""
    worker: Any = _UNPACKED.get(parcel.token)
    if worker is None:
        worker = parcel.unpack().worker()
        _UNPACKED[parcel.token] = worker
        while len(_UNPACKED) > _KEEP:
            _UNPACKED.popitem(last=False)
    with prints_to_stderr():
        return worker.work(chunk)
