"""Keeps a bounded number of pieces running, and repeats those that a dying worker took with it."""

from __future__ import annotations

from collections import deque
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from foldwise.engine.backends import Backend

__all__ = ["Agenda", "Driver"]

WINDOW = 2
"""Pieces in flight per worker: one running, one ready."""

ATTEMPTS = 2
"""How often a piece may take its worker down while it runs alone before it is given up."""

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

    def give_up(self, piece: Piece) -> None:
        """Report a piece that can't be done, or raise."""


@dataclass(frozen=True, slots=True)
class _Suspect(Generic[Piece]):
    """A piece that was running when a worker died, and how often that happened while it ran alone."""

    piece: Piece
    deaths: int = 0


class Driver(Generic[Piece, Outcome]):
    """Drives an agenda through a backend.

    After a worker's death the pieces that were running are suspects: each is repeated alone, so that the one that
    kills its worker is told from those that were merely there. It is then cut into smaller ones, and one that can't
    be cut and still kills its worker is given up.
    """

    def __init__(self, backend: Backend, agenda: Agenda[Piece, Outcome]) -> None:
        self._backend, self._agenda = backend, agenda
        self._running: dict[Future[Outcome], _Suspect[Piece]] = {}
        self._suspects: deque[_Suspect[Piece]] = deque()
        self._alone = False

    def drive(self) -> None:
        """Do everything."""
        while self._fill():
            done, _ = wait(self._running, return_when=FIRST_COMPLETED)
            lost = [suspect for future in done if (suspect := self._collect(future)) is not None]
            if lost:
                self._recover(lost)

    def call_off(self) -> None:
        """Cancel what has not begun."""
        for future in self._running:
            future.cancel()

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
            while len(self._running) < window and (piece := self._agenda.next(workers)) is not None:
                self._submit(_Suspect(piece))
        return bool(self._running)

    def _submit(self, suspect: _Suspect[Piece]) -> None:
        self._running[self._backend.submit(suspect.piece)] = suspect

    def _collect(self, future: Future[Outcome]) -> _Suspect[Piece] | None:
        """Hand on the outcome of a finished piece; return the piece if its worker died."""
        suspect = self._running.pop(future)
        try:
            outcome = future.result()
        except (Exception, CancelledError) as error:
            if not self._backend.lost(error):
                raise
            return suspect
        self._agenda.done(suspect.piece, outcome)
        return None

    def _recover(self, lost: list[_Suspect[Piece]]) -> None:
        if self._backend.shared_fate:
            lost.extend(self._running.values())
            self._running.clear()
        self._backend.repair()
        for suspect in lost:
            deaths = suspect.deaths + self._alone
            pieces = self._agenda.smaller(suspect.piece) if deaths else [suspect.piece]
            if len(pieces) > 1:
                self._suspects.extend(map(_Suspect, pieces))
            elif deaths < ATTEMPTS:
                self._suspects.append(_Suspect(suspect.piece, deaths))
            else:
                self._agenda.give_up(suspect.piece)
