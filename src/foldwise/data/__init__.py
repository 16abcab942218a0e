"""Data sets: where they come from, how nominal and missing values are kept, result and prediction files.

`encode_for` lives in `foldwise.data.encoding`, which is imported only where scikit-learn is needed anyway.
"""

from __future__ import annotations

from foldwise.core.lazy import public_names

__getattr__, __dir__, __all__ = public_names(
    __name__,
    {
        "catalogue": ("KNOWN", "KnownDataSet", "fetch_openml"), "dataset": ("Dataset", "Description"),
        "formats.arff": ("save_arff",), "frames": ("dataset_from_frame",),
        "loading": ("available", "data_folder", "load"), "predictions": ("PredictionFile", "read_predictions"),
        "score_files": ("ResultTable", "ScoreFile", "read_scores", "read_table"),
    },
)  # fmt: skip
