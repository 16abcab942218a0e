"""How the influence-robust test was judged: level and power on sources with a known truth, beside other tests.

``python benchmarks/search_influence.py [SOURCE …] [--trials N]`` prints Type I error at .01 and .05 and relative power.
The rule was chosen on the sources of half C; those of half J were looked at when it stood. On all of them the null
hypothesis holds exactly: a learner sees two halves of the columns that say equally much, or the same columns and some
of its own that say equally much.
"""

from __future__ import annotations

import argparse
import zlib

import numpy as np
from influence_learners import (
    BEST6,
    BOOST,
    FOREST,
    KNN,
    KNNR,
    LASSO,
    LASSO2,
    LDA,
    LR,
    LRLOG,
    LSSVM,
    NB,
    NBLOG,
    NM,
    OLS,
    OLSABS,
    PERC,
    TREE,
    cross,
    deal,
)  # fmt: skip
from scipy import stats
from scipy.special import ndtr

from foldwise.core.table import Table
from foldwise.designs import Design
from foldwise.designs.round_robin import ROUND_ROBIN
from foldwise.engine.learners import learner_of
from foldwise.inference import round_robin
from foldwise.inference._influence import influence_parts
from foldwise.lab.populations.population import Sample
from foldwise.lab.training import predict_folds

# name: (half, n, learner, par, par2, population, options)
S = {}


def add(half, name, n, learner, par=0.0, par2=0.0, pop="shift", trials=1.0, **o):
    S[name] = dict(half=half, n=n, learner=learner, par=par, par2=par2, pop=pop, trials=trials, **o)


