"""The Bayesian signed-rank test on tables of many data sets, beside baycomp and the drawing of the weights alone.

CPU seconds of 10,000 draws for one pair of learners, all in one run, the shortest of a few rounds. The posterior is a
double sum over pairs of data sets; drawing the weights is what nobody can save. baycomp builds the n × n pairs, and is
left out where that would take minutes.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import baycomp
import numpy as np

from foldwise.inference.many.bayesian import dirichlet_weights, signed_rank_shares

SIZES, BAYCOMP_AT_MOST, DRAWS, ROUNDS, ROPE = (30, 300, 1_000, 3_000), 300, 10_000, 3, 0.01


def seconds(job: Callable[[], object]) -> float:
    found = []
    for _ in range(ROUNDS):
        start = time.process_time()
        job()
        found.append(time.process_time() - start)
    return min(found)


def main() -> None:
    print(f"{'data sets':>9} {'weights':>9} {'shares':>9} {'baycomp':>9}   CPU seconds")
    rng = np.random.default_rng(0)
    for n in SIZES:
        a = rng.normal(0.8, 0.05, n)
        b = a + rng.normal(0, 0.02, n)
        weights = dirichlet_weights(n, DRAWS)
        drawing = seconds(lambda n=n: dirichlet_weights(n, DRAWS))
        ours = seconds(lambda d=a - b, w=weights: signed_rank_shares(d, w, ROPE))
        theirs = (
            seconds(lambda a=a, b=b: baycomp.SignedRankTest.probs(a, b, ROPE, nsamples=DRAWS))
            if n <= BAYCOMP_AT_MOST
            else float("nan")
        )
        print(f"{n:>9,} {drawing:>9.3f} {ours:>9.3f} {theirs:>9.3f}")


if __name__ == "__main__":
    main()
