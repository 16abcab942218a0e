"""Tables 1, 2 and 3 and Figures 1 and 2: 5×2cv t against the combined F test, on perceptrons."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foldwise.core.errors import DegenerateVariance
from foldwise.core.random import stream
from foldwise.core.types import Array, Integers
from foldwise.inference.five_by_two_cv import five_by_two_cv_f, five_by_two_cv_t
from foldwise.lab.papers.rows import Chart, Printed, Row, Series, claim, of_mean, of_share, unprinted
from foldwise.lab.papers.study import Findings, Study, Task, Trials, do_trials

# ---- What the paper prints: Tables 1, 2 and 3.

HIDDEN: dict[str, tuple[int, ...]] = {
    "iris": (3, 10, 20),
    "wine": (3, 10, 20),
    "glass": (5, 10, 20),
    "vowel": (5, 10, 20),
    "optdigits": (10, 20),
    "ann-thyroid": (10,),
}
"""Hidden units by data set (Tables 2 and 3); optdigits is the paper's ODR."""

# LP against MLP: rejections among the ten numerators, and whether the F test rejects; the paper's DIGIT is not public
TABLE_1: dict[str, tuple[str, bool]] = {
    "glass": ("0", False),
    "wine": ("0", False),
    "iris": ("2", False),
    "ann-thyroid": ("2", False),
    "vowel": ("2", False),
    "optdigits": ("8", True),
    "pendigits": ("10", True),
}

# mean and standard deviation of the error rate on test folds, in per cent; 0 hidden units is the linear perceptron
TABLE_2: dict[tuple[str, int], tuple[str, str]] = {
    ("iris", 0): ("3.75", "2.05"),
    ("iris", 3): ("3.85", "2.57"),
    ("iris", 10): ("3.18", "1.95"),
    ("iris", 20): ("2.77", "1.73"),
    ("wine", 0): ("2.84", "1.66"),
    ("wine", 3): ("2.86", "2.02"),
    ("wine", 10): ("2.57", "1.61"),
    ("wine", 20): ("2.63", "1.61"),
    ("glass", 0): ("38.66", "4.03"),
    ("glass", 5): ("37.52", "4.21"),
    ("glass", 10): ("35.81", "4.32"),
    ("glass", 20): ("35.04", "4.19"),
    ("vowel", 0): ("38.70", "2.48"),
    ("vowel", 5): ("36.86", "2.86"),
    ("vowel", 10): ("27.69", "2.60"),
    ("vowel", 20): ("22.48", "2.37"),
    ("optdigits", 0): ("5.31", "1.08"),
    ("optdigits", 10): ("5.14", "1.07"),
    ("optdigits", 20): ("3.16", "0.78"),
    ("ann-thyroid", 0): ("4.61", "0.38"),
    ("ann-thyroid", 10): ("4.26", "0.34"),
}

# rejections per 1000 runs: MLP against MLP (t, F), LP against MLP (t, F)
TABLE_3: dict[tuple[str, int], tuple[str, str, str, str]] = {
    ("iris", 3): ("0.032", "0.009", "0.037", "0.007"),
    ("iris", 10): ("0.040", "0.008", "0.029", "0.007"),
    ("iris", 20): ("0.029", "0.016", "0.023", "0.013"),
    ("wine", 3): ("0.037", "0.011", "0.033", "0.018"),
    ("wine", 10): ("0.032", "0.013", "0.031", "0.024"),
    ("wine", 20): ("0.047", "0.016", "0.033", "0.016"),
    ("glass", 5): ("0.034", "0.021", "0.025", "0.021"),
    ("glass", 10): ("0.026", "0.012", "0.063", "0.039"),
    ("glass", 20): ("0.047", "0.015", "0.070", "0.075"),
    ("vowel", 5): ("0.033", "0.018", "0.050", "0.027"),
    ("vowel", 10): ("0.027", "0.021", "0.722", "0.970"),
    ("vowel", 20): ("0.034", "0.015", "0.962", "1.000"),
    ("optdigits", 10): ("0.033", "0.019", "0.025", "0.019"),
    ("optdigits", 20): ("0.024", "0.019", "0.364", "0.557"),
    ("ann-thyroid", 10): ("0.031", "0.014", "0.041", "0.031"),
}


# ---- 5×2 cross-validations of the paper's perceptrons on its data sets.

SUBSETS = {"optdigits": 1934, "pendigits": 1934}
"""Examples drawn anew for each run. The paper does not print the size of ODR, but its standard deviations (1.08 points
at 5.31 %, 0.78 at 3.16 %) are those of some 450 to 1000 test examples, not of half of the 5620 in today's file."""

PIXELS = ("optdigits", "pendigits")
"""Data sets whose inputs are in one unit: they are scaled by one number."""

EPOCHS: dict[str, dict[int, int]] = {
    "iris": {0: 400, 3: 200, 10: 50, 20: 30},
    "wine": {0: 100, 3: 100, 10: 100, 20: 100},
    "glass": {0: 200, 5: 200, 10: 200, 20: 200},
    "vowel": {0: 125, 5: 135, 10: 68, 20: 38},
    "optdigits": {0: 70, 10: 150, 20: 150},
    "ann-thyroid": {0: 350, 10: 35},
    "pendigits": {0: 70, 20: 150},
}
"""Steps by number of hidden units. The paper does not print how it trained: ours are those that bring the mean error
rates near Table 2's; no other table was looked at. Pendigits, which is not in Table 2, has those of optdigits."""

