"""Blocks of trials: the units of work that workers compute, stores keep and seeds determine."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, is_dataclass
from typing import Protocol

from foldwise import __version__
from foldwise.core.digest import digest
from foldwise.core.errors import InvalidInput
from foldwise.core.random import stream
from foldwise.core.types import Estimator
from foldwise.core.validation import integer
from foldwise.engine.backends.base import Worker
from foldwise.kinds import Design
from foldwise.kinds.resampled import only_resampled
from foldwise.kinds.simulated import AnySimulated
from foldwise.lab.evidence import Evidence
from foldwise.lab.populations import Population, Sample, SimulatedLearners, Source

__all__ = ["InBlocks", "Work", "block_evidence", "identity"]

BLOCK = 25
"""Trials in a block when learners are really trained."""


class InBlocks(Protocol):
    """Trials that are done block by block."""

    @property
    def key(self) -> str:
        """What a store files the blocks under."""

    @property
    def block(self) -> int:
        """Trials in one block."""

    @property
    def numbers(self) -> int:
        """How many numbers are kept of each trial."""

    @property
    def lower(self) -> str:
        """What would make it fewer, for a message."""

    def blocks(self, trials: int) -> int:
        """How many blocks hold this many trials."""

    def worker(self) -> Worker:
        """Computes blocks: ``work(number)`` gives the `Evidence` of one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A study's trials: block i is determined by these fields and i alone, whoever computes it.

    Attributes
    ----------
    population
        Where data sets come from.
    learners
        The two estimators, or nothing when the population simulates them.
    kinds
        Kinds of evidence wanted.
    design
        Sizes of the resampling.
    seed
        The user's seed.
    """

    population: Population
    learners: tuple[Estimator, ...]
    kinds: tuple[AnySimulated, ...]
    design: Design
    seed: int

    @property
    def key(self) -> str:
        """What a store files the blocks under: everything that determines them."""
        parts = [
            identity(self.population),
            list(self.learners),
            [kind.name for kind in self.kinds],
            _sizes(self.design, self.kinds),
            self.seed,
            __version__,
        ]
        return digest(parts)

    def worker(self) -> _BlockWorker:
        """Computes blocks."""
        return _BlockWorker(self)

    @property
    def block(self) -> int:
        """Trials in one block."""
        return self.population.block if isinstance(self.population, SimulatedLearners) else BLOCK

    @property
    def numbers(self) -> int:
        """How many numbers are kept of each trial."""
        return self.design.repetitions * sum(kind.numbers(self.design) for kind in self.kinds)

    @property
    def lower(self) -> str:
        """What would make it fewer: trials, and the size of what is largest."""
        size = max(self.kinds, key=lambda kind: kind.numbers(self.design)).grows_with
        others = [*([size] if size else []), *(["repetitions"] if self.design.repetitions > 1 else [])]
        return " or ".join(["trials", *others])

    def blocks(self, trials: int) -> int:
        """How many blocks hold this many trials."""
        return math.ceil(integer(trials, "trials", minimum=10) / self.block)


def identity(population: Population) -> list[object]:
    """Name and parameters, and whatever else it depends on."""
    shown = repr(population) if is_dataclass(population) else population
    return [type(population), shown, population.content]


def _sizes(design: Design, kinds: Sequence[AnySimulated]) -> str:
    """The sizes that determine the evidence, written as in stores from when `nestings` were called dealings."""
    d = design
    common = (
        f"Design(n={d.n}, runs={d.runs}, folds={d.folds}, splits={d.splits}, parts={d.parts}, "
        f"dealings={d.nestings}, repetitions={d.repetitions})"
    )
    own = dict.fromkeys(name for kind in kinds for name in kind.own_sizes)
    return " ".join([common, *(f"{name}={getattr(d, name)}" for name in own)])


class _BlockWorker:
    """Computes blocks of one study in a worker process."""

    def __init__(self, work: Work) -> None:
        self._work = work

    def work(self, number: int) -> Evidence:
        """The evidence of one block."""
        return block_evidence(self._work, number)


def block_evidence(work: Work, index: int) -> Evidence:
    """The evidence of one block of trials."""
    population = work.population
    if isinstance(population, SimulatedLearners):
        return population.simulate(work.kinds, work.design, stream(work.seed, population.name, index))
    assert isinstance(population, Source)  # the other kind of population
    from foldwise.lab.trials import evidence_from_learners  # scikit-learn is not needed for simulated learners

    trials = range(index * BLOCK, (index + 1) * BLOCK)
    samples = [population.views(_draw(population, work, trial)) for trial in trials]
    seeds = [int(stream(work.seed, "partition", trial).integers(2**62)) for trial in trials]
    learners, kinds = (work.learners[0], work.learners[1]), only_resampled(work.kinds)
    return evidence_from_learners(samples, learners, kinds, work.design, seeds)


def _draw(source: Source, work: Work, trial: int) -> Sample:
    sample = source.draw(work.design.n, stream(work.seed, source.name, trial))
    if len(sample.X) != work.design.n or len(sample.y) != work.design.n:
        raise InvalidInput(
            f"population '{source.name}' must draw {work.design.n} examples, got {len(sample.X)} rows "
            f"and {len(sample.y)} labels"
        )
    return sample
