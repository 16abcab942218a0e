"""Plans that come from elsewhere: scikit-learn's splitters, or a list of (train, test) index arrays."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.digest import digest
from foldwise.core.errors import InvalidInput
from foldwise.core.random import stream
from foldwise.core.types import Integers, Json
from foldwise.resampling.kfold import KFold
from foldwise.resampling.plan import Cases, Plan, Splits

Pairs = list[tuple[Integers, Integers]]


@dataclass(frozen=True, slots=True, eq=False)
class Foreign(Plan):
    """Any object with scikit-learn's splitter methods, or an iterable of (train, test) index arrays.

    Parameters
    ----------
    splitter
        An object with ``split(X, y, groups)``, or the pairs themselves.
    each_a_run
        Whether every split is a run of its own, because they are no parts of a cross-validation.

    Notes
    -----
    The splitter is copied before each use; where its ``random_state`` is None it gets one derived from the seed, so
    that the plan and the seed determine the splits. All splits are computed at once. Splits of splitters with
    ``n_repeats`` count as so many runs; other splitters make one run.

    Examples
    --------
    >>> plan = Foreign([([0, 1], [2]), ([1, 2], [0])])
    >>> plan.shape(3)
    (1, 2)
    """

    splitter: Any
    each_a_run: bool = False

    def __post_init__(self) -> None:
        if hasattr(self.splitter, "split") and not isinstance(self.splitter, str):
            return
        try:
            pairs = [(_indices(train), _indices(test)) for train, test in self.splitter]
        except (TypeError, ValueError) as error:
            raise InvalidInput(
                f"a plan must be a splitter with a split method or (train, test) pairs, got {self.splitter!r}"
            ) from error
        object.__setattr__(self, "splitter", pairs)

    @property
    def identity(self) -> dict[str, Json]:
        """The splitter's text and a digest of its state, because the text abbreviates long arrays."""
        return {"plan": "foreign", "splitter": self.describe(), "digest": digest(self.splitter)}

    def describe(self) -> str:
        return "given pairs" if isinstance(self.splitter, list) else " ".join(repr(self.splitter).split())

    def _shape(self, cases: Cases) -> tuple[int, int]:
        runs, folds = self._runs_and_folds(cases)
        return (runs * folds, 1) if self.each_a_run else (runs, folds)

    def _runs_and_folds(self, cases: Cases) -> tuple[int, int]:
        if isinstance(self.splitter, list):
            return 1, len(self.splitter)
        count = int(self.splitter.get_n_splits(np.zeros((cases.n, 1)), cases.y, cases.groups))
        runs = int(getattr(self.splitter, "n_repeats", 1))
        return (runs, count // runs) if count % runs == 0 else (1, count)

    def _assign(self, run: int, cases: Cases, seed: int) -> Pairs:
        pairs = self._pairs(cases, seed)
        runs, folds = self._shape(cases)
        if len(pairs) != runs * folds:
            raise InvalidInput(f"splitter announced {runs * folds} splits, but made {len(pairs)}: {self.describe()}")
        for train, test in pairs:
            _check(train, test, cases.n)
        return pairs[run * folds : (run + 1) * folds]

    def _cut(self, assignment: Pairs, fold: int, cases: Cases) -> tuple[Integers, Integers]:
        return assignment[fold]

    def _pairs(self, cases: Cases, seed: int) -> Pairs:
        if isinstance(self.splitter, list):
            return self.splitter
        splitter = copy.deepcopy(self.splitter)
        if getattr(splitter, "random_state", 0) is None:
            splitter.random_state = int(stream(seed, "foreign").integers(2**31))
        try:
            made = list(splitter.split(np.zeros((cases.n, 1)), cases.y, cases.groups))
        except ValueError as error:
            raise InvalidInput(f"splitter {self.describe()} refuses the data: {error}") from error
        return [(_indices(train), _indices(test)) for train, test in made]


def as_plan(value: object) -> Plan:
    """A plan from a plan, a number of folds, a scikit-learn splitter or (train, test) pairs.

    Examples
    --------
    >>> as_plan(5)
    KFold(folds=5, stratified=True)
    """
    if isinstance(value, Plan):
        return value
    if isinstance(value, (int, np.integer)):
        return KFold(int(value))
    return Foreign(list(value) if isinstance(value, Iterable) and not isinstance(value, (str, list)) else value)


def _indices(values: ArrayLike) -> Integers:
    array = np.asarray(values)
    if array.dtype == bool:
        return np.flatnonzero(array)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ValueError(f"indices must be whole numbers on one axis, got {values!r}")
    return array.astype(np.int64)


def _check(train: Integers, test: Integers, n: int) -> None:
    both = np.concatenate([train, test])
    if not len(train) or not len(test):
        raise InvalidInput("each split needs at least one training and one test example")
    if both.min() < 0 or both.max() >= n:
        raise InvalidInput(f"split indices must lie from 0 to {n - 1}, got {both.min()} to {both.max()}")


# ---- Runs of a plan that are partitions of their own: few groups or leave-one-out give the same one again and
# again.


class DistinctRuns:
    """The runs of a plan whose splits no earlier run has, found one after the other as they are asked for.

    Two runs are the same when they train and test on the same examples, whatever the numbers of their folds: five
    groups in five folds, or n examples in n folds, have one partition however often they are dealt. Where several runs
    are the rounds of one partition, all of them are taken or none.

    Examples
    --------
    >>> from foldwise.resampling.kfold import RepeatedKFold
    >>> runs = DistinctRuns(RepeatedKFold(runs=10, folds=3, stratified=False), 3, seed=0)
    >>> runs.take(10), runs.drawn
    ([0], 10)
    """

    __slots__ = ("_known", "_rounds", "_splits", "drawn")

    def __init__(self, plan: Plan, y_or_n: ArrayLike, *, seed: int, groups: ArrayLike | None = None) -> None:
        self._splits: Splits = plan.splits(y_or_n, seed=seed, groups=groups)
        self._rounds = plan.rounds
        self._known: dict[str, int] = {}
        self.drawn = 0

    @property
    def shape(self) -> tuple[int, int]:
        """(runs, folds) of the plan."""
        return self._splits.shape

    @property
    def exhausted(self) -> bool:
        """Whether the plan has no run left that was not looked at."""
        return self.drawn >= self._splits.shape[0]

    @property
    def signatures(self) -> frozenset[str]:
        """What tells the partitions found so far from all others."""
        return frozenset(self._known)

    def take(self, count: int) -> list[int]:
        """The runs of the next `count` partitions that differ from all before them; fewer where there are no more."""
        found: list[int] = []
        while len(found) < count * self._rounds and not self.exhausted:
            signature = self._splits.signature(self.drawn)
            if signature not in self._known:
                self._known[signature] = self.drawn
                found.extend(range(self.drawn, self.drawn + self._rounds))
            self.drawn += self._rounds
        return found