QUICK = {"iris": 100, "wine": 100, "glass": 100, "vowel": 40, "optdigits": 12, "ann-thyroid": 20, "pendigits": 6}
FULL = {"pendigits": 100}
"""Runs per data set: the paper's 1000, but pendigits is in Table 1 only, where one run stands behind a line."""


def _start(name: str, data_dir: str | None, hidden: tuple[int, ...], seed: int) -> Callable[[int], dict[str, Array]]:
    """Load a data set; the function that does run `number`: 5×2 cv with the LP and two MLPs of each size."""
    from foldwise.data import load

    data = load(name, data_dir=data_dir)
    numeric = [i for i, values in enumerate(data.X.categories) if values is None]
    # vowel's speaker, sex and train-or-test column are not among the ten inputs that are usual for it
    X = np.ascontiguousarray(data.X.values[:, numeric])
    y = np.unique(data.y, return_inverse=True)[1].astype(np.int64)
    n = SUBSETS.get(name, len(y))

    def run(number: int) -> dict[str, Array]:
        rng = stream(seed, name, number)
        chosen = rng.permutation(len(y))[:n]
        orders = [rng.permutation(chosen) for _ in range(5)]
        halves = [half for order in orders for half in (order[: n // 2], order[n // 2 :])]
        sizes = [0, *(h for h in hidden for _ in range(2))]
        weights = [stream(seed, "weights", number, place).integers(2**31, size=10) for place in range(len(sizes))]
        errors = [_errors(X, y, halves, h, seeds, name) for h, seeds in zip(sizes, weights, strict=True)]
        return {"errors": np.array(errors)}

    return run


def _errors(X: Array, y: Integers, halves: list[Integers], hidden: int, seeds: Integers, name: str) -> Array:
    """Error rates (5, 2) of one kind of net, each net tested on one half and trained on the other."""
    from foldwise.learners.perceptrons import train_many

    other = [halves[i ^ 1] for i in range(len(halves))]
    nets = train_many(
        X, y, other, n_classes=int(y.max()) + 1, seeds=seeds.tolist(), hidden=hidden, epochs=EPOCHS[name][hidden],
        learning_rate=_rate(name), shared_scale=name in PIXELS,
    )  # fmt: skip
    wrong = [(found != y[half]).mean() for found, half in zip(nets.predict(X, halves), halves, strict=True)]
    return np.array(wrong).reshape(5, 2)


def _rate(name: str) -> float:
    """Size of the steps: smaller ones reach lower errors on many inputs."""
    return 0.02 if name in PIXELS else 0.05


def errors_of(task: Task, name: str) -> Array:
    """Error rates of shape (runs, nets, 5, 2) on one data set: the LP, then two MLPs of each size."""
    runs = task.pick(smoke=2, quick=QUICK[name], full=FULL.get(name, 1000))
    hidden = HIDDEN.get(name, (20,))
    key = (name, runs, task.seed, task.data_dir)
    if key not in _DONE:
        work = Trials(
            identity=("alpaydin1999", name, hidden, _rate(name), EPOCHS[name], SUBSETS.get(name), task.seed),
            start=partial(_start, name, task.data_dir, hidden, task.seed),
            numbers=10 * (1 + 2 * len(hidden)),
        )
        _DONE[key] = do_trials(work, runs, task.resources)["errors"]
    return _DONE[key]


# all tables and figures are made of the same runs; kept while the process lives
_DONE: dict[tuple[object, ...], Array] = {}


def run_all(task: Task) -> dict[str, Array]:
    """All data sets of Tables 2 and 3 that are there."""
    names = tuple(HIDDEN) if task.scale != "smoke" else ("iris", "wine")
    return {name: errors_of(task, name) for name in task.present(names)}


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


def table1(task: Task) -> Findings:
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


def table2(task: Task) -> Findings:
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


def table3(task: Task) -> Findings:
    rows: list[Row] = []
    counts = _counts(task)
    titles = ("MLP vs MLP, t", "MLP vs MLP, F", "LP vs MLP, t", "LP vs MLP, F")
    for (name, hidden), found in counts.items():
        for i, (title, text) in enumerate(zip(titles, TABLE_3[name, hidden], strict=True)):
            printed = Printed(text=text, trials=1000)
            rows.append(of_share(f"{name}, {hidden} hidden, {title}", printed, found[i], found[4], why=_why(name)))
    raw = {f"{name}, {hidden}": list(found) for (name, hidden), found in counts.items()}
    return Findings(rows=tuple(rows), raw=raw, notes=task.left_out(HIDDEN))


def figure1(task: Task) -> Findings:
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


def figure2(task: Task) -> Findings:
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


NETS: dict[str, Any] = {"learners": ("lp", "mlp"), "seconds": (35, 1400)}
"""All tables and figures are made of the same runs."""

STUDIES = (
    Study("alpaydin1999/table1", "Rejections of the ten 5×2cv t statistics and of F", "Table 1",
          table1, data=tuple(TABLE_1), **NETS),
    Study("alpaydin1999/table2", "Error rates of the perceptrons", "Table 2", table2, data=tuple(HIDDEN), **NETS),
    Study("alpaydin1999/table3", "Rejection rates of 5×2cv t and F in 15 cases", "Table 3",
          table3, data=tuple(HIDDEN), **NETS),
    Study("alpaydin1999/figure1", "Type I errors of the two tests", "Figure 1", figure1, data=tuple(HIDDEN), **NETS),
    Study("alpaydin1999/figure2", "Power of the two tests by distance", "Figure 2",
          figure2, data=tuple(HIDDEN), **NETS),
)  # fmt: skip
