"""Round-robin cross-validation: one dealing into blocks, of which every pair is left out once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.random import stream
from foldwise.core.rounds import adjacent, even_blocks
from foldwise.core.types import Integers, Json
from foldwise.core.validation import integer
from foldwise.resampling.cases import Cases
from foldwise.resampling.kfold import FoldsPlan

__all__ = ["RoundRobin"]


@dataclass(frozen=True, slots=True)
class RoundRobin(FoldsPlan):
    """Every pair of blocks is left out of a training and tested, block by block; several dealings.

    Parameters
    ----------
    dealings
        How often the examples are dealt into blocks; adding some leaves the earlier ones as they are.
    blocks
        Number of blocks g, even and at least 4; each dealing trains g(g − 1)/2 times.
    stratified
        Whether each block gets every class in equal numbers (they differ by at most 1).

    Notes
    -----
    The pairs are the games of a tournament, and each of its g − 1 rounds is a run: a g/2-fold cross-validation, in
    which a fold tests one block and leaves out its partner too. Folds 2p and 2p + 1 of a run share their training.

    Examples
    --------
    >>> plan = RoundRobin(dealings=1, blocks=4, stratified=False)
    >>> splits = plan.splits(12, seed=0)
    >>> len(splits), splits[0].n_train, splits[0].n_test, splits[1].training
    (12, 6, 3, 0)
    """

    part: ClassVar[str] = "block"

    dealings: int = 2
    blocks: int = 10
    stratified: bool = True

    def __post_init__(self) -> None:
        integer(self.dealings, "dealings", minimum=1)
        even_blocks(self.blocks)

    @property
    def identity(self) -> dict[str, Json]:
        """Blocks and stratification."""
        return {"plan": "round_robin", "blocks": self.blocks, "stratified": self.stratified}

    @property
    def rounds(self) -> int:
        """Each dealing makes as many runs as a block has others to meet."""
        return self.blocks - 1

    @property
    def together(self) -> int:
        """Two blocks are left out by one training."""
        return 2

    def describe(self) -> str:
        """For example "round-robin cross-validation of 10 blocks, 2 dealings, stratified"."""
        times = f", {self.dealings} dealings" if self.dealings > 1 else ""
        return f"round-robin cross-validation of {self.blocks} blocks{times}" + (", stratified" * self.stratified)

    def fold_ids(
        self, y_or_n: ArrayLike, *, seed: int, groups: ArrayLike | None = None, runs: Sequence[int] | None = None
    ) -> Integers:
        """Per run and example the pair that is left out with it."""
        # the plan's folds are blocks, side by side with those that they meet
        return FoldsPlan.fold_ids(self, y_or_n, seed=seed, groups=groups, runs=runs) // 2

    def _design(self) -> tuple[int, int, bool]:
        return self.dealings * self.rounds, self.blocks, self.stratified

    def _assign(self, run: int, cases: Cases, seed: int) -> Integers:
        dealing, place = divmod(run, self.rounds)
        dealt = self._deal(cases, stream(seed, "round robin", dealing))
        return np.argsort(adjacent(self.blocks)[place])[dealt]

    def _cut(self, assignment: Integers, fold: int, cases: Cases) -> tuple[Integers, Integers]:
        return np.flatnonzero(assignment // 2 != fold // 2), np.flatnonzero(assignment == fold)

    def _training(self, run: int, fold: int) -> int:
        return fold - fold % 2
