"""A null hypothesis for any regressor: two halves of the columns that say equally much about a number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from foldwise.core.table import Table
from foldwise.core.validation import integer, not_negative
from foldwise.kinds.resampled import Resampled
from foldwise.kinds.simulated import AnySimulated
from foldwise.lab.populations.null import Null
from foldwise.lab.populations.population import Place, Sample, Source

__all__ = ["RegressionHalves"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RegressionHalves(Source):
    """One regressor twice, judged by its squared error: a sees the first half of the columns, b the other.

    Attributes
    ----------
    columns
        p, the number of columns that each of the two sees.
    slope
        What each column adds to the number to be predicted, besides noise of variance 1.
    difference
        By how much less b's columns add. 0 for the null hypothesis.

    Notes
    -----
    Exchanging the halves changes the sign of every difference and nothing else, as in `SymmetricHalves`: the null
    hypothesis holds exactly. Folds are random, and tests that count right answers have nothing to count.

    Examples
    --------
    >>> population = RegressionHalves(columns=2)
    >>> sample = population.draw(5, np.random.default_rng(0))
    >>> sample.numeric, [view.X.names for view in population.views(sample)]
    (True, [('a0', 'a1'), ('b0', 'b1')])
    """

    columns: int = 4
    slope: float = 0.5
    difference: float = 0.0

    name: ClassVar[str] = "regression-halves"
    takes: ClassVar[int] = 1

    def __post_init__(self) -> None:
        integer(self.columns, "columns", minimum=1)
        not_negative(self.slope, "slope")
        not_negative(self.difference, "difference")

    @property
    def null(self) -> Null:
        """Exact, unless a difference was asked for."""
        return Null.FALSE if self.difference else Null.EXACT

    def draws(self, kind: AnySimulated) -> bool:
        """What any loss gives."""
        return isinstance(kind, Resampled) and not kind.counts_right_answers

    def draw(self, n: int, rng: np.random.Generator) -> Sample:
        """A data set of n examples with all columns, first a's and then b's."""
        values = rng.standard_normal((n, 2 * self.columns))
        slopes = np.repeat([self.slope, self.slope - self.difference], self.columns)
        names = [f"{half}{column}" for half in "ab" for column in range(self.columns)]
        return Sample(X=Table.build(values, names=names), y=values @ slopes + rng.standard_normal(n), numeric=True)

    def seen(self, sample: Sample, by: Place) -> Sample:
        """The first half of the columns for a, the other for b."""
        part = slice(by * self.columns, (by + 1) * self.columns)
        return Sample(X=sample.X.columns(part), y=sample.y, numeric=True)
