"""Tables 1, 2 and 3 and Figures 1 and 2: 5×2cv t against the combined F test, on perceptrons."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from foldwise.core.errors import DegenerateVariance
from foldwise.core.types import Array
from foldwise.inference import five_by_two_cv_f, five_by_two_cv_t
from foldwise.papers.alpaydin1999.printed import HIDDEN, TABLE_1, TABLE_2, TABLE_3
from foldwise.papers.alpaydin1999.runs import SUBSETS, errors_of, run_all
from foldwise.papers.chart import Chart, Series
from foldwise.papers.rows import Printed, Row, claim, of_mean, of_share, unprinted
from foldwise.papers.study import Findings, Study, Task

__all__ = ["FIGURE_1", "FIGURE_2", "STUDY_1", "STUDY_2", "STUDY_3"]

TRAINING = (
    "the paper does not print how it trained; ours takes full-batch steps (Adam) on standardised inputs, as many as "
    "bring the mean error rates near Table 2's"
)
TRIED = {
    "iris": "tried: 10 to 800 steps of size 0.005 to 0.2, none of which brings a MLP below 3.9 %",
    "wine": "tried: 25 to 800 steps of size 0.005 to 0.05, the LP never comes below 3.0 %",
    "optdigits": "tried: 946, 1934, 2880 and 3823 examples, inputs scaled one by one or together; with fewer examples "
    "the errors, with more the standard deviations are farther from the print",
}
"""What did not bring our error rates to those of Table 2."""
Counts = dict[tuple[str, int], tuple[int, int, int, int, int]]


def _why(name: str) -> str:
    """The reason for a difference on one data set."""
    return f"{TRAINING}; {TRIED[name]}" if name in TRIED else TRAINING


def _tests(x: Array) -> tuple[Array, Array]:
    """Whether the t test (first numerator) and the F test reject, per run."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateVariance)
        return np.asarray(five_by_two_cv_t(x).pvalue < 0.05), np.asarray(five_by_two_cv_f(x).pvalue < 0.05)


def _table1(task: Task) -> Findings:
    names = task.present(("iris", "wine") if task.scale == "smoke" else tuple(TABLE_1))
    rows: list[Row] = []
    for name in names:
        errors = errors_of(task, name)
        text, rejects = TABLE_1[name]
        likely = {h: _likely(errors[:, 0] - errors[:, 2 * i + 1], int(text), rejects)
                  for i, h in enumerate(HIDDEN.get(name, (20,)))}  # fmt: skip
        best = max(likely, key=lambda hidden: likely[hidden])
        statement = f"t rejects {text} of 10, F {'rejects' if rejects else 'does not'}"
        rows.append(claim(f"{name}: share of runs like that, {best} hidden units", statement, likely[best] >= RARE,
                          ours=likely[best], why=TRAINING))  # fmt: skip
        others = {hidden: share for hidden, share in likely.items() if hidden != best}
        rows += [unprinted(f"{name}: with {h} hidden units", share, UNKNOWN) for h, share in others.items()]
    return Findings(rows=tuple(rows), notes=(TABLE_1_NOTE, *task.left_out(TABLE_1)))


RARE = 0.01
"""A line of which fewer than one in a hundred of our runs is a like differs from them."""

UNKNOWN = "which hidden size stands behind the line is not printed"
TABLE_1_NOTE = (
    "One 5×2cv stands behind each printed line, of a hidden size that is not printed: ours is the share of runs in "
    "which F decides so and t rejects about as often (by at most 2), for the size for which it is largest. The paper's "
    f"DIGIT data are not public. Of optdigits and pendigits each run draws {SUBSETS['optdigits']} examples."
)


