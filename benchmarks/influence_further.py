"""What `search_influence.py` did not cover: metrics that are no means, two different learners, and what it costs.

``python benchmarks/influence_further.py metrics|damaged|overhead [TRIALS]`` prints Type I error at .05 and .01 of the
corrected and the influence-robust test, power of the latter where the former finds half of the differences, and the
mean estimated over the true variance; or the overhead in CPU time.
"""

from __future__ import annotations

import argparse
import time
from functools import partial

import numpy as np
from influence_learners import deal
from scipy import stats

import foldwise as fw
from foldwise.designs import INFLUENCE_CV, REPEATED_CV, Design
from foldwise.inference._influence import influence_parts
from foldwise.lab.damage import equalise
from foldwise.lab.evidence import choose_tests
from foldwise.lab.gather import Resources, gather, prepare
from foldwise.metrics.catalogue import known_metric
from foldwise.metrics.metric import Needs, Truth

SOURCES = {
    "nb-100": ("nb", 100, 0.5),
    "1nn-100": ("1nn", 100, 0.5),
    "lda-100": ("lda", 100, 0.5),
    "5nn-200": ("5nn", 200, 0.5),
    "nb-200-p20": ("nb", 200, 0.2),
    "5nn-150-p25": ("5nn", 150, 0.25),
    "nm-200-p12": ("nm", 200, 0.12),
    "ols-50": ("ols", 50, None),
    "ols-100": ("ols", 100, None),
    "knr-100": ("5nn", 100, None),
    "knr-200": ("5nn", 200, None),
}
"""Learner, examples, share of positives or None for numbers: on two halves of the columns that say equally much."""
OF_CLASSES = ("accuracy", "balanced_accuracy", "f1", "roc_auc", "log_loss")
OF_NUMBERS = ("mse", "rmse", "r2")


def predicted(kind, X, y, T):
    """Probabilities of class 1, or numbers."""
    if kind == "ols":
        w = np.linalg.lstsq(np.c_[np.ones(len(X)), X], y, rcond=None)[0]
        return np.c_[np.ones(len(T)), T] @ w
    if kind.endswith("nn"):
        far, k = ((T[:, None] - X[None]) ** 2).sum(-1), int(kind[:-2])
        return y[np.argpartition(far, k, axis=1)[:, :k]].mean(1)
    one, none, p = X[y == 1], X[y == 0], y.mean()
    a, b = one.mean(0), none.mean(0)
    if kind == "nm":
        lead = ((T - b) ** 2).sum(1) - ((T - a) ** 2).sum(1)
    elif kind == "lda":
        w = np.linalg.solve(np.cov(np.r_[one - a, none - b].T), a - b)
        lead = (T - (a + b) / 2) @ w + np.log(p / (1 - p))
    else:
        va, vb = one.var(0) + 1e-6, none.var(0) + 1e-6
        lead = (((T - b) ** 2 / vb + np.log(vb) - (T - a) ** 2 / va - np.log(va)) / 2).sum(1) + np.log(p / (1 - p))
    return 1 / (1 + np.exp(-np.clip(lead, -30, 30)))


def added(name, truth, given):
    metric = known_metric(name)
    if metric.needs is Needs.LABELS:
        given = (given > 0.5).astype(np.int64)
    elif metric.needs is Needs.PROBABILITIES:
        given = np.c_[1 - given, given]
    return metric.by_item(truth, given)


def one(source, trial):
    """By metric θ, and of each test standard error and df."""
    kind, n, share = SOURCES[source]
    rng = np.random.default_rng([271, list(SOURCES).index(source), trial])
    X = rng.standard_normal((n, 8))
    if share is None:
        y, classes = 0.5 * X.sum(1) + rng.standard_normal(n), np.zeros(n, dtype=np.int64)
        names, labels, positive = OF_NUMBERS, (), None
    else:
        y = classes = (rng.random(n) < share).astype(np.int64)
        X += np.where(y == 1, 0.5, -0.5)[:, None]
        names, labels, positive = OF_CLASSES, (0, 1), 1
    names = [name for name in names if not (kind == "1nn" and name == "log_loss")]
    ids = deal(rng, classes, 10, 10)
    d = np.empty((len(names), 10, n))
    for run, row in enumerate(ids):
        for fold in range(10):
            test = row == fold
            truth = Truth(values=y[test], classes=labels, positive=positive)
            a, b = (predicted(kind, X[~test, s], y[~test], X[test, s]) for s in (slice(4), slice(4, 8)))
            for place, name in enumerate(names):
                d[place, run, test] = added(name, truth, a) - added(name, truth, b)
    found = {}
    for name, of in zip(names, d, strict=True):
        parts = influence_parts(of, ids, classes=classes)
        folds = np.array([np.bincount(r, x, 10) / np.bincount(r, None, 10) for r, x in zip(ids, of, strict=True)])
        found[name] = tested(folds, parts)
    return found


