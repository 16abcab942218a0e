"""Numbered pieces of any workload, done by whichever backend was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from typing import Any

from foldwise.core.errors import FitFailed
from foldwise.engine.backends import Backend, Workload, choose_backend

__all__ = ["run_tasks"]

WINDOW = 2
"""Pieces in flight per worker: one running, one ready."""

ATTEMPTS = 3
"""How often a piece may be running when a worker dies before the study is given up."""


def run_tasks(
    workload: Workload,
    numbers: Iterable[int],
    accept: Callable[[int, Any], None],
    *,
    n_jobs: int | None = None,
    cluster: Any = None,
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
    n_jobs, cluster
        As in `foldwise.engine.run`.
    """
    backend = choose_backend(workload, n_jobs=n_jobs, cluster=cluster)
    finished = False
    try:
        _drive(backend, list(numbers)[::-1], accept)
        finished = True
    finally:
        backend.close(kill=not finished)


def _drive(backend: Backend, waiting: list[int], accept: Callable[[int, Any], None]) -> None:
    running: dict[Future[Any], int] = {}
    deaths: dict[int, int] = {}
    while waiting or running:
        window = WINDOW * backend.workers() if backend.workers() > 1 else 1
        while waiting and len(running) < window:
            number = waiting.pop()
            running[backend.submit(number)] = number
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        lost = [died for future in done if (died := _collect(backend, future, running, accept)) is not None]
        if lost:
            if backend.shared_fate:
                lost += running.values()
                running.clear()
            backend.repair()
            waiting += _again(lost, deaths)


def _collect(
    backend: Backend, future: Future[Any], running: dict[Future[Any], int], accept: Callable[[int, Any], None]
) -> int | None:
    """Hand on what a piece gave; return its number if its worker died."""
    number = running.pop(future)
    try:
        outcome = future.result()
    except (Exception, CancelledError) as error:
        if not backend.lost(error):
            raise
        return number
    accept(number, outcome)
    return None


def _again(lost: list[int], deaths: dict[int, int]) -> list[int]:
    for number in lost:
        deaths[number] = deaths.get(number, 0) + 1
        if deaths[number] > ATTEMPTS:
            raise FitFailed(f"block {number} took its worker down {ATTEMPTS} times (a crash, or no memory left)")
    return sorted(lost, reverse=True)
