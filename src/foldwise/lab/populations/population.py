"""What a population offers the lab."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from foldwise.core.table import Table
from foldwise.inference.catalogue import Needs
from foldwise.lab.design import Design
from foldwise.lab.evidence import Evidence

__all__ = ["Population", "Sample", "SimulatedLearners", "Source"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sample:
    """One data set drawn from a source.

    Attributes
    ----------
    X, y
        Attributes and class labels.
    """

    X: Table
    y: NDArray[Any]

    def rows(self, chosen: Any) -> Sample:
        """The chosen examples (indices or a mask)."""
        return Sample(X=self.X[chosen], y=self.y[chosen])

    def copy(self) -> Sample:
        """The same examples in arrays of their own, for a learner that may work in place."""
        return Sample(X=self.X.copy(), y=self.y.copy())


@runtime_checkable
class Source(Protocol):
    """A population of examples: learners are really trained on what it draws.

    Frozen dataclasses whose fields are their parameters, so that equal parameters are the same population.
    """

    @property
    def name(self) -> str:
        """What it is called."""

    def draw(self, n: int, rng: np.random.Generator) -> Sample:
        """A data set of n examples."""


@runtime_checkable
class SimulatedLearners(Protocol):
    """A population that simulates the two learners' errors itself, many trials at a time."""

    @property
    def name(self) -> str:
        """What it is called."""

    block: ClassVar[int]

    def simulate(self, needs: frozenset[Needs], design: Design, rng: np.random.Generator) -> Evidence:
        """Evidence of one block of trials."""


Population = Source | SimulatedLearners
