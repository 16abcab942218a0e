"""The contract every plan fulfils, one split, and the lazy sequence of a plan's splits."""

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
from foldwise.core.types import Integers, Json
from foldwise.resampling.cases import Cases

__all__ = ["Plan", "Split", "Splits"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Split:
    """Which examples train and which test.

    Attributes
    ----------
    train, test
        Indices of the examples; a bootstrap's `train` repeats some of them.
    index, run, fold
        Position in the plan, the run it belongs to and its place in that run.
    training
        The first split that trains on the same examples, with whose training it is done: itself in most plans.
    """

    train: Integers
    test: Integers
    index: int
    run: int
    fold: int
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
    and cut one fold out of it (`_cut`). Run j may depend on the examples, the seed and j alone: never on the number
    of runs, so that more runs reuse all earlier ones.
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

    @abstractmethod
    def _cut(self, assignment: Any, fold: int, cases: Cases) -> tuple[Integers, Integers]:
        """(train, test) of one fold of a run."""

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

    def _assignment(self, run: int) -> Any:
        latest = self._latest
        if run != latest[0]:
            latest = self._latest = (run, self._plan._assign(run, self._cases, self._seed))
        return latest[1]


def cut_fold(ids: Integers, fold: int) -> tuple[Integers, Integers]:
    """(train, test) when `ids` says which fold tests each example."""
    tested: NDArray[np.bool_] = ids == fold
    return np.flatnonzero(~tested), np.flatnonzero(tested)


def partition_signature(ids: Integers) -> str:
    """The fold numbers renamed in the order of their first example, so that only who is with whom counts.

    Examples
    --------
    >>> partition_signature(np.array([2, 0, 2])) == partition_signature(np.array([0, 1, 0]))
    True
    """
    _, first, place = np.unique(ids, return_index=True, return_inverse=True)
    return digest(np.argsort(np.argsort(first))[place])
