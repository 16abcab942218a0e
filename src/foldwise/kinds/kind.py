"""What a kind of evidence owns: its words, its promise, its plan, its numbers, and what can be drawn of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from foldwise.core.types import Array, Labels
from foldwise.evidence.evidence import Evidence
from foldwise.kinds.curves import PosteriorCurve
from foldwise.kinds.design import Design, Shape
from foldwise.kinds.findings import Findings
from foldwise.kinds.procedure import Batch, Procedure

if TYPE_CHECKING:
    from foldwise.engine.result import RunResult
    from foldwise.resampling import Plan

__all__ = ["AnyKind", "Kind", "Promise"]

E = TypeVar("E", bound=Evidence)


class Promise(Enum):
    """What an answer may promise, in a sentence for people to read."""

    PROVED = "proved, whatever the learners: it is about these fitted models, on items like these"
    STABLE = (
        "proved for stable learners, measured on named sources: no test with useful power can be right for every "
        "learner (Luo & Barber 2024)"
    )
    ASSUMPTION_FREE = "assumption-free for algorithms at this training size: the parts are independent"
    OVER_DATA_SETS = "over data sets like these: the data set is the unit"


class Kind(ABC, Generic[E]):
    """One kind of evidence about two learners. There is one object of each; procedures name theirs."""

    name: ClassVar[str]
    """What it is called in stores and messages."""
    words: ClassVar[str]
    """What it is, as in "test 'x' needs …"."""
    promise: ClassVar[Promise]
    """What an answer from it may promise."""
    assumes: ClassVar[tuple[str, ...]]
    """Sentences that must hold for a p-value to mean what it says."""
    plots: ClassVar[tuple[str, ...]]
    """Plots that suit it, by name, besides those that every comparison has."""
    recommended: ClassVar[str]
    """The test that ``test="auto"`` takes."""
    because: ClassVar[str]
    """Why that one."""
    limit: ClassVar[str]
    """What no answer from it says: the last of its caveats."""
    counts_right_answers: ClassVar[bool] = False
    """Whether it knows right and wrong answers only, so that no other metric than accuracy can be judged by it."""
    simulated: ClassVar[bool] = True
    """Whether populations of the lab draw it."""
    grows_with: ClassVar[str | None] = None
    """The size in a `Design` that makes it larger, if one does."""
    contained_in: ClassVar[str | None] = None
    """The kind whose numbers hold this one's, if one does."""
    dealt_evenly: ClassVar[bool] = True
    """Whether `fold_ids` deals stratified folds, as the batch kernels do."""

    # evidence that is there

    @abstractmethod
    def natural(self, evidence: Evidence) -> bool:
        """Whether this is what the evidence is by itself, so that ``test="auto"`` takes this kind."""

    @abstractmethod
    def fits(self, evidence: Evidence) -> bool:
        """Whether the evidence can be taken for this kind, if it is asked for."""

    @abstractmethod
    def batch(self, evidence: E, alpha: float) -> Batch:
        """The evidence as its tests take it."""

    @abstractmethod
    def findings(self, evidence: E, procedure: Procedure, *, alpha: float, rope: float) -> Findings:
        """What a test of this kind finds."""

    @abstractmethod
    def posterior(self, evidence: E, rope: float) -> PosteriorCurve | None:
        """The posterior behind the probabilities; None where all of it is in one point."""

    @abstractmethod
    def estimand(self, evidence: E, names: tuple[str, str]) -> str:
        """What the answer is about."""

    @abstractmethod
    def caveats(self, evidence: E, procedure: Procedure, names: tuple[str, str], rope: float) -> list[str]:
        """What a careful reader should know of such evidence."""

    # evidence to be made

    @abstractmethod
    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        """The resampling that gives it."""

    @abstractmethod
    def from_run(self, result: RunResult, groups: Labels | None, pieces: int | None) -> E:
        """The evidence in what the engine delivers."""

    @abstractmethod
    def shape(self, design: Design) -> Shape:
        """How many folds are dealt and tested in a trial of the lab."""

    @abstractmethod
    def ratio(self, design: Design) -> float:
        """n_test / n_train of one split."""

    @abstractmethod
    def n_train(self, design: Design) -> int:
        """Training examples in one split (one more where folds are uneven)."""

    @abstractmethod
    def measured(self, ids: NDArray[np.int64], right: tuple[NDArray[np.bool_], NDArray[np.bool_]]) -> Array:
        """The numbers of one trial, from the fold of each example (−1: not tested) and who was right on it.

        All have shape (runs, examples).
        """

    @abstractmethod
    def numbers(self, design: Design) -> int:
        """How many numbers it has in one trial."""

    @abstractmethod
    def mean_difference(self, data: Array) -> Array:
        """The difference a − b that each of many trials shows; the first axis runs over the trials."""

    def plots_of(self, evidence: E) -> tuple[str, ...]:
        """The plots that suit this evidence."""
        return self.plots

    def trainings(self, design: Design) -> int:
        """How often each learner is trained."""
        return self.shape(design).splits

    def least_partitions(self) -> int:
        """Different partitions without which its tests have no answer."""
        return 1

    def cut(self, larger: Array) -> Array:
        """Its numbers out of those of the kind that contains it."""
        return larger

    def fold_ids(self, y: Labels, shape: Shape, seed: int) -> NDArray[np.int64]:
        """The fold of each example in each run of a trial; −1 where it is not tested.

        Stratified; for two classes those of the batch kernels, so that both ways give the same study.
        """
        from foldwise.learners.binary import stratified_folds
        from foldwise.resampling import RepeatedKFold

        codes = np.unique(y, return_inverse=True)[1]
        if codes.max() <= 1:
            ids = stratified_folds(codes, runs=shape.runs, folds=shape.folds, seed=seed)
        else:
            ids = RepeatedKFold(runs=shape.runs, folds=shape.folds).fold_ids(y, seed=seed)
        return np.where(ids < shape.tested, ids, -1)

    def __eq__(self, other: object) -> bool:
        # a worker's copy of a kind is the same kind
        return isinstance(other, Kind) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"<kind of evidence: {self.name}>"


AnyKind: TypeAlias = Kind[Any]
"""A kind of whatever evidence."""
