"""Nested k-fold cross-validation: within all folds but one, a cross-validation of the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from foldwise.core.rounds import even_blocks
from foldwise.core.types import Json
from foldwise.core.validation import integer
from foldwise.resampling.rounds import RoundsPlan

__all__ = ["NestedKFold"]


@dataclass(frozen=True, slots=True)
class NestedKFold(RoundsPlan):
    """A k-fold cross-validation, and one of the other k − 1 folds for each of its folds.

    Parameters
    ----------
    repetitions
        How often the examples are dealt into folds.
    folds
        Number of folds k, even and at least 4.
    stratified
        Whether each fold gets every class in equal numbers (they differ by at most 1).

    Notes
    -----
    A training without folds i and j serves the inner cross-validation of i, where it tests j, and that of j, where it
    tests i: k + k(k − 1)/2 trainings in each repetition. Its first run is the outer cross-validation; the other k − 1
    are the rounds of a tournament, as in `RoundRobin`.

    Examples
    --------
    >>> splits = NestedKFold(1, folds=4, stratified=False).splits(12, seed=0)
    >>> len(splits), splits[0].n_train, splits[4].n_train, len({split.training for split in splits})
    (16, 9, 6, 10)
    """

    alone: ClassVar[int] = 1
    chance: ClassVar[str] = "nested"

    repetitions: int = 2
    folds: int = 10
    stratified: bool = True

    def __post_init__(self) -> None:
        integer(self.repetitions, "repetitions", minimum=1)
        even_blocks(self.folds, "folds")

    @property
    def identity(self) -> dict[str, Json]:
        """Folds and stratification."""
        return {"plan": "nested_kfold", "folds": self.folds, "stratified": self.stratified}

    def describe(self) -> str:
        """For example "nested 10-fold cross-validation, 2 repetitions, stratified"."""
        times = f", {self.repetitions} repetitions" if self.repetitions > 1 else ""
        return f"nested {self.folds}-fold cross-validation{times}" + ", stratified" * self.stratified

    def _design(self) -> tuple[int, int, bool]:
        return self.repetitions * self.folds, self.folds, self.stratified
