"""Tables 2, 3 and 4: Type I error of the calibrated tests, and what the four sets are."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy import special

from foldwise.core.errors import DegenerateVariance
from foldwise.core.random import stream
from foldwise.core.types import Array, Json
from foldwise.inference._replicability import replicability
from foldwise.inference.five_by_two_cv import five_by_two_cv_t
from foldwise.inference.repeated_cv import repeated_cv_test
from foldwise.kinds import FIVE_BY_TWO
from foldwise.lab.evidence import choose_tests, pvalues
from foldwise.lab.papers.bouckaert2003.calibrated import (
    NAMES,
    NETWORKS,
    TABLE_2,
    TABLE_3,
    TABLE_4,
    TABLE_5,
    TABLE_6,
    TABLE_7,
    calibrated_dfs,
    evidence_of,
    rejections,
)
from foldwise.lab.papers.one_neighbour import cross_predict_one, squared_distances
from foldwise.lab.papers.rows import Printed, Row, claim, of_mean, of_share, unprinted
from foldwise.lab.papers.study import Findings, Task, Trials, do_trials
from foldwise.lab.populations.bayes_net import BayesNet

PROBABILITIES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
LEVELS = (0.01, 0.025, 0.05, 0.1)
TRIALS = 1000
"""Data sets behind each printed share."""

PAPERS_FOLD_DF = 5
"""What the paper's numbers for k-fold cv come out with; a third below 9, as section 4 says, would be 6."""

FOLD_DF = (
    "the print comes out with 5 degrees of freedom (see the row with 5 df); ours are {df} by calibration, and 6 is the "
    "third below 9 that section 4 speaks of"
)

TESTS = ("use_all_data", "kfold_cv_t", "resampled_t")
"""Between them these need all the evidence."""


def calibration(task: Task) -> dict[str, int]:
    """Our own calibrated df for ten runs at 5 %, from data sets that no table uses."""
    trials = task.pick(smoke=50, quick=500, full=1000)
    evidence, design = evidence_of(task, "bayes-net(set=1)", TESTS, trials, label=9)
    return {test: df for test, (df, _) in calibrated_dfs(evidence, design).items()}


def share(text: str) -> Printed:
    """A share of 1000 data sets, in per cent."""
    return Printed(text=text, unit=100, trials=TRIALS)


def table2(task: Task) -> Findings:
    trials = task.pick(smoke=25, quick=300, full=1000)
    dfs = calibration(task)
    rows: list[Row] = []
    for column, probability in enumerate(PROBABILITIES):
        population = f"independent-binary(class_probability={probability})"
        evidence, design = evidence_of(task, population, TESTS, trials, label=2)
        for test, title in NAMES.items():
            hits = int(rejections(test, evidence, design, dfs[test])[:, 0].sum())
            rows.append(
                of_share(f"{title}, P = {probability}", share(TABLE_2[test][column]), hits, trials, why=why(test, dfs))
            )
        hits = int(rejections("kfold_cv_t", evidence, design, PAPERS_FOLD_DF)[:, 0].sum())
        printed = share(TABLE_2["kfold_cv_t"][column])
        rows.append(of_share(f"k-fold cv with {PAPERS_FOLD_DF} df, P = {probability}", printed, hits, trials))
    return Findings(rows=tuple(rows), raw={"df": dfs, "trials": trials}, notes=(_calibrated(dfs),))


def _calibrated(dfs: dict[str, int]) -> str:
    found = ", ".join(f"{NAMES[test]} {df}" for test, df in dfs.items())
    return f"Degrees of freedom by our own calibration on other data sets of set 1: {found}."


def why(test: str, dfs: dict[str, int]) -> str:
    """The reason for a difference from the print."""
    return FOLD_DF.format(df=dfs[test]) if test == "kfold_cv_t" else ""


