"""Corrected repeated cv t test on 100,000 matrices of 10×10 against a loop that uses scipy.stats.t.

The loop is timed on a slice of the same matrices and its time extrapolated; goal: at least 150 times as fast.
"""

from __future__ import annotations

import time

import numpy as np
from scipy import stats

from foldwise.inference import corrected_repeated_cv_t

MATRICES, SLICE, REPEATS = 100_000, 2_000, 5


def looped(x: np.ndarray) -> np.ndarray:
    """What one would write for a single experiment, called once for each."""
    pvalues = np.empty(len(x))
    for i, matrix in enumerate(x):
        n = matrix.size
        t = matrix.mean() / np.sqrt((1 / n + 1 / (matrix.shape[1] - 1)) * matrix.var(ddof=1))
        pvalues[i] = 2 * stats.t.sf(abs(t), n - 1)
    return pvalues


def seconds(call) -> float:
    best = np.inf
    for _ in range(REPEATS):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    x = np.random.default_rng(0).normal(0.005, 0.03, size=(MATRICES, 10, 10))
    part = x[:SLICE]
    difference = np.abs(looped(part) - corrected_repeated_cv_t(part).pvalue).max()
    loop = seconds(lambda: looped(part)) * MATRICES / SLICE
    batch = seconds(lambda: corrected_repeated_cv_t(x))
    print(f"corrected_repeated_cv_t, {MATRICES:,} matrices of 10×10   largest difference of p {difference:.1e}")
    print(f"  loop of scipy.stats.t  {loop:8.2f} s   ({SLICE:,} timed, extrapolated)")
    print(f"  one call               {batch:8.4f} s")
    print(f"  ratio                  {loop / batch:8.0f} ×   (goal 150 ×)")


if __name__ == "__main__":
    main()
