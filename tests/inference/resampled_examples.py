"""Small sets of two models' outputs for the tests of bootstrap and permutation."""

from __future__ import annotations

import numpy as np

from foldwise.metrics.catalogue import known_metric
from foldwise.metrics.function import measure
from foldwise.metrics.metric import Truth


def labels(n=8, seed=0, right=(0.8, 0.5)):
    """Truth and two models' labels, half of the items positive."""
    rng = np.random.default_rng(seed)
    truth = Truth(values=np.arange(n) % 2, classes=("no", "yes"), positive=1)
    return truth, [np.where(rng.random(n) < share, truth.values, 1 - truth.values) for share in right]


def scores(n=8, seed=0):
    rng = np.random.default_rng(seed)
    truth = Truth(values=np.arange(n) % 2, classes=("no", "yes"), positive=1)
    return truth, [rng.normal(truth.values, 1) for _ in range(2)]


def numbers(n=8, seed=0, noise=(1.0, 1.0)):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n)
    return Truth(values=y), [y + rng.normal(0, spread, n) for spread in noise]


EXAMPLES = {
    "f1": labels,
    "matthews_corrcoef": labels,
    "average_precision": scores,
    "rmse": numbers,
    "spearman": numbers,
}


def example(name, groups=None, **options):
    """The statistic of a metric, with the truth and the outputs behind it."""
    truth, outputs = EXAMPLES[name](**options)
    return measure(known_metric(name), truth, outputs, groups), truth, outputs
