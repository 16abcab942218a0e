"""The fits of a study as an agenda: chunks from its schedule, reports to its results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from foldwise.engine.backends import Backend, WorkerDied
from foldwise.engine.driver import Driver
from foldwise.engine.fitting import Failure
from foldwise.engine.job import Chunk, Job, Report
from foldwise.engine.limits import Limits
from foldwise.engine.schedule import Schedule

__all__ = ["Coordinator"]

MOST_DEATHS = 3
"""Fits of a learner that are given up because they took down their process each time, before the learner is."""


class Coordinator:
    """Drives one study through a backend; a fit that always kills its worker is reported as a failure."""

    def __init__(
        self,
        job: Job,
        backend: Backend,
        schedule: Schedule,
        accept: Callable[[Report], None],
        limits: Limits | None = None,
    ) -> None:
        self._job, self._schedule, self._accept = job, schedule, accept
        self._driver: Driver[Chunk, Report] = Driver(backend, self, limits)
        self._deaths: Counter[int] = Counter()

    def drive(self) -> None:
        """Run everything; when the study fails, chunks that have not begun are called off."""
        try:
            self._driver.drive()
        except Exception:
            self._driver.call_off()
            raise

    def next(self, workers: int) -> Chunk | None:
        """The schedule's next chunk, without learners that are given up."""
        while (chunk := self._schedule.next(workers)) is not None:
            doomed = [position for position in chunk.learners if self._deaths[position] >= MOST_DEATHS]
            if not doomed:
                return chunk
            reason = f"not tried, because {MOST_DEATHS} fits of this learner took their process down each time"
            self._fail(doomed, chunk.splits, reason)
            left = tuple(position for position in chunk.learners if position not in doomed)
            if left:
                return Chunk(left, chunk.splits, chunk.kernel)
        return None

    def done(self, chunk: Chunk, report: Report) -> None:
        """Hand on a report; the schedule learns how long the chunk took."""
        self._schedule.learn(chunk, report.seconds)
        self._accept(report)

    def smaller(self, chunk: Chunk) -> list[Chunk]:
        """The runs of a kernel, or single fits."""
        if chunk.kernel:
            folds = self._folds()
            runs = sorted({split // folds for split in chunk.splits})
            return [Chunk(chunk.learners, tuple(s for s in chunk.splits if s // folds == run), True) for run in runs]
        return [Chunk((learner,), (split,), False) for split in chunk.splits for learner in chunk.learners]

    def rest(self, chunk: Chunk, part: Chunk) -> list[Chunk]:
        """The fits besides one of them, learner by learner."""
        (split,), (culprit,) = part.splits, part.learners
        others = tuple(position for position in chunk.learners if position != culprit)
        left = tuple(s for s in chunk.splits if s != split)
        found = [Chunk(others, chunk.splits, False), Chunk((culprit,), left, False)]
        return [each for each in found if each.learners and each.splits]

    def give_up(self, chunk: Chunk, death: WorkerDied) -> None:
        """Report its fits as failures."""
        if not death.final:
            self._deaths.update(chunk.learners)
        reason = death.reason if death.final else f"its worker process died each time: {death.reason}"
        self._fail(chunk.learners, chunk.splits, reason)

    def _fail(self, learners: Iterable[int], splits: tuple[int, ...], reason: str) -> None:
        names = [self._job.learners[position].name for position in learners]
        places = [(split, *divmod(split, self._folds())) for split in splits]
        self._accept(Report(failures=[Failure(name, *place, reason) for name in names for place in places]))

    def _folds(self) -> int:
        examples = self._job.examples
        return self._job.plan.shape(examples.y, groups=examples.groups)[1]
