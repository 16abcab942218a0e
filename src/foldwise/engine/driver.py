"""Keeps a bounded number of pieces running, and repeats those that a dying worker took with it."""

from __future__ import annotations

import math
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from foldwise.core.errors import FitFailed, LimitExceeded
from foldwise.engine.backends import Backend, WorkerDied, Workload, choose_backend
from foldwise.engine.job import Chunk, Job, Report
from foldwise.engine.limits import WorkLimits, limits_of
from foldwise.engine.result import Failure

WINDOW = 2  # Pieces in flight per worker: one running, one ready.

ATTEMPTS = 2  # How often a piece may take its worker down, known to be the culprit or alone, before it is given up.

WATCH_SECONDS = 0.5  # How often the backend looks after what runs.

Piece = TypeVar("Piece")
Outcome = TypeVar("Outcome")
Given = TypeVar("Given", contravariant=True)


class Agenda(Protocol[Piece, Given]):
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
            left = math.inf if self._limits.deadline is None else self._limits.deadline - time.monotonic()
            pause = max(0.0, min(WATCH_SECONDS, left))
            done, _ = wait(self._running, timeout=pause, return_when=FIRST_COMPLETED)
            lost = [pair for future in done if (pair := self._collect(future)) is not None]
            if lost:
                self._backend.repair()
            for suspect, death in lost:
                # repeat a piece whose worker died, in smaller parts if need be, or give it up
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
            if self._running:
                self._backend.watch()
                if self._limits.over:
                    raise LimitExceeded("the time is over")

    def call_off(self) -> None:
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


# ---- Numbered pieces of any workload, done by whichever backend was asked for.


def run_tasks(
    workload: Workload, numbers: Iterable[int], accept: Callable[[int, Any], None], *, n_jobs: int | None = None,
    cluster: Any = None, fit_seconds: float | None = None, fit_memory: float | None = None,
) -> None:  # fmt: skip
    """Do pieces of a workload in parallel, and hand on each outcome as it comes.

    The workload's worker does one piece by ``work(number)``; `accept` is called in this process with number and
    outcome, in the order they finish. The rest is as in `foldwise.engine.run`.
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


# ---- The fits of a study in chunks: how they are cut, and how reports become results.


CHUNK_SECONDS = 0.4  # Work per chunk: 250 times the overhead of a task on a cluster, and all that a killed study loses.


START_SECONDS = 2.0  # What it takes to start worker processes and load the packages there.
TRIES = 2  # Units of each batch that tell what the work costs; the first may have compiled or imported something.


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
    tries: int = 0  #: How often a unit was timed

    def take(self, units: int) -> Chunk:
        count = units * self.unit
        taken, self.splits = self.splits[:count], self.splits[count:]
        return Chunk(self.learners, tuple(taken), self.kernel)

    def learn(self, seconds: float, splits: int) -> None:
        """Note what a unit costs; a first call may have compiled or imported something, so less is believed at once."""
        self.tries += 1
        latest = seconds * self.unit / splits
        known = self.seconds_per_unit
        self.seconds_per_unit = latest if known is None or latest < known else (known + latest) / 2


class Schedule:
    """Deals out chunks, the first ones small to find out what a split costs."""

    def __init__(self, batches: Iterable[SplitBatch]) -> None:
        self._batches = [batch for batch in batches if batch.splits]
        self._spent = 0.0
        self.trying = False  #: Whether only so much is dealt out as tells what the work costs

    def next(self, workers: int) -> Chunk | None:
        if self.trying and self._spent > START_SECONDS:
            return None
        for batch in self._batches:
            if batch.splits and not (self.trying and batch.tries >= TRIES):
                return batch.take(1 if self.trying else self._units(batch, workers))
        return None

    def learn(self, chunk: Chunk, seconds: float) -> None:
        self._spent += seconds
        for batch in self._batches:
            if batch.learners == chunk.learners and batch.kernel == chunk.kernel:
                batch.learn(seconds, len(chunk.splits))

    def seconds_left(self) -> float:
        """How long the rest takes in one process, by what is known of each batch; infinity where nothing is."""
        known = [(len(batch.splits) / batch.unit, batch.seconds_per_unit) for batch in self._batches if batch.splits]
        return sum(math.inf if seconds is None else units * seconds for units, seconds in known)

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
        self, job: Job, backend: Backend, schedule: Schedule, accept: Callable[[Report], None],
        limits: WorkLimits | None = None,
    ) -> None:  # fmt: skip
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
