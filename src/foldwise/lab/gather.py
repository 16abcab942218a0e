"""Collect the evidence of all trials of a study, block by block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from foldwise.inference.catalogue import Procedure
from foldwise.lab.blocks import Work, block_evidence
from foldwise.lab.design import Design
from foldwise.lab.evidence import Evidence, join
from foldwise.lab.populations import find_population
from foldwise.lab.pvalues import needs_of

__all__ = ["Resources", "gather", "prepare"]


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
    """

    n_jobs: int | None = None
    store: Any = None
    cluster: Any = None
    progress: Any = None


def prepare(tests: Sequence[Procedure], population: Any, learners: Sequence[Any], design: Design, seed: int) -> Work:
    """The work that these tests need; learners may be given by name."""
    return Work(
        population=find_population(population),
        learners=tuple(_learner(learner) for learner in learners),
        needs=needs_of(tests),
        design=design,
        seed=seed,
    )


def gather(work: Work, trials: int, resources: Resources | None = None) -> Evidence:
    """The evidence of the first `trials` trials."""
    parts = [block_evidence(work, index) for index in range(work.blocks(trials))]
    return join(parts).first(trials)


def _learner(learner: Any) -> Any:
    if not isinstance(learner, str):
        return learner
    from foldwise.learners.registry import create  # scikit-learn is not needed for simulated learners

    return create(learner)