def _likely(x: Array, count: int, rejects: bool) -> float:
    """Share of runs in which F decides as printed and about as many numerators reject."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateVariance)
        statistics = np.asarray(five_by_two_cv_t(x).statistics).reshape(len(x), 10)
    near = np.abs((np.abs(statistics) > 2.571).sum(axis=1) - count) <= 2
    return float((near & (_tests(x)[1] == rejects)).mean())


def _table2(task: Task) -> Findings:
    rows: list[Row] = []
    for name, errors in run_all(task).items():
        for place, hidden in enumerate((0, *HIDDEN[name])):
            nets = errors[:, [0]] if hidden == 0 else errors[:, [2 * place - 1, 2 * place]]
            per_run = 100 * nets.mean(axis=(1, 2, 3))
            mean, deviation = 100 * float(nets.mean()), 100 * float(nets.std(ddof=1))
            error = float(per_run.std(ddof=1) / np.sqrt(len(per_run)))
            label = f"{name}, {'LP' if hidden == 0 else f'MLP {hidden}'}"
            text, spread = TABLE_2[name, hidden]
            # 1000 runs stand behind the print
            printed = Printed(text=text, error=error * np.sqrt(len(per_run) / 1000))
            rows.append(of_mean(f"{label}: mean error", printed, mean, error, why=_why(name)))
            rough = deviation / np.sqrt(2 * max(len(per_run) - 1, 1))
            rows.append(of_mean(f"{label}: standard deviation", Printed(text=spread), deviation, rough, why=_why(name)))
    return Findings(rows=tuple(rows), notes=(TRAINING[0].upper() + TRAINING[1:] + ".", *task.left_out(HIDDEN)))


def _counts(task: Task) -> Counts:
    """Per case: rejections of t and F for MLP against MLP, for LP against MLP, and the number of runs."""
    found: Counts = {}
    for name, errors in run_all(task).items():
        for place, hidden in enumerate(HIDDEN[name], start=1):
            first, second = errors[:, 2 * place - 1], errors[:, 2 * place]
            same = _tests(first - second)
            other = _tests(errors[:, 0] - first)
            t, f, lp_t, lp_f = (int(hits.sum()) for hits in (*same, *other))
            found[name, hidden] = (t, f, lp_t, lp_f, len(errors))
    return found


def _table3(task: Task) -> Findings:
    rows: list[Row] = []
    counts = _counts(task)
    titles = ("MLP vs MLP, t", "MLP vs MLP, F", "LP vs MLP, t", "LP vs MLP, F")
    for (name, hidden), found in counts.items():
        for i, (title, text) in enumerate(zip(titles, TABLE_3[name, hidden], strict=True)):
            printed = Printed(text=text, trials=1000)
            rows.append(of_share(f"{name}, {hidden} hidden, {title}", printed, found[i], found[4], why=_why(name)))
    raw = {f"{name}, {hidden}": list(found) for (name, hidden), found in counts.items()}
    return Findings(rows=tuple(rows), raw=raw, notes=task.left_out(HIDDEN))


def _figure1(task: Task) -> Findings:
    counts = list(_counts(task).values())
    t, f, runs = (sum(found[i] for found in counts) for i in (0, 1, 4))
    points = Series(name="", x=tuple(c[0] / c[4] for c in counts), y=tuple(c[1] / c[4] for c in counts))
    rows = (
        claim("Type I error of F against t, all cases", "lower: all points under y = x", f <= t, ours=f / runs),
        claim(
            "Type I error of t, all cases", "at most 0.05", t / runs <= 0.05 + 2.6 * np.sqrt(0.05 / runs), ours=t / runs
        ),
    )
    chart = Chart(name="type1", kind="points", title="Type I error, MLP against MLP", x_label="5×2cv t",
                  y_label="combined 5×2cv F", series=(points,), diagonal=True)  # fmt: skip
    return Findings(rows=rows, charts=(chart,), notes=task.left_out(HIDDEN))


def _figure2(task: Task) -> Findings:
    distance, t, f = [], [], []
    for name, errors in run_all(task).items():
        for place in range(1, len(HIDDEN[name]) + 1):
            linear, net = errors[:, 0], errors[:, 2 * place - 1]
            distance.append(float((linear.mean() - net.mean()) / net.std(ddof=1)))
            hits = _tests(linear - net)
            t.append(float(hits[0].mean()))
            f.append(float(hits[1].mean()))
    z = np.array(distance)
    near, far = z < 1, z >= 1
    rows = [
        claim("small differences (z < 1): F − t", "F rejects less", _mean(f, near) <= _mean(t, near) + 0.01,
              ours=_mean(f, near) - _mean(t, near)),
    ]  # fmt: skip
    if far.any():
        rows.append(claim("large differences (z ≥ 1): F − t", "F rejects more", _mean(f, far) >= _mean(t, far),
                          ours=_mean(f, far) - _mean(t, far)))  # fmt: skip
    series = (Series(name="5×2cv t", x=tuple(distance), y=tuple(t)), Series(name="F", x=tuple(distance), y=tuple(f)))
    chart = Chart(name="power", kind="points", title="Rejections by distance, LP against MLP", series=series,
                  x_label="z = (mean error of LP − MLP)/s of MLP", y_label="share of runs")  # fmt: skip
    return Findings(rows=tuple(rows), charts=(chart,), raw={"z": distance, "t": t, "F": f}, notes=task.left_out(HIDDEN))


def _mean(values: list[float], chosen: NDArray[np.bool_]) -> float:
    picked = np.array(values)[chosen]
    return float(picked.mean()) if picked.size else 0.0


def _study(key: str, title: str, where: str, compute: Callable[[Task], Findings], data: tuple[str, ...]) -> Study:
    return Study(
        key=f"alpaydin1999/{key}",
        title=title,
        reference=where,
        compute=compute,
        data=data,
        learners=("lp", "mlp"),
        seconds=(35, 1400),
    )


STUDY_1 = _study("table1", "Rejections of the ten 5×2cv t statistics and of F", "Table 1", _table1, tuple(TABLE_1))
STUDY_2 = _study("table2", "Error rates of the perceptrons", "Table 2", _table2, tuple(HIDDEN))
STUDY_3 = _study("table3", "Rejection rates of 5×2cv t and F in 15 cases", "Table 3", _table3, tuple(HIDDEN))
FIGURE_1 = _study("figure1", "Type I errors of the two tests", "Figure 1", _figure1, tuple(HIDDEN))
FIGURE_2 = _study("figure2", "Power of the two tests by distance", "Figure 2", _figure2, tuple(HIDDEN))