# ---- of the search: to choose on
C, J = "C", "J"
add(C, "nb-200", 200, NB)
add(C, "nb-150-p20", 150, NB, pos=0.2)
add(C, "nb-40", 40, NB)
add(C, "lda-60", 60, LDA)
add(C, "1nn-200", 200, KNN, 1)
add(C, "1nn-100-2c", 100, KNN, 1, p=2, d=0.8)
add(C, "1nn-40", 40, KNN, 1)
add(C, "1nn-200-xor", 200, KNN, 1, pop="xor", p=2, d=1.0)
add(C, "5nn-150", 150, KNN, 5)
add(C, "c45-150", 150, -1, pkg="c45")
add(C, "c45-40", 40, -1, pkg="c45", d=0.8)
add(C, "c45-500-6c", 500, -1, pkg="c45", p=6)
add(C, "c45-200-xor", 200, -1, pkg="c45", pop="xor", p=2, d=2.0)
add(C, "tree-300-xor", 300, TREE, 4, 1, pop="xor", p=2, d=1.2)
# ---- of the evidence page: to judge on
add(J, "nb-60", 60, NB)
add(J, "nb-300", 300, NB)
add(J, "nb-2000", 2000, NB, trials=0.5)
add(J, "nb-rare", 300, NB, pos=0.1)
add(J, "1nn-60", 60, KNN, 1)
add(J, "1nn-1000", 1000, KNN, 1)
add(J, "1nn-rare", 300, KNN, 1, pos=0.1)
add(J, "3nn-300", 300, KNN, 3)
add(J, "5nn-300", 300, KNN, 5)
add(J, "c45-60", 60, -1, pkg="c45")
add(J, "c45-300", 300, -1, pkg="c45")
add(J, "c45-rare", 300, -1, pkg="c45", pos=0.1)
add(J, "vp-200", 200, -1, pkg="votedperceptron", trials=0.3)
add(J, "mlp-100", 100, -1, pkg="mlp3", trials=0.2)
add(J, "lda-100", 100, LDA)
add(J, "forest-100", 100, FOREST, 5, 7)
add(J, "ols-100", 100, OLS, pop="reg", d=0.5)
add(J, "knr-100", 100, KNNR, 5, pop="reg", d=0.5)
add(J, "1nn-xor", 300, KNN, 1, pop="xor", p=2, d=1.28)
add(J, "c45-xor", 300, -1, pkg="c45", pop="xor", p=2, d=1.28)
add(J, "tree-xor", 300, TREE, 4, 1, pop="xor", p=4, d=1.5, patho=True)
# ---- new, alternately
add(C, "nm-100-p8", 100, NM, pos=0.08)
add(J, "nm-300-p8", 300, NM, pos=0.08)
add(C, "nm-200-p5", 200, NM, pos=0.05)
add(J, "nm-300-p3", 300, NM, pos=0.03)
add(J, "nm-150-p15", 150, NM, pos=0.15)
add(C, "nm-300-p12", 300, NM, pos=0.12)
add(C, "nm-200", 200, NM)
add(J, "nm-60", 60, NM)
add(C, "lr-100", 100, LR, 1.0)
add(J, "lr-300-p10", 300, LR, 1.0, pos=0.1)
add(J, "lr-60", 60, LR, 1.0)
add(C, "lr-150-12c", 150, LR, 0.01, p=12, d=0.25)
add(C, "lda-300", 300, LDA)
add(J, "lda-1000", 1000, LDA, d=0.3, trials=0.7)
add(C, "lda-80-15c", 80, LDA, p=15, d=0.25)
add(J, "lda-100-20c", 100, LDA, p=20, d=0.2)
add(C, "svm-60", 60, LSSVM, 0.5, 1.0)
add(J, "svm-100", 100, LSSVM, 0.1, 0.5)
add(C, "svm-100-p20", 100, LSSVM, 0.5, 1.0, pos=0.2)
add(J, "25nn-300", 300, KNN, 25)
add(C, "1nn-500", 500, KNN, 1)
add(C, "1nn-200-8c", 200, KNN, 1, p=8, d=0.3)
add(J, "1nn-100-p20", 100, KNN, 1, pos=0.2)
add(C, "3nn-100-p10", 100, KNN, 3, pos=0.1)
add(J, "5nn-60", 60, KNN, 5)
add(C, "7nn-400-xor", 400, KNN, 7, pop="xor", p=2, d=1.0)
add(C, "tree-300-1c", 300, TREE, 99, 1, p=1, d=0.7)
add(J, "tree-150-1c", 150, TREE, 99, 1, p=1, d=0.7)
add(J, "tree4-200", 200, TREE, 4, 5)
add(C, "tree3-100", 100, TREE, 3, 1)
add(C, "stump-100", 100, TREE, 1, 1)
add(J, "stump-300-6c", 300, TREE, 1, 1, p=6)
add(C, "forest-200", 200, FOREST, 5, 11)
add(C, "boost-100", 100, BOOST, 10)
add(J, "boost-200", 200, BOOST, 10)
add(C, "perc-200", 200, PERC, 5, 1)
add(J, "perc1-100", 100, PERC, 3, 0)
add(C, "best6-100", 100, BEST6, p=6)
add(J, "best6-300", 300, BEST6, p=6, d=0.3)
add(C, "lasso-100", 100, LASSO, 0.2, pop="reg", p=10, d=0.2)
add(J, "lasso-200", 200, LASSO, 0.15, pop="reg", p=20, d=0.1)
add(C, "ols-60-15c", 60, OLS, pop="reg", p=15, d=0.2)
add(J, "ols-50-t3", 50, OLS, pop="reg", d=0.5, tails=3.0)
add(C, "ols-200-t3", 200, OLS, pop="reg", d=0.5, tails=3.0)
add(J, "abs-100-t2", 100, OLSABS, pop="reg", d=0.5, tails=2.5)
add(C, "knr-200", 200, KNNR, 5, pop="reg", d=0.5)
add(J, "knr1-150", 150, KNNR, 1, pop="reg", d=0.5)
add(C, "nblog-100", 100, NBLOG)
add(J, "nblog-200-p20", 200, NBLOG, pos=0.2)
add(J, "lrlog-100", 100, LRLOG, 1.0)
add(C, "lrlog-200-p10", 200, LRLOG, 1.0, pos=0.1)
add(C, "nb-200-heavy", 200, NB, xtails=2.0)
add(J, "lda-150-heavy", 150, LDA, xtails=2.0)
# both see shared columns too, and one column (or more) of their own: nearly the same learners
add(C, "sh-lda-100", 100, LDA, shared=4, p=1, own=0.0)
add(J, "sh-lda-200", 200, LDA, shared=4, p=2, own=0.3)
add(C, "sh-lr-100", 100, LR, 1.0, shared=4, p=1, own=0.3)
add(J, "sh-nb-150", 150, NB, shared=4, p=1, own=0.3)
add(C, "sh-1nn-200", 200, KNN, 1, shared=4, p=1, own=0.3)
add(J, "sh-1nn-100", 100, KNN, 1, shared=4, p=2, own=0.3)
add(C, "sh-tree4-200", 200, TREE, 4, 5, shared=4, p=1, own=0.3)
add(J, "sh-tree-100", 100, TREE, 99, 1, shared=4, p=1, own=0.3)
add(C, "sh-ols-100", 100, OLS, pop="reg", shared=4, d=0.5, p=1, own=0.2)
add(J, "sh-lasso-100", 100, LASSO, 0.2, pop="reg", shared=4, d=0.5, p=6, own=0.1)
add(C, "sh-lasso-200", 200, LASSO2, 0.2, pop="reg", shared=4, d=0.5, p=6, own=0.1)
add(J, "sh-ols-100-0", 100, OLS, pop="reg", shared=4, d=0.5, p=1, own=0.0)


