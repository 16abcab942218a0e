"""Scores of two learners on random splits of a data set, and of disjoint halves of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foldwise.core.types import Array
from foldwise.evidence.scores import Scores

__all__ = ["HalvedScores"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HalvedScores(Scores):
    """Paired scores whose first row are the splits of all examples, and whose others those of halves, two by two.

    Attributes
    ----------
    a, b
        Scores of the two learners: (1 + 2 · halvings, splits).
    """

    @property
    def splits(self) -> Array:
        """Differences on the splits of all examples."""
        return np.asarray(self.differences[0])

    @property
    def halves(self) -> Array:
        """Differences on the splits of the halves: (halvings, 2, splits)."""
        return np.asarray(self.differences[1:].reshape(-1, 2, self.a.shape[1]))

    @property
    def means(self) -> tuple[float, float]:
        """Mean score of a and of b on the splits of all examples."""
        return float(self.a[0].mean()), float(self.b[0].mean())

    @property
    def design(self) -> str:
        """The resampling in words."""
        rows, each = self.a.shape
        return f"{each} random splits, and {each} of each half of {rows // 2} halvings"
