"""Two models marked on the same items: differences of known law, alone or in clusters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import special

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Estimator, Integers
from foldwise.core.validation import flag, fraction, integer, not_negative, one_of, positive
from foldwise.designs import CLUSTERED_MARKS, CROSSED, MARKS, UNPAIRED_SEEDS, Design
from foldwise.designs.resampled import AnySimulated
from foldwise.lab.evidence import Evidence
from foldwise.lab.populations.from_data import Finite
from foldwise.lab.populations.population import SimulatedLearners

SMALLER = 0.7  # How much smaller each of unequal clusters is than the one before.

_Law = Callable[[Array], Array]

# What a standard normal number becomes, always of mean 0: itself; a difference of marks in quarters; 1 or −1 on one
# item in ten and else 0; an exponential number less its mean.
LAWS: dict[str, _Law] = {
    "normal": lambda z: z, "graded": lambda z: np.clip(np.round(1.5 * z) / 4, -1, 1),
    "sparse": lambda z: np.sign(z) * (np.abs(z) > -special.ndtri(0.05)), "skewed": lambda z: -special.log_ndtr(-z) - 1,
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class MarksOfItems(SimulatedLearners):
    """Differences of the marks of two models on n items, which may come in clusters.

    Nothing is trained. Normal numbers with the clusters' correlation are turned into differences of the given law, so
    that items of one cluster are alike whatever the law. Items are `n` of the design.
    """

    #: How the differences are distributed: "normal", "graded" (quarters of a mark), "sparse" (nine items in ten are the
    #: same) or "skewed" (a few items differ much)
    law: str = "normal"
    difference: float = 0.0  #: The true difference, in units of `spread`: 0 for the null hypothesis
    spread: float = 0.2  #: What the differences are multiplied by
    clusters: int = 0  #: Number of clusters; 0 for independent items
    alike: float = 0.3  #: Correlation of two items of a cluster, before they get their law
    unequal: bool = False  #: Whether each cluster is 0.7 times as large as the one before

    name: ClassVar[str] = "marks"
    exact: ClassVar[bool] = True
    block: ClassVar[int] = 500

    def __post_init__(self) -> None:
        one_of(self.law, "law", LAWS)
        positive(self.spread, "spread")
        fraction(self.alike, "alike", closed=True)
        flag(self.unequal, "unequal")
        if self.clusters != 0:
            integer(self.clusters, "clusters", minimum=2)

    def draws(self, kind: AnySimulated) -> bool:
        return kind == MARKS or (kind == CLUSTERED_MARKS and self.clusters > 0)

    def simulate(self, kinds: Sequence[AnySimulated], design: Design, rng: np.random.Generator) -> Evidence:
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


# ---- Two models trained several times each and marked on the same items: seeds, items and both together vary.


@dataclass(frozen=True, slots=True, kw_only=True)
class MarksOfSeeds(SimulatedLearners):
    """Marks of two models, each trained with as many seeds as the design has runs, on n items.

    Nothing is trained: a mark is the sum of independent normal numbers of the item, of model and item, of model and
    seed, and of the cell. Seeds are `runs` of the design, items its `n`.
    """

    #: seeds, items, rest: Standard deviations of what varies with the seed, with the item, and from cell to cell, of
    #: each model
    seeds: float = 0.1
    items: float = 0.5
    rest: float = 1.0
    common: float = 1.0  #: Standard deviation of how easy an item is for both
    difference: float = 0.0  #: The true difference: 0 for the null hypothesis

    name: ClassVar[str] = "seed-marks"
    exact: ClassVar[bool] = True
    block: ClassVar[int] = 100

    def __post_init__(self) -> None:
        for name in ("seeds", "items", "common"):
            not_negative(getattr(self, name), name)
        positive(self.rest, "rest")

    def draws(self, kind: AnySimulated) -> bool:
        return kind in (CROSSED, UNPAIRED_SEEDS)

    def simulate(self, kinds: Sequence[AnySimulated], design: Design, rng: np.random.Generator) -> Evidence:
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


# ---- One learner against itself with another random initialisation, as Alpaydın compared perceptrons.


@dataclass(frozen=True, kw_only=True, repr=False)
class Seeds(Finite):
    """One learner against a copy of itself that starts from other random numbers: the null hypothesis holds.

    Data sets are drawn as from `finite`. The two copies get a new seed in every training of every trial, so that
    their expected accuracies are the same whatever the learner and the data. Alpaydın (1999), section 3, compares two
    multilayer perceptrons in this way. Give one learner, with a parameter `random_state`.
    """

    name: ClassVar[str] = "seeds"
    takes: ClassVar[int] = 1
    exact: ClassVar[bool] = True  #: The two copies differ by their random numbers alone

    def pair(self, learners: tuple[Estimator, ...]) -> tuple[Estimator, ...]:
        """The learner twice; it must draw random numbers."""
        both = super().pair(learners)
        if not any(name.split("__")[-1] == "random_state" for name in both[0].get_params(deep=True)):
            raise InvalidInput(f"population '{self.name}' needs a learner with a random_state, got {both[0]}")
        return both
