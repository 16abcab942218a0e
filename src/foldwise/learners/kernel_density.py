"""Kernel density estimates per class for numeric attributes, as naive Bayes may use them (John & Langley 1995)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from foldwise.core.types import Array
from foldwise.learners.bayes import normal_cdf
from foldwise.learners.compile import kernel

__all__ = ["KernelDensity", "fit_kernel_density", "kernel_probability"]

# The sum over kernels stops when the rest can't add more than this share, as in Weka.
_SHARE = 0.01
_LEAST_PRECISION = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelDensity:
    """One normal kernel per distinct rounded value of one attribute in one class."""

    values: Array
    weights: Array
    deviation: float
    precision: float

    def probability(self, value: float) -> float:
        """The probability of an interval of length `precision` around `value`."""
        return float(kernel_probability(value, self.values, self.weights, self.deviation, self.precision))


def fit_kernel_density(values: Array, precision: float) -> KernelDensity:
    """Estimate from one class's values; the bandwidth is their range over √n."""
    unit = max(precision, _LEAST_PRECISION)
    rounded = np.rint(values / unit) * unit
    distinct, counts = np.unique(rounded, return_counts=True)
    deviation = unit / 6.0
    if len(distinct) > 1:
        deviation = max(deviation, float((distinct[-1] - distinct[0]) / np.sqrt(len(values))))
    return KernelDensity(values=distinct, weights=counts.astype(np.float64), deviation=deviation, precision=unit)


@kernel
def kernel_probability(value: float, values: Any, weights: Any, deviation: float, precision: float) -> Any:
    """The probability of an interval of length `precision` around `value`.

    Kernels are added upwards from the first one at or above the value, then downwards from there; either way stops when
    the kernels left over can't matter.
    """
    m = values.shape[0]
    half = precision / 2.0
    if m == 0:
        return normal_cdf((value + half) / deviation) - normal_cdf((value - half) / deviation)
    whole = weights.sum()
    start = np.searchsorted(values, value)
    total = 0.0
    seen = 0.0
    for u in range(start, m):
        share = _share(values[u] - value, half, deviation)
        total += share * weights[u]
        seen += weights[u]
        if share * (whole - seen) < total * _SHARE:
            break
    for u in range(start - 1, -1, -1):
        share = _share(values[u] - value, half, deviation)
        total += share * weights[u]
        seen += weights[u]
        if share * (whole - seen) < total * _SHARE:
            break
    return total / whole


@kernel
def _share(delta: float, half: float, deviation: float) -> float:
    return normal_cdf((delta + half) / deviation) - normal_cdf((delta - half) / deviation)
