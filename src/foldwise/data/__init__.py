"""Data sets: where they come from, how nominal and missing values are kept, result and prediction files."""

from __future__ import annotations

from foldwise.data.predictions import PredictionFile, read_predictions
from foldwise.data.results import ResultTable, read_table
from foldwise.data.scores import ScoreFile, read_scores

__all__ = ["PredictionFile", "ResultTable", "ScoreFile", "read_predictions", "read_scores", "read_table"]
