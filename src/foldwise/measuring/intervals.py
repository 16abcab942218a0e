"""Intervals for one error rate: how often they hold the true rate, by adding up the binomial probabilities."""

from __future__ import annotations

import numpy as np
from scipy import special

from foldwise.core.types import Json
from foldwise.inference.error_interval import EMPIRICAL_PRIOR, INTERVAL_METHODS, Method, error_interval

__all__ = ["RATES", "N", "measure_intervals"]

N = 50
RATES = (0.02, 0.1, 0.3)
LEVEL = 0.95


def measure_intervals(n: int = N, rates: tuple[float, ...] = RATES) -> list[dict[str, Json]]:
    """Coverage and mean width of every interval, exactly.

    Parameters
    ----------
    n
        Test examples.
    rates
        True error rates.

    Returns
    -------
    list of dict
        One per method and rate.
    """
    return [_row(method, n, rate) for method in INTERVAL_METHODS for rate in rates]


def _row(method: Method, n: int, rate: float) -> dict[str, Json]:
    errors = np.arange(n + 1)
    prior = EMPIRICAL_PRIOR if method == "beta" else None
    found = error_interval(errors, n, method=method, confidence_level=LEVEL, prior=prior)
    log = special.gammaln(n + 1) - special.gammaln(errors + 1) - special.gammaln(n - errors + 1)
    weight = np.exp(log + special.xlogy(errors, rate) + special.xlog1py(n - errors, -rate))
    holds = (np.asarray(found.low) <= rate) & (rate <= np.asarray(found.high))
    width = np.minimum(found.high, 1) - np.maximum(found.low, 0)
    return {
        "method": method,
        "n": n,
        "rate": rate,
        "coverage": round(float(weight @ holds), 4),
        "width": round(float(weight @ width), 4),
    }
