"""What a kind of evidence owns: its words, what its tests find, and what can be drawn of it.

`Basis` is what every kind owns, about however many learners; `Kind` adds what evidence about two learners needs, and
is enough where the evidence is given (predictions, marks, scores); `Resampled` (`kinds/resampled.py`) adds how learners
and data make it, for the kinds that ``compare`` and the lab can produce.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from foldwise.evidence.evidence import Evidence
from foldwise.kinds.curves import PosteriorCurve
from foldwise.kinds.findings import Findings
from foldwise.kinds.procedure import Batch, Procedure

__all__ = ["AnyKind", "Basis", "E", "Kind"]

E = TypeVar("E", bound=Evidence)
"""The class of the evidence: `Outcomes`, `Scores` …"""


class Basis(ABC):
    """What an answer rests on: one kind of evidence, about however many learners. There is one object of each."""

    name: ClassVar[str]
    """What it is called in stores and messages."""
    words: ClassVar[str]
    """What it is, as in "test 'x' needs …"."""
    assumes: ClassVar[tuple[str, ...]]
    """Sentences that must hold for a p-value to mean what it says."""
    plots: ClassVar[tuple[str, ...]]
    """Plots that suit it, by name, besides those that every comparison has."""
    recommended: ClassVar[str]
    """The test that ``test="auto"`` takes."""
    because: ClassVar[str]
    """Why that one."""
    limit: ClassVar[str]
    """What no answer from it says: the last of its caveats."""

    def __eq__(self, other: object) -> bool:
        # a worker's copy of a kind is the same kind
        return isinstance(other, Basis) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"<kind of evidence: {self.name}>"


class Kind(Basis, Generic[E]):
    """One kind of evidence about two learners, as it is given; procedures name theirs."""

    @abstractmethod
    def natural(self, evidence: Evidence) -> bool:
        """Whether this is what the evidence is by itself, so that ``test="auto"`` takes this kind."""

    @abstractmethod
    def fits(self, evidence: Evidence) -> bool:
        """Whether the evidence can be taken for this kind, if it is asked for."""

    @abstractmethod
    def batch(self, evidence: E, alpha: float) -> Batch:
        """The evidence as its tests take it."""

    @abstractmethod
    def findings(self, evidence: E, procedure: Procedure, *, alpha: float, rope: float) -> Findings:
        """What a test of this kind finds."""

    @abstractmethod
    def posterior(self, evidence: E, procedure: Procedure, *, alpha: float, rope: float) -> PosteriorCurve | None:
        """The posterior behind the probabilities of that test; None where all of it is in one point."""

    @abstractmethod
    def estimand(self, evidence: E, procedure: Procedure, names: tuple[str, str]) -> str:
        """What the answer of that test is about."""

    @abstractmethod
    def caveats(self, evidence: E, procedure: Procedure, names: tuple[str, str], rope: float) -> list[str]:
        """What a careful reader should know of such evidence."""

    def plots_of(self, evidence: E) -> tuple[str, ...]:
        """The plots that suit this evidence."""
        return self.plots


AnyKind: TypeAlias = Kind[Any]
"""A kind of whatever evidence."""
