"""Metrics of predictions on a million items: F1 with 10,000 bootstrap resamples against a loop over scikit-learn's
``f1_score``, and DeLong's test against MLstatkit where that is installed (``pip install MLstatkit``).

The loop is timed on a few resamples and multiplied up; both sides start from arrays. Run it with
``python benchmarks/bench_metrics.py [items]``.
"""

from __future__ import annotations

import sys
import time

import numpy as np
from sklearn.metrics import f1_score

import foldwise as fw
from foldwise import inference as inf

RESAMPLES, TIMED = 10_000, 3


def seconds(work, repeats=3):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    rng = np.random.default_rng(0)
    truth = (rng.random(n) < 0.3).astype(np.int64)
    a, b = (np.where(rng.random(n) < skill, truth, 1 - truth) for skill in (0.85, 0.84))

    def loop():
        for _ in range(TIMED):
            rows = rng.integers(0, n, n)
            f1_score(truth[rows], a[rows])
            f1_score(truth[rows], b[rows])

    ours = seconds(lambda: fw.compare_predictions(truth, a, b, metric="f1", positive=1))
    theirs = seconds(loop, 1) * RESAMPLES / TIMED
    print(f"F1, {n:,} items, {RESAMPLES:,} resamples, test, interval and all: {ours:.2f} s (goal 1 s)")
    print(
        f"  a loop over scikit-learn: {theirs:,.0f} s (from {TIMED} resamples); ratio {theirs / ours:,.0f}× (goal 100×)"
    )

    scores = [truth + rng.normal(0, spread, n) for spread in (1.0, 1.05)]
    ours = seconds(lambda: inf.delong(truth, *scores))
    print(f"DeLong, {n:,} items: {ours:.2f} s (goal 2 s)")
    try:
        from MLstatkit import Delong_test
    except ImportError:
        print("  MLstatkit is not installed: no comparison")
        return
    theirs = seconds(lambda: Delong_test(truth, *scores), 1)
    print(f"  MLstatkit: {theirs:.1f} s; ratio {theirs / ours:.0f}× (goal 50×)")


if __name__ == "__main__":
    main()
