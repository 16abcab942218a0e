"""Kernel densities per class for numeric attributes, as naive Bayes may use them (John & Langley 1995)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foldwise.core.types import Array, Integers
from foldwise.learners.bayes import normal_cdf
from foldwise.learners.compile import kernel

__all__ = ["KernelDensities", "kernel_probabilities"]

# The sum over kernels stops when the rest can't add more than this share, as in Weka.
_SHARE = 0.01

_LEAST_PRECISION = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelDensities:
    """One normal kernel per distinct rounded value of an attribute in each class.

    The kernels of class c are start[c]:start[c + 1], in ascending order of their centres.
    """

    centres: Array
    weights: Array
    start: Integers
    deviation: Array
    precision: float

    @classmethod
    def fit(cls, column: Array, codes: Integers, n_classes: int, precision: float) -> KernelDensities:
        """Estimate; in each class the bandwidth is the range of its values over √n."""
        unit = max(precision, _LEAST_PRECISION)
        known = ~np.isnan(column)
        rounded = np.rint(column / unit) * unit
        parts = [np.unique(rounded[known & (codes == c)], return_counts=True) for c in range(n_classes)]
        return cls(
            centres=np.concatenate([centres for centres, _ in parts]),
            weights=np.concatenate([counts for _, counts in parts]).astype(np.float64),
            start=np.cumsum([0, *(len(centres) for centres, _ in parts)]).astype(np.int64),
            deviation=np.array([_bandwidth(centres, counts, unit) for centres, counts in parts]),
            precision=unit,
        )

    def probabilities(self, value: float) -> Array:
        """Per class the probability of an interval of length `precision` around `value`."""
        out = np.empty(len(self.deviation))
        kernel_probabilities(value, self.centres, self.weights, self.start, self.deviation, self.precision, out)
        return out


def _bandwidth(centres: Array, counts: Integers, unit: float) -> float:
    least = unit / 6.0
    if len(centres) < 2:
        return least
    return max(least, float((centres[-1] - centres[0]) / np.sqrt(counts.sum())))


@kernel
def kernel_probabilities(
    value: float, centres: Array, weights: Array, start: Integers, deviation: Array, precision: float, out: Array
) -> None:
    """Write the probability of each class; one without kernels has a normal distribution around 0."""
    half = precision / 2.0
    for c in range(out.shape[0]):
        own = slice(start[c], start[c + 1])
        if start[c] == start[c + 1]:
            out[c] = _interval(value, half, deviation[c])
        else:
            out[c] = _mixture(value, centres[own], weights[own], deviation[c], half)


@kernel
def _mixture(value: float, centres: Array, weights: Array, deviation: float, half: float) -> float:
    """Kernels are added upwards from the value, then downwards; either way stops when the rest can't matter."""
    whole = weights.sum()
    first = np.searchsorted(centres, value)
    total = 0.0
    seen = 0.0
    for u in range(first, centres.shape[0]):
        share = _interval(centres[u] - value, half, deviation)
        total += share * weights[u]
        seen += weights[u]
        if share * (whole - seen) < total * _SHARE:
            break
    for u in range(first - 1, -1, -1):
        share = _interval(centres[u] - value, half, deviation)
        total += share * weights[u]
        seen += weights[u]
        if share * (whole - seen) < total * _SHARE:
            break
    return float(total / whole)


@kernel
def _interval(delta: float, half: float, deviation: float) -> float:
    return normal_cdf((delta + half) / deviation) - normal_cdf((delta - half) / deviation)
