"""k-fold cross-validation: once, repeated, and Dietterich's five times two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.random import stream
from foldwise.core.types import Integers, Json
from foldwise.core.validation import integer
from foldwise.resampling.plan import Cases, Partition, deal_examples, deal_groups


class FoldsPlan(Partition):
    """What the k-fold plans share; `runs`, `folds` and `stratified` come from the subclass."""

    __slots__ = ()

    part: ClassVar[str] = "fold"  #: What the examples are dealt to.

    if TYPE_CHECKING:  # parameters of some plans, fixed in others

        @property
        def runs(self) -> int: ...
        @property
        def folds(self) -> int: ...
        @property
        def stratified(self) -> bool: ...

    def __post_init__(self) -> None:
        integer(self.runs, "runs", minimum=1)
        integer(self.folds, "folds", minimum=2)

    @property
    def identity(self) -> dict[str, Json]:
        """Folds and stratification: one 10-fold cross-validation is the first run of a 10×10-fold one."""
        return {"plan": "kfold", "folds": self.folds, "stratified": self.stratified}

    def describe(self) -> str:
        times = f"{self.runs}×" if self.runs > 1 else ""
        return f"{times}{self.folds}-fold cross-validation" + ", stratified" * self.stratified

    def caveats(self, y_or_n: ArrayLike, *, groups: ArrayLike | None = None) -> tuple[str, ...]:
        """What stratification does with classes that have fewer members than there are folds."""
        if not self.stratified:
            return ()
        names, codes = Cases.of(y_or_n, groups).classes()
        return tuple(
            _rare(name, int(size), self.folds, self.part)
            for name, size in zip(names, np.bincount(codes), strict=True)
            if size < self.folds
        )

    def _shape(self, cases: Cases) -> tuple[int, int]:
        units, most = "examples" if cases.groups is None else "groups", cases.n_groups
        if self.folds > most:
            raise InvalidInput(f"{self.part}s must be at most the number of {units}, {most}, got {self.folds}")
        return self.runs, self.folds

    def _assign(self, run: int, cases: Cases, seed: int) -> Integers:
        return self._deal(cases, stream(seed, "folds", run))

    def _deal(self, cases: Cases, rng: np.random.Generator) -> Integers:
        strata = cases.strata(self.stratified)
        if cases.groups is not None:
            return deal_groups(strata, cases.groups, self.folds, rng)
        return deal_examples(strata, self.folds, rng)


@dataclass(frozen=True, slots=True)
class KFold(FoldsPlan):
    """One k-fold cross-validation.

    Parameters
    ----------
    folds
        Number of folds, at least 2.
    stratified
        Whether each fold gets every class in equal numbers (they differ by at most 1).

    Examples
    --------
    >>> KFold(10).describe()
    '10-fold cross-validation, stratified'
    """

    runs: ClassVar[int] = 1

    folds: int = 10
    stratified: bool = True


@dataclass(frozen=True, slots=True)
class RepeatedKFold(FoldsPlan):
    """k-fold cross-validation repeated on different random partitions.

    Parameters
    ----------
    runs
        Number of repetitions, at least 1; adding runs leaves the earlier ones as they are.
    folds, stratified
        As for `KFold`.

    Examples
    --------
    >>> RepeatedKFold(runs=10, folds=10).key == KFold(10).key
    True
    """

    runs: int = 10
    folds: int = 10
    stratified: bool = True


@dataclass(frozen=True, slots=True)
class FiveByTwo(FoldsPlan):
    """Five runs of two-fold cross-validation [1]_.

    References
    ----------
    .. [1] Dietterich (1998), Approximate statistical tests for comparing supervised classification learning
       algorithms, Neural Computation 10, section 3.5.

    Examples
    --------
    >>> FiveByTwo().describe()
    '5×2-fold cross-validation, stratified'
    """

    runs: ClassVar[int] = 5
    folds: ClassVar[int] = 2

    stratified: bool = True


def _rare(name: object, size: int, folds: int, part: str) -> str:
    if size == 1:
        return f"Class {str(name)!r} has a single example: where it is tested, no training example shows it."
    without = f"1 {part} tests" if folds - size == 1 else f"{folds - size} {part}s test"
    return f"Class {str(name)!r} has {size} examples for {folds} {part}s: {without} none of it."


# ---- Balanced 5×2 cross-validation: five halvings of which any two overlap in exactly a quarter of the examples.


@dataclass(frozen=True, slots=True)
class BalancedFiveByTwo(FoldsPlan):
    """Five halvings of eight blocks, by five columns of the 8 × 8 Hadamard matrix [1]_.

    Parameters
    ----------
    stratified
        Whether each block gets every class in equal numbers (they differ by at most 1).

    Notes
    -----
    A column other than the constant one has four blocks of each sign, and any two of them agree in four: two training
    halves share two blocks, a quarter of the examples, however they are chosen.

    References
    ----------
    .. [1] Yang, Wang, Song & Li (2023), Block-regularized 5×2 cross-validated McNemar's test for comparing two
       classification algorithms, arXiv 2304.03990.

    Examples
    --------
    >>> plan = BalancedFiveByTwo(stratified=False)
    >>> halves = [set(split.train.tolist()) for split in plan.splits(80, seed=0)]
    >>> {len(one & other) for one in halves[::2] for other in halves[::2] if one is not other}
    {20}
    """

    part: ClassVar[str] = "block"
    runs: ClassVar[int] = 5
    folds: ClassVar[int] = 8

    stratified: bool = True

    @property
    def identity(self) -> dict[str, Json]:
        return {"plan": "balanced_five_by_two", "stratified": self.stratified}

    @property
    def rounds(self) -> int:
        """All five come from one dealing."""
        return self.runs

    def describe(self) -> str:
        return "balanced 5×2-fold cross-validation" + ", stratified" * self.stratified

    def fold_ids(
        self, y_or_n: ArrayLike, *, seed: int, groups: ArrayLike | None = None, runs: Sequence[int] | None = None
    ) -> Integers:
        return FoldsPlan.fold_ids(self, y_or_n, seed=seed, groups=groups, runs=runs) % 2

    def _shape(self, cases: Cases) -> tuple[int, int]:
        return FoldsPlan._shape(self, cases)[0], 2

    def _assign(self, run: int, cases: Cases, seed: int) -> Integers:
        blocks = self._deal(cases, stream(seed, "balanced", 0))
        # the first column is constant; the block is kept for the signature
        return 2 * blocks + halving(run)[blocks]

    def _cut(self, assignment: Integers, fold: int, cases: Cases) -> tuple[Integers, Integers]:
        return FoldsPlan._cut(self, assignment % 2, fold, cases)

    def _signature(self, assignment: Integers, cases: Cases) -> str:
        return FoldsPlan._signature(self, assignment // 2, cases)


def halving(run: int) -> Integers:
    """Per block the half, 0 or 1, that it belongs to in one of the five runs.

    Sylvester's Hadamard matrix has −1 where row and column have an odd number of bits in common; column 0 is constant.
    """
    return np.asarray(np.bitwise_count(np.arange(BalancedFiveByTwo.folds) & (run + 1)) % 2, dtype=np.int64)


# ---- Leave-one-out: every example (or every group) is tested once, by a model trained on all the others.


@dataclass(frozen=True, slots=True)
class LeaveOneOut(Partition):
    """Test each example with a model trained on all the others; nothing about it is random.

    Where groups are given, each group is left out as a whole.

    Examples
    --------
    >>> LeaveOneOut().split(3, 5, seed=0).train
    array([0, 1, 2, 4])
    """

    @property
    def identity(self) -> dict[str, Json]:
        return {"plan": "leave_one_out"}

    def describe(self) -> str:
        return "leave-one-out"

    def _shape(self, cases: Cases) -> tuple[int, int]:
        folds = int(self._assign(0, cases, 0).max()) + 1
        if folds < 2:
            raise InvalidInput("groups must be at least 2 for leave-one-out, got 1")
        return 1, folds

    def _assign(self, run: int, cases: Cases, seed: int) -> Integers:
        return np.arange(cases.n) if cases.groups is None else cases.groups
