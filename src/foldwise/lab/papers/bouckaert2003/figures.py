"""Figures 1 and 2: what the repeated-cv tests average over, and calibrated degrees of freedom for 5 to 100 runs."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from foldwise.core.types import Json
from foldwise.inference.repeated_cv import VARIANTS
from foldwise.lab.papers.bouckaert2003.calibrated import NAMES, NETWORKS, SIX, calibrated_dfs, evidence_of, rejections
from foldwise.lab.papers.chart import Chart, Series
from foldwise.lab.papers.rows import Printed, Row, claim, of_value, unprinted
from foldwise.lab.papers.study import Findings, Study, Task

__all__ = [
    "FIGURE_1",
    "FIGURE_2",
    "FIGURE_4",
]


# ---- Figure 1: the example that shows over what the repeated-cv tests average.

# Figure 1, in per cent: runs × folds
X = ((3.33, 10, -6.66), (6.66, 3.33, 0), (6.66, -10, -3.33))

# our copy prints the last run mean without its sign: (6.66 − 10 − 3.33)/3 = −2.22
RUN_MEANS = ("2.22", "3.33", "2.22")
FOLD_MEANS = ("5.55", "1.11", "-3.33")
SORTED_MEANS = ("-5.55", "1.11", "7.77")
SIGN = "the printed mean lost its sign: (6.66 − 10 − 3.33)/3 = −2.22"


def _figure1(task: Task) -> Findings:
    x = np.array(X)
    rows = [
        *_rows("mean of run", RUN_MEANS, x.mean(axis=1), why=SIGN),
        *_rows("mean of fold", FOLD_MEANS, x.mean(axis=0)),
        *_rows("mean of rank", SORTED_MEANS, np.sort(x, axis=1).mean(axis=0)),
    ]
    return Findings(rows=tuple(rows), raw={"x": X})


def _rows(label: str, printed: tuple[str, ...], ours: np.ndarray, why: str = "") -> list[Row]:
    # the cells are thirds cut off after two digits, so that their means are good to 0.01
    return [
        of_value(f"{label} {i + 1}", Printed(text=text), float(value), low=value - 0.005, high=value + 0.005, why=why)
        for i, (text, value) in enumerate(zip(printed, ours.tolist(), strict=True))
    ]


FIGURE_1 = Study(
    key="bouckaert2003/figure1",
    title="Over what the repeated-cv tests average",
    reference="Figure 1",
    compute=_figure1,
    seconds=(0.1, 0.1),
)


# ---- Figure 2: calibrated degrees of freedom and Type I error for 5 to 100 runs; Figure 4: power with them.

RUNS = (5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100)
ALL = ("resampled_t", "corrected_resampled_t", "kfold_cv_t", *VARIANTS)
TITLES = NAMES | {
    "folds": "mean folds",
    "runs": "mean runs",
    "sorted_runs_averaged_var": "sorted runs averaged var",
    "sorted_runs_averaged_t": "sorted runs averaged T",
}
Dfs = dict[str, list[int]]


def _runs(task: Task) -> tuple[int, ...]:
    return RUNS[:2] if task.scale == "smoke" else RUNS


def _calibrate(task: Task) -> tuple[Dfs, dict[str, list[float]]]:
    """Per test the calibrated df, and the Type I error there, for each number of runs."""
    trials = task.pick(smoke=50, quick=300, full=1000)
    runs = _runs(task)
    evidence, design = evidence_of(task, "bayes-net(set=1)", ALL, trials, runs=max(runs))
    found = [calibrated_dfs(evidence, design, ALL, runs=r) for r in runs]
    return {t: [f[t][0] for f in found] for t in ALL}, {t: [f[t][1] for f in found] for t in ALL}


def _figure2(task: Task) -> Findings:
    runs = _runs(task)
    dfs, errors = _calibrate(task)
    later = [i for i, r in enumerate(runs) if r >= 10]
    rows = [_circa(test, [dfs[test][i] for i in later]) for test in SIX]
    rows += _others(dfs, runs)
    rows += [
        unprinted(f"{TITLES[test]}, {r} runs: calibrated df", dfs[test][i], "in the figure only")
        for test in ALL
        for i, r in enumerate(runs)
        if r in (10, 30, 100)
    ]
    charts = tuple(
        Chart(
            name=name,
            kind="lines",
            title=title,
            x_label="runs",
            y_label=label,
            series=tuple(Series(name=TITLES[t], x=tuple(map(float, runs)), y=tuple(map(float, v[t]))) for t in ALL),
            level=level,
        )
        for name, title, label, v, level in (
            ("df", "Calibrated degrees of freedom", "df", dfs, None),
            ("type1", "Type I error with calibrated df", "Type I error", errors, 0.05),
        )
    )
    return Findings(rows=tuple(rows), charts=charts, raw={"runs": runs, "df": dfs, "type1": errors})


def _circa(test: str, found: list[int]) -> Row:
    """Calibration on so many data sets finds a df with an error of about 2 at full scale."""
    middle = float(np.median(found))
    return claim(f"{TITLES[test]}, 10 and more runs: median df", "constantly circa 11", 8 <= middle <= 14, ours=middle)


def _others(dfs: Dfs, runs: tuple[int, ...]) -> list[Row]:
    last, most = len(runs) - 1, runs[-1] - 1
    resampled, corrected = dfs["resampled_t"][last] / most, dfs["corrected_resampled_t"][last] / most
    single = dfs["kfold_cv_t"][last]
    low = ("runs", "sorted_runs_averaged_var", "sorted_runs_averaged_t")
    middle = {test: float(np.median(dfs[test])) for test in low}
    tried = "above: every df up to the largest that is tried holds the level" if corrected > 1 else ""
    rises = all(b >= a for a, b in pairwise(dfs["corrected_resampled_t"]))
    return [
        claim(f"Resampling, {runs[-1]} runs: df/(r − 1)", "up to 90 % lower", resampled < 0.3, ours=resampled),
        claim(f"Cor-resampling, {runs[-1]} runs: df/(r − 1)", "circa 10 % lower", 0.75 <= corrected <= 1.01,
              ours=corrected, why=tried),
        claim("Cor-resampling: df", "consistently increases with runs", rises,
              ours=float(dfs["corrected_resampled_t"][last])),
        claim("k-fold cv: df", "33 % lower than 9", 4 <= single <= 8, ours=float(single)),
        claim("mean folds: largest df", "at most 7", max(dfs["folds"]) <= 7, ours=float(max(dfs["folds"]))),
        *(claim(f"{TITLES[t]}: median df", "very low", df <= 5, ours=df) for t, df in middle.items()),
    ]  # fmt: skip


def _figure4(task: Task) -> Findings:
    runs = _runs(task)
    dfs, _ = _calibrate(task)
    trials = task.pick(smoke=25, quick=100, full=1000)
    power = {}
    for number in (1, 2, 3, 4):
        evidence, design = evidence_of(task, f"bayes-net(set={number})", ALL, trials, runs=max(runs), label=1)
        power[number] = {
            test: [float(rejections(test, evidence, design, dfs[test][i], runs=r).mean()) for i, r in enumerate(runs)]
            for test in NAMES
        }
    rows = [row for number in (2, 3, 4) for row in _power_rows(number, power[number], runs)]
    charts = tuple(_power_chart(number, power[number], runs) for number in power)
    raw: dict[str, Json] = {
        "runs": runs,
        "df": {t: dfs[t] for t in NAMES},
        "power": {str(k): v for k, v in power.items()},
    }
    note = f"Sets 2 to 4: {NETWORKS}."
    return Findings(rows=tuple(rows), charts=charts, raw=raw, notes=(note,))


def _power_rows(number: int, power: dict[str, list[float]], runs: tuple[int, ...]) -> list[Row]:
    spread = max(abs(power[test][-1] - power[test][0]) for test in SIX)
    gap = max(power[test][-1] for test in SIX) - min(power[test][-1] for test in SIX)
    resampled = power["resampled_t"]
    single = power["kfold_cv_t"]
    rows = [
        claim(f"set {number}, resampling: power at {runs[-1]} runs", "increases with runs",
              resampled[-1] >= resampled[0], ours=resampled[-1]),
        claim(f"set {number}, the six calibrated tests: largest change from {runs[0]} to {runs[-1]} runs",
              "very little sensitivity", spread <= 0.15, ours=spread),
        claim(f"set {number}, the six: largest gap between two at {runs[-1]} runs", "rather close", gap <= 0.1,
              ours=gap),
    ]  # fmt: skip
    constant = max(single) - min(single)
    rows.append(claim(f"set {number}, k-fold cv: change over runs", "does not vary", constant <= 0.1, ours=constant,
                      why="its df is calibrated anew for each number of runs"))  # fmt: skip
    return rows


def _power_chart(number: int, power: dict[str, list[float]], runs: tuple[int, ...]) -> Chart:
    return Chart(
        name=f"set{number}",
        kind="lines",
        title=f"{'Type I error' if number == 1 else 'Power'} on set {number}, calibrated tests",
        x_label="runs",
        y_label="share of data sets on which the test rejects",
        series=tuple(Series(name=NAMES[t], x=tuple(map(float, runs)), y=tuple(power[t])) for t in NAMES),
        level=0.05 if number == 1 else None,
    )


FIGURE_2 = Study(
    key="bouckaert2003/figure2",
    title="Calibrated degrees of freedom and Type I error for 5 to 100 runs",
    reference="Figure 2 and section 4",
    compute=_figure2,
    learners=("nb", "c45"),
    seconds=(4, 20),
)
FIGURE_4 = Study(
    key="bouckaert2003/figure4",
    title="Power of the calibrated tests for 5 to 100 runs",
    reference="Figure 4 and section 5.2",
    compute=_figure4,
    learners=("nb", "c45"),
    seconds=(6, 35),
)
