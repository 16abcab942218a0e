"""Estimators of one learner's error: how far they are from the true error of the model that all the data give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from foldwise.core.random import stream
from foldwise.core.types import Array, Json
from foldwise.engine.tasks import run_tasks
from foldwise.estimation import METHODS, estimate_error
from foldwise.lab.populations import Sample
from foldwise.lab.populations.bayes_net import BayesNet
from foldwise.learners.registry import create

__all__ = ["LEARNERS", "POPULATION", "REPEATS", "measure_estimators"]

POPULATION = BayesNet(set=3)
LEARNERS = ("nb", "1nn")
N = 50
TRIALS = 100
REPEATS = 20
"""Bootstrap samples and iterations: fewer than usual, which adds a little spread and no bias."""


def measure_estimators(*, trials: int = TRIALS, seed: int, n: int = N, n_jobs: int | None = None) -> dict[str, Json]:
    """Bias, spread and root mean squared error of every estimator.

    Parameters
    ----------
    trials
        Data sets.
    seed, n
        Repeats the numbers; examples in each data set.
    n_jobs
        Processes; the numbers do not depend on it.

    Returns
    -------
    dict
        What was drawn, and one row per estimator and learner.
    """
    rows = []
    for learner in LEARNERS:
        found: dict[int, list[float]] = {}
        run_tasks(_Samples(learner=learner, n=n, seed=seed), range(trials), found.__setitem__, n_jobs=n_jobs)
        errors = np.array([found[trial] for trial in range(trials)])
        rows += [_row(name, learner, errors[:, place]) for place, name in enumerate(METHODS)]
    return {"population": repr(POPULATION), "n": n, "trials": trials, "repeats": REPEATS, "rows": rows}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Samples:
    """Data sets, one a piece: estimated minus true error, for each method."""

    learner: str
    n: int
    seed: int

    def worker(self) -> Self:
        """Does the pieces itself."""
        return self

    def work(self, number: int) -> list[float]:
        """One data set."""
        sample = POPULATION.draw(self.n, stream(self.seed, "estimators", number))
        model = create(self.learner).fit(sample.X, sample.y)
        true = POPULATION.true_error(model.predict(POPULATION.cases()))
        return [self._estimate(sample, method, number) - true for method in METHODS]

    def _estimate(self, sample: Sample, method: str, number: int) -> float:
        repeats = REPEATS if method not in ("kfold", "loo", "holdout", "apparent") else None
        found = estimate_error(self.learner, sample.X, sample.y, method=method, repeats=repeats, random_state=number)
        return found.estimate


def _row(name: str, learner: str, off: Array) -> dict[str, Json]:
    return {
        "method": name,
        "learner": learner,
        "bias": round(float(off.mean()), 4),
        "bias_error": round(float(off.std(ddof=1) / np.sqrt(len(off))), 4),
        "spread": round(float(off.std(ddof=1)), 4),
        "rmse": round(float(np.sqrt((off**2).mean())), 4),
    }
