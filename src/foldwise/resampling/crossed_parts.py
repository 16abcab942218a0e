"""Disjoint training sets that are all tested on the same examples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.random import stream
from foldwise.core.types import Integers, Json
from foldwise.core.validation import integer
from foldwise.resampling.cases import Cases
from foldwise.resampling.plan import Plan

__all__ = ["CrossedParts"]


@dataclass(frozen=True, slots=True)
class CrossedParts(Plan):
    """Half of the examples test, the other half is cut into training sets: each training set is a run with one split.

    Parameters
    ----------
    training_sets
        Into how many the training half is cut.

    Notes
    -----
    Test examples and training sets are cut from one random order of the examples, without regard to classes: that they
    are independent draws needs nothing else.

    Examples
    --------
    >>> splits = CrossedParts(5).splits(100, seed=0)
    >>> len(splits), splits[0].n_train, splits[0].n_test, bool((splits[0].test == splits[4].test).all())
    (5, 10, 50, True)
    """

    training_sets: int = 5

    def __post_init__(self) -> None:
        integer(self.training_sets, "training_sets", minimum=2)

    @property
    def identity(self) -> dict[str, Json]:
        """The number of training sets."""
        return {"plan": "crossed_parts", "training_sets": self.training_sets}

    def describe(self) -> str:
        """For example "5 disjoint training sets, tested on the same half of the examples"."""
        return f"{self.training_sets} disjoint training sets, tested on the same half of the examples"

    def sizes(self, n: int) -> tuple[int, int]:
        """(examples in each training set, test examples)."""
        test = n // 2
        train = (n - test) // self.training_sets
        if train < 2:
            raise InvalidInput(
                f"training_sets must be at most {(n - test) // 2}, so that each has two of the {n} examples, "
                f"got {self.training_sets}"
            )
        return train, test

    def _shape(self, cases: Cases) -> tuple[int, int]:
        if cases.groups is not None:
            raise InvalidInput("groups can't be cut into training sets of one size: give one example of each group")
        self.sizes(cases.n)
        return self.training_sets, 1

    def _assign(self, run: int, cases: Cases, seed: int) -> tuple[Integers, Integers]:
        train, test = self.sizes(cases.n)
        order = stream(seed, "crossed").permutation(cases.n)
        return np.sort(order[test + run * train :][:train]), np.sort(order[:test])

    def _cut(self, assignment: tuple[Integers, Integers], fold: int, cases: Cases) -> tuple[Integers, Integers]:
        return assignment
