"""Random divisions into a training and a test set: one (holdout) or many."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from foldwise.core.errors import InvalidInput
from foldwise.core.random import stream
from foldwise.core.types import Integers, Json
from foldwise.core.validation import fraction, integer
from foldwise.resampling.cases import Cases
from foldwise.resampling.deal import draw_examples, draw_groups
from foldwise.resampling.plan import Plan

__all__ = ["Holdout", "RandomSplits"]

Halves = tuple[Integers, Integers]


class _Divisions(Plan):
    """What one and many random divisions share."""

    __slots__ = ()

    @abstractmethod
    def _design(self) -> tuple[int, float, bool]:
        """(divisions, test fraction, stratified)."""

    @property
    def identity(self) -> dict[str, Json]:
        """Test fraction and stratification: a holdout is the first of many random splits."""
        _, test_fraction, stratified = self._design()
        return {"plan": "random_splits", "test_fraction": test_fraction, "stratified": stratified}

    def describe(self) -> str:
        """For example "30 random splits, 33.3 % tested"."""
        n, test_fraction, stratified = self._design()
        title = "one random split" if n == 1 else f"{n} random splits"
        return f"{title}, {100 * test_fraction:.3g} % tested" + (", stratified" if stratified else "")

    def _shape(self, cases: Cases) -> tuple[int, int]:
        n, test_fraction, _ = self._design()
        if not 0 < round(cases.n * test_fraction) < cases.n:
            raise InvalidInput(f"test_fraction {test_fraction:g} of {cases.n} examples leaves one side empty")
        if cases.groups is not None and not cases.groups.any():
            raise InvalidInput("groups must be at least 2, got 1")
        return n, 1

    def _assign(self, run: int, cases: Cases, seed: int) -> Halves:
        _, test_fraction, stratified = self._design()
        n_test, rng = round(cases.n * test_fraction), stream(seed, "division", run)
        if cases.groups is not None:
            return draw_groups(cases.groups, n_test, rng)
        return draw_examples(cases.strata(stratified), n_test, rng)

    def _cut(self, assignment: Halves, fold: int, cases: Cases) -> Halves:
        return assignment


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

    test_fraction: float = 1 / 3
    stratified: bool = False

    def __post_init__(self) -> None:
        fraction(self.test_fraction, "test_fraction")

    def _design(self) -> tuple[int, float, bool]:
        return 1, self.test_fraction, self.stratified


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

    def __post_init__(self) -> None:
        integer(self.n, "n", minimum=1)
        fraction(self.test_fraction, "test_fraction")

    def _design(self) -> tuple[int, float, bool]:
        return self.n, self.test_fraction, self.stratified
