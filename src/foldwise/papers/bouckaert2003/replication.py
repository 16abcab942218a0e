"""Tables 5 and 6: replicability of the calibrated tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from foldwise.inference import replicability
from foldwise.lab.pvalues import choose_tests, pvalues
from foldwise.papers.bouckaert2003.calibrated import NETWORKS, evidence_of, rejections
from foldwise.papers.bouckaert2003.printed import NAMES, TABLE_5, TABLE_6
from foldwise.papers.bouckaert2003.tables import LEVELS, TESTS, calibration, share
from foldwise.papers.rows import Row, claim, of_share, unprinted
from foldwise.papers.study import Findings, Study, Task

__all__ = ["STUDY_5", "STUDY_6"]

SETS = (1, 2, 3, 4)
FIVE_BY_TWO = (
    "ours rejects in 4 % of the single tests, the printed consistency needs 3 %; folds with and without stratification "
    "give the same here; the paper does not print the attribute probabilities of set 1"
)
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
    return found


def _agreeing(rejected: NDArray[np.bool_]) -> int:
    return int(np.sum(replicability(rejected.sum(axis=1), REPETITIONS).consistent))


def _table5(task: Task) -> Findings:
    counts, trials = _measure(task)
    rows: list[Row] = []
    for test, printed in TABLE_5.items():
        title = NAMES.get(test, "5×2 cv")
        for column, number in enumerate(SETS):
            hits = counts[test, number, 0.05]
            row = of_share(f"{title}, set {number}", share(printed[column]), hits, trials, why=FIVE_BY_TWO)
            rows.append(row if number == 1 else _other(row))
        lowest = min(counts[test, number, 0.05] for number in SETS) / trials
        rows.append(unprinted(f"{title}, minimum", 100 * lowest, "other networks", printed=printed[4]))
    rows += _statements(counts, trials)
    raw = {f"{test}, set {number}, {level}": count for (test, number, level), count in counts.items()}
    return Findings(rows=tuple(rows), raw={"trials": trials, "consistent": raw}, notes=(f"Sets 2 to 4: {NETWORKS}.",))


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


def _table6(task: Task) -> Findings:
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


STUDY_5 = Study(
    key="bouckaert2003/table5",
    title="Replicability of the calibrated tests on the four sets",
    reference="Table 5 and section 5.4",
    compute=_table5,
    learners=("nb", "c45"),
    seconds=(50, 400),
)
STUDY_6 = Study(
    key="bouckaert2003/table6",
    title="Lowest replicability by significance level",
    reference="Table 6 and section 5.4",
    compute=_table6,
    learners=("nb", "c45"),
    seconds=(50, 400),
)
