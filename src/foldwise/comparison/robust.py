"""The robust check of the default test: whether its answer holds once the influence of single examples is counted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from foldwise.core.types import Labels
from foldwise.engine.result import RunResult, example_scores, is_mean
from foldwise.inference._influence import influence_parts, influence_result

__all__ = ["robust_pvalue"]

RUNS, FOLDS = 10, 10
"""What the influence-robust test was measured with; with fewer runs its parts are little more than noise."""


def robust_pvalue(results: Sequence[RunResult], groups: Labels | None) -> float | None:
    """The p-value of the influence-robust test on the trainings of a repeated cross-validation.

    None where it does not apply: other designs than it was measured with, or scores that are not means over examples.
    """
    plan = results[0].plan
    runs = sum(len(result.runs) for result in results)
    measured = plan.is_partition and plan.rounds == 1 and runs >= RUNS and results[0].shape[1] == FOLDS
    if not measured or not is_mean(results[0].scoring):
        return None
    a, b = (np.concatenate([example_scores(result, place) for result in results]) for place in range(2))
    ids = np.concatenate([_folds(result) for result in results])
    pieces = ids if groups is None else ids[:, np.unique(groups, return_index=True)[1]]
    if min(np.unique(row, return_counts=True)[1].min() for row in pieces) < 2:
        return None
    classes = None if results[0].classes is None else results[0].y
    parts = influence_parts(a - b, ids, classes=classes, groups=groups)
    return float(influence_result(parts).pvalue) if float(parts.standard_error) > 0 else None


def _folds(result: RunResult) -> np.ndarray:
    folds = result.shape[1]
    ids = np.empty((len(result.runs), len(result.y)), dtype=np.int64)
    for row, run in zip(ids, result.runs, strict=True):
        for fold in range(folds):
            row[result.splits[run * folds + fold].test] = fold
    return ids
