"""The mean difference of the two learners over the trials of a study: 0 if the null hypothesis holds."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from foldwise.core.types import Array
from foldwise.kinds.simulated import AnySimulated

__all__ = ["Bias", "measure_bias"]

BEYOND = 3.0
"""A bias of more than so many standard errors is no accident: by chance one in 370 is, and a study has several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bias:
    """How far the learners really are apart on the folds of one kind of test.

    Attributes
    ----------
    mean
        Mean over the data sets of the difference of accuracy, a − b.
    standard_error
        Its Monte-Carlo error.
    spread
        Standard deviation over the data sets of what the mean is taken of.
    """

    mean: float
    standard_error: float
    spread: float

    @property
    def beyond_error(self) -> bool:
        """Whether it is more than the Monte-Carlo error explains."""
        return abs(self.mean) > BEYOND * self.standard_error

    def reached(self, alpha: float) -> float:
        """The rate of rejections that the bias alone gives a test that keeps `alpha` under a true null hypothesis.

        Taken for a normal statistic whose variance is known, so that it says what a sound test would do.

        Examples
        --------
        >>> round(Bias(mean=0.02, standard_error=0.001, spread=0.03).reached(0.05), 3)
        0.102
        """
        if self.spread == 0:
            return alpha if self.mean == 0 else 1.0
        z, shift = -special.ndtri(alpha / 2), abs(self.mean) / self.spread
        return float(special.ndtr(shift - z) + special.ndtr(-shift - z))

    def __str__(self) -> str:
        return f"{100 * self.mean:+.2f} ± {100 * self.standard_error:.2f}"


def measure_bias(evidence: Array, kind: AnySimulated) -> Bias:
    """The bias in what one kind of test sees, of shape (trials, repetitions, …); the first repetition is taken."""
    differences = kind.mean_difference(evidence[:, 0])
    spread = float(np.std(differences, ddof=1))
    return Bias(mean=float(differences.mean()), standard_error=spread / math.sqrt(len(differences)), spread=spread)
