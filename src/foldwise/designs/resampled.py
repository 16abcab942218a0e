"""Evidence that populations draw, or learners and data give: its plan, sizes and cost, and how it grows run by run."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array, Flags, Integers, Labels
from foldwise.core.validation import integer
from foldwise.designs.kind import AnyKind, Batch, E, Kind, Procedure
from foldwise.inference.stability import PartitionStability, partition_stability
from foldwise.inference.student import StudentResult, moments, student_result
from foldwise.resampling.round_robin import even_blocks, partners

if TYPE_CHECKING:
    from foldwise.engine.result import RunResult
    from foldwise.resampling.plan import Plan, Split


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """Sizes of the resampling in each trial.

    Examples
    --------
    >>> Design(n=300).n_test
    100
    """

    n: int = 300  #: Examples in one data set
    #: runs, folds: Of repeated cross-validation; `folds` also of a single one
    runs: int = 10
    folds: int = 10
    splits: int = 30  #: Number of random splits for the resampled tests
    parts: int = 3  #: A holdout or random split tests on one of this many parts of the data
    nestings: int = 2  #: How often nested cross-validation is repeated
    #: blocks, dealings: Of the round robin: into how many blocks the examples are dealt, and how often
    blocks: int = 6
    dealings: int = 6
    repetitions: int = 1  #: How often the whole resampling is repeated on the same data set (for replicability)

    def __post_init__(self) -> None:
        integer(self.n, "n", minimum=4)
        integer(self.runs, "runs", minimum=1)
        integer(self.folds, "folds", minimum=2)
        integer(self.splits, "splits", minimum=2)
        integer(self.nestings, "nestings", minimum=1)
        even_blocks(self.blocks)
        integer(self.dealings, "dealings", minimum=1)
        integer(self.repetitions, "repetitions", minimum=1)
        integer(self.parts, "parts", minimum=2)
        if max(self.folds, self.parts) > self.n:
            raise InvalidInput(f"folds and parts must be at most n = {self.n}, got {self.folds} and {self.parts}")

    @property
    def n_test(self) -> int:
        """Test examples in a holdout or a random split."""
        return self.n // self.parts


@dataclass(frozen=True, slots=True)
class Shape:
    """Folds dealt to all examples, so often, of which so many are tested in each run.

    In a round robin the folds are blocks, and the runs its rounds: each block is left out together with the one that it
    meets, and one dealing serves all rounds; nested cross-validation leaves each fold out alone first.
    """

    runs: int
    folds: int
    tested: int
    meeting: Literal["alone", "round robin", "nested"] = "alone"

    @property
    def partners(self) -> Integers:
        """Per round and fold the fold that is left out with it; itself where folds are left out alone."""
        alone = np.arange(self.folds)[None]
        if self.meeting == "alone":
            return alone
        met = partners(self.folds)
        return met if self.meeting == "round robin" else np.concatenate([alone, met])

    @property
    def splits(self) -> int:
        """Trainings of each learner."""
        if self.meeting == "alone":
            return self.runs * self.tested
        met = self.partners
        return self.runs // len(met) * int(np.count_nonzero(met >= np.arange(self.folds)))


class Simulated(Kind[E]):
    """A kind of evidence whose tests the lab puts on trial: many trials of it are one array."""

    grows_with: ClassVar[str | None] = None  # The size in a `Design` that makes it larger, if one does.
    simulated: ClassVar[bool] = True  # Whether a population of the lab draws it.
    own_sizes: ClassVar[tuple[str, ...]] = ()  # Sizes in a `Design` that no other kind has.

    @abstractmethod
    def numbers(self, design: Design) -> int:
        """How many numbers it has in one trial."""

    def mean_difference(self, data: Array) -> Array:
        """The difference a − b that each of many trials shows; the first axis runs over the trials."""
        return np.asarray(data.reshape(len(data), -1).mean(axis=1))

    @abstractmethod
    def trainings(self, design: Design) -> int:
        """How often each learner is trained."""

    def drawn(self, data: Array, design: Design, alpha: float) -> Batch:
        """What a population drew, as the tests take it."""
        return Batch(data=data, alpha=alpha)


AnySimulated: TypeAlias = Simulated[Any]  # Of whatever evidence.


FIRST_RUNS = 10  # Runs to begin with, and the number that the degrees of freedom are fixed at.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Growth:
    """What adding partitions to the evidence of a test needs."""

    procedure: Procedure  #: The test, with its scale and degrees of freedom fixed
    partition: str  #: What one partition is called
    first: int  #: Partitions to begin with
    cost: float  #: What a partition costs, in runs of cross-validation
    alpha: float  #: Level of the test
    #: How far a verdict at a level is from depending on the partitioning, from differences whose first axis are
    #: partitions
    stability: Callable[..., PartitionStability]

    def most(self, runs: int) -> int:
        """Partitions that cost as much as so many runs of cross-validation."""
        return max(self.first, int(runs / self.cost))


def fixed_scale(procedure: Procedure, *, folds: int, alpha: float, limit: int | None, partition: str) -> Growth | None:
    """Growth by runs of cross-validation, for tests that have a law of settled scale; None for the others."""
    if procedure.settled is None:
        return None
    fixed, multiplier, df = fixed_procedure(procedure, procedure.settled, folds, 1 / (folds - 1))
    freedom = df if limit is None else min(df, limit - 1)
    stability = partial(partition_stability, multiplier=multiplier, df=freedom)
    return Growth(procedure=fixed, partition=partition, first=FIRST_RUNS, cost=1, alpha=alpha, stability=stability)


def fixed_procedure(
    procedure: Procedure, settled: Callable[[int, float], tuple[float, float]], folds: int, ratio: float
) -> tuple[Procedure, float, float]:
    """The test with its scale and degrees of freedom fixed, so that more runs do not manufacture significance.

    Returns the procedure, the multiplier of mean/σ̂, and the degrees of freedom: those that it is `settled` at with the
    first ten runs. Where there are fewer than ten partitions, those there are count.
    """
    run = partial(_fixed, settled, folds, ratio)
    return replace(procedure, run=run, warning=None), *settled(FIRST_RUNS * folds, ratio)


def _fixed(
    settled: Callable[[int, float], tuple[float, float]], folds: int, ratio: float, batch: Batch
) -> StudentResult:
    *leading, runs, _ = batch.data.shape
    multiplier, df = settled(min(runs, FIRST_RUNS) * folds, ratio)
    m = moments(batch.data.reshape(*leading, -1))
    return student_result(m.mean, np.sqrt(m.variance) / multiplier, df)


UNUSED = -2  # In the folds of a trial: an example that is neither trained on nor tested.


class Resampled(Simulated[E]):
    """A kind of evidence that two learners give when they are trained and tested on parts of a data set.

    ``compare`` takes its plan and what the engine delivers; the lab its shape, its folds and its numbers.
    """

    counts_right_answers: ClassVar[bool] = False
    """Whether it knows right and wrong answers only, so that no other metric than accuracy can be judged by it."""
    by_example: ClassVar[bool] = False
    """Whether it looks at single examples, so that only means over examples can be judged by it."""
    to_first_order: ClassVar[bool] = False  # Whether it also judges metrics that are no means, to first order.
    simulated: ClassVar[bool] = True  # Whether populations of the lab draw it.
    contained_in: ClassVar[str | None] = None  # The kind whose numbers hold this one's, if one does.
    by_fold: ClassVar[bool] = False
    """Whether it consists of the differences of accuracy on folds, which batch kernels count."""
    dealt_evenly: ClassVar[bool] = True  # Whether `fold_ids` deals stratified folds, as the batch kernels do.
    usual_runs: ClassVar[int] = 10  # Runs that ``compare`` makes where nothing is said.
    usual_folds: ClassVar[int] = 10  # Folds of each run, likewise.
    partition: ClassVar[str] = "run"  # What a partition of the examples is called; a plan may make several runs of one.
    least_partitions: ClassVar[int] = 1  # Different partitions without which its tests have no answer.

    @abstractmethod
    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        """The resampling that gives it."""

    @abstractmethod
    def from_run(self, result: RunResult, groups: Labels | None, pieces: int | None) -> E:
        """The evidence in what the engine delivers."""

    def growing(self, result: RunResult, groups: Labels | None, pieces: int | None) -> Array:
        """What partitions are added to with ``runs="auto"``: learners × partitions × …, differences of which count."""
        return np.asarray(self.from_run(result, groups, pieces).values)  # type: ignore[attr-defined]

    def from_runs(self, results: Sequence[RunResult], groups: Labels | None, pieces: int | None) -> E:
        """The evidence in several lots of runs."""
        first, *others = (self.from_run(result, groups, pieces) for result in results)
        values: Any = np.concatenate([first.values, *(one.values for one in others)], axis=1)  # type: ignore[attr-defined]
        return replace(first, values=values)  # type: ignore[call-arg]

    @abstractmethod
    def shape(self, design: Design) -> Shape:
        """How many folds are dealt and tested in a trial of the lab."""

    def ratio(self, design: Design) -> float:
        """n_test / n_train of one split: one fold is tested and the others train, where a kind does not say else."""
        return 1 / (design.folds - 1)

    def n_train(self, design: Design) -> int:
        """Training examples in one split (one more where folds are uneven)."""
        return design.n - math.ceil(design.n / design.folds)

    @abstractmethod
    def measured(self, ids: Integers, right: tuple[Flags, Flags]) -> Array:
        """The numbers of one trial, from the fold of each example (below 0: not tested) and who was right on it.

        All have shape (runs, examples).
        """

    def measured_of_classes(self, ids: Integers, right: tuple[Flags, Flags], y: Labels) -> Array:
        """The same where the class of each example is known; few kinds look at it."""
        return self.measured(ids, right)

    def arranged(self, x: Array) -> Array:
        """Differences by run and fold in the shape that its tests take, behind any leading axes."""
        return x

    def trainings(self, design: Design) -> int:
        return self.shape(design).splits

    def drawn(self, data: Array, design: Design, alpha: float) -> Batch:
        return Batch(data=data, ratio=self.ratio(design), alpha=alpha)

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

    def fold_ids(self, y: Labels, shape: Shape, seed: int) -> Integers:
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


AnyResampled: TypeAlias = Resampled[Any]  # Of whatever evidence.


def split_ids(splits: Iterable[Split], runs: int, examples: int) -> Integers:
    """The `fold_ids` of splits that leave examples out altogether: 0 tested, −1 trained on, −2 (`UNUSED`) neither."""
    ids = np.full((runs, examples), UNUSED, dtype=np.int64)
    for row, split in zip(ids, splits, strict=True):
        row[split.train], row[split.test] = -1, 0
    return ids


def resampled(procedure: Procedure) -> AnyResampled:
    """The kind of a test whose evidence learners and data can give; others are refused."""
    if isinstance(procedure.kind, Resampled):
        return procedure.kind
    raise InvalidInput(
        f"test '{procedure.name}' needs {procedure.kind.words}, which no resampling of one data set gives"
    )


def only_resampled(kinds: Sequence[AnySimulated]) -> list[AnyResampled]:
    return [kind for kind in kinds if isinstance(kind, Resampled)]


def is_simulated(kind: AnyKind) -> bool:
    return isinstance(kind, Simulated) and kind.simulated


def simulated(procedure: Procedure) -> AnySimulated:
    """The kind of a test whose evidence populations draw; others are refused."""
    if isinstance(procedure.kind, Simulated) and is_simulated(procedure.kind):
        return procedure.kind
    raise InvalidInput(f"test '{procedure.name}' needs {procedure.kind.words}, which no population draws")
