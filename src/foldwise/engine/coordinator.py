"""Keeps a bounded number of chunks running, and repeats those that a dying worker took with it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass

from foldwise.engine.backends import Backend
from foldwise.engine.fitting import Failure
from foldwise.engine.job import Chunk, Job, Report
from foldwise.engine.schedule import Schedule

__all__ = ["Coordinator"]

WINDOW = 2
"""Chunks in flight per worker: one running, one ready."""

ATTEMPTS = 2
"""How often a single fit may take its worker down while it runs alone before it is given up."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A chunk that was running when a worker died, and how often that happened while it ran alone."""

    chunk: Chunk
    deaths: int = 0


class Coordinator:
    """Drives one study through a backend.

    After a worker's death the chunks that were running are suspects: each is repeated alone, so that the one that
    kills its worker is told from those that were merely there. It is then cut into single fits, and a fit that
    still kills its worker is reported as a failure.
    """

    def __init__(self, job: Job, backend: Backend, schedule: Schedule, accept: Callable[[Report], None]) -> None:
        self._job, self._backend, self._schedule, self._accept = job, backend, schedule, accept
        self._running: dict[Future[Report], Suspect] = {}
        self._suspects: deque[Suspect] = deque()
        self._alone = False

    def drive(self) -> None:
        """Run everything; when the study fails, chunks that have not begun are called off.

        After Ctrl-C they are left to the backend, which kills its workers: loky's shutdown never ends when it meets a
        cancelled chunk that it has not yet handed to a worker (its manager thread dies of an InvalidStateError).
        """
        try:
            self._drive()
        except Exception:
            for future in self._running:
                future.cancel()
            raise

    def _drive(self) -> None:
        while self._fill():
            done, _ = wait(self._running, return_when=FIRST_COMPLETED)
            lost = [suspect for future in done if (suspect := self._collect(future)) is not None]
            if lost:
                self._recover(lost)

    def _fill(self) -> bool:
        """Start chunks as far as the window allows; False when nothing is left to wait for."""
        if self._suspects:
            if not self._running:
                self._alone = True
                self._submit(self._suspects.popleft())
            return True
        if not (self._alone and self._running):
            self._alone = False
            workers = self._backend.workers()
            window = WINDOW * workers if workers > 1 else 1
            while len(self._running) < window and (chunk := self._schedule.next(workers)) is not None:
                self._submit(Suspect(chunk))
        return bool(self._running)

    def _submit(self, suspect: Suspect) -> None:
        self._running[self._backend.submit(suspect.chunk)] = suspect

    def _collect(self, future: Future[Report]) -> Suspect | None:
        """Hand on the report of a finished chunk; return the chunk if its worker died."""
        suspect = self._running.pop(future)
        try:
            report = future.result()
        except (Exception, CancelledError) as error:
            if not self._backend.lost(error):
                raise
            return suspect
        self._schedule.learn(suspect.chunk, report.seconds)
        self._accept(report)
        return None

    def _recover(self, lost: list[Suspect]) -> None:
        if self._backend.shared_fate:
            lost.extend(self._running.values())
            self._running.clear()
        self._backend.repair()
        for suspect in lost:
            deaths = suspect.deaths + self._alone
            pieces = _pieces(suspect.chunk, self._folds()) if deaths else [suspect.chunk]
            if len(pieces) > 1:
                self._suspects.extend(map(Suspect, pieces))
            elif deaths < ATTEMPTS:
                self._suspects.append(Suspect(suspect.chunk, deaths))
            else:
                self._give_up(suspect.chunk)

    def _give_up(self, chunk: Chunk) -> None:
        reason = "its worker process died each time (a crash, or no memory left)"
        names = [self._job.learners[position].name for position in chunk.learners]
        places = [(split, *divmod(split, self._folds())) for split in chunk.splits]
        self._accept(Report(failures=[Failure(name, *place, reason) for name in names for place in places]))

    def _folds(self) -> int:
        examples = self._job.examples
        return self._job.plan.shape(examples.y, groups=examples.groups)[1]


def _pieces(chunk: Chunk, folds: int) -> list[Chunk]:
    if chunk.kernel:
        runs = sorted({split // folds for split in chunk.splits})
        return [Chunk(chunk.learners, tuple(s for s in chunk.splits if s // folds == run), True) for run in runs]
    return [Chunk((learner,), (split,), False) for split in chunk.splits for learner in chunk.learners]
