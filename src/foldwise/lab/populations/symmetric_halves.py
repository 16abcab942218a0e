"""A null hypothesis for any learner: two halves of the columns that say equally much about the class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from scipy import special

from foldwise.core.table import Table
from foldwise.core.types import Array
from foldwise.core.validation import fraction, integer, not_negative, one_of
from foldwise.designs.resampled import AnySimulated, Resampled
from foldwise.lab.populations.population import Place, Sample, Source


class _Halves(Source):
    """A sees the first half of the columns, b the other; exchanging them changes the sign of every difference only."""

    __slots__ = ()

    takes: ClassVar[int] = 1
    exact: ClassVar[bool] = True
    columns: int

    def _table(self, values: Array) -> Table:
        return Table.build(values, names=[f"{half}{column}" for half in "ab" for column in range(self.columns)])

    def seen(self, sample: Sample, by: Place) -> Sample:
        """The first half of the columns for a, the other for b."""
        part = slice(by * self.columns, (by + 1) * self.columns)
        return Sample(X=sample.X.columns(part), y=sample.y, numeric=sample.numeric)


@dataclass(frozen=True, slots=True, kw_only=True)
class SymmetricHalves(_Halves):
    """One learner twice: a sees the first half of the columns, b the other, which says just as much.

    Given the classes, the two halves have the same distribution, and so have the two learners' predictions on any
    folds that depend on the classes and on chance alone, stratified ones included. Exchanging the halves changes the
    sign of every difference and nothing else: the null hypothesis holds exactly, for any learner and any size.

    >>> population = SymmetricHalves(columns=2)
    >>> sample = population.draw(5, np.random.default_rng(0))
    >>> sample.X.shape, [view.X.names for view in population.views(sample)]
    ((5, 4), [('a0', 'a1'), ('b0', 'b1')])
    """

    columns: int = 4  #: p, the number of columns that each of the two sees
    distance: float = 0.5  #: δ: a column is normal with variance 1 and mean δ in class 1, −δ in class 0
    positives: float = 0.5  #: Probability of class 1
    #: By how much less b's columns are apart: their δ is smaller by it. 0 for the null hypothesis.
    difference: float = 0.0
    #: "shift", or "xor": the classes are told by whether the signs of the first two columns agree, which holds for the
    #: share Φ(δ) of the examples, and no column says anything alone; trees find it or miss it
    pattern: Literal["shift", "xor"] = "shift"

    name: ClassVar[str] = "symmetric-halves"

    def __post_init__(self) -> None:
        one_of(self.pattern, "pattern", ("shift", "xor"))
        integer(self.columns, "columns", minimum=1 if self.pattern == "shift" else 2)
        fraction(self.positives, "positives")
        not_negative(self.distance, "distance")
        not_negative(self.difference, "difference")

    def draw(self, n: int, rng: np.random.Generator) -> Sample:
        """A data set of n examples with all columns, first a's and then b's."""
        labels = (rng.random(n) < self.positives).astype(np.int64)
        values = rng.standard_normal((n, 2 * self.columns))
        if self.pattern == "xor":
            # turn the sign of each half's second column so that it agrees with the first as the class says
            for half, distance in enumerate((self.distance, self.distance - self.difference)):
                first, second = half * self.columns, half * self.columns + 1
                agree = (labels == 1) == (rng.random(len(labels)) < special.ndtr(distance))
                sign = np.where(agree, 1.0, -1.0) * np.sign(values[:, first])
                values[:, second] = np.abs(values[:, second]) * sign
        else:
            distances = np.repeat([self.distance, self.distance - self.difference], self.columns)
            values += np.where(labels == 1, 1.0, -1.0)[:, None] * distances
        return Sample(X=self._table(values), y=labels)


# ---- A null hypothesis for any regressor: two halves of the columns that say equally much about a number.


@dataclass(frozen=True, slots=True, kw_only=True)
class RegressionHalves(_Halves):
    """One regressor twice, judged by its squared error: a sees the first half of the columns, b the other.

    Exchanging the halves changes the sign of every difference and nothing else, as in `SymmetricHalves`: the null
    hypothesis holds exactly. Folds are random, and tests that count right answers have nothing to count.

    >>> population = RegressionHalves(columns=2)
    >>> sample = population.draw(5, np.random.default_rng(0))
    >>> sample.numeric, [view.X.names for view in population.views(sample)]
    (True, [('a0', 'a1'), ('b0', 'b1')])
    """

    columns: int = 4  #: p, the number of columns that each of the two sees
    slope: float = 0.5  #: What each column adds to the number to be predicted, besides noise of variance 1
    difference: float = 0.0  #: By how much less b's columns add. 0 for the null hypothesis.

    name: ClassVar[str] = "regression-halves"

    def __post_init__(self) -> None:
        integer(self.columns, "columns", minimum=1)
        not_negative(self.slope, "slope")
        not_negative(self.difference, "difference")

    def draws(self, kind: AnySimulated) -> bool:
        return isinstance(kind, Resampled) and not kind.counts_right_answers

    def draw(self, n: int, rng: np.random.Generator) -> Sample:
        values = rng.standard_normal((n, 2 * self.columns))
        slopes = np.repeat([self.slope, self.slope - self.difference], self.columns)
        return Sample(X=self._table(values), y=values @ slopes + rng.standard_normal(n), numeric=True)
