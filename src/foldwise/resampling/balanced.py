"""Balanced 5×2 cross-validation: five halvings of which any two overlap in exactly a quarter of the examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.random import stream
from foldwise.core.types import Integers, Json
from foldwise.resampling.cases import Cases
from foldwise.resampling.kfold import FoldsPlan
from foldwise.resampling.plan import cut_fold, partition_signature

__all__ = ["BalancedFiveByTwo"]

BLOCKS = 8
RUNS = 5


@dataclass(frozen=True, slots=True)
class BalancedFiveByTwo(FoldsPlan):
    """Five halvings of eight blocks, by five columns of the 8 × 8 Hadamard matrix [1]_.

    Parameters
    ----------
    stratified
        Whether each block gets every class in equal numbers (they differ by at most 1).

    Notes
    -----
    A column other than the constant one has four blocks of each sign, and any two of them agree in four: two training
    halves share two blocks, a quarter of the examples, however they are chosen.

    References
    ----------
    .. [1] Yang, Wang, Song & Li (2023), Block-regularized 5×2 cross-validated McNemar's test for comparing two
       classification algorithms, arXiv 2304.03990.

    Examples
    --------
    >>> plan = BalancedFiveByTwo(stratified=False)
    >>> halves = [set(split.train.tolist()) for split in plan.splits(80, seed=0)]
    >>> {len(one & other) for one in halves[::2] for other in halves[::2] if one is not other}
    {20}
    """

    part: ClassVar[str] = "block"

    stratified: bool = True

    @property
    def identity(self) -> dict[str, Json]:
        """Stratification."""
        return {"plan": "balanced_five_by_two", "stratified": self.stratified}

    @property
    def rounds(self) -> int:
        """All five come from one dealing."""
        return RUNS

    def describe(self) -> str:
        """For example "balanced 5×2-fold cross-validation, stratified"."""
        return "balanced 5×2-fold cross-validation" + ", stratified" * self.stratified

    def fold_ids(
        self, y_or_n: ArrayLike, *, seed: int, groups: ArrayLike | None = None, runs: Sequence[int] | None = None
    ) -> Integers:
        """Per run and example the half that tests it."""
        return FoldsPlan.fold_ids(self, y_or_n, seed=seed, groups=groups, runs=runs) % 2

    def _design(self) -> tuple[int, int, bool]:
        return RUNS, BLOCKS, self.stratified

    def _shape(self, cases: Cases) -> tuple[int, int]:
        runs, _ = FoldsPlan._shape(self, cases)
        return runs, 2

    def _assign(self, run: int, cases: Cases, seed: int) -> Integers:
        blocks = self._deal(cases, stream(seed, "balanced", 0))
        # the first column is constant; the block is kept for the signature
        return 2 * blocks + halving(run)[blocks]

    def _cut(self, assignment: Integers, fold: int, cases: Cases) -> tuple[Integers, Integers]:
        return cut_fold(assignment % 2, fold)

    def _signature(self, assignment: Integers, cases: Cases) -> str:
        return partition_signature(assignment // 2)


def halving(run: int) -> Integers:
    """Per block the half, 0 or 1, that it belongs to in one of the five runs.

    Sylvester's Hadamard matrix has −1 where row and column have an odd number of bits in common; column 0 is constant.
    """
    return np.asarray(np.bitwise_count(np.arange(BLOCKS) & (run + 1)) % 2, dtype=np.int64)
