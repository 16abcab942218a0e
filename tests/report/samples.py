"""Comparisons to report on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from verb_options import with_options

import foldwise as fw


def from_scores(shape=(10, 10), *, names=("first", "second"), gain=0.03, **options):
    """Two learners of which the first is a little better."""
    rng = np.random.default_rng(1)
    base = rng.normal(0.7, 0.04, shape)
    n_test = round(846 / (shape[1] if len(shape) == 2 else 10))
    options = {"metric": "accuracy", "n_train": 846 - n_test, "n_test": n_test} | options
    return fw.compare_scores(
        dict(zip(names, (base + rng.normal(gain, 0.05, shape), base), strict=True)), **with_options(options)
    )


def from_counts(n00=10, n01=5, n10=20, n11=65, *, names=("a", "b"), **options):
    """Two classifiers with these counts of outcomes."""
    a = [0] * n00 + [0] * n01 + [1] * n10 + [1] * n11
    b = [0] * n00 + [1] * n01 + [0] * n10 + [1] * n11
    return fw.compare_predictions(None, dict(zip(names, (a, b), strict=True)), **with_options(options))


def with_pairs(c, **changes):
    """The comparison by one metric with its pairs changed."""
    return replace(c, parts=(c.parts[0].with_pairs(lambda pair: replace(pair, **changes)),))
