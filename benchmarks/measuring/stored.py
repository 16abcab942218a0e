"""What the package carries besides the measured table: calibrated degrees of freedom, and Bouckaert's networks.

``python benchmarks/measuring calibrated`` writes `foldwise/inference/calibrated_df.json`, whose stamp says how it
was made; ``python benchmarks/measuring networks`` finds the networks of the population ``bayes-net``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from foldwise import __version__
from foldwise.core.random import stream
from foldwise.core.types import Json
from foldwise.core.validation import integer
from foldwise.inference import repeated_cv
from foldwise.lab.calibration import CalibrationTable, calibrate
from foldwise.lab.gather import Resources
from foldwise.lab.populations.bayes_net import PUBLISHED, Network, random_network
from foldwise.learners.binary import cross_validate

RUNS = range(2, 101)
SCHEMES = (5, 10, 20)
LEVELS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2)
TRIALS = 2000
N = 300
SEED = 2003
POPULATION = "independent-binary"
LEARNERS = ("nb", "c45")


def calibrated_table(
    *, trials: int = TRIALS, folds: tuple[int, ...] = SCHEMES, runs: range = RUNS, n_jobs: int | None = None
) -> dict[str, Json]:
    """Calibrate the six calibratable tests for every scheme.

    ``stamp``: how it was made; ``runs``: the first and the last number of runs; ``df``: per number of folds, alpha and
    test the degrees of freedom for each number of runs, 0 where none gives the test its level.
    """
    tables = {k: _calibrated(k, runs, trials, n_jobs) for k in folds}
    first = tables[folds[0]]
    return {
        "stamp": {
            "made by": "python benchmarks/measuring calibrated",
            "version": __version__,
            "population": first.population,
            "learners": list(first.learners),
            "n": N,
            "trials": trials,
            "seed": SEED,
            "df tried": list(first.df_range),
        },
        "runs": [runs[0], runs[-1]],
        "df": {str(k): _by_level(table) for k, table in tables.items()},
    }


def _calibrated(folds: int, runs: range, trials: int, n_jobs: int | None) -> CalibrationTable:
    return calibrate(
        repeated_cv.CALIBRATABLE, POPULATION, learners=LEARNERS, runs=list(runs), folds=folds, alpha=LEVELS,
        trials=trials, seed=SEED, resources=Resources(n_jobs=n_jobs), n=N,
    )  # fmt: skip


def _by_level(table: CalibrationTable) -> dict[str, dict[str, str]]:
    """Per alpha and test the values in the order of runs, as text: a list of numbers would take a line for each."""
    levels: dict[str, dict[str, str]] = {}
    for row in table.rows:
        tests = levels.setdefault(f"{row.alpha:g}", {})
        tests[row.test] = f"{tests[row.test]} {row.df}" if row.test in tests else str(row.df)
    return levels


def write_calibrated(table: dict[str, Json], path: Path | None = None) -> None:
    path = path or Path(repeated_cv.__file__).with_name(repeated_cv.FILE)
    path.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


# ---- The networks of the population ``bayes-net``.

TRAINED_ON = 300  # Examples that the learners are trained on.

FOLDS = 11  # Cross-validation on 330 examples in 11 folds trains on exactly 300 and tests on 30 others.

ARROWS = range(5, 46)  # Numbers of arrows that candidates have, in turn.

NETWORKS = 12  # Networks that are found for each set.

# Each round measures the candidates that are left on so many data sets, weights their difference of accuracies so much,
# which is known better than either, and keeps so many candidates for each set.
ROUNDS = ((20, 1.0, 200), (300, 2.0, 40), (3000, 2.0, NETWORKS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A random network and how well naive Bayes and C4.5 do on it."""

    #: arrows, seed: What `random_network` needs to make it
    arrows: int
    seed: int
    accuracies: tuple[float, float]  #: Of naive Bayes and C4.5 trained on 300 examples, in per cent

    def distance(self, wanted: tuple[float, float], weight: float) -> float:
        """How far from the wanted accuracies, in points; their difference counts `weight` times."""
        nb, c45 = (found - given for found, given in zip(self.accuracies, wanted, strict=True))
        return max(abs(nb), abs(c45), weight * abs(c45 - nb))


def limits(network: Network) -> tuple[float, float]:
    """Accuracies, in per cent, of naive Bayes that knows all probabilities, and of the best rule.

    Naive Bayes learns from 300 examples to come near the first, and nothing gets above the second: networks for which
    these are wrong need not be trained on.
    """
    joint, cases = network.probabilities, network.cases.astype(np.float64)
    one = cases.T @ joint / joint.sum(axis=0)  # of each attribute being 1, by class
    logs = cases @ np.log(one) + (1 - cases) @ np.log(1 - one)
    chosen = np.argmax(logs, axis=1)
    return 100 * float(joint[np.arange(len(joint)), chosen].sum()), 100 * float(joint.max(axis=1).sum())


def accuracies(network: Network, data_sets: int, rng: np.random.Generator) -> tuple[float, float]:
    """Mean accuracies, in per cent, of naive Bayes and C4.5 trained on 300 examples.

    Each of the data sets trains every learner eleven times and tests it on 330 examples.
    """
    n = TRAINED_ON * FOLDS // (FOLDS - 1)
    X, y = network.draw(data_sets * n, rng)
    correct = cross_validate(
        X.reshape(data_sets, n, -1), y.reshape(data_sets, n), ("nb", "c45"), seeds=rng.integers(2**62, size=data_sets),
        runs=1, folds=FOLDS,
    )  # fmt: skip
    nb, c45 = (100 * float(correct[name].sum()) / (data_sets * n) for name in ("nb", "c45"))
    return nb, c45


def search(seed: int = 0, *, candidates: int = 100_000) -> dict[int, list[Candidate]]:
    """For each of sets 2 to 4 the random networks that come nearest to the printed accuracies, the nearest first.

    `seed` is of the data sets; candidate number i is made from seed i whatever it is.
    """
    integer(candidates, "candidates", minimum=1)
    left: dict[int, list[tuple[int, int]]] = {2: [], 3: [], 4: []}
    for place in ((ARROWS[number % len(ARROWS)], number) for number in range(candidates)):
        naive, best_rule = limits(random_network(arrows=place[0], seed=place[1]))
        for number, places in left.items():
            nb, c45 = PUBLISHED[number]
            if nb - 1 < naive < nb + 4 and best_rule > c45:
                places.append(place)
    best: dict[int, list[Candidate]] = {}
    for data_sets, weight, kept in ROUNDS:
        measured = {
            place: _measured(place, data_sets, seed) for place in sorted({p for ps in left.values() for p in ps})
        }
        for number, places in left.items():
            nearest = sorted((measured[place] for place in places), key=_distance_to(PUBLISHED[number], weight))[:kept]
            left[number] = [(candidate.arrows, candidate.seed) for candidate in nearest]
            best[number] = nearest
    return best


def _measured(place: tuple[int, int], data_sets: int, seed: int) -> Candidate:
    arrows, number = place
    network = random_network(arrows=arrows, seed=number)
    found = accuracies(network, data_sets, stream(seed, "measure", number, data_sets))
    return Candidate(arrows=arrows, seed=number, accuracies=found)


def _distance_to(wanted: tuple[float, float], weight: float) -> Callable[[Candidate], float]:
    return lambda candidate: candidate.distance(wanted, weight)
