"""Plans that leave out two blocks at a time, and the order in which all of them meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.random import stream
from foldwise.core.types import Integers, Json
from foldwise.core.validation import integer
from foldwise.resampling.kfold import FoldsPlan
from foldwise.resampling.plan import Cases

FEWEST = 4  # The least even number of blocks whose interaction leaves a degree of freedom.


def even_blocks(value: object, name: str = "blocks") -> int:
    """Return `value` as a number of blocks that can be paired without a rest."""
    if integer(value, name, minimum=FEWEST) % 2:
        raise InvalidInput(f"{name} must be an even number, because each round pairs all of them, got {value!r}")
    return int(value)  # type: ignore[call-overload, no-any-return]  # a whole number, as was checked


@cache
def partners(blocks: int) -> Integers:
    """Per round and block the block that it meets: (blocks − 1, blocks), each pair in exactly one round.

    The circle method: the last block stays where it is, and i meets j in round r where i + j = 2r modulo blocks − 1.

    >>> partners(4)
    array([[3, 2, 1, 0],
           [2, 3, 0, 1],
           [1, 0, 3, 2]])
    """
    turning = even_blocks(blocks) - 1
    rounds, block = np.arange(turning)[:, None], np.arange(turning)
    met = np.full((turning, blocks), -1, dtype=np.int64)
    met[:, :turning] = np.where(block == rounds, turning, (2 * rounds - block) % turning)
    met[:, turning] = rounds[:, 0]
    met.setflags(write=False)
    return met


@cache
def adjacent(blocks: int) -> Integers:
    """Per round the blocks in an order in which those that meet stand side by side: (blocks − 1, blocks).

    >>> adjacent(4)
    array([[0, 3, 1, 2],
           [0, 2, 1, 3],
           [0, 1, 2, 3]])
    """
    games = [[(block, met) for block, met in enumerate(row) if block < met] for row in partners(blocks)]
    order = np.array(games, dtype=np.int64).reshape(-1, blocks)
    order.setflags(write=False)
    return order


# ---- What the plans share in which folds are left out two at a time: one dealing, and the rounds of a tournament.


class RoundsPlan(FoldsPlan):
    """Runs in which each fold is tested, and left out together with the one that it meets in this round.

    Folds 2p and 2p + 1 of such a run share their training. `alone` runs of each dealing come before, in which each fold
    is left out alone. The work of a run are two rows: the fold that tests each example, and what is left out with it.
    """

    __slots__ = ()

    alone: ClassVar[int] = 0  #: Ordinary cross-validations in each dealing.
    chance: ClassVar[str]  #: What the dealings draw their random numbers as.

    @property
    def rounds(self) -> int:
        """Each dealing makes as many runs as a fold has others to meet, and those in which it is alone."""
        return self.alone + self.folds - 1

    @property
    def together(self) -> int:
        return 2

    def fold_ids(
        self, y_or_n: ArrayLike, *, seed: int, groups: ArrayLike | None = None, runs: Sequence[int] | None = None
    ) -> Integers:
        found = FoldsPlan.fold_ids(self, y_or_n, seed=seed, groups=groups, runs=runs)
        return found[:, 1] if len(found) else found

    def _assign(self, run: int, cases: Cases, seed: int) -> Integers:
        dealing, place = divmod(run, self.rounds)
        dealt = self._deal(cases, stream(seed, self.chance, dealing))
        if place < self.alone:
            return np.stack([dealt, dealt])
        tested = np.argsort(adjacent(self.folds)[place - self.alone])[dealt]
        return np.stack([tested, tested // 2])

    def _cut(self, assignment: Integers, fold: int, cases: Cases) -> tuple[Integers, Integers]:
        test = np.flatnonzero(assignment[0] == fold)
        return np.flatnonzero(assignment[1] != assignment[1, test[0]]), test

    def _training(self, run: int, fold: int) -> int:
        return fold if run % self.rounds < self.alone else fold - fold % 2

    def _signature(self, assignment: Integers, cases: Cases) -> str:
        return FoldsPlan._signature(self, assignment[0], cases)


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
        return {"plan": "round_robin", "blocks": self.blocks, "stratified": self.stratified}

    def describe(self) -> str:
        times = f", {self.dealings} dealings" if self.dealings > 1 else ""
        return f"round-robin cross-validation of {self.blocks} blocks{times}" + (", stratified" * self.stratified)

    @property
    def runs(self) -> int:
        """The rounds of all dealings."""
        return self.dealings * self.rounds

    @property
    def folds(self) -> int:
        """A block is a fold."""
        return self.blocks


# ---- Nested k-fold cross-validation: within all folds but one, a cross-validation of the others.


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
        return {"plan": "nested_kfold", "folds": self.folds, "stratified": self.stratified}

    def describe(self) -> str:
        times = f", {self.repetitions} repetitions" if self.repetitions > 1 else ""
        return f"nested {self.folds}-fold cross-validation{times}" + ", stratified" * self.stratified

    @property
    def runs(self) -> int:
        """The rounds of all repetitions."""
        return self.repetitions * self.rounds
