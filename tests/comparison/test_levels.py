"""Equal models are rarely told apart, through the verbs: a few cases of each part of the benchmark."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::foldwise.core.errors.DegenerateVariance")]

PARTS = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "levels_at_the_verbs.py"))["PARTS"]
CASES = {
    "time": ("losses, autocorrelation 0.95, 100 periods", "right and wrong, autocorrelation 0.8, 100 periods"),
    "time_splits": ("mae, autocorrelation 0.8, 60 examples, 5 splits",),
    "margins": (
        "right and wrong, 30 items, true difference +0.15: superior",
        "right and wrong, 10 items, true difference -0.05: non-inferior",
        "marks, 200 items in 20 clusters, true difference -0.1: non-inferior",
    ),
    "watch": ("60 clusters of 5", "one cluster of 150, 40 of 5", "clusters that grow, 1 to 30", "8 clusters of 40"),
}
TRIALS = {"time": 150, "time_splits": 30, "margins": 150, "watch": 60}


@pytest.mark.parametrize(("part", "words"), [(part, words) for part, cases in CASES.items() for words in cases])
def test_the_level_is_kept(part, words):
    """At most as often as once in a thousand at a rate of .06: .05, and what approximations cost."""
    rng = np.random.default_rng(31)
    trial = dict(PARTS[part][0]())[words]
    false = sum(trial(rng)[0] for _ in range(TRIALS[part]))
    assert false <= stats.binom.isf(0.001, TRIALS[part], 0.06)
