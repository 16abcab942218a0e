"""Metrics of predictions on a million items: F1 with 10,000 bootstrap resamples against a loop over scikit-learn's
``f1_score``, DeLong's test against MLstatkit where that is installed (``pip install MLstatkit``), the area at the verb
against the floor, two argsorts. Then average precision and Spearman's correlation of few to many items, against loops
over scikit-learn and SciPy with as many draws.

Both sides start from arrays. The loops are timed on a few draws and multiplied up. Times are the processor's, of all
threads together, so that other work on the machine does not count; the clock's are printed beside ours. Run it with
``python benchmarks/bench_metrics.py [items]``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.stats import spearmanr
from sklearn.metrics import average_precision_score, f1_score

import foldwise as fw
from foldwise import inference as inf

RESAMPLES, TIMED = 10_000, 3
SMALLER = (100, 10)
"""DeLong's test is also compared on so many times fewer items."""


class Taken(NamedTuple):
    """Seconds of the processor and of the clock, the least of several runs."""

    processor: float
    clock: float


def taken(work: Callable[[], object], repeats: int) -> Taken:
    runs = []
    for _ in range(repeats):
        processor, clock = time.process_time(), time.perf_counter()
        work()
        runs.append((time.process_time() - processor, time.perf_counter() - clock))
    return Taken(*(min(column) for column in zip(*runs, strict=True)))


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    rng = np.random.default_rng(0)
    truth = (rng.random(n) < 0.3).astype(np.int64)
    resampled_f1(truth, rng)
    scores = [truth + rng.normal(0, spread, n) for spread in (1.0, 1.05)]
    for fewer in (*SMALLER, 1):
        delong(truth[: n // fewer], *(score[: n // fewer] for score in scores))
    area(truth, scores)
    for items in (300, 500, 2_000, 5_000, 10_000, 50_000):
        by_draws(min(items, n), rng)


def area(truth: np.ndarray, scores: list[np.ndarray]) -> None:
    """The verb beside the floor, which is to sort both models' scores."""
    given = dict(zip("ab", scores, strict=True))
    ours = taken(
        lambda: fw.compare_predictions(truth, given, metric="roc_auc", options=fw.Options(positive=1)), 5
    ).processor
    floor = taken(lambda: [np.argsort(score) for score in scores], 5).processor
    print(f"ROC AUC at the verb: {ours:.3f} s; two argsorts {floor:.3f} s: {ours / floor:.1f} of them (goal 3)")


def by_draws(n: int, rng: np.random.Generator) -> None:
    """Metrics of ordered items, whose outputs are exchanged: numbers, and 1 and 50 % positives."""
    draws = int(np.clip(5_000_000 // n, 1_000, 10_000))
    ordered("spearman", spearmanr, rng.normal(size=n), draws, rng)
    for share in (0.01, 0.5):
        ordered("average_precision", average_precision_score, (rng.random(n) < share).astype(int), draws, rng)


def ordered(
    metric: str, theirs: Callable[..., object], truth: np.ndarray, draws: int, rng: np.random.Generator
) -> None:
    scores = {name: truth + rng.normal(0, spread, len(truth)) for name, spread in (("a", 1.0), ("b", 1.05))}
    options = None if metric == "spearman" else fw.Options(positive=1)
    ours = taken(lambda: fw.compare_predictions(truth, scores, metric=metric, options=options), 2).processor
    loop = 2 * draws * taken(lambda: theirs(truth, scores["a"]), 5).processor
    what = f"{metric:18} {len(truth):7,} items, mean {truth.mean():5.2f}"
    print(f"{what}: {ours:6.3f} s; a loop of {draws:,} draws {loop:6.2f} s ({loop / ours:.0f} ×)")


def resampled_f1(truth: np.ndarray, rng: np.random.Generator) -> None:
    n = len(truth)
    a, b = (np.where(rng.random(n) < skill, truth, 1 - truth) for skill in (0.85, 0.84))

    def loop() -> None:
        for _ in range(TIMED):
            rows = rng.integers(0, n, n)
            f1_score(truth[rows], a[rows])
            f1_score(truth[rows], b[rows])

    ours = taken(
        lambda: fw.compare_predictions(truth, {"a": a, "b": b}, metric="f1", options=fw.Options(positive=1)), 3
    )
    theirs = taken(loop, 1).processor * RESAMPLES / TIMED
    print(f"F1, {n:,} items, {RESAMPLES:,} resamples, test, interval and all: {said(ours)} (goal 1 s)")
    ratio = theirs / ours.processor
    print(f"  a loop over scikit-learn: {theirs:,.0f} s, from {TIMED} resamples: {ratio:,.0f}× (goal 100×)")


def delong(truth: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    ours = taken(lambda: inf.delong(truth, a, b), 15)
    print(f"DeLong, {len(truth):,} items: {said(ours)} (goal 2 s)")
    try:
        from MLstatkit import Delong_test
    except ImportError:
        print("  MLstatkit is not installed: no comparison")
        return
    theirs = taken(lambda: Delong_test(truth, a, b), 2).processor
    print(f"  MLstatkit: {theirs:.2f} s: {theirs / ours.processor:.0f}× (goal 50×)")


def said(found: Taken) -> str:
    return f"{found.processor:.4f} s (by the clock {found.clock:.4f} s)"


if __name__ == "__main__":
    main()
