"""A surrogate of the EXP6 problem: two attributes, six classes with curved boundaries."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from foldwise.core.table import Table
from foldwise.core.types import Array
from foldwise.lab.populations.population import Sample, Source, at_most

__all__ = ["Exp6"]

SIDE = 15.0
"""Both attributes range from 0 to this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exp6(Source):
    """Points uniform on a square, in six classes with curved boundaries: a surrogate of EXP6.

    Notes
    -----
    [1]_ used Kong's EXP6, two attributes on [0, 15]² and six classes, whose boundaries are not published there. The
    boundaries here are ours: two waves cut the square into three bands, a slanted parabola cuts the lower two, and a
    disc lies across the upper one. What they share with the original is the number of attributes and classes, the
    range, and that nearest neighbour beats C4.5. Results on it are comparable in kind only.

    References
    ----------
    .. [1] Dietterich (1998), Neural Computation 10, section 6.1.
    """

    name: ClassVar[str] = "exp6"

    @staticmethod
    def rule(values: Array) -> NDArray[np.int64]:
        """The class of each point."""
        x, y = np.asarray(values, dtype=np.float64).T
        band = (y > 5 + 1.5 * np.sin(x)).astype(np.int64) + (y > 10 + 1.5 * np.cos(0.8 * x))
        right = x > 7 + 0.08 * (y - 6) ** 2
        disc = (x - 9) ** 2 + (y - 12) ** 2 < 7
        return np.asarray(np.where(band == 2, 4 + disc, 2 * band + right), dtype=np.int64)

    def draw(self, n: int, rng: np.random.Generator) -> Sample:
        """A data set of n examples."""
        points = rng.random((n, 2)) * SIDE
        return Sample(X=Table.build(points), y=self.rule(points))

    def calibration(self) -> Sample:
        """The grid of 151 × 151 points on which true errors are measured."""
        return _grid()

    def exam(self, n: int, n_test: int, rng: np.random.Generator) -> tuple[Sample, Sample]:
        """A data set of n examples, and points of the grid."""
        return self.draw(n, rng), at_most(self.calibration(), n_test, rng)


@cache
def _grid() -> Sample:
    axis = np.linspace(0, SIDE, 151)
    points = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1).reshape(-1, 2)
    return Sample(X=Table.build(points), y=Exp6.rule(points))
