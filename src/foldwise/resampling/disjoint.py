"""Disjoint parts of the data, each with a training set and a test set of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.random import stream
from foldwise.core.types import Integers, Json
from foldwise.core.validation import integer
from foldwise.resampling.cases import Cases
from foldwise.resampling.plan import Plan

__all__ = ["DisjointParts"]

FEWEST = 20
"""Parts from which a mean of independent differences is near enough to normal."""


@dataclass(frozen=True, slots=True)
class DisjointParts(Plan):
    """Parts that share no example, as many as there are: each is a run with one split.

    Parameters
    ----------
    train_size
        Training examples in each part; None for two thirds of what twenty parts have each. The test sets have half as
        many, or fewer where that is needed for twenty parts.

    Notes
    -----
    The parts are cut from one random order of the examples, without regard to classes: that the parts of independent
    examples are independent needs nothing else.

    Examples
    --------
    >>> splits = DisjointParts(train_size=20).splits(1000, seed=0)
    >>> len(splits), splits[0].n_train, splits[0].n_test
    (33, 20, 10)
    """

    train_size: int | None = None

    def __post_init__(self) -> None:
        if self.train_size is not None:
            integer(self.train_size, "train_size", minimum=1)

    @property
    def identity(self) -> dict[str, Json]:
        """The training size."""
        return {"plan": "disjoint_parts", "train_size": self.train_size}

    def describe(self) -> str:
        """For example "disjoint parts, 20 training examples in each"."""
        size = "" if self.train_size is None else f", {self.train_size} training examples in each"
        return f"disjoint parts{size}"

    def sizes(self, n: int) -> tuple[int, int]:
        """(training examples, test examples) of each part."""
        most = n // FEWEST
        train = 2 * most // 3 if self.train_size is None else self.train_size
        if not 0 < train < most:
            raise InvalidInput(
                f"train_size must leave at least {FEWEST} disjoint parts with a test example each, so at most "
                f"{max(most - 1, 0)} for {n} examples, got {train}"
            )
        return train, max(1, min(train // 2, most - train))

    def _shape(self, cases: Cases) -> tuple[int, int]:
        if cases.groups is not None:
            raise InvalidInput("groups can't be cut into disjoint parts of one size: give one example of each group")
        return cases.n // sum(self.sizes(cases.n)), 1

    def _assign(self, run: int, cases: Cases, seed: int) -> tuple[Integers, Integers]:
        train, test = self.sizes(cases.n)
        order = stream(seed, "disjoint").permutation(cases.n)[run * (train + test) :]
        return np.sort(order[:train]), np.sort(order[train : train + test])

    def _cut(self, assignment: tuple[Integers, Integers], fold: int, cases: Cases) -> tuple[Integers, Integers]:
        return assignment
