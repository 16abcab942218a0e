"""All measurements as one table, and how it is written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

import numpy as np
from scipy import special

from foldwise import __version__
from foldwise.comparison.error_estimators import METHODS
from foldwise.comparison.estimate import cross_validated_interval, estimate_error
from foldwise.comparison.options import Options
from foldwise.core.random import stream
from foldwise.core.types import Array, Json
from foldwise.designs import Design
from foldwise.engine.driver import run_tasks
from foldwise.inference.error_rates import EMPIRICAL_PRIOR, INTERVAL_METHODS, Method, error_interval
from foldwise.inference.measured import FILE
from foldwise.lab.gather import Resources
from foldwise.lab.populations import Sample
from foldwise.lab.populations.bayes_net import BayesNet
from foldwise.lab.training import predict_folds
from foldwise.learners.registry import create
from foldwise.resampling.kfold import KFold
from measuring.algorithms import GROUNDS, Ground, measure_algorithms
from measuring.marks import TABLES, measure_many, measure_marks
from measuring.marks import TRIALS as MARK_TRIALS
from measuring.metrics import DATA_SETS, measure_metrics
from measuring.two_learners import ALPHA, REPETITIONS, ROPE, SOURCES, Trials, measure_source

N = 50
RATES = (0.02, 0.1, 0.3)
LEVEL = 0.95


def measure_intervals(n: int = N, rates: tuple[float, ...] = RATES) -> list[dict[str, Json]]:
    """Coverage and mean width of every interval, exactly.

    One row per method and rate, for so many test examples.
    """
    return [_row(method, n, rate) for method in INTERVAL_METHODS for rate in rates]


def _row(method: Method, n: int, rate: float) -> dict[str, Json]:
    errors = np.arange(n + 1)
    prior = EMPIRICAL_PRIOR if method == "beta" else None
    found = error_interval(errors, n, method=method, confidence_level=LEVEL, prior=prior)
    log = special.gammaln(n + 1) - special.gammaln(errors + 1) - special.gammaln(n - errors + 1)
    weight = np.exp(log + special.xlogy(errors, rate) + special.xlog1py(n - errors, -rate))
    holds = (np.asarray(found.low) <= rate) & (rate <= np.asarray(found.high))
    width = np.minimum(found.high, 1) - np.maximum(found.low, 0)
    return {
        "method": method,
        "n": n,
        "rate": rate,
        "coverage": round(float(weight @ holds), 4),
        "width": round(float(weight @ width), 4),
    }


# ---- Estimators of one learner's error: how far they are from the true error of the model that all the data give.

POPULATION = BayesNet(set=3)
LEARNERS = ("nb", "1nn")

TRIALS = 100
REPEATS = 20  # Bootstrap samples and iterations: fewer than usual, which adds a little spread and no bias.


def measure_estimators(*, trials: int = TRIALS, seed: int, n: int = N, n_jobs: int | None = None) -> dict[str, Json]:
    """Bias, spread and root mean squared error of every estimator.

    One row per estimator and learner, from so many data sets of n examples.
    """
    rows = []
    for learner in LEARNERS:
        found: dict[int, list[float]] = {}
        run_tasks(_Samples(learner=learner, n=n, seed=seed), range(trials), found.__setitem__, n_jobs=n_jobs)
        true, *estimates = np.array([found[trial] for trial in range(trials)]).T
        for name, estimate in zip(_methods(), estimates, strict=True):
            # disjoint training sets are about all models of this size, the other methods about the one of the sample
            truth = true if METHODS[name].of_all_data else true.mean()
            rows.append(_estimators_row(name, learner, estimate - truth))
    return {"population": repr(POPULATION), "n": n, "trials": trials, "repeats": REPEATS, "rows": rows}


TRAINING_SETS = 8  # Of ``delve``, which has so many times the examples of the other methods, and as many again to test.


def _methods() -> list[str]:
    """Those about the model of all the data, and ``delve``."""
    return sorted(METHODS, key=lambda name: not METHODS[name].of_all_data)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Samples:
    """Data sets, one a piece: the true error of the model, and its estimate by each method."""

    learner: str
    n: int
    seed: int

    def worker(self) -> Self:
        return self

    def work(self, number: int) -> list[float]:
        sample = POPULATION.draw(self.n, stream(self.seed, "estimators", number))
        model = create(self.learner).fit(sample.X, sample.y)
        true = POPULATION.true_error(model.predict(POPULATION.cases()))
        return [true, *(self._estimate(sample, method, number) for method in _methods())]

    def _estimate(self, sample: Sample, method: str, number: int) -> float:
        if not METHODS[method].of_all_data:
            large = POPULATION.draw(2 * TRAINING_SETS * self.n, stream(self.seed, "delve", number))
            return estimate_error(
                self.learner, large.X, large.y, method=method, repeats=TRAINING_SETS, random_state=number,
                options=Options(train_size=self.n),
            ).estimate  # fmt: skip
        repeats = REPEATS if method not in ("kfold", "loo", "holdout", "apparent") else None
        found = estimate_error(self.learner, sample.X, sample.y, method=method, repeats=repeats, random_state=number)
        return found.estimate


def _estimators_row(name: str, learner: str, off: Array) -> dict[str, Json]:
    return {
        "method": name,
        "learner": learner,
        "bias": round(float(off.mean()), 4),
        "bias_error": round(float(off.std(ddof=1) / np.sqrt(len(off))), 4),
        "spread": round(float(off.std(ddof=1)), 4),
        "rmse": round(float(np.sqrt((off**2).mean())), 4),
    }


SEED = 2004


def make_table(
    *, trials: Trials | None = None, estimator_trials: int = TRIALS, tables: int = TABLES,
    mark_trials: int = MARK_TRIALS, data_sets: int = DATA_SETS, grounds: tuple[Ground, ...] = GROUNDS, seed: int = SEED,
    n_jobs: int | None = None, store: str | Path | None = None,
) -> dict[str, Json]:  # fmt: skip
    """Measure everything.

    `trials`, `estimator_trials`, `tables`, `mark_trials` and `data_sets` say how much is drawn for the tests of two
    learners, the error estimators, the procedures over data sets, the tests of marks and the metrics. From `store` the
    metrics and the tests of algorithms go on after an interruption.
    """
    amounts = trials or Trials()
    resources = Resources(n_jobs=n_jobs, store=store, progress=False)
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    found = [measure_source(source, trials=amounts, seed=seed, n_jobs=n_jobs) for source in SOURCES]
    return {
        "stamp": {
            "made by": "python benchmarks/measuring",
            "version": __version__,
            "seed": seed,
            "alpha": ALPHA,
            "rope": ROPE,
            "trials": asdict(amounts),
            "design": asdict(Design(repetitions=REPETITIONS)),
        },
        "sources": [part["source"] for part in found],
        "two_learners": [row for part in found for row in part["rows"]],
        "intervals": measure_intervals(),
        "estimators": measure_estimators(trials=estimator_trials, seed=seed, n_jobs=n_jobs),
        "many": measure_many(tables=tables, seed=seed),
        "marks": measure_marks(trials=mark_trials, seed=seed),
        "metrics": measure_metrics(data_sets=data_sets, seed=seed, n_jobs=n_jobs, store=store),
        "algorithms": measure_algorithms(seed=seed, grounds=grounds, resources=resources),
        "influence": kept["influence"],  # benchmarks/search_influence.py
        "verbs": kept["verbs"],  # benchmarks/levels_at_the_verbs.py PART --store
    }


def write_table(path: Path, table: Mapping[str, Json]) -> None:
    """Write the table with one line for each row."""
    path.write_text(_text(table, 0) + "\n", encoding="utf-8")


def _text(value: Json, depth: int) -> str:
    """JSON that breaks lines in dictionaries and lists of dictionaries, but not within a row."""
    pad = "\n" + " " * (depth + 1)
    if isinstance(value, dict) and (depth == 0 or "rows" in value):
        parts = [f"{json.dumps(key)}: {_text(part, depth + 1)}" for key, part in value.items()]
        return "{" + pad + f",{pad}".join(parts) + "\n" + " " * depth + "}"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        parts = [json.dumps(part, ensure_ascii=False) for part in value]
        return "[" + pad + f",{pad}".join(parts) + "\n" + " " * depth + "]"
    return json.dumps(value, ensure_ascii=False)


# ---- How often the interval of a cross-validated error holds the true one, on sources where that is known.


# Source, learner and number of examples.
STUDIES = tuple(
    (BayesNet(set=number), learner, n)
    for number, learner, n in (
        (1, "nb", 50),
        (2, "c45", 50),
        (2, "c45", 200),
        (3, "nb", 50),
        (3, "1nn", 50),
        (3, "1nn", 200),
        (4, "1nn", 50),
        (4, "nb", 200),
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Shares of samples whose interval holds the truth, with the examples at full worth and as foldwise counts them."""

    #: independent, counted: For the error of the model trained on all examples of the sample
    independent: float
    counted: float
    counted_expected: float  #: For the expected error of such models
    trials: int  #: Number of samples


