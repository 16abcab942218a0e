"""Kinds of evidence that learners and data give: the plan, its sizes and cost, and the numbers of a trial."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Labels
from foldwise.kinds.design import Design, Shape
from foldwise.kinds.growth import Growth
from foldwise.kinds.kind import AnyKind, E
from foldwise.kinds.procedure import Batch, Procedure
from foldwise.kinds.simulated import AnySimulated, Simulated

if TYPE_CHECKING:
    from foldwise.engine.result import RunResult
    from foldwise.resampling.plan import Plan

__all__ = ["UNUSED", "AnyResampled", "Resampled", "is_simulated", "only_resampled", "resampled", "simulated"]


UNUSED = -2
"""In the folds of a trial: an example that is neither trained on nor tested."""


class Resampled(Simulated[E]):
    """A kind of evidence that two learners give when they are trained and tested on parts of a data set.

    ``compare`` takes its plan and what the engine delivers; the lab its shape, its folds and its numbers.
    """

    counts_right_answers: ClassVar[bool] = False
    """Whether it knows right and wrong answers only, so that no other metric than accuracy can be judged by it."""
    by_example: ClassVar[bool] = False
    """Whether it looks at single examples, so that only means over examples can be judged by it."""
    simulated: ClassVar[bool] = True
    """Whether populations of the lab draw it."""
    contained_in: ClassVar[str | None] = None
    """The kind whose numbers hold this one's, if one does."""
    by_fold: ClassVar[bool] = False
    """Whether it consists of the differences of accuracy on folds, which batch kernels count."""
    dealt_evenly: ClassVar[bool] = True
    """Whether `fold_ids` deals stratified folds, as the batch kernels do."""

    usual_runs: ClassVar[int] = 10
    """Runs that ``compare`` makes where nothing is said."""
    usual_folds: ClassVar[int] = 10
    """Folds of each run, likewise."""
    partition: ClassVar[str] = "run"
    """What a partition of the examples is called; a plan may make several runs of one."""

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
        """The numbers of one trial, from the fold of each example (below 0: not tested) and who was right on it.

        All have shape (runs, examples).
        """

    def measured_of_classes(
        self, ids: NDArray[np.int64], right: tuple[NDArray[np.bool_], NDArray[np.bool_]], y: Labels
    ) -> Array:
        """The same where the class of each example is known; few kinds look at it."""
        return self.measured(ids, right)

    def arranged(self, x: Array) -> Array:
        """Differences by run and fold in the shape that its tests take, behind any leading axes."""
        return x

    def trainings(self, design: Design) -> int:
        """How often each learner is trained."""
        return self.shape(design).splits

    def drawn(self, data: Array, design: Design, alpha: float) -> Batch:
        """With the ratio of one split."""
        return Batch(data=data, ratio=self.ratio(design), alpha=alpha)

    def least_partitions(self) -> int:
        """Different partitions without which its tests have no answer."""
        return 1

    def search_plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        """The plan among whose runs different partitions are looked for: its own."""
        return self.plan(runs=runs, folds=folds, stratified=stratified)

    def partitions_wanted(self, runs: int) -> int:
        """Different partitions that are looked for among so many runs: all of them."""
        return runs

    def growth(self, procedure: Procedure, *, folds: int, alpha: float, limit: int | None) -> Growth | None:
        """How the evidence grows with ``runs="auto"``; None for tests whose evidence does not.

        `limit` is the number of independent pieces of data, where it bounds the degrees of freedom.
        """
        return None

    def cut(self, larger: Array) -> Array:
        """Its numbers out of those of the kind that contains it."""
        return larger

    def fold_ids(self, y: Labels, shape: Shape, seed: int) -> NDArray[np.int64]:
        """The fold that each example is left out with in each run of a trial; −1 where it is trained on only.

        A kind whose runs leave out some examples altogether marks them with `UNUSED`.

        Stratified; for two classes those of the batch kernels, so that both ways give the same study.
        """
        from foldwise.learners.binary import stratified_folds
        from foldwise.resampling.kfold import RepeatedKFold

        codes = np.unique(y, return_inverse=True)[1]
        met = shape.partners
        dealings = shape.runs // len(met)
        if codes.max() <= 1:
            dealt = stratified_folds(codes, runs=dealings, folds=shape.folds, seed=seed)
        else:
            dealt = RepeatedKFold(runs=dealings, folds=shape.folds).fold_ids(y, seed=seed)
        # folds that meet are one, and are numbered without gaps
        together = [np.unique(np.minimum(row, np.arange(shape.folds)), return_inverse=True)[1] for row in met]
        ids = np.stack([row[fold_of] for fold_of in dealt for row in together])
        return np.where(ids < shape.tested, ids, -1)


AnyResampled: TypeAlias = Resampled[Any]
"""Of whatever evidence."""


def resampled(procedure: Procedure) -> AnyResampled:
    """The kind of a test whose evidence learners and data can give; others are refused."""
    if isinstance(procedure.kind, Resampled):
        return procedure.kind
    raise InvalidInput(
        f"test '{procedure.name}' needs {procedure.kind.words}, which no resampling of one data set gives"
    )


def only_resampled(kinds: Sequence[AnySimulated]) -> list[AnyResampled]:
    """Those of the kinds that learners and data can give."""
    return [kind for kind in kinds if isinstance(kind, Resampled)]


def is_simulated(kind: AnyKind) -> bool:
    """Whether populations of the lab draw it."""
    return isinstance(kind, Simulated) and kind.simulated


def simulated(procedure: Procedure) -> AnySimulated:
    """The kind of a test whose evidence populations draw; others are refused."""
    if isinstance(procedure.kind, Simulated) and is_simulated(procedure.kind):
        return procedure.kind
    raise InvalidInput(f"test '{procedure.name}' needs {procedure.kind.words}, which no population draws")
