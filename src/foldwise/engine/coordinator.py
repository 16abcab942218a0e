"""The fits of a study as an agenda: chunks from its schedule, reports to its results."""

from __future__ import annotations

from collections.abc import Callable

from foldwise.engine.backends import Backend
from foldwise.engine.driver import Driver
from foldwise.engine.fitting import Failure
from foldwise.engine.job import Chunk, Job, Report
from foldwise.engine.schedule import Schedule

__all__ = ["Coordinator"]


class Coordinator:
    """Drives one study through a backend; a fit that always kills its worker is reported as a failure."""

    def __init__(self, job: Job, backend: Backend, schedule: Schedule, accept: Callable[[Report], None]) -> None:
        self._job, self._schedule, self._accept = job, schedule, accept
        self._driver: Driver[Chunk, Report] = Driver(backend, self)

    def drive(self) -> None:
        """Run everything; when the study fails, chunks that have not begun are called off.

        After Ctrl-C they are left to the backend, which kills its workers: loky's shutdown never ends when it meets a
        cancelled chunk that it has not yet handed to a worker (its manager thread dies of an InvalidStateError).
        """
        try:
            self._driver.drive()
        except Exception:
            self._driver.call_off()
            raise

    def next(self, workers: int) -> Chunk | None:
        """The schedule's next chunk."""
        return self._schedule.next(workers)

    def done(self, chunk: Chunk, report: Report) -> None:
        """Hand on a report; the schedule learns how long the chunk took."""
        self._schedule.learn(chunk, report.seconds)
        self._accept(report)

    def smaller(self, chunk: Chunk) -> list[Chunk]:
        """The runs of a kernel, or single fits."""
        folds = self._folds()
        if chunk.kernel:
            runs = sorted({split // folds for split in chunk.splits})
            return [Chunk(chunk.learners, tuple(s for s in chunk.splits if s // folds == run), True) for run in runs]
        return [Chunk((learner,), (split,), False) for split in chunk.splits for learner in chunk.learners]

    def give_up(self, chunk: Chunk) -> None:
        """Report its fits as failures."""
        reason = "its worker process died each time (a crash, or no memory left)"
        names = [self._job.learners[position].name for position in chunk.learners]
        places = [(split, *divmod(split, self._folds())) for split in chunk.splits]
        self._accept(Report(failures=[Failure(name, *place, reason) for name in names for place in places]))

    def _folds(self) -> int:
        examples = self._job.examples
        return self._job.plan.shape(examples.y, groups=examples.groups)[1]