def measure_coverage(
    population: BayesNet, learner: str, n: int, *, trials: int, seed: int, folds: int = 10, level: float = 0.95
) -> Coverage:
    """Coverage of the intervals of level `level` from one cross-validation of each of `trials` samples."""
    found = [_sample(population, learner, n, folds, stream(seed, "coverage", trial), trial) for trial in range(trials)]
    true, errors = np.array(found).T
    expected = true.mean()
    limits = error_interval(errors, n, confidence_level=level)
    ours = [cross_validated_interval(m, n, folds=folds, confidence_level=level) for m in errors]
    return Coverage(
        independent=float(((limits.low <= true) & (true <= limits.high)).mean()),
        counted=float(np.mean([t in interval for t, interval in zip(true, ours, strict=True)])),
        counted_expected=float(np.mean([expected in interval for interval in ours])),
        trials=trials,
    )


def _sample(
    population: BayesNet, learner: str, n: int, folds: int, rng: np.random.Generator, seed: int
) -> tuple[float, float]:
    sample = population.draw(n, rng)
    model = create(learner).fit(sample.X, sample.y)
    ids = KFold(folds).fold_ids(sample.y, seed=seed)
    predicted = predict_folds(create(learner), sample, ids, seed)[0]
    return population.true_error(model.predict(population.cases())), float((predicted != sample.y).sum())
