"""The fits of a study in chunks: how they are cut, and how reports become results."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from foldwise.engine.backends import Backend, WorkerDied
from foldwise.engine.driver import Driver
from foldwise.engine.job import Chunk, Job, Report
from foldwise.engine.limits import WorkLimits
from foldwise.engine.result import Failure

CHUNK_SECONDS = 0.4  # Work per chunk: 250 times the overhead of a task on a cluster, and all that a killed study loses.


@dataclass(slots=True)
class SplitBatch:
    """Splits that the same learners have still to run; a kernel takes them in units of whole runs.

    Others take them in units of those that share a training.
    """

    learners: tuple[int, ...]
    splits: list[int]
    unit: int
    kernel: bool
    seconds_per_unit: float | None = None

    def take(self, units: int) -> Chunk:
        count = units * self.unit
        taken, self.splits = self.splits[:count], self.splits[count:]
        return Chunk(self.learners, tuple(taken), self.kernel)

    def learn(self, seconds: float, splits: int) -> None:
        """Note what a unit costs; a first call may have compiled or imported something, so less is believed at once."""
        latest = seconds * self.unit / splits
        known = self.seconds_per_unit
        self.seconds_per_unit = latest if known is None or latest < known else (known + latest) / 2


class Schedule:
    """Deals out chunks, the first ones small to find out what a split costs."""

    def __init__(self, batches: Iterable[SplitBatch]) -> None:
        self._batches = [batch for batch in batches if batch.splits]

    def next(self, workers: int) -> Chunk | None:
        """The next chunk, or None when all work is dealt out."""
        for batch in self._batches:
            if batch.splits:
                return batch.take(self._units(batch, workers))
        return None

    def learn(self, chunk: Chunk, seconds: float) -> None:
        for batch in self._batches:
            if batch.learners == chunk.learners and batch.kernel == chunk.kernel:
                batch.learn(seconds, len(chunk.splits))

    @staticmethod
    def _units(batch: SplitBatch, workers: int) -> int:
        if batch.seconds_per_unit is None:
            return 1
        wanted = max(1, int(CHUNK_SECONDS / max(batch.seconds_per_unit, 1e-9)))
        if workers == 1:
            return wanted
        # towards the end chunks shrink, so that all workers finish together
        left = math.ceil(len(batch.splits) / batch.unit)
        return min(wanted, math.ceil(left / (2 * workers)))


def plan_batches(job: Job, missing: dict[int, list[int]], folds: int) -> list[SplitBatch]:
    """Batches for the splits each learner is missing; learners that miss the same splits run on them together."""
    batches: list[SplitBatch] = []
    together: dict[int, list[int]] = {}
    for position, splits in missing.items():
        if job.uses_kernel(job.learners[position]):
            runs = sorted({split // folds for split in splits})
            whole = [run * folds + fold for run in runs for fold in range(folds)]
            batches.append(SplitBatch((position,), whole, folds, kernel=True))
            continue
        for split in splits:
            together.setdefault(split, []).append(position)
    by_learners: dict[tuple[int, ...], list[int]] = {}
    for split in sorted(together):
        by_learners.setdefault(tuple(together[split]), []).append(split)
    # splits that share a training stay together
    unit = job.plan.together
    batches.extend(SplitBatch(learners, splits, unit, kernel=False) for learners, splits in by_learners.items())
    return batches


# ---- The fits of a study as an agenda: chunks from its schedule, reports to its results.

# Fits of a learner that are given up because they took down their process each time, before the learner is.
MOST_DEATHS = 3


class Coordinator:
    """Drives one study through a backend; a fit that always kills its worker is reported as a failure."""

    def __init__(
        self,
        job: Job,
        backend: Backend,
        schedule: Schedule,
        accept: Callable[[Report], None],
        limits: WorkLimits | None = None,
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
