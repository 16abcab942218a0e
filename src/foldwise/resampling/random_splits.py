"""Splits drawn at random: holdout, repeated, halved, and with replacement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.random import stream
from foldwise.core.types import Integers, Json
from foldwise.core.validation import fraction, integer
from foldwise.resampling.plan import Cases, Plan, deal_examples, draw_examples, draw_groups

Halves = tuple[Integers, Integers]


class _Divisions(Plan):
    """What one and many random divisions share; `n`, `test_fraction` and `stratified` come from the subclass."""

    __slots__ = ()

    if TYPE_CHECKING:  # the number is fixed in a holdout

        @property
        def n(self) -> int: ...
        @property
        def test_fraction(self) -> float: ...
        @property
        def stratified(self) -> bool: ...

    def __post_init__(self) -> None:
        integer(self.n, "n", minimum=1)
        fraction(self.test_fraction, "test_fraction")

    @property
    def identity(self) -> dict[str, Json]:
        """Test fraction and stratification: a holdout is the first of many random splits."""
        return {"plan": "random_splits", "test_fraction": self.test_fraction, "stratified": self.stratified}

    def describe(self) -> str:
        title = "one random split" if self.n == 1 else f"{self.n} random splits"
        return f"{title}, {100 * self.test_fraction:.3g} % tested" + ", stratified" * self.stratified

    def _shape(self, cases: Cases) -> tuple[int, int]:
        if not 0 < round(cases.n * self.test_fraction) < cases.n:
            raise InvalidInput(f"test_fraction {self.test_fraction:g} of {cases.n} examples leaves one side empty")
        _several_groups(cases)
        return self.n, 1

    def _assign(self, run: int, cases: Cases, seed: int) -> Halves:
        n_test, rng = round(cases.n * self.test_fraction), stream(seed, "division", run)
        if cases.groups is not None:
            return draw_groups(cases.groups, n_test, rng)
        return draw_examples(cases.strata(self.stratified), n_test, rng)


def _several_groups(cases: Cases) -> None:
    if cases.n_groups < 2:
        raise InvalidInput("groups must be at least 2, got 1")


@dataclass(frozen=True, slots=True)
class Holdout(_Divisions):
    """One random division into training and test set.

    Parameters
    ----------
    test_fraction
        Share of the examples that is tested; one third by default, as in [1]_.
    stratified
        Whether both sides get every class in its proportion. Groups, where given, go before strata.

    References
    ----------
    .. [1] Dietterich (1998), Approximate statistical tests for comparing supervised classification learning
       algorithms, Neural Computation 10, section 4.

    Examples
    --------
    >>> split = Holdout().split(0, 300, seed=0)
    >>> split.n_train, split.n_test
    (200, 100)
    """

    n: ClassVar[int] = 1

    test_fraction: float = 1 / 3
    stratified: bool = False


@dataclass(frozen=True, slots=True)
class RandomSplits(_Divisions):
    """Independent random divisions into training and test set.

    Parameters
    ----------
    n
        Number of divisions; adding some leaves the earlier ones as they are.
    test_fraction, stratified
        As for `Holdout`.

    Examples
    --------
    >>> RandomSplits(30).describe()
    '30 random splits, 33.3 % tested'
    """

    n: int = 30
    test_fraction: float = 1 / 3
    stratified: bool = False


# ---- Random splits of all examples, and of disjoint halves of them: what the conservative Z test needs.

Pairs = list[tuple[Integers, Integers]]


@dataclass(frozen=True, slots=True)
class HalvedSplits(Plan):
    """Splits of all examples, then of the two halves of one halving after the other, with test sets of one size [1]_.

    Parameters
    ----------
    halvings
        How often the examples are halved; run 0 is all of them, runs 2m + 1 and 2m + 2 are the halves of halving m.
    splits_each
        Random splits of all examples, and of each half.
    test_fraction
        Share of all examples that each test set has.
    stratified
        Whether halves and test sets get every class in its proportion.

    References
    ----------
    .. [1] Nadeau & Bengio (2003), Inference for the generalization error, Machine Learning 52.

    Examples
    --------
    >>> splits = HalvedSplits(halvings=2, splits_each=3).splits(["yes", "no"] * 50, seed=0)
    >>> len(splits), splits[0].n_train, splits[3].n_train, splits[3].n_test
    (15, 90, 40, 10)
    """

    halvings: int = 10
    splits_each: int = 15
    test_fraction: float = 0.1
    stratified: bool = True

    def __post_init__(self) -> None:
        integer(self.halvings, "halvings", minimum=1)
        integer(self.splits_each, "splits_each", minimum=1)
        fraction(self.test_fraction, "test_fraction")

    @property
    def identity(self) -> dict[str, Json]:
        return {
            "plan": "halved_splits", "splits": self.splits_each, "test_fraction": self.test_fraction,
            "stratified": self.stratified,
        }  # fmt: skip

    @property
    def rounds(self) -> int:
        """All of it is one draw."""
        return 2 * self.halvings + 1

    def describe(self) -> str:
        words = f"{self.splits_each} random splits, and {self.splits_each} of each half of {self.halvings} halvings"
        return words + ", stratified" * self.stratified

    def _shape(self, cases: Cases) -> tuple[int, int]:
        tested = round(cases.n * self.test_fraction)
        if not 0 < tested < cases.n // 2:
            raise InvalidInput(
                f"test_fraction {self.test_fraction:g} of {cases.n} examples must leave some to train on in each half"
            )
        if cases.groups is not None:
            raise InvalidInput("groups can't be given to random splits of halves: their halves would not be equal")
        return self.rounds, self.splits_each

    def _assign(self, run: int, cases: Cases, seed: int) -> Pairs:
        strata, n_test = cases.strata(self.stratified), round(cases.n * self.test_fraction)
        rows = np.arange(cases.n)
        if run:
            halving, half = divmod(run - 1, 2)
            rows = np.flatnonzero(deal_examples(strata, 2, stream(seed, "halving", halving)) == half)
        own = np.unique(strata[rows], return_inverse=True)[1]
        rng = stream(seed, "halved splits", run)
        pairs = [draw_examples(own, n_test, rng) for _ in range(self.splits_each)]
        return [(rows[train], rows[test]) for train, test in pairs]

    def _cut(self, assignment: Pairs, fold: int, cases: Cases) -> tuple[Integers, Integers]:
        return assignment[fold]


# ---- The bootstrap: train on a sample with replacement, test on what it left out.


@dataclass(frozen=True, slots=True)
class Bootstrap(Plan):
    """Samples of n examples drawn with replacement; the examples not drawn are tested.

    Parameters
    ----------
    n
        Number of samples; adding some leaves the earlier ones as they are.

    Notes
    -----
    A sample that leaves nothing out (likely for a handful of examples only) is drawn again. Where groups are given,
    as many groups as there are get drawn with replacement, each with all its examples.

    References
    ----------
    .. [1] Efron (1983), Estimating the error rate of a prediction rule, JASA 78, 316–331.

    Examples
    --------
    >>> split = Bootstrap(100).split(99, 50, seed=0)
    >>> split.n_train, bool(np.isin(split.test, split.train).any())
    (50, False)
    """

    n: int = 100

    def __post_init__(self) -> None:
        integer(self.n, "n", minimum=1)

    @property
    def identity(self) -> dict[str, Json]:
        """The plan has no settings: `n` samples are the first n of any more."""
        return {"plan": "bootstrap"}

    def describe(self) -> str:
        return f"{self.n} bootstrap samples" if self.n > 1 else "one bootstrap sample"

    def _shape(self, cases: Cases) -> tuple[int, int]:
        _several_groups(cases)
        return self.n, 1

    def _assign(self, run: int, cases: Cases, seed: int) -> Integers:
        """The units (groups or examples) that are drawn, in order."""
        rng = stream(seed, "bootstrap", run)
        units = cases.n_groups
        while True:
            drawn: Integers = np.sort(rng.integers(units, size=units))
            if len(np.unique(drawn)) < units:
                return drawn

    def _cut(self, assignment: Integers, fold: int, cases: Cases) -> tuple[Integers, Integers]:
        groups = np.arange(cases.n) if cases.groups is None else cases.groups
        times = np.bincount(assignment, minlength=int(groups.max()) + 1)[groups]
        return np.repeat(np.arange(cases.n), times), np.flatnonzero(times == 0)


# ---- Disjoint parts of the data, each with a training set and a test set of its own.


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
