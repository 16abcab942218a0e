"""Collect the evidence of all trials of a study, block by block."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from foldwise.core.errors import InvalidInput
from foldwise.core.formatting import found_in_store, moment
from foldwise.core.types import Estimator
from foldwise.engine.cache import open_store, unseen_caveats
from foldwise.engine.driver import run_tasks
from foldwise.engine.learners import learner_of
from foldwise.engine.progress import Watch, resolve_progress
from foldwise.engine.store import Store
from foldwise.kinds import Design, Procedure
from foldwise.kinds.resampled import simulated
from foldwise.lab.blocks import InBlocks, Work
from foldwise.lab.evidence import Evidence, join, kinds_of
from foldwise.lab.populations import find_population
from foldwise.lab.populations.population import PopulationSpec

__all__ = [
    "Resources",
    "available_bytes",
    "check_memory",
    "gather",
    "learner_of",
    "prepare",
]


# ---- How much memory a study will need, told before it starts rather than when it dies.

COPIES = 4
"""Blocks as they come, all of them joined, and what a test computes from them."""


def check_memory(numbers: int, trials: int, *, lower: str) -> None:
    """Refuse a study that does not fit into the memory that is free now.

    Parameters
    ----------
    numbers
        Numbers that are kept of each trial.
    trials
        Number of trials.
    lower
        What the user can lower, as the end of a sentence.
    """
    needed, free = numbers * trials * 8 * COPIES, available_bytes()
    if free is not None and needed > free:
        raise InvalidInput(
            f"the study needs about {needed / 1e9:.1f} GB of memory and {free / 1e9:.1f} GB are free: lower {lower}"
        )


def available_bytes() -> int | None:
    """Memory that can be had without swapping; None where the system does not say."""
    found = [bytes_ for bytes_ in (_free(), _granted()) if bytes_ is not None]
    return min(found) if found else None


def _free() -> int | None:
    """What the machine has left."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def _granted() -> int | None:
    """What is left of a container's limit."""
    folder = Path("/sys/fs/cgroup")
    try:
        most, used = (int((folder / f"memory.{what}").read_text(encoding="ascii")) for what in ("max", "current"))
        return most - used
    except (OSError, ValueError):
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """What a study may use; none of it changes the numbers.

    Attributes
    ----------
    n_jobs
        Processes; None is one, −1 all processors.
    store
        A results file that makes the study resumable.
    cluster
        Address of a running Dask scheduler.
    progress
        None shows a bar if stderr is a terminal; False, True, or an object with `start`, `advance` and `stop`.
    fit_seconds, fit_memory
        Seconds and megabytes that one fit may take; one that takes more ends the study.
    """

    n_jobs: int | None = None
    store: Any = None
    cluster: Any = None
    progress: Any = None
    fit_seconds: float | None = None
    fit_memory: float | None = None


def prepare(
    tests: Sequence[Procedure],
    population: PopulationSpec,
    learners: Sequence[Estimator | str],
    design: Design,
    seed: int,
) -> Work:
    """The work that these tests need; learners may be given by name."""
    source = find_population(population)
    for test in tests:
        if not source.draws(simulated(test)):
            raise InvalidInput(
                f"test '{test.name}' needs {test.kind.words}, which population '{source.name}' does not draw"
            )
    return Work(
        population=source,
        learners=source.pair(tuple(learner_of(learner) for learner in learners)),
        kinds=kinds_of(tests),
        design=design,
        seed=seed,
    )


def gather(work: InBlocks, trials: int, resources: Resources | None = None) -> Evidence:
    """The evidence of the first `trials` trials; blocks that the store has are not computed again."""
    use = resources or Resources()
    blocks = range(work.blocks(trials))
    check_memory(work.numbers, trials, lower=work.lower)
    parts: dict[int, Evidence] = {}
    with _Shelf(use.store, work) as shelf:
        parts.update(shelf.find(blocks))

        def accept(number: int, evidence: Evidence) -> None:
            shelf.keep(number, evidence)
            parts[number] = evidence
            watch.advance(work.block)

        missing = [number for number in blocks if number not in parts]
        with Watch(
            resolve_progress(use.progress), total=len(blocks) * work.block, found=len(parts) * work.block
        ) as watch:
            run_tasks(
                work, missing, accept, n_jobs=use.n_jobs, cluster=use.cluster,
                fit_seconds=use.fit_seconds, fit_memory=use.fit_memory,
            )  # fmt: skip
        shelf.confirm()
        said = work.population.notes if isinstance(work, Work) else ()
        notes = (*said, *shelf.notes(trials, work.block))
    return replace(join([parts[number] for number in blocks]).first(trials), notes=notes)


class _Shelf:
    """The blocks of one study in a store, or nowhere."""

    def __init__(self, store: Any, work: InBlocks) -> None:
        self._store: Store | None = None
        self._owned = False
        if store is not None:
            self._store, self._owned = open_store(store)
        self._study = work.key
        self._work = work
        self._made: dict[int, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._store is not None and self._owned:
            self._store.close()

    def confirm(self) -> None:
        """Make sure that the store is still where it was."""
        if self._store is not None:
            self._store.confirm()

    def find(self, numbers: range) -> dict[int, Evidence]:
        """What is there already."""
        if self._store is None:
            return {}
        found = self._store.find_blocks(self._study, numbers)
        self._made = {number: made for number, (_, made) in found.items()}
        return {number: Evidence.from_bytes(content) for number, (content, _) in found.items()}

    def notes(self, trials: int, block: int) -> tuple[str, ...]:
        """How many of the trials were there, from when they are, and what the store can't see of the learners."""
        found = sum(min(block, trials - number * block) for number in self._made)
        said = unseen_caveats(self._store, list(getattr(self._work, "learners", ())))
        if found:
            made = moment(min(self._made.values())), moment(max(self._made.values()))
            said = (found_in_store(found, trials, "trials", made), *said)
        return tuple(f"{words[0].upper()}{words[1:]}." for words in said)

    def keep(self, number: int, evidence: Evidence) -> None:
        """Put one block there."""
        if self._store is not None:
            self._store.keep_block(self._study, number, evidence.to_bytes())
