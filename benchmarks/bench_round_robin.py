"""The round robin against repeated cross-validation, and in the lab.

Goals: 90 trainings in the design cost no more than 95 of repeated 10-fold cross-validation through the same kernels,
naive Bayes, C4.5 and 1-nearest neighbour together. (Where predicting costs more than training, as with nearest
neighbours, the design costs more: it tests every example 30 times, as many trainings of cv 9½ times.)
On two cores the lab examines 2000 data sets of 300 examples with the three learners in at most 60 s after compilation.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import time

import numpy as np

from foldwise import lab
from foldwise.core.kernels import PATIENCE
from foldwise.core.random import stream
from foldwise.designs import REPEATED_CV, ROUND_ROBIN, Design
from foldwise.lab.populations import find_population
from foldwise.learners import create
from foldwise.learners.binary import cross_validate
from foldwise.resampling.round_robin import partners

LEARNERS = ("nb", "c45", "1nn")
DATA_SETS, N, BLOCKS, DEALINGS = 100, 300, 6, 6
DESIGNS = (
    {"runs": DEALINGS * (BLOCKS - 1), "folds": BLOCKS, "partners": partners(BLOCKS)},
    {"runs": 9, "folds": 10},
    {"runs": 10, "folds": 10},
)
"""90 trainings; 95 cost as much as the mean of 90 and 100, each with what it costs to begin."""


def seconds(call, repeats=5):
    """The least CPU seconds."""
    call()
    times = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def binary():
    """Per learner the milliseconds of 90 trainings in the design, and of 95 in repeated cv, by the batch kernels."""
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, size=(DATA_SETS, N, 10)), rng.integers(0, 2, size=(DATA_SETS, N))

    def run(name, design):
        cross_validate(X, y, [name], seeds=np.arange(DATA_SETS), jobs=1, **design)

    return {
        name: [seconds(lambda name=name, design=design: run(name, design)) * 1e3 / DATA_SETS for design in DESIGNS]
        for name in LEARNERS
    }


def numeric():
    """The same by cross_predict, on one data set with numeric attributes."""
    population = find_population("symmetric-halves")
    sample = population.views(population.draw(N, stream(0, "bench")))[0]
    kinds = (ROUND_ROBIN, Design(n=N)), *((REPEATED_CV, Design(n=N, runs=runs)) for runs in (9, 10))
    folds = [kind.fold_ids(sample.y, kind.shape(design), 1) for kind, design in kinds]
    return {
        name: [
            seconds(lambda name=name, ids=ids: create(name).cross_predict(sample.X, sample.y, ids)) * 1e3
            for ids in folds
        ]
        for name in LEARNERS
    }


def show(title, found):
    print(f"{title}: milliseconds of 90 trainings in a round robin, of 95 in repeated 10-fold cross-validation, ratio")
    rows = {name: (design, sum(cv) / 2) for name, (design, *cv) in found.items()}
    rows["together"] = tuple(sum(column) for column in zip(*rows.values(), strict=True))
    for name, (design, cv) in rows.items():
        print(f"  {name:<10} {design:9.3f} {cv:9.3f} {design / cv:7.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=2000)
    trials = parser.parse_args().trials
    show("binary data", binary())
    show("numeric data", numeric())
    for population, pairs in (("independent-binary", [("nb", "c45"), ("nb", "1nn")]),
                              ("symmetric-halves", [("nb",), ("c45",), ("1nn",)])):  # fmt: skip
        start = time.perf_counter()
        for learners in pairs:
            resources = lab.Resources(n_jobs=2, progress=False)
            lab.type_one_error(["round_robin"], population, learners=learners, trials=trials, resources=resources)
        clock = time.perf_counter() - start
        print(f"the lab on {trials} data sets of {population}: {clock:.0f} s on two cores (goal: 60 s for 2000)")


if __name__ == "__main__":
    PATIENCE.seconds = 0.0  # kernels from the first call on
    main()
