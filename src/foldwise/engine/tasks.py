"""Numbered pieces of any workload, done by whichever backend was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from foldwise.core.errors import FitFailed
from foldwise.engine.backends import WorkerDied, Workload, choose_backend
from foldwise.engine.driver import Driver
from foldwise.engine.limits import limits_of

__all__ = ["run_tasks"]


def run_tasks(
    workload: Workload,
    numbers: Iterable[int],
    accept: Callable[[int, Any], None],
    *,
    n_jobs: int | None = None,
    cluster: Any = None,
    fit_seconds: float | None = None,
    fit_memory: float | None = None,
) -> None:
    """Do pieces of a workload in parallel, and hand on each outcome as it comes.

    Parameters
    ----------
    workload
        Its worker's ``work(number)`` does one piece.
    numbers
        The pieces to do.
    accept
        Called in this process with the number and the outcome of each piece, in the order they finish.
    n_jobs, cluster, fit_seconds, fit_memory
        As in `foldwise.engine.run`.
    """
    limits = limits_of(fit_seconds=fit_seconds, fit_memory=fit_memory)
    backend = choose_backend(workload, n_jobs=n_jobs, cluster=cluster, limits=limits)
    try:
        driver: Driver[int, Any] = Driver(backend, _Numbers(numbers, accept), limits)
        driver.drive()
    finally:
        backend.close()


class _Numbers:
    """Numbered pieces as an agenda; one that always kills its worker ends the study."""

    def __init__(self, numbers: Iterable[int], accept: Callable[[int, Any], None]) -> None:
        self._waiting, self.done = iter(numbers), accept

    def next(self, workers: int) -> int | None:
        """The next number."""
        return next(self._waiting, None)

    def smaller(self, number: int) -> list[int]:
        """A piece can't be cut."""
        return [number]

    def rest(self, number: int, part: int) -> list[int]:
        """Nothing, as a piece has no parts."""
        return []

    def give_up(self, number: int, death: WorkerDied) -> None:
        """Say which piece it was."""
        if death.final:
            raise FitFailed(f"a fit of block {number} was ended: {death.reason}")
        raise FitFailed(f"block {number} took its worker down each time, alone too: {death.reason}")
