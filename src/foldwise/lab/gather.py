"""Collect the evidence of all trials of a study, block by block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from foldwise.core.errors import InvalidInput
from foldwise.core.moment import found_in_store, moment
from foldwise.core.types import Estimator
from foldwise.engine.identity import unseen_caveats
from foldwise.engine.ledger import open_store
from foldwise.engine.named import learner_of
from foldwise.engine.progress import Watch, resolve_progress
from foldwise.engine.store import Store
from foldwise.engine.tasks import run_tasks
from foldwise.kinds import Design, Procedure
from foldwise.kinds.resampled import simulated
from foldwise.lab.blocks import InBlocks, Work
from foldwise.lab.evidence import Evidence, join
from foldwise.lab.memory import check_memory
from foldwise.lab.populations import find_population
from foldwise.lab.populations.population import PopulationSpec
from foldwise.lab.pvalues import kinds_of

__all__ = ["Resources", "gather", "learner_of", "prepare"]


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
