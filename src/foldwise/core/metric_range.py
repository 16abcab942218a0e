"""How far a metric can go: the least and the largest value that its name allows, and with them the worst one."""

from __future__ import annotations

import math
import re

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.metric import Unit, is_loss, is_rate, unit_of
from foldwise.core.metric_words import metric_words
from foldwise.core.types import Array

__all__ = ["metric_range", "worst_value"]

_CORRELATIONS = {"mcc", "kappa", "correlation", "corr", "corrcoef", "pearson", "spearman", "kendall"}
_NO_LEAST = {"r2", "r²", "d2", "explained", "likelihood", "loglik", "loglikelihood"}
_NO_LARGEST = {"wer", "cer", "ter", "mape", "smape", "wape", "log", "absolute", "squared"}
_SHARES = {"hamming", "ece", "fpr", "fnr", "fdr", "eer", "mrr", "ndcg"}
_ERRORS = {"error", "err", "errors"}
_BESIDE_ERROR = {"rate", "test", "train", "val", "validation", "classification", "mean", "cv", "top", "zero", "one"}
_BESIDE_ERROR |= {"exact", "0", "1", "5"}


def metric_range(metric: str) -> tuple[float, float] | None:
    """The least and the largest value of a metric, as a share of 1; None where its name does not tell.

    Examples
    --------
    >>> [metric_range(name) for name in ("accuracy", "mcc", "r2", "log_loss")]
    [(0.0, 1.0), (-1.0, 1.0), (-inf, 1.0), None]
    """
    words = set(re.findall(r"[^\W_]+", metric.lower().replace("^", "")))
    if words & _NO_LEAST:
        return -math.inf, 1.0
    if words & _CORRELATIONS:
        return -1.0, 1.0
    if words & _NO_LARGEST:
        return None
    if words & _ERRORS:  # an error of 3.7 degrees is none that counts mistakes
        return (0.0, 1.0) if words <= _ERRORS | _BESIDE_ERROR else None
    return (0.0, 1.0) if is_rate(metric) or words & _SHARES else None


def worst_value(
    metric: str,
    values: ArrayLike,
    *,
    higher_is_better: bool,
    bounds: tuple[float, float] | None = None,
    unit: Unit | None = None,
) -> float:
    """The worst value that a model can have, in the metric's direction; refused where there is none.

    Parameters
    ----------
    metric, higher_is_better
        What is measured.
    values
        Those that are there, NaN among them; percentages have a range of 0 to 100.
    bounds
        What no value can be below or above, where somebody said so.
    unit
        Their unit, where somebody or the file says it.

    Examples
    --------
    >>> worst_value("accuracy", [1, 0], higher_is_better=True), worst_value("error", [12, 30], higher_is_better=False)
    (0.0, 100.0)
    """
    known = np.asarray(values, dtype=np.float64)
    known = known[~np.isnan(known)]
    found = _declared(bounds) if bounds is not None else _by_name(metric, known, unit)
    called = metric_words(metric)
    worst = math.inf if found is None else found[0] if higher_is_better else found[1]
    if math.isinf(worst):
        side = "lower" if higher_is_better else "upper"
        raise InvalidInput(
            f"missing='worst' needs a worst possible value, but {called} has no {side} limit that its name tells: give "
            "bounds (--bounds LOW HIGH), or missing='drop' (--missing drop)"
        )
    assert found is not None
    beyond = known[(known < found[0]) | (known > found[1])]
    if beyond.size:
        raise InvalidInput(
            f"missing='worst' needs values within {found[0]:g} and {found[1]:g}, the range of {called}, got "
            f"{beyond[0]:g}: give bounds (--bounds LOW HIGH)"
        )
    return worst


def _declared(bounds: tuple[float, float]) -> tuple[float, float]:
    low, high = map(float, bounds)
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise InvalidInput(f"bounds must be two numbers, the smaller first, got {bounds!r}")
    return low, high


def _by_name(metric: str, known: Array, unit: Unit | None) -> tuple[float, float] | None:
    found = metric_range(metric)
    if found is None:
        # right and wrong under a name that tells nothing: scorers are called anything
        return (0.0, 1.0) if not is_loss(metric) and known.size and np.isin(known, (0.0, 1.0)).all() else None
    times = 100.0 if unit_of(metric, known, unit) == "percent" else 1.0
    return found[0] * times, found[1] * times
