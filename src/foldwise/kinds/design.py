"""How much is resampled: the sizes from which a kind of evidence makes its splits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Integers
from foldwise.core.validation import integer
from foldwise.resampling.round_robin import even_blocks, partners

__all__ = ["Design", "Shape"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """Sizes of the resampling in each trial.

    Attributes
    ----------
    n
        Examples in one data set.
    runs, folds
        Of repeated cross-validation; `folds` also of a single one.
    splits
        Number of random splits for the resampled tests.
    parts
        A holdout or random split tests on one of this many parts of the data.
    nestings
        How often nested cross-validation is repeated.
    blocks, dealings
        Of the round robin: into how many blocks the examples are dealt, and how often.
    repetitions
        How often the whole resampling is repeated on the same data set (for replicability).

    Examples
    --------
    >>> Design(n=300).n_test
    100
    """

    n: int = 300
    runs: int = 10
    folds: int = 10
    splits: int = 30
    parts: int = 3
    nestings: int = 2
    blocks: int = 6
    dealings: int = 6
    repetitions: int = 1

    def __post_init__(self) -> None:
        integer(self.n, "n", minimum=4)
        integer(self.runs, "runs", minimum=1)
        integer(self.folds, "folds", minimum=2)
        integer(self.splits, "splits", minimum=2)
        integer(self.nestings, "nestings", minimum=1)
        even_blocks(self.blocks)
        integer(self.dealings, "dealings", minimum=1)
        integer(self.repetitions, "repetitions", minimum=1)
        integer(self.parts, "parts", minimum=2)
        if max(self.folds, self.parts) > self.n:
            raise InvalidInput(f"folds and parts must be at most n = {self.n}, got {self.folds} and {self.parts}")

    @property
    def n_test(self) -> int:
        """Test examples in a holdout or a random split."""
        return self.n // self.parts


@dataclass(frozen=True, slots=True)
class Shape:
    """Folds dealt to all examples, so often, of which so many are tested in each run.

    In a round robin the folds are blocks, and the runs its rounds: each block is left out together with the one that it
    meets, and one dealing serves all rounds; nested cross-validation leaves each fold out alone first.
    """

    runs: int
    folds: int
    tested: int
    meeting: Literal["alone", "round robin", "nested"] = "alone"

    @property
    def partners(self) -> Integers:
        """Per round and fold the fold that is left out with it; itself where folds are left out alone."""
        alone = np.arange(self.folds)[None]
        if self.meeting == "alone":
            return alone
        met = partners(self.folds)
        return met if self.meeting == "round robin" else np.concatenate([alone, met])

    @property
    def splits(self) -> int:
        """Trainings of each learner."""
        if self.meeting == "alone":
            return self.runs * self.tested
        met = self.partners
        return self.runs // len(met) * int(np.count_nonzero(met >= np.arange(self.folds)))
