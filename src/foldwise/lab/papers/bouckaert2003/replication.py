"""Tables 5 and 6: replicability of the calibrated tests."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray
from scipy import special

from foldwise.core.errors import DegenerateVariance
from foldwise.core.types import Array
from foldwise.inference._replicability import replicability
from foldwise.inference.five_by_two_cv import five_by_two_cv_t
from foldwise.kinds import FIVE_BY_TWO
from foldwise.lab.evidence import choose_tests, pvalues
from foldwise.lab.papers.bouckaert2003.calibrated import NAMES, NETWORKS, TABLE_5, TABLE_6, evidence_of, rejections
from foldwise.lab.papers.bouckaert2003.tables import LEVELS, PAPERS_FOLD_DF, TESTS, calibration, share
from foldwise.lab.papers.rows import Row, claim, of_share, unprinted
from foldwise.lab.papers.study import Findings, Study, Task

__all__ = ["NUMERATORS_INSTEAD", "STUDY_5", "STUDY_6", "agreeing_numerators"]

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


def _table5(task: Task) -> Findings:
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
    seconds=(5, 35),
)
STUDY_6 = Study(
    key="bouckaert2003/table6",
    title="Lowest replicability by significance level",
    reference="Table 6 and section 5.4",
    compute=_table6,
    learners=("nb", "c45"),
    seconds=(5, 35),
)
