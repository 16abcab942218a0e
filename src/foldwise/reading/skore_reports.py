"""skore's reports (EstimatorReport, CrossValidationReport, ComparisonReport), by their documented attributes.

skore is never imported: nothing is trained or asked here but what the reports hold, and the metrics that they offer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.reading.series import ItemRows, Series

__all__ = ["answered", "cross_validated", "named_reports"]

Report: TypeAlias = Any  # What skore made: only its documented attributes are asked.

METRICS = {
    "accuracy": "accuracy", "roc_auc": "roc_auc", "log_loss": "neg_log_loss", "brier_score": "neg_brier_score",
    "r2": "r2", "rmse": "neg_root_mean_squared_error", "mae": "neg_mean_absolute_error",
    "mape": "neg_mean_absolute_percentage_error",
}  # fmt: skip
"""What reports call a metric, and scikit-learn's name for it, which negates losses."""


def named_reports(given: Report) -> dict[str, Report] | None:
    """The reports in a ComparisonReport, a dictionary or a list, by what they are called; None where these are none."""
    if _is_report(given):
        if not isinstance(given.reports_ if hasattr(given, "reports_") else None, Mapping):
            raise InvalidInput("one report can't be compared: give a ComparisonReport, or several in a list or a dict")
        return named_reports(given.reports_)
    if isinstance(given, Mapping):
        named = {str(name): one for name, one in given.items()}
    elif isinstance(given, list | tuple):
        named = {str(getattr(one, "estimator_name_", number)): one for number, one in enumerate(given)}
    else:
        return None
    if not named or not all(map(_is_report, named.values())):
        return None
    if len(named) < len(given):
        raise InvalidInput("reports must have different names: give them in a dict, {'a': report, 'b': report}")
    # refuse reports of different kinds, and those whose targets prove that they were not tested on the same data
    (first, one), *others = named.items()
    for name, other in others:
        if hasattr(one, "split_indices") != hasattr(other, "split_indices"):
            raise InvalidInput(f"{first!r} and {name!r} must be reports of one kind: cross-validation, or one test set")
        target = "y" if hasattr(one, "split_indices") else "y_test"
        if not np.array_equal(np.asarray(getattr(one, target)), np.asarray(getattr(other, target))):
            raise InvalidInput(
                f"{first!r} and {name!r} must be reports on the same data to be paired, but their {target} differ"
            )
    return named


def _is_report(given: Report) -> bool:
    return hasattr(given, "metrics") and (hasattr(given, "reports_") or hasattr(given, "y_test"))


def cross_validated(reports: Mapping[str, Report]) -> dict[str, dict[str, object]] | None:
    """What `cross_validate` would have given of each; None where the reports are about one test set."""
    if not all(hasattr(one, "split_indices") for one in reports.values()):
        return None
    return {name: _as_dictionary(one) for name, one in reports.items()}


def _as_dictionary(report: Report) -> dict[str, object]:
    scores = {f"test_{name}": _scores(report.reports_, own) for own, name in METRICS.items()}
    times = {
        said: [one.metrics.timings().get(own, np.nan) for one in report.reports_]
        for said, own in (("fit_time", "fit_time"), ("score_time", "predict_time_test"))
    }
    train, test = zip(*report.split_indices, strict=True)
    known = {name: values for name, values in scores.items() if values}
    return {**known, **times, "indices": {"train": train, "test": test}}


def _scores(folds: Sequence[Report], metric: str) -> list[float]:
    """The score of each fold, greater for better; nothing where they don't have it, or have one for each class."""
    if not all(hasattr(one.metrics, metric) for one in folds):
        return []
    values = [getattr(one.metrics, metric)() for one in folds]
    sign = -1.0 if METRICS[metric].startswith("neg_") else 1.0
    return [sign * value for value in values] if all(isinstance(value, float) for value in values) else []


def answered(reports: Mapping[str, Report], source: str) -> Iterator[Series]:
    """Per test example whether each was right, or how far off it was."""
    for name, report in reports.items():
        truth = np.asarray(report.y_test)
        said = np.asarray(report.get_predictions(data_source="test"))
        classes = "classification" in str(report.ml_task)
        values = said == truth if classes else (said - truth) ** 2
        if values.ndim != 1:
            raise InvalidInput(f"report {name!r} must be about one target, got {values.shape[1]}")
        keys = [str(row) for row in range(len(truth))]
        yield Series(
            model=name, task="", metric="accuracy" if classes else "mse",
            rows=ItemRows(keys=keys, contents=list(map(repr, truth.tolist()))), values=values.astype(np.float64),
            higher_is_better=classes, source=source, times=_times(report),
        )  # fmt: skip


def _times(report: Report) -> dict[str, float]:
    found = report.metrics.timings()
    named = {"fit": found.get("fit_time"), "score": found.get("predict_time_test")}
    return {name: float(value) for name, value in named.items() if value is not None}
