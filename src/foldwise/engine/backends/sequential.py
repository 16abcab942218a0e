"""The backend that works in the calling process."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from foldwise.core.foreign_output import prints_to_stderr
from foldwise.engine.backends.base import Workload

__all__ = ["Sequential"]


class Sequential:
    """Runs each chunk when it is submitted."""

    def __init__(self, job: Workload) -> None:
        self._worker = job.worker()

    def workers(self) -> int:
        """One: the caller."""
        return 1

    def submit(self, chunk: Any) -> Future[Any]:
        """Run the chunk now."""
        future: Future[Any] = Future()
        with prints_to_stderr():
            future.set_result(self._worker.work(chunk))
        return future

    def watch(self) -> None:
        """Nothing runs between the chunks."""

    def lost(self, error: BaseException) -> None:
        """Never: there is no worker to lose."""

    def repair(self) -> None:
        """Nothing to repair."""

    def close(self) -> None:
        """Nothing to let go of."""