def tested(folds, parts):
    return (folds.mean(), np.sqrt(folds.var(ddof=1) * (1 / 100 + 1 / 9)), parts.standard_error, parts.df)


def told(words, rows):
    """A line about one source."""
    mean, classical, robust, df = np.array(rows, dtype=float).T
    errors = {"corrected": (classical, np.full(len(df), 99.0)), "influence": (robust, df)}

    def power(test, shift):
        error, free = errors[test]
        return np.mean([np.abs(mean + s) > stats.t.ppf(0.975, free) * error for s in (shift, -shift)])

    low, high = 0.0, 10 * mean.std() + 3 * classical.mean()
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if power("corrected", middle) < 0.5 else (low, middle)
    shown = []
    for test, (error, free) in errors.items():
        p = np.where(error > 0, 2 * stats.t.sf(np.abs(mean) / np.maximum(error, 1e-300), free), 1.0)
        ratio = np.mean(error**2) / mean.var()
        shown.append(f"{test} {np.mean(p < 0.05):.3f} {np.mean(p < 0.01):.3f} (variance ×{ratio:.2f})")
    print(f"{words:44} {len(rows)} sets  {'  '.join(shown)}  power {2 * power('influence', low):.2f}", flush=True)


def metrics(trials):
    for source in SOURCES:
        rows = [one(source, trial) for trial in range(trials)]
        for name in rows[0]:
            told(f"{source} {name}", [row[name] for row in rows])


CONTESTS = (
    ("c45", "1nn", "exp6", 100), ("1nn", "3nn", "gaussian(inherent_error=0.25)", 100),
    ("nb", "1nn", "gaussian(inherent_error=0.25)", 100), ("nb", "c45", "gaussian(inherent_error=0.25)", 100),
    ("nb", "1nn", "exp6", 300), ("nb", "c45", "exp6", 300),
)  # fmt: skip
"""Two different learners, of which the better is damaged until both are equally good."""


def damaged(trials):
    quiet = Resources(progress=False, n_jobs=1)
    for a, b, population, n in CONTESTS:
        found = equalise(a, b, population, trials=300, n_test=1000, seed=27, resources=quiet, n=n, tests=("influence",))
        tests = choose_tests(["influence", "corrected_repeated_cv_t"])
        drawn = gather(prepare(tests, population, found.learners, Design(n=n), 28), trials, quiet)
        parts, folds = drawn[INFLUENCE_CV][:, 0], drawn[REPEATED_CV][:, 0]
        rows = [
            (f.mean(), np.sqrt(f.var(ddof=1) * (1 / 100 + 1 / 9)), p[1], p[2])
            for f, p in zip(folds, parts, strict=True)
        ]
        told(f"{a} = {b}, {population}, {n}", rows)


def overhead(rounds):
    """CPU time of the default over that of the corrected test, the two in turn."""
    rng = np.random.default_rng(0)
    for n in (100, 300, 1000, 3000):
        y = np.tile([0, 1], n // 2)
        X = rng.normal(size=(n, 6)) + 0.5 * y[:, None]
        for pair in (["nb", "1nn"], ["nb", "c45"]):
            tests = "corrected_repeated_cv_t", "auto"
            calls = [partial(fw.compare, pair, X, y, n_jobs=1, test=test) for test in tests]
            spent = np.zeros((rounds + 1, 2))
            for turn in spent:
                for place, call in enumerate(calls):
                    started = time.process_time()
                    call()
                    turn[place] = time.process_time() - started
            corrected, default = np.median(spent[1:], axis=0)
            ratio = np.median(spent[1:, 1] / spent[1:, 0])
            words = f"{n} examples, {' and '.join(pair)}: {1000 * corrected:.0f} ms"
            print(f"{words}, with the robust test {1000 * default:.0f} ms, ratio {ratio:.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parts = {"metrics": metrics, "damaged": damaged, "overhead": overhead}
    parser.add_argument("part", choices=parts)
    parser.add_argument("trials", nargs="?", type=int, default=400)
    asked = parser.parse_args()
    parts[asked.part](asked.trials)


if __name__ == "__main__":
    main()