def table3(task: Task) -> Findings:
    trials = task.pick(smoke=20, quick=200, full=1000)
    rows: list[Row] = []
    raw: dict[str, Json] = {}
    for number in (1, 2, 3, 4):
        accuracy = 100 * _accuracies(task, number, trials)
        raw[str(number)] = accuracy.mean(axis=0).tolist()
        columns = {"nb": accuracy[:, 0], "c45": accuracy[:, 1], "difference": accuracy[:, 1] - accuracy[:, 0]}
        for name, values in columns.items():
            mean, error = float(values.mean()), float(values.std(ddof=1) / np.sqrt(trials))
            label, text = f"set {number}, {name}", TABLE_3[name][number - 1]
            if number == 1:
                rows.append(of_mean(label, Printed(text=text), mean, error))
            else:
                low, high = mean - 2.576 * error, mean + 2.576 * error
                rows.append(unprinted(label, mean, "other networks", low=low, high=high, printed=text))
    return Findings(rows=tuple(rows), raw=raw, notes=(f"Sets 2 to 4: {NETWORKS}.",))


def _accuracies(task: Task, number: int, trials: int) -> np.ndarray:
    """True accuracies of both learners trained on 300 examples, of shape (trials, 2)."""
    from foldwise.lab.exams import Exams, examine_learners
    from foldwise.learners.registry import create

    exams = Exams(
        source=BayesNet(set=number),
        learners=(create("nb"), create("c45")),
        n=300,
        n_train=300,
        n_test=1000,
        seed=task.seed,
    )
    return np.asarray(examine_learners(exams, trials, task.resources).accuracy)


def table4(task: Task) -> Findings:
    trials = task.pick(smoke=25, quick=1000, full=1000)
    dfs = calibration(task)
    evidence, design = evidence_of(task, "bayes-net(set=1)", TESTS, trials, label=4)
    rows = [
        of_share(
            f"{title}, {level:.1%}",
            share(TABLE_4[test][column]),
            int(rejections(test, evidence, design, dfs[test], alpha=level)[:, 0].sum()),
            trials,
            why=why(test, dfs),
        )
        for test, title in NAMES.items()
        for column, level in enumerate(LEVELS)
    ]
    for level, text in zip(LEVELS, TABLE_4["kfold_cv_t"], strict=True):
        hits = int(rejections("kfold_cv_t", evidence, design, PAPERS_FOLD_DF, alpha=level)[:, 0].sum())
        rows.append(of_share(f"k-fold cv with {PAPERS_FOLD_DF} df, {level:.1%}", share(text), hits, trials))
    note = "The paper measures these on the data sets it calibrated on, ours are others."
    return Findings(rows=tuple(rows), raw={"df": dfs, "trials": trials}, notes=(_calibrated(dfs), note))


# ---- Table 7: Type I error of the recommended test for other pairs of learners.

OTHERS = tuple(pair[1] if pair[0] == "1nn" else pair[0] for pair in TABLE_7 if "1nn" in pair)
"""What the nearest neighbour is compared with."""

TIES = "here all equally near examples vote, as in Weka's IBk; the print comes out if one of them decides, as in IB1"


def table7(task: Task) -> Findings:
    trials = task.pick(smoke=10, quick=300, full=1000)
    rows: list[Row] = []
    for pair, text in TABLE_7.items():
        evidence, design = evidence_of(task, "bayes-net(set=1)", ("use_all_data",), trials, learners=pair, label=7)
        hits = int(rejections("use_all_data", evidence, design, 10)[:, 0].sum())
        rows.append(of_share(f"{pair[0]} vs {pair[1]}", share(text), hits, trials, why=_why(pair)))
    one = _one_neighbour(task, trials)
    for pair, text in TABLE_7.items():
        if "1nn" in pair:
            (other,) = set(pair) - {"1nn"}
            label = f"{pair[0]} vs {pair[1]}, one of the equally near decides"
            rows.append(of_share(label, share(text), one[other], trials))
    note = "10×10 cv, use all data, with the 10 degrees of freedom that the paper recommends."
    return Findings(rows=tuple(rows), raw={"trials": trials}, notes=(note,))


def _one_neighbour(task: Task, trials: int) -> dict[str, int]:
    """How often the test rejects for each learner against the nearest neighbour by which one example decides."""
    work = Trials(
        identity=("bouckaert2003", "one neighbour", task.seed),
        start=partial(_start, task.seed),
        numbers=100 * len(OTHERS),
    )
    x = do_trials(work, trials, task.resources)["differences"]
    rejected = repeated_cv_test(x, variant="use_all_data", df=10).pvalue < 0.05
    return dict(zip(OTHERS, np.asarray(rejected).sum(axis=0).tolist(), strict=True))


