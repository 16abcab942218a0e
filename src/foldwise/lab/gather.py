"""Blocks of trials: the units of work that workers compute, stores keep and seeds determine."""

from __future__ import annotations

import contextlib
import math
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, is_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foldwise import __version__
from foldwise.core.digest import digest
from foldwise.core.errors import InvalidInput
from foldwise.core.formatting import found_in_store, moment
from foldwise.core.process import made_by
from foldwise.core.random import stream
from foldwise.core.result import Result
from foldwise.core.types import Estimator, Json
from foldwise.core.validation import integer
from foldwise.designs import Design, Procedure
from foldwise.designs.resampled import AnySimulated, only_resampled, simulated
from foldwise.engine.backends import Worker
from foldwise.engine.cache import open_store, unseen_caveats
from foldwise.engine.driver import run_tasks
from foldwise.engine.learners import learner_of
from foldwise.engine.progress import resolve_progress, shown
from foldwise.engine.store import Store
from foldwise.lab.evidence import Evidence, join, kinds_of
from foldwise.lab.populations import Population, Sample, SimulatedLearners, Source, find_population
from foldwise.lab.populations.population import PopulationSpec

BLOCK = 25  # Trials in a block when learners are really trained.


class InBlocks(ABC):
    """Trials that are done block by block."""

    __slots__ = ()

    @property
    @abstractmethod
    def key(self) -> str:
        """What a store files the blocks under: everything that determines them."""

    if TYPE_CHECKING:  # a field of some

        @property
        def numbers(self) -> int:
            """How many numbers are kept of each trial."""

    @property
    def block(self) -> int:
        """Trials in one block."""
        return BLOCK

    @property
    def lower(self) -> str:
        """What would make it fewer, for a message."""
        return "trials"

    def blocks(self, trials: int) -> int:
        """How many blocks hold this many trials."""
        return math.ceil(trials / self.block)

    def worker(self) -> Worker:
        """Computes blocks: itself, where there is nothing to make ready."""
        return self

    def work(self, number: int) -> Evidence:
        """The evidence of one block of trials."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class Work(InBlocks):
    """A study's trials: block i is determined by these fields and i alone, whoever computes it."""

    population: Population  #: Where data sets come from
    learners: tuple[Estimator, ...]  #: The two estimators, or nothing when the population simulates them
    kinds: tuple[AnySimulated, ...]  #: Kinds of evidence wanted
    design: Design  #: Sizes of the resampling
    seed: int  #: The user's seed

    @property
    def key(self) -> str:
        # the sizes that determine the evidence, written as in stores from when `nestings` were called dealings
        d = self.design
        common = (
            f"Design(n={d.n}, runs={d.runs}, folds={d.folds}, splits={d.splits}, parts={d.parts}, "
            f"dealings={d.nestings}, repetitions={d.repetitions})"
        )
        own = dict.fromkeys(name for kind in self.kinds for name in kind.own_sizes)
        parts = [
            identity(self.population), list(self.learners), [kind.name for kind in self.kinds],
            " ".join([common, *(f"{name}={getattr(d, name)}" for name in own)]), self.seed, __version__,
        ]  # fmt: skip
        return digest(parts)

    @property
    def block(self) -> int:
        return self.population.block if isinstance(self.population, SimulatedLearners) else BLOCK

    @property
    def numbers(self) -> int:
        return self.design.repetitions * sum(kind.numbers(self.design) for kind in self.kinds)

    @property
    def lower(self) -> str:
        """Trials, and the size of what is largest."""
        size = max(self.kinds, key=lambda kind: kind.numbers(self.design)).grows_with
        others = [*([size] if size else []), *(["repetitions"] if self.design.repetitions > 1 else [])]
        return " or ".join(["trials", *others])

    def blocks(self, trials: int) -> int:
        return math.ceil(integer(trials, "trials", minimum=10) / self.block)

    def described(self, learners: Sequence[Estimator | str]) -> dict[str, Any]:
        """What a `Simulation` says of it, with the learners as they were named."""
        named = tuple(map(str, learners))
        return {"population": repr(self.population), "learners": named, "design": self.design, "seed": self.seed}

    def work(self, number: int) -> Evidence:
        population = self.population
        if isinstance(population, SimulatedLearners):
            return population.simulate(self.kinds, self.design, stream(self.seed, population.name, number))
        assert isinstance(population, Source)  # the other kind of population
        from foldwise.lab.training import evidence_from_learners  # scikit-learn is not needed for simulated learners

        trials = range(number * BLOCK, (number + 1) * BLOCK)
        samples = [population.views(_draw(population, self, trial)) for trial in trials]
        seeds = [int(stream(self.seed, "partition", trial).integers(2**62)) for trial in trials]
        learners, kinds = (self.learners[0], self.learners[1]), only_resampled(self.kinds)
        return evidence_from_learners(samples, learners, kinds, self.design, seeds)


def identity(population: Population) -> list[object]:
    """Name and parameters, and whatever else it depends on."""
    shown = repr(population) if is_dataclass(population) else population
    return [type(population), shown, population.content]


def _draw(source: Source, work: Work, trial: int) -> Sample:
    sample = source.draw(work.design.n, stream(work.seed, source.name, trial))
    if len(sample.X) != work.design.n or len(sample.y) != work.design.n:
        raise InvalidInput(
            f"population '{source.name}' must draw {work.design.n} examples, got {len(sample.X)} rows "
            f"and {len(sample.y)} labels"
        )
    return sample


