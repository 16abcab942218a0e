"""Data sets: where they come from, how nominal and missing values are kept, result and prediction files.

`encode_for` lives in `foldwise.data.encoding`, which is imported only where scikit-learn is needed anyway.
"""

from __future__ import annotations

from foldwise.data.catalogue import KNOWN, Known, fetch_openml
from foldwise.data.dataset import Dataset, Description
from foldwise.data.formats.arff import save_arff
from foldwise.data.frames import dataset_from_frame
from foldwise.data.loading import available, data_folder, load
from foldwise.data.predictions import PredictionFile, read_predictions
from foldwise.data.score_files import ResultTable, ScoreFile, read_scores, read_table

__all__ = [
    "KNOWN",
    "Dataset",
    "Description",
    "Known",
    "PredictionFile",
    "ResultTable",
    "ScoreFile",
    "available",
    "data_folder",
    "dataset_from_frame",
    "fetch_openml",
    "load",
    "read_predictions",
    "read_scores",
    "read_table",
    "save_arff",
]
