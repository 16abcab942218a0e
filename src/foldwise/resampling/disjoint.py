"""Disjoint parts of the data, each with a training set and a test set of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.random import stream
from foldwise.core.types import Integers, Json
from foldwise.core.validation import integer
from foldwise.resampling.plan import Cases, Plan

FEWEST = 20  # Parts from which a mean of independent differences is near enough to normal.


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
        return {"plan": "disjoint_parts", "train_size": self.train_size}

    def describe(self) -> str:
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


# ---- Disjoint training sets that are all tested on the same examples.


@dataclass(frozen=True, slots=True)
class CrossedParts(Plan):
    """Half of the examples or more test, the others are cut into training sets: each is a run with one split.

    Parameters
    ----------
    training_sets
        Into how many the training half is cut.
    train_size
        Examples in each training set; by default as many as the half allows. What is left over tests too.

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
    train_size: int | None = None

    def __post_init__(self) -> None:
        integer(self.training_sets, "training_sets", minimum=2)
        if self.train_size is not None:
            integer(self.train_size, "train_size", minimum=2)

    @property
    def identity(self) -> dict[str, Json]:
        size = {} if self.train_size is None else {"train_size": self.train_size}
        return {"plan": "crossed_parts", "training_sets": self.training_sets, **size}

    def describe(self) -> str:
        if self.train_size is not None:
            sets = f"{self.training_sets} disjoint training sets of {self.train_size} examples"
            return f"{sets}, all tested on the examples that are left"
        return f"{self.training_sets} disjoint training sets, tested on the same half of the examples"

    def sizes(self, n: int) -> tuple[int, int]:
        """(examples in each training set, test examples)."""
        test = n // 2
        train = (n - test) // self.training_sets
        if self.train_size is not None and self.train_size > train:
            raise InvalidInput(
                f"train_size must be at most {train} for {self.training_sets} training sets from half of {n} "
                f"examples, got {self.train_size}"
            )
        if self.train_size is not None:
            return self.train_size, n - self.training_sets * self.train_size
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
