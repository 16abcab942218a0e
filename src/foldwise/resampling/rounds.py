"""What the plans share in which folds are left out two at a time: one dealing, and the rounds of a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.random import stream
from foldwise.core.rounds import adjacent
from foldwise.core.types import Integers
from foldwise.resampling.cases import Cases
from foldwise.resampling.kfold import FoldsPlan
from foldwise.resampling.plan import partition_signature

__all__ = ["RoundsPlan"]


class RoundsPlan(FoldsPlan):
    """Runs in which each fold is tested, and left out together with the one that it meets in this round.

    Folds 2p and 2p + 1 of such a run share their training. `alone` runs of each dealing come before, in which each fold
    is left out alone. The work of a run are two rows: the fold that tests each example, and what is left out with it.
    """

    __slots__ = ()

    alone: ClassVar[int] = 0
    """Ordinary cross-validations in each dealing."""
    chance: ClassVar[str]
    """What the dealings draw their random numbers as."""

    @property
    def rounds(self) -> int:
        """Each dealing makes as many runs as a fold has others to meet, and those in which it is alone."""
        return self.alone + self._design()[1] - 1

    @property
    def together(self) -> int:
        """Two folds are left out by one training."""
        return 2

    def fold_ids(
        self, y_or_n: ArrayLike, *, seed: int, groups: ArrayLike | None = None, runs: Sequence[int] | None = None
    ) -> Integers:
        """Per run and example the fold, or the pair of them, that it is left out with."""
        found = FoldsPlan.fold_ids(self, y_or_n, seed=seed, groups=groups, runs=runs)
        return found[:, 1] if len(found) else found

    def _assign(self, run: int, cases: Cases, seed: int) -> Integers:
        dealing, place = divmod(run, self.rounds)
        dealt = self._deal(cases, stream(seed, self.chance, dealing))
        if place < self.alone:
            return np.stack([dealt, dealt])
        tested = np.argsort(adjacent(self._design()[1])[place - self.alone])[dealt]
        return np.stack([tested, tested // 2])

    def _cut(self, assignment: Integers, fold: int, cases: Cases) -> tuple[Integers, Integers]:
        test = np.flatnonzero(assignment[0] == fold)
        return np.flatnonzero(assignment[1] != assignment[1, test[0]]), test

    def _training(self, run: int, fold: int) -> int:
        return fold if run % self.rounds < self.alone else fold - fold % 2

    def _signature(self, assignment: Integers, cases: Cases) -> str:
        return partition_signature(assignment[0])