def _start(seed: int) -> Callable[[int], dict[str, Array]]:
    """The function that draws data set `number` of set 1, and cross-validates the learners on the same folds."""
    from foldwise.learners.binary.batch import cross_validate, stratified_folds

    population = BayesNet(set=1)

    def trial(number: int) -> dict[str, Array]:
        rng = stream(seed, "one neighbour", number)
        sample = population.draw(300, rng)
        partition = int(rng.integers(2**62))
        cells, y = np.asarray(sample.X.values, dtype=np.uint8)[None], np.asarray(sample.y, dtype=np.uint8)[None]
        seeds = np.array([partition], dtype=np.uint64)
        right = cross_validate(cells, y, OTHERS, seeds=seeds, runs=10, folds=10, tested=10, jobs=1)
        codes = np.asarray(sample.y, dtype=np.int64)
        folds = stratified_folds(codes, runs=10, folds=10, seed=partition)
        hit = cross_predict_one(squared_distances(sample.X), codes, folds, rng) == codes
        own = np.stack([(hit & (folds == fold)).sum(axis=1) for fold in range(10)], axis=1)
        return {"differences": np.stack([(own - right[other][0].astype(np.float64)) / 30 for other in OTHERS])}

    return trial


def _why(pair: tuple[str, str]) -> str:
    if "1nn" in pair:
        return TIES
    if "votedperceptron" in pair:
        return "unexplained; ours is equal to Weka 3.6's in every fold, the paper used a Weka of 2003"
    return "unexplained; ours is equal to the TAN of Weka 3.6, which is younger than the paper" if "tan" in pair else ""


# ---- Tables 5 and 6: replicability of the calibrated tests.


SETS = (1, 2, 3, 4)
NUMERATORS_INSTEAD = (
    "the print comes out, on all four sets, with the ten numerators of one 5×2 cv in place of ten partitionings (see "
    "the rows with them)"
)
NUMERATORS = "ten numerators"
PAPERS_FOLDS = f"kfold_cv_t with {PAPERS_FOLD_DF} df"
FOLDS = f"the print comes out with {PAPERS_FOLD_DF} degrees of freedom (see the row with them)"
REPETITIONS = 10
Consistent = dict[tuple[str, int, float], int]


def _measure(task: Task) -> tuple[Consistent, int]:
    """On how many data sets all ten repetitions agree, by test, set and level."""
    trials = task.pick(smoke=10, quick=100, full=1000)
    return _consistent(task.scale, task.seed, trials, task), trials


_DONE: dict[tuple[str, int, int], Consistent] = {}


def _consistent(scale: str, seed: int, trials: int, task: Task) -> Consistent:
    """Both tables come from the same simulation, which is kept while the process lives."""
    key = (scale, seed, trials)
    if key not in _DONE:
        dfs = calibration(task)
        _DONE[key] = {k: v for number in SETS for k, v in _one_set(task, number, trials, dfs).items()}
    return _DONE[key]


def _one_set(task: Task, number: int, trials: int, dfs: dict[str, int]) -> Consistent:
    needed = (*TESTS, "five_by_two_cv_t")
    evidence, design = evidence_of(task, f"bayes-net(set={number})", needed, trials, repetitions=REPETITIONS, label=5)
    found = {
        (test, number, level): _agreeing(rejections(test, evidence, design, dfs[test], alpha=level))
        for test in NAMES
        for level in LEVELS
    }
    (five,) = choose_tests("five_by_two_cv_t")
    found["five_by_two_cv_t", number, 0.05] = _agreeing(pvalues(five, evidence, design) < 0.05)
    found[NUMERATORS, number, 0.05] = agreeing_numerators(evidence[FIVE_BY_TWO])
    found[PAPERS_FOLDS, number, 0.05] = _agreeing(rejections("kfold_cv_t", evidence, design, PAPERS_FOLD_DF))
    return found


