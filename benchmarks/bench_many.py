"""Time of the comparisons of many learners, each beside what it may take at most."""

from __future__ import annotations

import sys
import time

import numpy as np

import foldwise as fw
from foldwise.inference import (
    adjust,
    bayesian_signed_rank,
    bergmann_hommel,
    bradley_terry,
    hierarchical_correlated_t,
    pairwise,
)


def seconds(action):
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def main():
    rng = np.random.default_rng(0)
    large = rng.normal(size=(1000, 100))
    p = rng.uniform(size=(9, 9))
    p = np.triu(p, 1) + np.triu(p, 1).T
    splits = rng.normal(0.01, 0.02, size=(30, 1)) + rng.normal(0, 0.03, size=(30, 100))
    table = rng.normal(size=(50, 20))
    jobs = [
        ("100 learners × 1000 data sets: all pairs by Wilcoxon, Holm", 5, lambda: adjust(pairwise(large).pvalues)),
        ("the same by compare_table", 5, lambda: fw.compare_table(large)),
        ("Bergmann–Hommel, 9 learners", 10, lambda: bergmann_hommel(p)),
        (
            "hierarchical model, 30 data sets × 100 splits",
            60,
            lambda: hierarchical_correlated_t(splits, correlation=0.1),
        ),
        ("Bayesian signed rank, 1000 data sets", 10, lambda: bayesian_signed_rank(large[:, 0], large[:, 1])),
        ("Bradley–Terry, 20 learners × 50 data sets", 10, lambda: bradley_terry(table)),
        ("compare_table with probabilities, 20 learners × 50 data sets", 10, lambda: fw.compare_table(table)),
    ]
    slow = False
    for name, limit, action in jobs:
        taken = seconds(action)
        slow |= taken > limit
        print(f"{name:<62} {taken:8.2f} s   (at most {limit} s)")
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
