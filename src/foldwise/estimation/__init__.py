"""How often will this learner be wrong? The error estimators, with their biases said beside them."""

from __future__ import annotations

from foldwise.estimation.facade import estimate_error
from foldwise.estimation.methods import METHODS
from foldwise.estimation.rates import RateComparison, compare_rate_samples, compare_rates
from foldwise.estimation.result import ErrorEstimate, EstimateSurvey

__all__ = [
    "METHODS",
    "ErrorEstimate",
    "EstimateSurvey",
    "RateComparison",
    "compare_rate_samples",
    "compare_rates",
    "estimate_error",
]
