"""Hundreds of models on 2,000 items: judged, printed and written as JSON; seconds, and how they grow with the pairs.

Beside them, as a peer, statsmodels' McNemar test in a loop over the pairs (a few of them; the time for all is theirs
times the number of pairs), and as the floor NumPy's product of the k × n answers, which counts every pair's outcomes.
Run it with ``python benchmarks/bench_many_models.py [models …]``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from itertools import combinations, islice

import numpy as np
from statsmodels.stats.contingency_tables import mcnemar
from threadpoolctl import threadpool_limits

import foldwise as fw

ITEMS, LOOPED = 2_000, 200


def seconds(job: Callable[[], object]) -> tuple[float, object]:
    start = time.process_time()
    found = job()
    return time.process_time() - start, found


def looped(right: np.ndarray) -> None:
    """The exact test of some pairs, one after the other."""
    for a, b in islice(combinations(right, 2), LOOPED):
        cells = [[(a * b).sum(), (a * (1 - b)).sum()], [((1 - a) * b).sum(), ((1 - a) * (1 - b)).sum()]]
        mcnemar(cells, exact=True)


def main() -> None:
    rng = np.random.default_rng(0)
    before = None
    for k in map(int, sys.argv[1:] or ("100", "200", "400")):
        right = (rng.random((k, ITEMS)) < rng.uniform(0.3, 0.9, (k, 1))).astype(float)
        pairs = k * (k - 1) // 2
        given = {f"m{i}": row for i, row in enumerate(right)}
        judged, c = seconds(lambda given=given: fw.compare_predictions(None, given))  # type: ignore[misc]
        shown, _ = seconds(lambda c=c: str(c))  # type: ignore[misc]
        written, _ = seconds(lambda c=c: c.to_dict())  # type: ignore[misc,attr-defined]
        floor, _ = seconds(lambda right=right: right @ right.T)  # type: ignore[misc]
        one, _ = seconds(lambda right=right: looped(right))  # type: ignore[misc]
        peer = one / LOOPED * pairs
        slope = "" if before is None else f"   slope {np.log(judged / before[1]) / np.log(k / before[0]):.1f}"
        print(
            f"{k:5} models  judged {judged:6.2f} s  printed {shown:5.2f}  JSON {written:6.2f}   loop of exact tests "
            f"{peer:7.1f} ({peer / judged:.0f} ×, extrapolated)   product {floor:.3f}{slope}"
        )
        before = k, judged


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