# ---- How much memory a study will need, told before it starts rather than when it dies.

COPIES = 4  # Blocks as they come, all of them joined, and what a test computes from them.


def check_memory(numbers: int, trials: int, *, lower: str) -> None:
    """Refuse a study that does not fit into the memory that is free now.

    `numbers` are kept of each trial; what the user can lower, `lower`, ends the sentence.
    """
    needed, free = numbers * trials * 8 * COPIES, available_bytes()
    if free is not None and needed > free:
        raise InvalidInput(
            f"the study needs about {needed / 1e9:.1f} GB of memory and {free / 1e9:.1f} GB are free: lower {lower}"
        )


def available_bytes() -> int | None:
    """Memory that can be had without swapping; None where the system does not say."""
    found = [_free()]
    with contextlib.suppress(OSError, ValueError):  # what a container is granted
        folder = Path("/sys/fs/cgroup")
        most, used = (int((folder / f"memory.{what}").read_text(encoding="ascii")) for what in ("max", "current"))
        found.append(most - used)
    return min((size for size in found if size is not None), default=None)


def _free() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


class Origins(dict[str, tuple[int, int]]):
    """By version and commit, when the first and the last of the blocks were made that a study's numbers come from."""

    def add(self, other: Mapping[str, tuple[int, int]]) -> None:
        for by, (first, last) in other.items():
            low, high = self.get(by, (first, last))
            self[by] = min(low, first), max(high, last)


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation(Result):
    """What all results of trials have: what was drawn, what was trained on it, and what repeats it exactly."""

    population: str  #: What was drawn
    learners: tuple[str, ...]  #: What was trained on it
    design: Design  #: Sizes of the resampling; of a curve the largest
    seed: int  #: Repeats the study exactly
    caveats: tuple[str, ...] = ()  #: What to know besides

    def _content(self) -> Mapping[str, Json]:
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """What a study may use; none of it changes the numbers."""

    n_jobs: int | None = None  #: Processes; None is one, −1 all processors
    store: Any = None  #: A results file that makes the study resumable
    cluster: Any = None  #: Address of a running Dask scheduler
    #: None shows a bar if stderr is a terminal; False, True, or an object with `start`, `advance` and `stop`
    progress: Any = None
    #: fit_seconds, fit_memory: Seconds and megabytes that one fit may take; one that takes more ends the study
    fit_seconds: float | None = None
    fit_memory: float | None = None
    origins: Origins = field(default_factory=Origins, compare=False)  #: Filled while the study runs


def prepare(
    tests: Sequence[Procedure], population: PopulationSpec, learners: Sequence[Estimator | str], design: Design,
    seed: int,
) -> Work:  # fmt: skip
    """The work that these tests need; learners may be given by name."""
    source = find_population(population)
    for test in tests:
        if not source.draws(simulated(test)):
            raise InvalidInput(
                f"test '{test.name}' needs {test.kind.words}, which population '{source.name}' does not draw"
            )
    return Work(
        population=source, learners=source.pair(tuple(learner_of(learner) for learner in learners)),
        kinds=kinds_of(tests), design=design, seed=seed,
    )  # fmt: skip


def gather(work: InBlocks, trials: int, resources: Resources | None = None) -> Evidence:
    """The evidence of the first `trials` trials; blocks that the store has are not computed again."""
    use = resources or Resources()
    blocks = range(work.blocks(trials))
    check_memory(work.numbers, trials, lower=work.lower)
    store: Store | None = None
    study, started = work.key, int(time.time())
    with contextlib.ExitStack() as opened:
        if use.store is not None:
            store, owned = open_store(use.store)
            if owned:
                opened.callback(store.close)
        kept = {} if store is None else store.find_blocks(study, blocks)
        parts = {number: Evidence.from_bytes(content) for number, (content, *_) in kept.items()}

        def accept(number: int, evidence: Evidence) -> None:
            if store is not None:
                store.keep_block(study, number, evidence.to_bytes())
            parts[number] = evidence
            watch.advance(work.block)

        missing = [number for number in blocks if number not in parts]
        with shown(
            resolve_progress(use.progress), total=len(blocks) * work.block, found=len(parts) * work.block
        ) as watch:
            run_tasks(
                work, missing, accept, n_jobs=use.n_jobs, cluster=use.cluster,
                fit_seconds=use.fit_seconds, fit_memory=use.fit_memory,
            )  # fmt: skip
        if store is not None:
            store.confirm()
    for _, made, by in kept.values():
        use.origins.add({by: (made, made)})
    if missing:
        use.origins.add({made_by(): (started, int(time.time()))})
    # how many of the trials were there, from when they are, and what the store can't see of the learners
    said = unseen_caveats(store, list(getattr(work, "learners", ())))
    if kept:
        found = sum(min(work.block, trials - number * work.block) for number in kept)
        dates = [made for _, made, _ in kept.values()]
        said = (found_in_store(found, trials, "trials", (moment(min(dates)), moment(max(dates)))), *said)
    notes = work.population.notes if isinstance(work, Work) else ()
    notes = (*notes, *(f"{words[0].upper()}{words[1:]}." for words in said))
    return replace(join([parts[number] for number in blocks]).first(trials), notes=notes)
