"""What a kind of evidence about several models owns: the test of each pair, and how all of them vary together."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar

import numpy as np

from foldwise.core.types import Array, Flags, Interval
from foldwise.evidence.evidence import SeveralEvidence
from foldwise.inference._cochran_q import CochranQResult
from foldwise.inference.joint_differences import Indices, ModelMeans
from foldwise.kinds.catalogue import find_procedure
from foldwise.kinds.findings import LEAST
from foldwise.kinds.kind import AnyKind, Basis
from foldwise.kinds.procedure import Procedure

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = ["AnyBasis", "PairTests", "SeveralBasis", "in_parts"]

S = TypeVar("S", bound=SeveralEvidence)
"""The class of the evidence."""

R = TypeVar("R", bound="DataclassInstance")
"""The class of a procedure's result."""

MOST_NUMBERS = 4_000_000
"""Pairs × items that are looked at together."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairTests:
    """The test of each pair alone.

    Attributes
    ----------
    estimate
        First minus second, in the metric's own unit.
    pvalue
        Two-sided, at least `LEAST`; 1 where nothing can be told.
    known
        Whether anything can be told: not where a difference does not vary.
    intervals
        From a confidence level to the interval of each pair alone; NaN where there is none.
    """

    estimate: Array
    pvalue: Array
    known: Flags
    intervals: Callable[[float], Interval]

    def __post_init__(self) -> None:
        object.__setattr__(self, "pvalue", np.maximum(self.pvalue, LEAST))


class SeveralBasis(Basis, Generic[S]):
    """One kind of evidence about several models. There is one object of each."""

    pair: ClassVar[AnyKind]
    """The kind of the evidence about any two of them: its recommended test judges each pair."""
    called: ClassVar[str] = "models"
    """What is compared."""
    best_by_pairs: ClassVar[bool] = False
    """Whether those may be best that no other is shown to beat; otherwise each is tested by the largest lead."""
    best_because: ClassVar[str] = (
        "cannot be ruled out as the best, neither by the largest lead of another nor by a pair"
    )
    """Who counts as one that may be best."""
    best_references: ClassVar[tuple[str, ...]] = ("Lei (2020), Journal of the American Statistical Association 115",)
    """Where that comes from."""

    @property
    def procedure(self) -> Procedure:
        """The test of each pair."""
        return find_procedure(self.pair.recommended)

    @abstractmethod
    def natural(self, evidence: SeveralEvidence) -> bool:
        """Whether this is what the evidence is."""

    @abstractmethod
    def tests(self, evidence: S, first: Indices, second: Indices) -> PairTests:
        """The test of each pair."""

    @abstractmethod
    def together(self, evidence: S) -> ModelMeans:
        """The models' means, and the covariance of these up to a common factor."""

    @abstractmethod
    def mean_intervals(self, evidence: S, level: float) -> Interval:
        """The interval of each model's mean alone; NaN where there is none."""

    @abstractmethod
    def estimand(self, evidence: S) -> str:
        """What the answer is about."""

    def omnibus(self, evidence: S) -> CochranQResult | None:
        """A test that all models are the same, where there is one."""
        return None

    def caveats(self, evidence: S, *, alpha: float, comparisons: int) -> list[str]:
        """What a careful reader should know of such evidence."""
        return []


AnyBasis: TypeAlias = SeveralBasis[Any]
"""A kind of whatever evidence about several models."""


def in_parts(run: Callable[[Indices, Indices], R], first: Indices, second: Indices, *, width: int) -> R:
    """The result of `run` on all pairs, computed on as many pairs at a time as fit into memory."""
    size = max(1, MOST_NUMBERS // width)
    return _joined([run(first[i : i + size], second[i : i + size]) for i in range(0, len(first), size)])


def _joined(parts: Sequence[R]) -> R:
    """Results of the same procedure on several batches as that on all of them."""
    arrays = [field.name for field in fields(parts[0]) if isinstance(getattr(parts[0], field.name), np.ndarray)]
    return replace(parts[0], **{name: np.concatenate([getattr(part, name) for part in parts]) for name in arrays})
