"""A null hypothesis for any learner: two halves of the columns that say equally much about the class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from foldwise.core.table import Table
from foldwise.core.validation import fraction, integer, not_negative
from foldwise.lab.populations.null import Null
from foldwise.lab.populations.population import Place, Sample, Source

__all__ = ["SymmetricHalves"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SymmetricHalves(Source):
    """One learner twice: a sees the first half of the columns, b the other, which says just as much.

    Attributes
    ----------
    columns
        p, the number of columns that each of the two sees.
    distance
        δ: a column is normal with variance 1 and mean δ in class 1, −δ in class 0.
    positives
        Probability of class 1.
    difference
        By how much less b's columns are apart: their means are ±(δ − difference). 0 for the null hypothesis.

    Notes
    -----
    Given the classes, the two halves have the same distribution, and so have the two learners' predictions on any
    folds that depend on the classes and on chance alone, stratified ones included. Exchanging the halves changes the
    sign of every difference and nothing else: the null hypothesis holds exactly, for any learner and any size.

    Examples
    --------
    >>> population = SymmetricHalves(columns=2)
    >>> sample = population.draw(5, np.random.default_rng(0))
    >>> sample.X.shape, [view.X.names for view in population.views(sample)]
    ((5, 4), [('a0', 'a1'), ('b0', 'b1')])
    """

    columns: int = 4
    distance: float = 0.5
    positives: float = 0.5
    difference: float = 0.0

    name: ClassVar[str] = "symmetric-halves"
    takes: ClassVar[int] = 1

    def __post_init__(self) -> None:
        integer(self.columns, "columns", minimum=1)
        fraction(self.positives, "positives")
        not_negative(self.distance, "distance")
        not_negative(self.difference, "difference")

    @property
    def null(self) -> Null:
        """Exact, unless a difference was asked for."""
        return Null.FALSE if self.difference else Null.EXACT

    def draw(self, n: int, rng: np.random.Generator) -> Sample:
        """A data set of n examples with all columns, first a's and then b's."""
        labels = (rng.random(n) < self.positives).astype(np.int64)
        distances = np.repeat([self.distance, self.distance - self.difference], self.columns)
        values = rng.standard_normal((n, 2 * self.columns)) + np.where(labels == 1, 1.0, -1.0)[:, None] * distances
        names = [f"{half}{column}" for half in "ab" for column in range(self.columns)]
        return Sample(X=Table.build(values, names=names), y=labels)

    def seen(self, sample: Sample, by: Place) -> Sample:
        """The first half of the columns for a, the other for b."""
        return Sample(X=sample.X.columns(slice(by * self.columns, (by + 1) * self.columns)), y=sample.y)
