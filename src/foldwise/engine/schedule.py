"""Cutting the work into chunks: long enough that a task's overhead vanishes, short enough to lose little."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from foldwise.engine.job import Chunk, Job

__all__ = ["Batch", "Schedule", "plan_batches"]

CHUNK_SECONDS = 0.4
"""Work per chunk: 250 times the overhead of a task on a cluster, and all that a killed study loses."""


@dataclass(slots=True)
class Batch:
    """Splits that the same learners have still to run; a kernel takes them in units of whole runs.

    Others take them in units of those that share a training.
    """

    learners: tuple[int, ...]
    splits: list[int]
    unit: int
    kernel: bool
    seconds_per_unit: float | None = None

    def take(self, units: int) -> Chunk:
        """Cut a chunk off the front."""
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

    def __init__(self, batches: Iterable[Batch]) -> None:
        self._batches = [batch for batch in batches if batch.splits]

    def next(self, workers: int) -> Chunk | None:
        """The next chunk, or None when all work is dealt out."""
        for batch in self._batches:
            if batch.splits:
                return batch.take(self._units(batch, workers))
        return None

    def learn(self, chunk: Chunk, seconds: float) -> None:
        """Note how long a chunk took."""
        for batch in self._batches:
            if batch.learners == chunk.learners and batch.kernel == chunk.kernel:
                batch.learn(seconds, len(chunk.splits))

    @staticmethod
    def _units(batch: Batch, workers: int) -> int:
        if batch.seconds_per_unit is None:
            return 1
        wanted = max(1, int(CHUNK_SECONDS / max(batch.seconds_per_unit, 1e-9)))
        if workers == 1:
            return wanted
        # towards the end chunks shrink, so that all workers finish together
        left = math.ceil(len(batch.splits) / batch.unit)
        return min(wanted, math.ceil(left / (2 * workers)))


def plan_batches(job: Job, missing: dict[int, list[int]], folds: int) -> list[Batch]:
    """Batches for the splits each learner is missing; learners that miss the same splits run on them together."""
    batches: list[Batch] = []
    together: dict[int, list[int]] = {}
    for position, splits in missing.items():
        if job.uses_kernel(job.learners[position]):
            runs = sorted({split // folds for split in splits})
            whole = [run * folds + fold for run in runs for fold in range(folds)]
            batches.append(Batch((position,), whole, folds, kernel=True))
            continue
        for split in splits:
            together.setdefault(split, []).append(position)
    by_learners: dict[tuple[int, ...], list[int]] = {}
    for split in sorted(together):
        by_learners.setdefault(tuple(together[split]), []).append(split)
    # splits that share a training stay together
    unit = job.plan.together
    batches.extend(Batch(learners, splits, unit, kernel=False) for learners, splits in by_learners.items())
    return batches
