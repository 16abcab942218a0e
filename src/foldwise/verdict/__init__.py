"""The façade: evidence → recommended procedure → `Comparison`."""

from __future__ import annotations

from foldwise.verdict.compare import compare
from foldwise.verdict.comparison import Comparison, WinProbabilities
from foldwise.verdict.from_predictions import compare_predictions, judge_outcomes
from foldwise.verdict.from_scores import compare_scores, judge_scores

__all__ = [
    "Comparison",
    "WinProbabilities",
    "compare",
    "compare_predictions",
    "compare_scores",
    "judge_outcomes",
    "judge_scores",
]
