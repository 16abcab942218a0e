"""Figure 3: how often C4.5 misses each point; Figure 8: learning curves between C4.5 and nearest neighbour."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from foldwise.core.random import stream
from foldwise.lab.papers.chart import Chart, Series
from foldwise.lab.papers.dietterich1998.realistic import learners_of
from foldwise.lab.papers.rows import claim, unprinted
from foldwise.lab.papers.study import Findings, Study, Task

__all__ = ["FIGURE_3", "FIGURE_8"]

POINTS, TRAINED = 7670, 100
"""Figure 3: a population of 7,670 points, training sets of 100; which task it is the paper does not say."""


def _figure3(task: Task) -> Findings:
    from foldwise.lab.populations.from_data import Finite
    from foldwise.learners.registry import create

    repeats = task.pick(smoke=3, quick=60, full=500)
    whole = Finite(data="letter", data_dir=task.data_dir).whole
    chosen = stream(task.seed, "figure3").permutation(len(whole.y))[: task.pick(smoke=500, quick=POINTS, full=POINTS)]
    wrong, tested = np.zeros(len(chosen)), np.zeros(len(chosen))
    for i in range(repeats):
        train = stream(task.seed, "figure3", i).permutation(len(chosen))[:TRAINED]
        out = np.ones(len(chosen), dtype=bool)
        out[train] = False
        tree = create("c45").fit(whole.X[chosen[train]], whole.y[chosen[train]])
        wrong[out] += tree.predict(whole.X[chosen[out]]) != whole.y[chosen[out]]
        tested += out
    error = np.sort(wrong / np.maximum(tested, 1))
    why = "the paper does not name the population of the figure; ours is Letter Recognition"
    rows = (
        unprinted("mean ε(x)", float(error.mean()), why),
        unprinted("share of points that are always right", float((error == 0).mean()), why),
        unprinted("share of points missed more often than not", float((error > 0.5).mean()), why),
    )
    keep = np.linspace(0, len(error) - 1, 300).astype(int)
    line = Series(name="", x=tuple(keep.astype(float).tolist()), y=tuple(error[keep].tolist()))
    chart = Chart(name="errors", kind="points", title="ε(x) of C4.5, points sorted", x_label="point", y_label="ε(x)",
                  series=(line,))  # fmt: skip
    return Findings(rows=rows, charts=(chart,), raw={"repeats": repeats, "quantiles": error[keep].tolist()})


def _figure8(task: Task) -> Findings:
    fractions = task.pick(smoke=(0.0,), quick=(0.0, 0.5, 1.0), full=(0.0, 0.2, 0.4, 0.6, 0.8, 1.0))
    found = {f: learners_of(task, "letter", f).matches for f in fractions}
    series = []
    for f, matches in found.items():
        reached = tuple(100 * (1 - m.reached) for m in matches)
        series.append(Series(name=f"λ = {f}", x=tuple(float(m.n_train) for m in matches), y=reached))
    within = max(abs(m.reached - m.target) for matches in found.values() for m in matches)
    ordered = all(b.y[i] <= a.y[i] + 0.2 for a, b in pairwise(series) for i in range(len(a.y)))
    falls = all(line.y[-1] < line.y[0] for line in series)
    rows = (
        claim("distance from the target accuracy, points", "within 0.1 %", within < 0.0015, ours=100 * within),
        claim("curves by λ", "between those of C4.5 and NN", ordered),
        claim("error by training size", "falls", falls),
        *(
            unprinted(f"λ = {f}, error at {m.n_train} examples, per cent", 100 * (1 - m.reached), "in the figure only")
            for f, matches in found.items()
            for m in matches
        ),
    )
    chart = Chart(name="curves", kind="lines", title="Learning curves between C4.5 and NN, Letter", x_label="examples",
                  y_label="error, per cent", series=tuple(series))  # fmt: skip
    return Findings(rows=rows, charts=(chart,), raw={str(f): [m.amount for m in ms] for f, ms in found.items()})


FIGURE_3 = Study(
    key="dietterich1998/figure3",
    title="How often C4.5 misses each point of a population",
    reference="Figure 3 and section 4.1",
    compute=_figure3,
    data=("letter",),
    learners=("c45",),
    seconds=(1, 3),
)
FIGURE_8 = Study(
    key="dietterich1998/figure8",
    title="Learning curves interpolated between C4.5 and NN",
    reference="Figure 8 and section 6.3",
    compute=_figure8,
    data=("letter",),
    learners=("c45", "1nn"),
    seconds=(15, 250),
)
