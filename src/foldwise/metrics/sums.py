"""Metrics that are functions of a few sums over items: means, moments, the margins of a confusion matrix.

However items are weighted, resampled or exchanged between models, such a metric needs their sums only.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from foldwise.core.types import Array
from foldwise.metrics.metric import Metric, Output, Truth

Inexact: TypeAlias = NDArray[Any]
"""An array of float64, or of complex128 while it is differentiated."""

STEP = 1e-30
"""Imaginary step of `complex_step`: nothing is subtracted, so that it can be as small as one likes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SumMetric(Metric):
    """A metric that depends on the items through k sums."""

    @abstractmethod
    def contributions(self, truth: Truth, output: Output) -> Array:
        """What each item adds to the sums, of shape (items, k)."""

    @abstractmethod
    def of_sums(self, sums: Inexact, truth: Truth) -> Inexact:
        """The metric from sums of shape (…, k); of all items only `truth.classes` and `truth.positive` count.

        Twice the sums are the same metric. Real and complex sums are taken.
        """

    def gradient(self, sums: Array, truth: Truth) -> Array:
        """Derivative by each of the k sums, of shape (…, k)."""
        columns = []
        for place in range(sums.shape[-1]):
            step = np.zeros(sums.shape[-1], dtype=np.complex128)
            step[place] = 1j * STEP
            columns.append(self.of_sums(sums + step, truth).imag / STEP)
        return np.stack(columns, axis=-1)

    def value(self, truth: Truth, output: Output) -> float:
        return float(self.of_sums(self.contributions(truth, output).sum(axis=0), truth))


def ratio(above: Inexact, below: Inexact) -> Inexact:
    """Quotient, 0 where the denominator is 0: scikit-learn's value of what is undefined.

    >>> ratio(np.array([1.0, 1.0]), np.array([2.0, 0.0])).tolist()
    [0.5, 0.0]
    """
    some = below.real != 0
    return np.where(some, above / np.where(some, below, 1), 0)


def complex_step(derivative: Inexact) -> Array:
    """Derivative from a value that was computed with an imaginary step of `STEP`."""
    return np.asarray(derivative.imag / STEP)
