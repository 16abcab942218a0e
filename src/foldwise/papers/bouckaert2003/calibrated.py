"""The calibrated tests of the paper: evidence, calibrated degrees of freedom, rejections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foldwise.inference.explicit_df import ExplicitDf, explicit_df, explicit_df_corrected
from foldwise.inference.repeated_cv import repeated_cv_parts
from foldwise.kinds import ONE_CV, RANDOM_SPLITS, REPEATED_CV, Design
from foldwise.lab.evidence import Evidence
from foldwise.lab.gather import gather, prepare
from foldwise.lab.pvalues import choose_tests
from foldwise.papers.bouckaert2003.printed import NAMES
from foldwise.papers.study import Task

__all__ = ["NETWORKS", "SPLIT", "calibrated_dfs", "evidence_of", "parts_of", "rejections"]

SPLIT = 10
"""A random split tests on a tenth, as a fold does; the paper does not state its fraction, bouckaertfrank2004 does."""

NETWORKS = "the paper's networks are not published; ours were chosen for accuracies near its Table 3"

LOWEST, HIGHEST = 2, 100
"""Degrees of freedom that are tried (section 4)."""


def evidence_of(
    task: Task,
    population: str,
    tests: Sequence[str],
    trials: int,
    *,
    runs: int = 10,
    repetitions: int = 1,
    learners: tuple[str, str] = ("nb", "c45"),
    label: int = 0,
) -> tuple[Evidence, Design]:
    """Naive Bayes against C4.5 (or others) on data sets of 300 examples.

    Parameters
    ----------
    label
        Different labels give different data sets: a calibration must not judge itself.
    """
    design = Design(runs=runs, splits=runs, parts=SPLIT, repetitions=repetitions)
    work = prepare(choose_tests(list(tests)), population, learners, design, task.seed + 1000 * label)
    return gather(work, trials, task.resources), design


def parts_of(test: str, evidence: Evidence, design: Design, runs: int | None = None) -> ExplicitDf:
    """What a test computes from the first `runs` runs (all by default), for any degrees of freedom."""
    if test == "kfold_cv_t":
        return explicit_df(evidence[ONE_CV])
    if test == "resampled_t":
        return explicit_df(evidence[RANDOM_SPLITS][..., :runs])
    if test == "corrected_resampled_t":
        return explicit_df_corrected(evidence[RANDOM_SPLITS][..., :runs], test_train_ratio=RANDOM_SPLITS.ratio(design))
    return repeated_cv_parts(evidence[REPEATED_CV][..., :runs, :], variant=test)  # type: ignore[arg-type]


def calibrated_dfs(
    evidence: Evidence,
    design: Design,
    tests: Sequence[str] = tuple(NAMES),
    *,
    alpha: float = 0.05,
    runs: int | None = None,
) -> dict[str, tuple[int, float]]:
    """Per test the largest df whose Type I error is at most alpha (0 if none), and that error."""
    tried = np.arange(LOWEST, HIGHEST + 1)
    found = {}
    for test in tests:
        rejects = parts_of(test, evidence, design, runs).rejects(tried[:, None, None], alpha=alpha)
        curve = np.mean(rejects, axis=(1, 2))
        holds = np.flatnonzero(curve <= alpha)
        place = int(holds[-1]) if holds.size else 0
        found[test] = (int(tried[place]) if holds.size else 0, float(curve[place]))
    return found


def rejections(
    test: str, evidence: Evidence, design: Design, df: int, *, alpha: float = 0.05, runs: int | None = None
) -> NDArray[np.bool_]:
    """Of shape (trials, repetitions); a test that could not be calibrated takes the smallest df that was tried."""
    rejected: Any = parts_of(test, evidence, design, runs).rejects(max(df, LOWEST), alpha=alpha)
    return np.asarray(rejected, dtype=np.bool_)
