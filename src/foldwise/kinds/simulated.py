"""Kinds of evidence that populations of the lab draw, whether or not learners and data could give it too."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, TypeAlias

from foldwise.core.types import Array
from foldwise.kinds.design import Design
from foldwise.kinds.kind import E, Kind
from foldwise.kinds.procedure import Batch

__all__ = ["AnySimulated", "Simulated"]


class Simulated(Kind[E]):
    """A kind of evidence whose tests the lab puts on trial: many trials of it are one array."""

    grows_with: ClassVar[str | None] = None
    """The size in a `Design` that makes it larger, if one does."""
    simulated: ClassVar[bool] = True
    """Whether a population of the lab draws it."""
    own_sizes: ClassVar[tuple[str, ...]] = ()
    """Sizes in a `Design` that no other kind has."""

    @abstractmethod
    def numbers(self, design: Design) -> int:
        """How many numbers it has in one trial."""

    @abstractmethod
    def mean_difference(self, data: Array) -> Array:
        """The difference a − b that each of many trials shows; the first axis runs over the trials."""

    @abstractmethod
    def trainings(self, design: Design) -> int:
        """How often each learner is trained."""

    def drawn(self, data: Array, design: Design, alpha: float) -> Batch:
        """What a population drew, as the tests take it."""
        return Batch(data=data, alpha=alpha)


AnySimulated: TypeAlias = Simulated[Any]
"""Of whatever evidence."""
