"""The backend that works in the calling process."""

from __future__ import annotations

from concurrent.futures import Future

from foldwise.engine.job import Chunk, Job, Report, Worker

__all__ = ["Sequential"]


class Sequential:
    """Runs each chunk when it is submitted."""

    shared_fate = True

    def __init__(self, job: Job) -> None:
        self._worker = Worker(job)

    def workers(self) -> int:
        """One: the caller."""
        return 1

    def submit(self, chunk: Chunk) -> Future[Report]:
        """Run the chunk now."""
        future: Future[Report] = Future()
        future.set_result(self._worker.work(chunk))
        return future

    def lost(self, error: BaseException) -> bool:
        """Never: there is no worker to lose."""
        return False

    def repair(self) -> None:
        """Nothing to repair."""

    def close(self, *, kill: bool) -> None:
        """Nothing to let go of."""
