"""The façade: evidence → recommended procedure → `Comparison`."""

from __future__ import annotations

from foldwise.verdict.compare import compare
from foldwise.verdict.comparison import Comparison
from foldwise.verdict.from_file import judge_prediction_file
from foldwise.verdict.from_marks import compare_marks
from foldwise.verdict.from_predictions import compare_predictions
from foldwise.verdict.from_scores import compare_scores
from foldwise.verdict.from_seeds import compare_seeds
from foldwise.verdict.from_stream import watch, watch_prediction_file
from foldwise.verdict.judge import judge
from foldwise.verdict.many.by_metrics import ManyByMetrics
from foldwise.verdict.many.comparison import ManyComparison
from foldwise.verdict.many.from_table import compare_many
from foldwise.verdict.many.on_data_sets import compare_on_data_sets
from foldwise.verdict.many.pair_comparison import PairComparison
from foldwise.verdict.metrics_comparison import MetricsComparison
from foldwise.verdict.models.by_metrics import ModelsByMetrics
from foldwise.verdict.models.comparison import ModelsComparison
from foldwise.verdict.models.from_learners import compare_learners
from foldwise.verdict.models.from_predictions import compare_models
from foldwise.verdict.models.pair import ModelPair
from foldwise.verdict.watch_result import Watch

__all__ = [
    "Comparison",
    "ManyByMetrics",
    "ManyComparison",
    "MetricsComparison",
    "ModelPair",
    "ModelsByMetrics",
    "ModelsComparison",
    "PairComparison",
    "Watch",
    "compare",
    "compare_learners",
    "compare_many",
    "compare_marks",
    "compare_models",
    "compare_on_data_sets",
    "compare_predictions",
    "compare_scores",
    "compare_seeds",
    "judge",
    "judge_prediction_file",
    "watch",
    "watch_prediction_file",
]