def agreeing_numerators(x: Array) -> int:
    """On how many data sets the ten statistics of the first 5×2 cv lead to one verdict; x: (data sets, …, 5, 2)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateVariance)
        statistics = np.asarray(five_by_two_cv_t(x[:, 0]).statistics).reshape(len(x), 10)
    return _agreeing(np.abs(statistics) > special.stdtrit(5, 0.975))


def _agreeing(rejected: NDArray[np.bool_]) -> int:
    return int(np.sum(replicability(rejected.sum(axis=1), REPETITIONS).consistent))


def table5(task: Task) -> Findings:
    counts, trials = _measure(task)
    rows: list[Row] = []
    for test, printed in TABLE_5.items():
        title = NAMES.get(test, "5×2 cv")
        for column, number in enumerate(SETS):
            hits = counts[test, number, 0.05]
            reason = NUMERATORS_INSTEAD if test == "five_by_two_cv_t" else FOLDS if test == "kfold_cv_t" else ""
            row = of_share(f"{title}, set {number}", share(printed[column]), hits, trials, why=reason)
            rows.append(row if number == 1 else _other(row))
        lowest = min(counts[test, number, 0.05] for number in SETS) / trials
        rows.append(unprinted(f"{title}, minimum", 100 * lowest, "other networks", printed=printed[4]))
    rows += _alternatives(counts, trials)
    rows += _statements(counts, trials)
    raw = {f"{test}, set {number}, {level}": count for (test, number, level), count in counts.items()}
    return Findings(rows=tuple(rows), raw={"trials": trials, "consistent": raw}, notes=(f"Sets 2 to 4: {NETWORKS}.",))


def _alternatives(counts: Consistent, trials: int) -> list[Row]:
    """The two readings with which the print comes out."""
    rows = []
    for name, test, title in (
        (NUMERATORS, "five_by_two_cv_t", "5×2 cv, the ten numerators of one"),
        (PAPERS_FOLDS, "kfold_cv_t", f"k-fold cv with {PAPERS_FOLD_DF} df"),
    ):
        for column, number in enumerate(SETS):
            text = share(TABLE_5[test][column])
            row = of_share(f"{title}, set {number}", text, counts[name, number, 0.05], trials)
            rows.append(row if number == 1 else _other(row))
    return rows


def _other(row: Row) -> Row:
    """The same numbers without a judgement."""
    return unprinted(row.label, row.ours, "other networks", low=row.low, high=row.high, printed=row.printed)


def _statements(counts: Consistent, trials: int) -> list[Row]:
    first = ("resampled_t", "corrected_resampled_t", "kfold_cv_t")
    low = {test: min(counts[test, number, 0.05] for number in SETS) / trials for test in TABLE_5}
    rest = [low[test] for test in NAMES if test not in first]
    return [
        claim("first three tests and the rest, minimum over the sets", "big difference",
              max(low[test] for test in first) < min(rest), ours=100 * (min(rest) - max(low[test] for test in first))),
        claim("5×2 cv, minimum over the sets", "particularly low", low["five_by_two_cv_t"] < min(rest),
              ours=100 * low["five_by_two_cv_t"]),
        claim("spread of the six tests that use all data", "little variance", max(rest) - min(rest) < 0.12,
              ours=100 * (max(rest) - min(rest))),
    ]  # fmt: skip


def table6(task: Task) -> Findings:
    counts, trials = _measure(task)
    rows = []
    for test, title in NAMES.items():
        for column, level in enumerate(LEVELS):
            lowest = 100 * min(counts[test, number, level] for number in SETS) / trials
            text = TABLE_6[test][column]
            rows.append(unprinted(f"{title}, {level:.1%}", lowest, "other networks", printed=text))
    lows = [[min(counts[test, n, level] for n in SETS) / trials for level in LEVELS] for test in NAMES]
    six = [max(values) - min(values) for values in lows[3:]]
    rows.append(claim("tests that use all data: largest change over the levels", "no major impact", max(six) < 0.15,
                      ours=100 * max(six)))  # fmt: skip
    return Findings(rows=tuple(rows), raw={"trials": trials}, notes=(f"Minimum over four sets; {NETWORKS}.",))
