"""Two models marked on the same items: differences of known law, alone or in clusters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import special

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Integers
from foldwise.core.validation import flag, fraction, integer, one_of, positive
from foldwise.kinds import CLUSTERED_MARKS, MARKS, Design
from foldwise.kinds.simulated import AnySimulated
from foldwise.lab.evidence import Evidence
from foldwise.lab.populations.null import Null
from foldwise.lab.populations.population import SimulatedLearners

__all__ = ["LAWS", "MarksOfItems"]

SMALLER = 0.7
"""How much smaller each of unequal clusters is than the one before."""

_Law = Callable[[Array], Array]

LAWS: dict[str, _Law] = {
    "normal": lambda z: z,
    "graded": lambda z: np.clip(np.round(1.5 * z) / 4, -1, 1),
    "sparse": lambda z: np.sign(z) * (np.abs(z) > -special.ndtri(0.05)),
    "skewed": lambda z: -special.log_ndtr(-z) - 1,
}
"""What a standard normal number becomes, always of mean 0: itself; a difference of marks in quarters; 1 or −1 on one
item in ten and else 0; an exponential number less its mean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarksOfItems(SimulatedLearners):
    """Differences of the marks of two models on n items, which may come in clusters.

    Attributes
    ----------
    law
        How the differences are distributed: "normal", "graded" (quarters of a mark), "sparse" (nine items in ten are
        the same) or "skewed" (a few items differ much).
    difference
        The true difference, in units of `spread`: 0 for the null hypothesis.
    spread
        What the differences are multiplied by.
    clusters
        Number of clusters; 0 for independent items.
    alike
        Correlation of two items of a cluster, before they get their law.
    unequal
        Whether each cluster is 0.7 times as large as the one before.

    Notes
    -----
    Nothing is trained. Normal numbers with the clusters' correlation are turned into differences of the given law, so
    that items of one cluster are alike whatever the law. Items are `n` of the design.
    """

    law: str = "normal"
    difference: float = 0.0
    spread: float = 0.2
    clusters: int = 0
    alike: float = 0.3
    unequal: bool = False

    name: ClassVar[str] = "marks"
    block: ClassVar[int] = 500

    def __post_init__(self) -> None:
        one_of(self.law, "law", LAWS)
        positive(self.spread, "spread")
        fraction(self.alike, "alike", closed=True)
        flag(self.unequal, "unequal")
        if self.clusters != 0:
            integer(self.clusters, "clusters", minimum=2)

    @property
    def null(self) -> Null:
        """Exact, unless a difference was asked for."""
        return Null.FALSE if self.difference else Null.EXACT

    def draws(self, kind: AnySimulated) -> bool:
        """Marks; clusters where there are some."""
        return kind == MARKS or (kind == CLUSTERED_MARKS and self.clusters > 0)

    def simulate(self, kinds: Sequence[AnySimulated], design: Design, rng: np.random.Generator) -> Evidence:
        """Evidence of one block of trials; all kinds see the same marks."""
        groups = self.groups(design.n)
        x = self._differences(groups, (self.block, design.repetitions), rng)
        both = np.stack([x, np.broadcast_to(groups.astype(np.float64), x.shape)], axis=-2)
        return Evidence(arrays={kind.name: both if kind == CLUSTERED_MARKS else x for kind in kinds})

    def groups(self, n: int) -> Integers:
        """The cluster of each item; every cluster has at least one."""
        if self.clusters == 0:
            return np.arange(n)
        if self.clusters > n:
            raise InvalidInput(f"clusters must be at most n = {n}, got {self.clusters}")
        weights = SMALLER ** np.arange(self.clusters) if self.unequal else np.ones(self.clusters)
        ends = np.cumsum(weights / weights.sum()) * (n - self.clusters)
        return np.searchsorted(np.round(ends) + np.arange(1, self.clusters + 1), np.arange(n), side="right")

    def _differences(self, groups: Integers, shape: tuple[int, int], rng: np.random.Generator) -> Array:
        own = rng.standard_normal((*shape, len(groups)))
        if self.clusters:
            shared = rng.standard_normal((*shape, self.clusters))[..., groups]
            own = np.sqrt(self.alike) * shared + np.sqrt(1 - self.alike) * own
        return self.spread * (LAWS[self.law](own) + self.difference)
