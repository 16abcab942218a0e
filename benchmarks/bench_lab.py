"""The lab on two whole experiments of the papers.

Goals on two cores: Bouckaert's calibration (1000 data sets × 100 runs × 10 folds × naive Bayes and C4.5, ten tests,
df 2…100) at most 60 s and 1 GB after compilation, and at least 200 times as fast as scikit-learn's cross_val_score,
which is timed on a slice; one 10×10-fold cross-validation of both learners at least 25 times as fast as Weka's, if
its jar is named by --weka-jar or WEKA_JAR (3.6, as Debian packages it); Dietterich's Figure 5 (4 × 1000 trials, five
tests) at most 1 s, and at least 80 times as fast as a loop of SciPy calls. CPU seconds are given too: on a busy
machine they tell more than the clock.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import contextlib
import resource
import threading
import time

import numpy as np
import psutil
from scipy import stats
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import BernoulliNB
from sklearn.tree import DecisionTreeClassifier
from weka.times import weka_milliseconds, why_not

from foldwise import lab
from foldwise.core.random import stream
from foldwise.lab.populations.bayes_net import IndependentBinary
from foldwise.learners.binary import cross_validate, stratified_folds

DATA_SETS, RUNS, FOLDS = 1000, 100, 10
ERRORS = (0.1, 0.2, 0.3, 0.4)
TESTS = ["mcnemar_corrected", "difference_of_proportions", "resampled_t", "kfold_cv_t", "five_by_two_cv_t"]
SLICE = 30
WEKA_SETS, WEKA_WARM, WEKA_ROUNDS = 120, 40, 5


def seconds(call, repeats=1):
    """The least (seconds by the clock, CPU seconds of this process and its children)."""
    times = []
    for _ in range(repeats):
        start, cpu = time.perf_counter(), cpu_seconds()
        call()
        times.append((time.perf_counter() - start, cpu_seconds() - cpu))
    return min(clock for clock, _ in times), min(cpu for _, cpu in times)


def cpu_seconds():
    used = [resource.getrusage(kind) for kind in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


class Peak(threading.Thread):
    """The most memory that this process and its workers had together while the block ran, shared pages counted once."""

    def __enter__(self):
        self.over, self.gigabytes = threading.Event(), 0.0
        self.start()
        return self

    def run(self):
        while not self.over.wait(0.1):
            with contextlib.suppress(psutil.NoSuchProcess):  # a worker that has just ended
                processes = [psutil.Process(), *psutil.Process().children(recursive=True)]
                self.gigabytes = max(self.gigabytes, sum(p.memory_full_info().pss for p in processes) / 1e9)

    def __exit__(self, *_):
        self.over.set()
        self.join()


def calibration(trials=DATA_SETS, runs=RUNS, jobs=-1):
    resources = lab.Resources(n_jobs=jobs, progress=False)
    return lab.calibrate(runs=runs, folds=FOLDS, trials=trials, resources=resources)


def scikit_learn():
    """Seconds of one 10-fold cross-validation of both learners by cross_val_score."""
    sample = IndependentBinary().draw(300, stream(0, "bench"))
    X, y = sample.X.values, sample.y

    def both():
        folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
        for learner in (BernoulliNB(), DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2)):
            cross_val_score(learner, X, y, cv=folds)

    both()
    return seconds(both, repeats=5)


def bench_calibration():
    calibration(trials=50, runs=2)  # compiles
    clock, _ = seconds(calibration)
    with Peak() as peak:
        calibration()
    cpu = seconds(lambda: calibration(trials=DATA_SETS // 10, jobs=None), repeats=3)[1] * 10
    theirs = scikit_learn()[1] * DATA_SETS * RUNS
    fits = 2 * DATA_SETS * RUNS * FOLDS
    print(f"calibration, {fits:,} fits, ten tests, df 2…100")
    print(f"  foldwise lab        {clock:9.1f} s   (goal 60 s)   {cpu:9.1f} CPU s (from a tenth, in one process)")
    print(f"  peak memory         {peak.gigabytes:9.2f} GB  (goal 1 GB)")
    print(f"  cross_val_score                              {theirs:9.0f} CPU s (from one cross-validation)")
    print(f"  ratio of CPU seconds                         {theirs / cpu:9.0f} × (goal 200 ×)")


def bench_weka(jar):
    print("one 10×10-fold cross-validation of naive Bayes and C4.5, 300 examples, 10 binary attributes")
    reason = why_not(jar)
    if reason:
        print(f"  no comparison with Weka: {reason}")
        return
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (WEKA_SETS, 300, 10), dtype=np.uint8)
    y = rng.integers(0, 2, (WEKA_SETS, 300), dtype=np.uint8)
    seeds = np.arange(WEKA_SETS)
    folds = np.array([stratified_folds(c, runs=10, folds=FOLDS, seed=s) for c, s in zip(y, seeds, strict=True)])

    def ours():
        return cross_validate(X, y, ["nb", "c45"], seeds=seeds, runs=10, folds=FOLDS, jobs=1)

    counts = ours()  # compiles
    mine = np.median([seconds(ours)[1] for _ in range(WEKA_ROUNDS)]) * 1e3 / WEKA_SETS
    weka = weka_milliseconds(jar, X, y, folds, WEKA_WARM)
    theirs = sum(milliseconds for milliseconds, _ in weka.values())
    same = all(correct == counts[name][WEKA_WARM:].sum() for name, (_, correct) in weka.items())
    print(f"  foldwise                                     {mine:9.2f} CPU ms")
    print(f"  Weka, its thread alone, warmed up            {theirs:9.2f} CPU ms")
    print(f"  ratio                                        {theirs / mine:9.1f} × (goal 25 ×)")
    print(f"  correct predictions                          {'the same' if same else 'NOT THE SAME'}")


def figure_five():
    for error in ERRORS:
        lab.type_one_error(TESTS, f"two-kinds(error={error})", trials=1000, resources=lab.Resources(progress=False))


def looped_trial(error, rng, n=300):
    """One trial as one would write it with NumPy and SciPy: draw examples, resample them, call the tests."""
    kind = rng.random(n) < 0.5

    def wrong(rows, beta=0.0):
        easy, hard = 0.5 * error + beta, 1.5 * error + beta
        a = rng.random(len(rows)) < np.where(kind[rows], easy, hard)
        return a, rng.random(len(rows)) < np.where(kind[rows], hard, easy)

    a, b = wrong(rng.permutation(n)[: n // 3])
    n01, n10 = int((a & ~b).sum()), int((~a & b).sum())
    stats.chi2.sf((abs(n01 - n10) - 1) ** 2 / max(n01 + n10, 1), 1)
    stats.norm.sf(abs(a.mean() - b.mean()) / np.sqrt(max(a.mean() + b.mean(), 1e-9) / len(a)))
    splits = [wrong(rng.permutation(n)[: n // 3]) for _ in range(30)]
    stats.ttest_1samp([p.mean() - q.mean() for p, q in splits], 0)
    folds = [wrong(rows, rng.uniform(-0.02, 0.02)) for rows in np.array_split(rng.permutation(n), 10)]
    stats.ttest_1samp([p.mean() - q.mean() for p, q in folds], 0)
    halves = [[wrong(rows) for rows in np.array_split(rng.permutation(n), 2)] for _ in range(5)]
    x = np.array([[p.mean() - q.mean() for p, q in pair] for pair in halves])
    stats.t.sf(abs(x[0, 0]) / np.sqrt(x.var(axis=1, ddof=1).mean() + 1e-12), 5)


def bench_figure_five():
    rng = np.random.default_rng(0)
    figure_five()
    clock, cpu = seconds(figure_five, repeats=7)
    theirs = seconds(lambda: [looped_trial(0.1, rng) for _ in range(SLICE)], repeats=3)[1] * len(ERRORS) * 1000 / SLICE
    print("Dietterich's Figure 5, 4 × 1000 trials, five tests")
    print(f"  foldwise lab        {clock:9.2f} s   (goal 1 s)    {cpu:9.2f} CPU s")
    print(f"  loop of SciPy calls                          {theirs:9.1f} CPU s (from {SLICE} trials)")
    print(f"  ratio of CPU seconds                         {theirs / cpu:9.0f} × (goal 80 ×)")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Time the lab.")
    parser.add_argument("--weka-jar", default=os.environ.get("WEKA_JAR"), help="compare with this Weka, 3.6")
    arguments = parser.parse_args()
    bench_weka(arguments.weka_jar)
    bench_figure_five()
    bench_calibration()
