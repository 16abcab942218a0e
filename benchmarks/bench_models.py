"""Twenty models on 100,000 items: all 190 pairs by max-T, the set of the best and the ranks.

CPU and wall time of one call of the public façade, one thread. Beside it a plain loop does what max-T is by its
definition: for every draw, one normal multiplier per item, and the largest of the 190 standardised differences. It
makes a few draws only; its time for as many as the façade makes is that of one draw times their number, and is marked
as such.
"""

from __future__ import annotations

import time

import numpy as np
from threadpoolctl import threadpool_limits

import foldwise as fw
from foldwise.inference.joint_differences import DRAWS

MODELS, ITEMS, CLUSTERS, LOOPED, ROUNDS, GOAL = 20, 100_000, 5_000, 10, 3, 10.0


def problem() -> tuple[np.ndarray, dict[str, np.ndarray], dict[str, np.ndarray], np.ndarray]:
    """Truth, labels, marks and clusters: the models share what is hard about an item."""
    rng = np.random.default_rng(0)
    truth, hard = rng.integers(0, 10, ITEMS), rng.random(ITEMS)
    labels, marks = {}, {}
    for i in range(MODELS):
        right = 0.7 * hard + 0.3 * rng.random(ITEMS) < 0.6 + 0.005 * i
        labels[f"m{i}"] = np.where(right, truth, (truth + 1) % 10)
        marks[f"m{i}"] = hard + rng.normal(0.002 * i, 0.3, ITEMS)
    return truth, labels, marks, np.arange(ITEMS) % CLUSTERS


def plain_loop(values: np.ndarray) -> float:
    """Seconds of one draw, item by item and pair by pair."""
    rng = np.random.default_rng(1)
    centred = values - values.mean(axis=1, keepdims=True)
    start = time.perf_counter()
    for _ in range(LOOPED):
        multipliers = rng.standard_normal(ITEMS)
        largest = 0.0
        for i in range(MODELS):
            for j in range(i):
                difference = centred[i] - centred[j]
                largest = max(largest, abs(multipliers @ difference) / np.sqrt(difference @ difference))
    return (time.perf_counter() - start) / LOOPED


def main() -> None:
    truth, labels, marks, groups = problem()
    calls = {
        "labels": lambda: fw.compare_predictions(truth, labels, options=fw.Options(adjust="max_t")),
        "marks": lambda: fw.compare_predictions(None, marks, metric="mark", options=fw.Options(adjust="max_t")),
        "labels in 5,000 clusters": lambda: fw.compare_predictions(
            truth, labels, groups=groups, options=fw.Options(adjust="max_t")
        ),
        "marks in 5,000 clusters": lambda: fw.compare_predictions(
            None, marks, metric="mark", groups=groups, options=fw.Options(adjust="max_t")
        ),
    }
    print(f"{MODELS} models × {ITEMS:,} items, max-T, {DRAWS:,} draws; shortest of {ROUNDS}; goal {GOAL:g} s")
    looped = plain_loop(np.array([labels[name] == truth for name in labels], dtype=np.float64))
    for name, call in calls.items():
        wall, cpu = [], []
        for _ in range(ROUNDS):
            start = time.perf_counter(), time.process_time()
            call()
            wall.append(time.perf_counter() - start[0])
            cpu.append(time.process_time() - start[1])
        print(f"  {name:25} wall {min(wall):6.2f} s   CPU {min(cpu):6.2f} s   goal met: {min(wall) <= GOAL}")
    whole = looped * DRAWS
    print(f"  {'plain loop, labels':25} {looped:6.3f} s a draw, so {whole:,.0f} s for as many draws (not run)")


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
