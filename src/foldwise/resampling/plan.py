"""What a plan is: which examples train, which test, and how they are dealt to folds."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foldwise.core.digest import digest
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Integers, Json, Labels
from foldwise.core.validation import integer, unmasked


@dataclass(frozen=True, slots=True, eq=False)
class Cases:
    """The examples as a plan sees them."""

    n: int  #: Number of examples
    y: Labels | None  #: The targets, or None when only the number of examples is known
    groups: Integers | None  #: Per example the index of its group, or None without groups

    @classmethod
    def of(cls, y_or_n: ArrayLike, groups: ArrayLike | None = None) -> Cases:
        """Check the targets (or the number of examples) and the groups.

        >>> Cases.of(["a", "b", "a"], groups=[7, 7, 9]).groups
        array([0, 0, 1])
        """
        if isinstance(y_or_n, (int, np.integer)):
            n, y = integer(y_or_n, "the number of examples", minimum=2), None
        else:
            unmasked(y_or_n, "y")
            y = np.asarray(y_or_n)
            if y.ndim != 1 or len(y) < 2:
                raise InvalidInput(f"y must have one axis with at least 2 examples, got shape {y.shape}")
            n = len(y)
        return cls(n, y, None if groups is None else _codes(groups, "groups", n))

    @property
    def n_groups(self) -> int:
        """How many groups there are; without groups each example is one."""
        return self.n if self.groups is None else int(self.groups.max()) + 1

    def classes(self) -> tuple[Labels, Integers]:
        """The classes and, per example, the index of its class; refuses targets that are not classes."""
        if self.y is None:
            raise InvalidInput("a stratified plan needs y, but only the number of examples was given")
        if self.y.dtype.kind == "f" and not np.array_equal(self.y, np.floor(self.y)):
            bad = self.y[self.y != np.floor(self.y)][0]
            raise InvalidInput(f"a stratified plan needs classes, but y has the value {bad:g}; use stratified=False")
        names, codes = _unique(self.y, "y")
        return names, codes

    def strata(self, stratified: bool) -> Integers:
        """Per example the index of its class, or all 0 when the plan is not stratified."""
        return self.classes()[1] if stratified else np.zeros(self.n, dtype=np.int64)


def _codes(values: ArrayLike, name: str, n: int) -> Integers:
    unmasked(values, name)
    array = np.asarray(values)
    if array.shape != (n,):
        raise InvalidInput(f"{name} must have one value per example, shape ({n},), got shape {array.shape}")
    return _unique(array, name)[1]


def _unique(array: Labels, name: str) -> tuple[Labels, Integers]:
    try:
        names, codes = np.unique(array, return_inverse=True)
    except TypeError as error:
        raise InvalidInput(f"{name} must hold values of one kind that can be sorted: {error}") from error
    return names, codes.astype(np.int64, copy=False)


# ---- Dealing examples to folds and to test sets: at random, class by class, or group by group.


def deal_examples(strata: Integers, folds: int, rng: np.random.Generator) -> Integers:
    """Per example its fold: shuffled examples are dealt like cards, stratum after stratum.

    Fold sizes differ by at most 1, and so do the counts of each stratum.

    >>> folds = deal_examples(np.array([0, 0, 0, 1, 1, 1, 1]), 2, np.random.default_rng(0))
    >>> np.bincount(folds).tolist()
    [4, 3]
    """
    ids = np.empty(len(strata), dtype=np.int64)
    ids[_shuffled(strata, rng)] = np.arange(len(strata)) % folds
    return ids


def draw_examples(strata: Integers, n_test: int, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """(train, test) with exactly `n_test` test examples; each stratum's count is its share, rounded up or down.

    Every (n / n_test)-th card of the deck goes to the test set, as a line is drawn on a raster.
    """
    n = len(strata)
    steps = np.arange(n + 1) * n_test // n
    tested = np.zeros(n, dtype=bool)
    tested[_shuffled(strata, rng)] = np.diff(steps) > 0
    return np.flatnonzero(~tested), np.flatnonzero(tested)


def deal_groups(strata: Integers, groups: Integers, folds: int, rng: np.random.Generator) -> Integers:
    """Per example its fold, groups kept together.

    Groups come in random order; each goes to the fold where it least increases the sum over folds and strata of
    (count² / size of the stratum), the smaller fold on ties. With one stratum that is the smallest fold, so that
    fold sizes differ by at most the size of the largest group.
    """
    # group × stratum table of counts
    width = int(strata.max()) + 1
    counts = np.bincount(groups * width + strata, minlength=(int(groups.max()) + 1) * width).reshape(-1, width)
    weights = counts / counts.sum(axis=0)
    filled = np.zeros((folds, counts.shape[1]))
    fold_of = np.empty(len(counts), dtype=np.int64)
    for group in rng.permutation(len(counts)):
        cost = filled @ weights[group]
        fold = np.lexsort((filled.sum(axis=1), cost.round(9)))[0]
        filled[fold] += counts[group]
        fold_of[group] = fold
    return fold_of[groups]


def draw_groups(groups: Integers, n_test: int, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """(train, test) of whole groups, the test set as near to `n_test` examples as the shuffled order allows."""
    sizes = np.bincount(groups)
    order = rng.permutation(len(sizes))
    reached = np.cumsum(sizes[order])[:-1]
    count = int(np.argmin(np.abs(reached - n_test))) + 1
    tested = np.isin(groups, order[:count])
    return np.flatnonzero(~tested), np.flatnonzero(tested)


def _shuffled(strata: Integers, rng: np.random.Generator) -> Integers:
    deck = rng.permutation(len(strata))
    return deck[np.argsort(strata[deck], kind="stable")]


# ---- The contract every plan fulfils, one split, and the lazy sequence of a plan's splits.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Split:
    """Which examples train and which test."""

    #: train, test: Indices of the examples; a bootstrap's `train` repeats some of them
    train: Integers
    test: Integers
    #: index, run, fold: Position in the plan, the run it belongs to and its place in that run
    index: int
    run: int
    fold: int
    #: The first split that trains on the same examples, with whose training it is done: itself in most plans
    training: int

    @property
    def n_train(self) -> int:
        """Number of training examples, repetitions counted."""
        return len(self.train)

    @property
    def n_test(self) -> int:
        """Number of test examples."""
        return len(self.test)


class Plan(ABC):
    """Which examples train and which test: data that, with a seed, determine every split.

    Subclasses are frozen dataclasses that say how many runs and folds there are, do the work of one run (`_assign`)
    and cut one fold out of it (`_cut`; a `Partition` has that). Run j may depend on the examples, the seed and j alone:
    never on the number of runs, so that more runs reuse all earlier ones.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def identity(self) -> dict[str, Json]:
        """What determines the splits besides examples and seed, the number of runs left out."""

    @abstractmethod
    def describe(self) -> str:
        """The plan in words, for reports."""

    @abstractmethod
    def _shape(self, cases: Cases) -> tuple[int, int]:
        """(runs, folds per run); refuses examples that are too few."""

    @abstractmethod
    def _assign(self, run: int, cases: Cases, seed: int) -> Any:
        """The random part of one run."""

    def _cut(self, assignment: Any, fold: int, cases: Cases) -> tuple[Integers, Integers]:
        """(train, test) of one fold of a run: its work itself, where a run is one split."""
        train, test = assignment
        return train, test

    def _training(self, run: int, fold: int) -> int:
        """The first fold of the run that trains on the same examples."""
        return fold

    def _signature(self, assignment: Any, cases: Cases) -> str:
        """What one run has in common with exactly those runs that train and test on the same examples."""
        _, folds = self._shape(cases)
        pairs = (self._cut(assignment, fold, cases) for fold in range(folds))
        parts = sorted("".join(digest(np.sort(side)) for side in pair) for pair in pairs)
        return digest(parts)

    @property
    def key(self) -> str:
        """`identity` as JSON with sorted keys: the same text on every machine, whatever the number of runs."""
        return json.dumps(self.identity, sort_keys=True, separators=(",", ":"))

    @property
    def is_partition(self) -> bool:
        """Whether each run tests every example exactly once."""
        return False

    @property
    def rounds(self) -> int:
        """How many runs come from one partition of the examples."""
        return 1

    @property
    def together(self) -> int:
        """How many splits in a row may share a training; all that it leaves out is then predicted together."""
        return 1

    def shape(self, y_or_n: ArrayLike, *, groups: ArrayLike | None = None) -> tuple[int, int]:
        """(runs, folds per run) for these examples."""
        return self._shape(Cases.of(y_or_n, groups))

    def splits(self, y_or_n: ArrayLike, *, seed: int, groups: ArrayLike | None = None) -> Splits:
        """All splits as a lazy sequence.

        Parameters
        ----------
        y_or_n
            The targets, or the number of examples when the plan is not stratified.
        seed
            A whole number of at least 0.
        groups
            Per example the group it belongs to: no group is ever in both the training and the test set.
        """
        return Splits(self, Cases.of(y_or_n, groups), seed)

    def split(self, index: int, y_or_n: ArrayLike, *, seed: int, groups: ArrayLike | None = None) -> Split:
        """One split, computed without the others."""
        return self.splits(y_or_n, seed=seed, groups=groups)[index]

    def fold_ids(
        self, y_or_n: ArrayLike, *, seed: int, groups: ArrayLike | None = None, runs: Sequence[int] | None = None
    ) -> Integers:
        """Per run and example the fold that it is left out with: what a whole-cross-validation kernel takes.

        Parameters
        ----------
        y_or_n, seed, groups
            As for `splits`.
        runs
            The runs wanted; all by default.

        Returns
        -------
        ndarray of shape (runs, examples)
        """
        if not self.is_partition:
            raise InvalidInput(f"fold_ids exist for plans that test each example once per run, not for {self.key}")
        cases = Cases.of(y_or_n, groups)
        wanted = range(self._shape(cases)[0]) if runs is None else runs
        if not len(wanted):
            return np.empty((0, cases.n), dtype=np.int64)
        return np.stack([self._assign(run, cases, seed) for run in wanted])

    def caveats(self, y_or_n: ArrayLike, *, groups: ArrayLike | None = None) -> tuple[str, ...]:
        """Sentences about what the plan can't do well with these examples."""
        return ()