DIFF = {
    "nb-200": 0.15,
    "nb-150-p20": 0.25,
    "nb-40": 0.35,
    "lda-60": 0.3,
    "1nn-200": 0.2,
    "1nn-100-2c": 0.5,
    "1nn-40": 0.5,
    "1nn-200-xor": 0.6,
    "5nn-150": 0.25,
    "c45-150": 0.3,
    "c45-40": 0.8,
    "c45-500-6c": 0.15,
    "c45-200-xor": 1.2,
    "tree-300-xor": 0.8,
    "nb-60": 0.25,
    "nb-300": 0.12,
    "nb-2000": 0.05,
    "nb-rare": 0.2,
    "1nn-60": 0.4,
    "1nn-1000": 0.1,
    "1nn-rare": 0.3,
    "3nn-300": 0.17,
    "5nn-300": 0.17,
    "c45-60": 0.45,
    "c45-300": 0.2,
    "c45-rare": 0.35,
    "vp-200": 0.2,
    "mlp-100": 0.25,
    "lda-100": 0.25,
    "forest-100": 0.3,
    "ols-100": 0.25,
    "knr-100": 0.35,
    "1nn-xor": 0.6,
    "c45-xor": 0.6,
    "tree-xor": 1.0,
}


def draw(s, rng, diff=0.0):
    n, p, d, pop = s["n"], s.get("p", 4), s.get("d", 0.5), s["pop"]
    sh = s.get("shared", 0)
    width = sh + 2 * p
    X = rng.standard_normal((n, width))
    if s.get("xtails"):
        X = rng.standard_t(s["xtails"], (n, width))
    if pop == "reg":
        slope = np.full(width, d)
        if sh:
            slope[sh:] = s["own"]
        slope[sh + p :] -= diff
        noise = rng.standard_normal(n) if not s.get("tails") else rng.standard_t(s["tails"], n)
        y = X @ slope + noise
        cls = np.zeros(n, np.int64)
    else:
        y = (rng.random(n) < s.get("pos", 0.5)).astype(np.float64)
        cls = y.astype(np.int64)
        if pop == "shift":
            dist = np.full(width, d)
            if sh:
                dist[sh:] = s["own"]
            dist[sh + p :] -= diff
            X += np.where(y == 1, 1.0, -1.0)[:, None] * dist
        else:
            for h in range(2):
                a, b = h * p, h * p + 1
                agree = (y == 1) == (rng.random(n) < ndtr(d - h * diff))
                X[:, b] = np.abs(X[:, b]) * np.where(agree, 1.0, -1.0) * np.sign(X[:, a])
    XA = np.ascontiguousarray(np.concatenate([X[:, :sh], X[:, sh : sh + p]], axis=1))
    XB = np.ascontiguousarray(np.concatenate([X[:, :sh], X[:, sh + p :]], axis=1))
    return XA, XB, y, cls


