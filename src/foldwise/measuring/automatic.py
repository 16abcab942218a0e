"""The round robin with ``runs="auto"``: ten people deal the same data, and each adds dealings until it is settled."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from foldwise.core.random import stream
from foldwise.core.types import Array
from foldwise.engine.named import learner_of
from foldwise.kinds import ROUND_ROBIN, Batch, Design, find_procedure
from foldwise.kinds.examples import quietly
from foldwise.lab.gather import Resources
from foldwise.lab.populations import Population, Source
from foldwise.lab.populations.population import Views
from foldwise.lab.trials import evidence_from_learners
from foldwise.papers.trials import Trials, do_trials
from foldwise.verdict.growing import Budget
from foldwise.verdict.growth import growth_of
from foldwise.verdict.stable_runs import add_runs

__all__ = ["verdicts"]

PEOPLE = 10
ALPHA = 0.05
MOST = 300
"""Runs of cross-validation that the dealings of one verdict may cost: less than the default of a thousand."""


def verdicts(
    population: Population, learner: str, n: int, trials: int, *, seed: int, resources: Resources | None
) -> tuple[Array, Array, Array]:
    """Whether each of ten people rejects, is told that it is settled, and trainings of a learner: (trials, people)."""
    assert isinstance(population, Source)  # there is something to deal
    work = Trials(
        identity=("round-robin-auto-shared", population, learner, n, MOST, seed),
        start=partial(_start, population, learner, n, seed),
        numbers=3 * PEOPLE,
        lower="the number of data sets",
    )
    found = do_trials(work, trials, resources or Resources())
    return found["rejected"], found["settled"], found["trainings"]


def _start(population: Source, learner: str, n: int, seed: int) -> Callable[[int], dict[str, Array]]:
    def trial(number: int) -> dict[str, Array]:
        views = population.views(population.draw(n, stream(seed, "auto", population.name, number)))
        drawn = stream(seed, "auto", "dealings", number)
        found = [_verdict(views, learner, n, int(drawn.integers(2**62))) for _ in range(PEOPLE)]
        columns = (np.array(column, dtype=np.float64) for column in zip(*found, strict=True))
        return dict(zip(("rejected", "settled", "trainings"), columns, strict=True))

    return trial


def _verdict(views: Views, learner: str, n: int, seed: int) -> tuple[bool, bool, int]:
    """Whether the test rejects after as many dealings as it wants, whether they settled it, and the trainings."""
    procedure, blocks = find_procedure("round_robin"), Design(n=n).blocks
    growth = growth_of(procedure, folds=blocks, alpha=ALPHA)
    pair = (learner_of(learner), learner_of(learner))

    def score(dealings: range) -> tuple[Array, Array]:
        design = Design(n=n, dealings=len(dealings), blocks=blocks)
        own = int(stream(seed, "dealings", dealings.start).integers(2**62))
        d = evidence_from_learners([views], pair, (ROUND_ROBIN,), design, [own])[ROUND_ROBIN][0, 0]
        return d, np.zeros_like(d)

    found = add_runs(score, growth, budget=Budget(max_runs=MOST))
    pvalue = float(quietly(procedure, Batch(data=found.a - found.b)).pvalue)
    settled = found.stability is not None and bool(found.stability.settled)
    return pvalue < ALPHA, settled, len(found.a) * blocks * (blocks - 1) // 2
