"""How often the interval of a cross-validated error holds the true one, on sources where that is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foldwise.comparison.estimate import cross_validated_interval
from foldwise.core.random import stream
from foldwise.inference._error_interval import error_interval
from foldwise.lab.populations.bayes_net import BayesNet
from foldwise.lab.training import predict_folds
from foldwise.learners.registry import create
from foldwise.resampling.kfold import KFold

# Source, learner and number of examples.
STUDIES = tuple(
    (BayesNet(set=number), learner, n)
    for number, learner, n in (
        (1, "nb", 50),
        (2, "c45", 50),
        (2, "c45", 200),
        (3, "nb", 50),
        (3, "1nn", 50),
        (3, "1nn", 200),
        (4, "1nn", 50),
        (4, "nb", 200),
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Shares of samples whose interval holds the truth, with the examples at full worth and as foldwise counts them."""

    #: independent, counted: For the error of the model trained on all examples of the sample
    independent: float
    counted: float
    counted_expected: float  #: For the expected error of such models
    trials: int  #: Number of samples


def measure_coverage(
    population: BayesNet, learner: str, n: int, *, trials: int, seed: int, folds: int = 10, level: float = 0.95
) -> Coverage:
    """Coverage of the intervals of level `level` from one cross-validation of each of `trials` samples."""
    found = [_sample(population, learner, n, folds, stream(seed, "coverage", trial), trial) for trial in range(trials)]
    true, errors = np.array(found).T
    expected = true.mean()
    limits = error_interval(errors, n, confidence_level=level)
    ours = [cross_validated_interval(m, n, folds=folds, confidence_level=level) for m in errors]
    return Coverage(
        independent=float(((limits.low <= true) & (true <= limits.high)).mean()),
        counted=float(np.mean([t in interval for t, interval in zip(true, ours, strict=True)])),
        counted_expected=float(np.mean([expected in interval for interval in ours])),
        trials=trials,
    )


def _sample(
    population: BayesNet, learner: str, n: int, folds: int, rng: np.random.Generator, seed: int
) -> tuple[float, float]:
    """True error of the model of one sample, and errors of its cross-validation."""
    sample = population.draw(n, rng)
    model = create(learner).fit(sample.X, sample.y)
    ids = KFold(folds).fold_ids(sample.y, seed=seed)
    predicted = predict_folds(create(learner), sample, ids, seed)[0]
    return population.true_error(model.predict(population.cases())), float((predicted != sample.y).sum())
