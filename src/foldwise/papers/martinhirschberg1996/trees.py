"""Appendix B.2: stopped and unpruned trees on noisy contact-lens data, with every estimator on every sample."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from foldwise.core.random import stream
from foldwise.core.types import Array
from foldwise.lab.populations.contact_lenses import ContactLenses
from foldwise.lab.populations.population import Sample
from foldwise.papers.martinhirschberg1996.neighbours import random_folds
from foldwise.papers.study import Task
from foldwise.papers.trials import Trials, do_trials

if TYPE_CHECKING:
    from foldwise.learners.c45 import C45

__all__ = ["ESTIMATORS", "INHERENT", "PER_TEST", "SIZES", "simulate"]

SIZES = (24, 36, 48, 96)
INHERENT = ("0.1", "5", "10", "25")
ESTIMATORS = ("ter", "app", "loo", "cv10", "632b", "loo*")
ITERATIONS = 100

PER_TEST = 8
"""Samples behind each printed t."""


def learners() -> tuple[C45, C45]:
    """The stopped and the unpruned tree, both split by the hypergeometric test (footnote 20)."""
    from foldwise.learners import C45  # numba is not needed to list the studies

    stopped, unpruned = (C45(stopping=level, pruned=False, collapse=False, min_instances=1) for level in (0.05, 1.0))
    return stopped, unpruned


def _start(sizes: tuple[int, ...], iterations: int, seed: int) -> Callable[[int], dict[str, Array]]:
    """The function that draws sample `number` of every combination, and estimates."""

    def trial(number: int) -> dict[str, Array]:
        drawn = [[_one(size, inherent, iterations, seed, number) for size in sizes] for inherent in INHERENT]
        return {name: np.array([[one[name] for one in line] for line in drawn]) for name in ESTIMATORS}

    return trial


def _one(size: int, inherent: str, iterations: int, seed: int, number: int) -> dict[str, list[float]]:
    """Every estimate for both trees on one sample, each tree with partitions and bootstrap samples of its own."""
    rng = stream(seed, "trees", size, inherent, number)
    population = ContactLenses(inherent_error=float(inherent) / 100)
    sample = population.draw(size, rng)
    found = [_estimates(tree, population, sample, iterations, rng) for tree in learners()]
    return {name: [one[name] for one in found] for name in ESTIMATORS}


def _estimates(
    tree: C45, population: ContactLenses, sample: Sample, iterations: int, rng: np.random.Generator
) -> dict[str, float]:
    """All six error rates of one learner on one sample."""
    size = len(sample.y)
    predicted = tree.fit(sample.X, sample.y).predict(population.cases())
    apparent = float((predicted[_case_of(sample)] != sample.y).mean())
    loo, cv10, twofold = (
        float((tree.cross_predict(sample.X, sample.y, folds) != sample.y).mean())
        for folds in (np.arange(size)[None], random_folds(size, 10, 1, rng), random_folds(size, 2, iterations, rng))
    )
    bags = rng.integers(0, size, size=(iterations, size))
    return {
        "ter": population.true_error(predicted),
        "app": apparent,
        "loo": loo,
        "cv10": cv10,
        "632b": _bootstrap632(tree, population, sample, bags, apparent),
        # Weiss' hybrid as foldwise.estimation defines it: 2-CV* where it is the lower
        "loo*": min(loo, twofold),
    }


def _case_of(sample: Sample) -> NDArray[np.int64]:
    """Which of the population's 24 cases each example is."""
    return np.asarray(np.ravel_multi_index(np.asarray(sample.X.values, dtype=np.int64).T, (3, 2, 2, 2)))


def _bootstrap632(
    tree: C45, population: ContactLenses, sample: Sample, bags: NDArray[np.int64], apparent: float
) -> float:
    from foldwise.estimation.bootstrap import bootstrap632, leave_one_out_bootstrap

    cases, case_of = population.cases(), _case_of(sample)
    losses = np.full(bags.shape, np.nan)
    for bag, row in zip(bags, losses, strict=True):
        outside = np.ones(len(row), dtype=bool)
        outside[bag] = False
        predicted = tree.fit(sample.X[bag], sample.y[bag]).predict(cases)
        row[outside] = (predicted[case_of] != sample.y)[outside]
    return bootstrap632(apparent, leave_one_out_bootstrap(losses), 0.5).point632


def simulate(task: Task) -> dict[str, Array]:
    """Per estimator the error rates, of shape (samples, inherent errors, sizes, 2)."""
    samples = task.pick(smoke=PER_TEST, quick=4 * PER_TEST, full=25 * PER_TEST)
    sizes = SIZES[:1] if task.scale == "smoke" else SIZES
    iterations = 5 if task.scale == "smoke" else ITERATIONS
    work = Trials(
        identity=("martinhirschberg1996", "trees", sizes, iterations, task.seed),
        start=partial(_start, sizes, iterations, task.seed),
        numbers=2 * len(ESTIMATORS) * len(sizes) * len(INHERENT),
    )
    return do_trials(work, samples, task.resources)
