"""Round-robin cross-validation: one dealing into blocks, of which every pair is left out once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from foldwise.core.rounds import even_blocks
from foldwise.core.types import Json
from foldwise.core.validation import integer
from foldwise.resampling.rounds import RoundsPlan

__all__ = ["RoundRobin"]


@dataclass(frozen=True, slots=True)
class RoundRobin(RoundsPlan):
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
    chance: ClassVar[str] = "round robin"

    dealings: int = 6
    blocks: int = 6
    stratified: bool = True

    def __post_init__(self) -> None:
        integer(self.dealings, "dealings", minimum=1)
        even_blocks(self.blocks)

    @property
    def identity(self) -> dict[str, Json]:
        """Blocks and stratification."""
        return {"plan": "round_robin", "blocks": self.blocks, "stratified": self.stratified}

    def describe(self) -> str:
        """For example "round-robin cross-validation of 6 blocks, 6 dealings, stratified"."""
        times = f", {self.dealings} dealings" if self.dealings > 1 else ""
        return f"round-robin cross-validation of {self.blocks} blocks{times}" + (", stratified" * self.stratified)

    def _design(self) -> tuple[int, int, bool]:
        return self.dealings * (self.blocks - 1), self.blocks, self.stratified