class Splits(Sequence[Split]):
    """The splits of one plan for given examples and seed; the work of a run is kept until another is asked for."""

    __slots__ = ("_cases", "_latest", "_plan", "_seed", "shape")

    def __init__(self, plan: Plan, cases: Cases, seed: int) -> None:
        self._plan, self._cases, self._seed = plan, cases, seed
        self.shape = plan._shape(cases)
        # one object, so that threads that share the sequence never see the run of one and the work of another
        self._latest: tuple[int, Any] = (-1, None)

    def __len__(self) -> int:
        return self.shape[0] * self.shape[1]

    @overload
    def __getitem__(self, index: int) -> Split: ...
    @overload
    def __getitem__(self, index: slice) -> list[Split]: ...
    def __getitem__(self, index: int | slice) -> Split | list[Split]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"split must be below {len(self)}, got {index}")
        position = int(index) % len(self)
        run, fold = divmod(position, self.shape[1])
        train, test = self._plan._cut(self._assignment(run), fold, self._cases)
        return Split(train=train, test=test, index=position, run=run, fold=fold, training=self.training(position))

    def training(self, index: int) -> int:
        """The first split that trains on the same examples as this one."""
        run, fold = divmod(index, self.shape[1])
        return index - fold + self._plan._training(run, fold)

    def signature(self, run: int) -> str:
        """The same for two runs exactly when they train and test on the same examples, whatever their folds' order."""
        return self._plan._signature(self._assignment(run), self._cases)

    @property
    def deals_folds(self) -> bool:
        """Whether what is dealt in a run is the fold that tests each example, and all others train."""
        return type(self._plan)._cut is Partition._cut

    def folds_of(self, run: int) -> Integers:
        """The fold that tests each example, where that is what was dealt."""
        return np.asarray(self._assignment(run))

    def _assignment(self, run: int) -> Any:
        latest = self._latest
        if run != latest[0]:
            latest = self._latest = (run, self._plan._assign(run, self._cases, self._seed))
        return latest[1]


class Partition(Plan):
    """A plan that tests every example once in each run, whose work is the fold that tests each of them."""

    __slots__ = ()

    @property
    def is_partition(self) -> bool:
        return True

    def _cut(self, assignment: Integers, fold: int, cases: Cases) -> tuple[Integers, Integers]:
        tested: NDArray[np.bool_] = assignment == fold
        return np.flatnonzero(~tested), np.flatnonzero(tested)

    def _signature(self, assignment: Integers, cases: Cases) -> str:
        """The fold numbers renamed in the order of their first example, so that only who is with whom counts."""
        _, first, place = np.unique(assignment, return_index=True, return_inverse=True)
        return digest(np.argsort(np.argsort(first))[place])
