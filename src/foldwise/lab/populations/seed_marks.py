"""Two models trained several times each and marked on the same items: seeds, items and both together vary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from foldwise.core.types import Array
from foldwise.core.validation import not_negative, positive
from foldwise.kinds import CROSSED, UNPAIRED_SEEDS, Design
from foldwise.kinds.simulated import AnySimulated
from foldwise.lab.evidence import Evidence
from foldwise.lab.populations.null import Null
from foldwise.lab.populations.population import SimulatedLearners

__all__ = ["MarksOfSeeds"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarksOfSeeds(SimulatedLearners):
    """Marks of two models, each trained with as many seeds as the design has runs, on n items.

    Attributes
    ----------
    seeds, items, rest
        Standard deviations of what varies with the seed, with the item, and from cell to cell, of each model.
    common
        Standard deviation of how easy an item is for both.
    difference
        The true difference: 0 for the null hypothesis.

    Notes
    -----
    Nothing is trained: a mark is the sum of independent normal numbers of the item, of model and item, of model and
    seed, and of the cell. Seeds are `runs` of the design, items its `n`.
    """

    seeds: float = 0.1
    items: float = 0.5
    rest: float = 1.0
    common: float = 1.0
    difference: float = 0.0

    name: ClassVar[str] = "seed-marks"
    block: ClassVar[int] = 100

    def __post_init__(self) -> None:
        for name in ("seeds", "items", "common"):
            not_negative(getattr(self, name), name)
        positive(self.rest, "rest")

    @property
    def null(self) -> Null:
        """Exact, unless a difference was asked for."""
        return Null.FALSE if self.difference else Null.EXACT

    def draws(self, kind: AnySimulated) -> bool:
        """Seeds, paired or not."""
        return kind in (CROSSED, UNPAIRED_SEEDS)

    def simulate(self, kinds: Sequence[AnySimulated], design: Design, rng: np.random.Generator) -> Evidence:
        """Evidence of one block of trials; all kinds see the same marks."""
        shape = (self.block, design.repetitions)
        easy = self.common * rng.standard_normal((*shape, 1, design.n))
        a, b = (easy + self._model(shape, design, rng) for _ in range(2))
        a = a + self.difference
        both = np.concatenate([a, b], axis=-2)
        return Evidence(arrays={kind.name: both if kind == UNPAIRED_SEEDS else a - b for kind in kinds})

    def _model(self, shape: tuple[int, int], design: Design, rng: np.random.Generator) -> Array:
        of_items = self.items * rng.standard_normal((*shape, 1, design.n))
        of_seeds = self.seeds * rng.standard_normal((*shape, design.runs, 1))
        return of_items + of_seeds + self.rest * rng.standard_normal((*shape, design.runs, design.n))
