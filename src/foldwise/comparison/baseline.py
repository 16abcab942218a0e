"""What always answering the most frequent class would score: the least that an accuracy must beat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from foldwise.comparison.two_models import TwoModels
from foldwise.core.units import score_text

if TYPE_CHECKING:
    from foldwise.engine.result import RunResult

__all__ = ["majority_accuracy", "with_baseline"]


def majority_accuracy(results: Sequence[RunResult]) -> float:
    """Mean over all splits of the share of test examples that are of their training set's most frequent class.

    Ties go to the first class, as with the learner `majority`. The splits are those the learners were compared on.
    """
    rates = []
    for result in results:
        folds, codes = result.shape[1], np.asarray(result.y)
        for index in (run * folds + fold for run in result.runs for fold in range(folds)):
            split = result.splits[index]
            rates.append(np.mean(codes[split.test] == np.bincount(codes[split.train]).argmax()))
    return float(np.mean(rates))


def with_baseline(c: TwoModels, accuracy: float) -> TwoModels:
    """The comparison with the baseline beside its means, and a caveat where neither learner beats it."""
    baseline = accuracy if c.higher_is_better else 1 - accuracy
    best = max(c.means) if c.higher_is_better else min(c.means)
    if (best > baseline) if c.higher_is_better else (best < baseline):
        return c.replace(baseline=baseline)
    caveat = (
        f"neither does better than always answering the most frequent class ({c.metric} "
        f"{score_text(baseline, c.unit)}), so that the comparison says nothing of what they have learned"
    )
    return c.replace(baseline=baseline, caveats=(caveat, *c.caveats))
