"""The façade: evidence → recommended procedure → `Comparison`."""

from __future__ import annotations

from foldwise.verdict.compare import compare
from foldwise.verdict.comparison import Comparison
from foldwise.verdict.from_file import judge_prediction_file
from foldwise.verdict.from_scores import compare_scores
from foldwise.verdict.from_stream import watch, watch_prediction_file
from foldwise.verdict.from_votes import compare_votes
from foldwise.verdict.judge import judge
from foldwise.verdict.many.from_table import compare_many
from foldwise.verdict.pair import Pair
from foldwise.verdict.predictions import compare_predictions
from foldwise.verdict.watch_result import Watch

__all__ = [
    "Comparison",
    "Pair",
    "Watch",
    "compare",
    "compare_many",
    "compare_predictions",
    "compare_scores",
    "compare_votes",
    "judge",
    "judge_prediction_file",
    "watch",
    "watch_prediction_file",
]