def trained(s, X, y, ids, trial):
    """Score of each example in each run: right answers, or losses turned round."""
    if "pkg" not in s:
        return cross(X, y, ids, s["learner"], float(s["par"]), float(s["par2"]))
    sample = Sample(X=Table.build(X, names=[f"c{i}" for i in range(X.shape[1])]), y=y.astype(np.int64))
    return (predict_folds(learner_of(s["pkg"]), sample, ids, trial) == sample.y).astype(float)


def one(name, trial, diff=0.0):
    """Estimate, standard error and degrees of freedom of each test on one data set."""
    s = S[name]
    rng = np.random.default_rng([78 if diff else 77, zlib.crc32(name.encode()), trial])
    XA, XB, y, classes = draw(s, rng, diff)
    ids = deal(rng, classes, 10, 10)
    d = trained(s, XA, y, ids, trial) - trained(s, XB, y, ids, trial)
    parts = influence_parts(d, ids, classes=classes)
    folds = np.array([np.bincount(row, x, 10) / np.bincount(row, None, 10) for row, x in zip(ids, d, strict=True)])
    found = {
        "corrected": (folds.mean(), np.sqrt(folds.var(ddof=1) * (1 / 100 + 1 / 9)), 99.0),
        "influence": (float(parts.estimate), float(parts.standard_error), float(parts.df)),
    }
    if "pkg" not in s and not diff:
        shape = ROUND_ROBIN.shape(Design(n=s["n"]))
        ids = ROUND_ROBIN.fold_ids(classes, shape, trial + 1)
        marks = trained(s, XA, y, ids, trial), trained(s, XB, y, ids, trial)
        r = round_robin(ROUND_ROBIN.measured(ids, marks), pieces=len(y))
        found["round robin"] = (float(r.estimate), float(r.standard_error), float(r.df))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", nargs="*", default=list(S), choices=list(S), metavar="SOURCE")
    parser.add_argument("--trials", type=int, default=2000)
    asked = parser.parse_args()
    for name in asked.sources:
        rows = [one(name, trial) for trial in range(int(asked.trials * S[name]["trials"]))]
        tests = {test: np.array([row[test] for row in rows]).T for test in rows[0]}

        def power(test, shift, tests=tests):
            # a constant added to all differences changes the estimate and nothing else
            mean, error, df = tests[test]
            return np.mean([np.abs(mean + side) > stats.t.ppf(0.975, df) * error for side in (shift, -shift)])

        low, high = 0.0, 10 * tests["corrected"][0].std() + 3 * tests["corrected"][1].mean()
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if power("corrected", middle) < 0.5 else (low, middle)
        print(f"{name} ({S[name]['half']}), {len(rows)} data sets; power where the corrected test's is .50")
        for test, (mean, error, df) in tests.items():
            p = np.where(error > 0, 2 * stats.t.sf(np.abs(mean) / np.maximum(error, 1e-300), df), 1.0)
            rates = "  ".join(f"{np.mean(p < level):.3f}" for level in (0.01, 0.05))
            print(f"  {test:12} {rates}  {power(test, low):.2f}", flush=True)


if __name__ == "__main__":
    main()
