"""What the kinds of evidence share that come from the folds of cross-validation."""

from __future__ import annotations

import math

from foldwise.core.types import Array
from foldwise.kinds.design import Design
from foldwise.kinds.scores import ScoreKind

__all__ = ["FoldKind"]


class FoldKind(ScoreKind):
    """Every example is tested once in each run, on one of `folds` parts."""

    def arranged(self, x: Array) -> Array:
        """Runs × folds."""
        return x

    def ratio(self, design: Design) -> float:
        """One fold is tested, the others train."""
        return 1 / (design.folds - 1)

    def n_train(self, design: Design) -> int:
        """All but one fold."""
        return design.n - math.ceil(design.n / design.folds)
