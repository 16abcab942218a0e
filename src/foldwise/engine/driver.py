"""Keeps a bounded number of pieces running, and repeats those that a dying worker took with it."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from foldwise.core.errors import FitFailed, LimitExceeded
from foldwise.engine.backends import Backend, WorkerDied, Workload, choose_backend
from foldwise.engine.limits import WorkLimits, limits_of

WINDOW = 2  # Pieces in flight per worker: one running, one ready.

ATTEMPTS = 2  # How often a piece may take its worker down, known to be the culprit or alone, before it is given up.

WATCH_SECONDS = 0.5  # How often the backend looks after what runs.

Piece = TypeVar("Piece")
Outcome = TypeVar("Outcome")
Given = TypeVar("Given", contravariant=True)


class Agenda(Protocol[Piece, Given]):
    """What is to be done, and what becomes of it."""

    def next(self, workers: int) -> Piece | None:
        """The next piece for one of so many workers, or None when all is dealt out."""

    def done(self, piece: Piece, outcome: Given) -> None:
        """Take the outcome of a piece; they come in the order in which they finish."""

    def smaller(self, piece: Piece) -> list[Piece]:
        """The parts of a piece that took its worker down while it ran alone; itself if it has none."""

    def rest(self, piece: Piece, part: Piece) -> list[Piece]:
        """What a piece has besides the part during which its worker died."""

    def give_up(self, piece: Piece, death: WorkerDied) -> None:
        """Report a piece that can't be done, or raise."""


@dataclass(frozen=True, slots=True)
class _Suspect(Generic[Piece]):
    """A piece, and how often it took a worker down."""

    piece: Piece
    deaths: int = 0


class Driver(Generic[Piece, Outcome]):
    """Drives an agenda through a backend.

    After a worker's death the pieces that were running are suspects: each is repeated alone, so that the one that
    kills its worker is told from those that were merely there. It is then cut into smaller ones, and one that can't
    be cut and still kills its worker is given up. A piece that was ended for its limits is not repeated.
    """

    def __init__(self, backend: Backend, agenda: Agenda[Piece, Outcome], limits: WorkLimits | None = None) -> None:
        self._backend, self._agenda, self._limits = backend, agenda, limits or WorkLimits()
        self._running: dict[Future[Outcome], _Suspect[Piece]] = {}
        self._suspects: deque[_Suspect[Piece]] = deque()
        self._again: deque[_Suspect[Piece]] = deque()
        self._alone = False

    def drive(self) -> None:
        """Do everything, or raise LimitExceeded at the deadline."""
        while self._fill():
            done, _ = wait(self._running, timeout=self._pause(), return_when=FIRST_COMPLETED)
            lost = [pair for future in done if (pair := self._collect(future)) is not None]
            if lost:
                self._backend.repair()
            for suspect, death in lost:
                self._recover(suspect, death)
            if self._running:
                self._backend.watch()
                if self._limits.over:
                    raise LimitExceeded("the time is over")

    def call_off(self) -> None:
        for future in self._running:
            future.cancel()

    def _pause(self) -> float:
        if self._limits.deadline is None:
            return WATCH_SECONDS
        return max(0.0, min(WATCH_SECONDS, self._limits.deadline - time.monotonic()))

    def _fill(self) -> bool:
        """Start pieces as far as the window allows; False when nothing is left to wait for."""
        if self._suspects:
            if not self._running:
                self._alone = True
                self._submit(self._suspects.popleft())
            return True
        if not (self._alone and self._running):
            self._alone = False
            workers = self._backend.workers()
            window = WINDOW * workers if workers > 1 else 1
            while len(self._running) < window and (suspect := self._next(workers)) is not None:
                self._submit(suspect)
        return bool(self._running)

    def _next(self, workers: int) -> _Suspect[Piece] | None:
        if self._again:
            return self._again.popleft()
        piece = self._agenda.next(workers)
        return None if piece is None else _Suspect(piece)

    def _submit(self, suspect: _Suspect[Piece]) -> None:
        self._running[self._backend.submit(suspect.piece)] = suspect

    def _collect(self, future: Future[Outcome]) -> tuple[_Suspect[Piece], WorkerDied] | None:
        """Hand on the outcome of a finished piece; return the piece if its worker died."""
        suspect = self._running.pop(future)
        try:
            outcome = future.result()
        except (Exception, CancelledError) as error:
            death = self._backend.lost(error)
            if death is None:
                raise
            return suspect, death
        self._agenda.done(suspect.piece, outcome)
        return None

    def _recover(self, suspect: _Suspect[Piece], death: WorkerDied) -> None:
        """Repeat a piece whose worker died, in smaller parts if need be, or give it up."""
        piece: Piece = suspect.piece if death.at is None else death.at
        if piece != suspect.piece:
            self._again.extend(map(_Suspect, self._agenda.rest(suspect.piece, piece)))
        deaths = suspect.deaths + (self._alone or death.at is not None)
        parts = self._agenda.smaller(piece) if deaths or death.final else [piece]
        if len(parts) > 1:
            (self._again if death.final else self._suspects).extend(map(_Suspect, parts))
        elif death.final or deaths >= ATTEMPTS:
            self._agenda.give_up(piece, death)
        else:
            self._suspects.append(_Suspect(piece, deaths))


# ---- Numbered pieces of any workload, done by whichever backend was asked for.


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
        return next(self._waiting, None)

    def smaller(self, number: int) -> list[int]:
        return [number]

    def rest(self, number: int, part: int) -> list[int]:
        return []

    def give_up(self, number: int, death: WorkerDied) -> None:
        if death.final:
            raise FitFailed(f"a fit of block {number} was ended: {death.reason}")
        raise FitFailed(f"block {number} took its worker down each time, alone too: {death.reason}")
