"""Would another partitioning give the same verdict? Fixed 10×10-fold cross-validation beside ``runs="auto"``.

On each of Bouckaert's four sources, data sets of 300 examples are drawn; on each of them naive Bayes and C4.5 are
compared ten times, with ten different random partitionings. A data set counts as consistent when all ten verdicts
agree. Goal: a consistent share of at least 0.95 with ``runs="auto"`` at a median of about 10 runs.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from foldwise.comparison.adding_runs import FIRST_RUNS, Budget, add_runs, growth_of
from foldwise.core.random import stream
from foldwise.designs import Batch, find_procedure
from foldwise.inference import error_interval
from foldwise.lab.populations import find_population
from foldwise.learners.binary import cross_validate

FOLDS, ALPHA, REPETITIONS = 10, 0.05, 10


def scorer(sample, seed):
    """Accuracies of both learners in a range of runs; runs are prefixes of one another."""
    X, y = sample.X.values[None].astype(np.uint8), sample.y[None].astype(np.uint8)
    size = y.shape[1] / FOLDS
    kept = {}

    def score(runs):
        if runs.stop not in kept:
            kept[runs.stop] = cross_validate(X, y, ("nb", "c45"), seeds=[seed], runs=runs.stop, folds=FOLDS, jobs=1)
        correct = kept[runs.stop]
        return tuple(correct[name][0, runs.start : runs.stop] / size for name in ("nb", "c45"))

    return score


def verdicts(sample, trial, test, budget):
    """Per repetition (fixed 10×10 rejects, auto rejects, runs that auto needed)."""
    growth = growth_of(find_procedure(test), folds=FOLDS, alpha=ALPHA)
    for repetition in range(REPETITIONS):
        score = scorer(sample, int(stream(trial, "partition", repetition).integers(2**62)))
        a, b = score(range(FIRST_RUNS))
        fixed = growth.procedure.run(Batch(data=a - b, ratio=1 / (FOLDS - 1), alpha=ALPHA)).pvalue < ALPHA
        (stable,) = add_runs(lambda wanted, score=score: [score(wanted)], growth, budget=budget)
        yield fixed, stable.stabilities[0].pvalue < ALPHA, len(stable.scores[0])


def measure(source, test, data_sets, budget):
    population = find_population(source)
    fixed, auto, runs = (
        np.array(part).reshape(data_sets, REPETITIONS)
        for part in zip(
            *(
                row
                for trial in range(data_sets)
                for row in verdicts(population.draw(300, stream(0, source, trial)), trial, test, budget)
            ),
            strict=True,
        )
    )
    shares = []
    for rejected in (fixed, auto):
        consistent = int(np.isin(rejected.sum(axis=1), (0, REPETITIONS)).sum())
        interval = error_interval(consistent, data_sets, method="wilson")
        shares.append(f"{consistent / data_sets:.3f} ({interval.low:.3f} to {interval.high:.3f})")
    print(
        f"{source:<20} {test:<26} {shares[0]:<26} {shares[1]:<26} {np.median(runs):5.0f} {runs.mean():7.1f} "
        f"{(runs >= budget.max_runs).mean():8.3f}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-sets", type=int, default=100)
    parser.add_argument("--max-runs", type=int, default=1000)
    options = parser.parse_args()
    started = time.perf_counter()
    titles = f"{'consistent, 10×10':<26} {'consistent, auto':<26} {'median':>5} {'mean':>7} {'at max':>8}"
    print(f"{'source':<20} {'test':<26} {titles}")
    for test in ("corrected_repeated_cv_t", "use_all_data"):
        for source in ("independent-binary", "bayes-net(set=2)", "bayes-net(set=3)", "bayes-net(set=4)"):
            measure(source, test, options.data_sets, Budget(max_runs=options.max_runs))
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
