"""Scores of two or more learners on the same parts of one data set: splits, halves, blocks, or single examples."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import ClassVar, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.digest import digest
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import UNNAMED, Unit, check_scales, check_unit, measured_by, metric_words, resolve_direction
from foldwise.core.types import Array, Flags, Integers, Labels
from foldwise.core.validation import floats, integer, missing_as_nan, moderate, not_vanishing, numbers, one_of, positive
from foldwise.evidence.evidence import Evidence, EvidenceTable, as_argument, named_models, rounded_differences
from foldwise.evidence.missing import POLICIES, MissingRule, MissingValues, Policy, settle_missing

MOST_FOLDS = 10
"""Scores in a vector up to which it is taken for one cross-validation: more are hardly one, and to take a repeated
cross-validation for a single one of many small folds would promise too much."""

FEWEST_BLOCKS = 3  # Blocks of which two can be left out.
SHOWN = 500  # Rows of a table of examples for people.

P = TypeVar("P", bound="PartScores")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PartScores(Evidence):
    """Scores of k learners on the same parts of a data set."""

    part: ClassVar[str]
    """What one part is called."""

    values: Array  #: Learners × parts; parts may have several axes
    n_train: float | None = None  #: Examples in one training; None where it is not known

    @property
    def numbers(self) -> Array:
        return self.values

    @property
    @abstractmethod
    def places(self) -> Mapping[str, Labels]:
        """Where each part stands, counted from 0: "run", "fold" …"""

    @property
    def flat(self) -> Array:
        return self.values.reshape(len(self.values), -1)

    @property
    def differences(self) -> Array:
        """Of two learners, a − b on every part; what rounding alone tells apart is the same."""
        return rounded_differences(self.a, self.b)

    @property
    def means(self) -> Array:
        return np.asarray(self.flat.mean(axis=1))

    @property
    def digest(self) -> str:
        return digest([self.values])

    def pair(self: P, i: int, j: int) -> P:
        values, missing = self.values[[i, j]], self.missing_of(i, j)
        return replace(self, names=(self.names[i], self.names[j]), values=values, missing=missing)

    def columns(self) -> dict[str, Labels]:
        columns = {**self.places, **dict(zip(self.names, self.flat, strict=True))}
        return columns | ({"difference": self.differences.ravel()} if len(self.names) == 2 else {})

    def table(self) -> EvidenceTable:
        numbered = zip(*(column[:SHOWN].tolist() for column in self.places.values()), strict=True)
        places = [", ".join(str(int(i) + 1) for i in place) for place in numbered]
        columns = {
            name: [_shown(x) for x in row[:SHOWN].tolist()] for name, row in zip(self.names, self.flat, strict=True)
        }
        if len(self.names) == 2:
            columns["difference"] = [f"{d:+.4f}".replace("-", "−") for d in self.differences.ravel()[:SHOWN].tolist()]
        first = f", the first {SHOWN}" if self.flat.shape[1] > SHOWN else ""
        return EvidenceTable(
            columns=(", ".join(self.places), *columns),
            rows=tuple(zip(places, *columns.values(), strict=True)),
            caption=f"{metric_words(self.metric)} on each {self.part}{first}",
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scores(PartScores):
    """Scores on splits, and how these overlap.

    `values` are (learners, runs, folds) for cross-validation, (learners, splits) for random splits.

    >>> scores = Scores.build({"a": [[0.8, 0.9], [0.7, 0.8]], "b": [[0.6, 0.8], [0.7, 0.9]]})
    >>> scores.design, scores.test_train_ratio
    ('2×2-fold cross-validation', 1.0)
    """

    part: ClassVar[str] = "split"

    n_test: float | None = None  #: Examples in one test set; None where the folds alone decide its share
    #: Whether a vector of scores was only taken for one cross-validation, because nobody said what it is
    folds_assumed: bool = False
    #: Number of independent groups (or examples) behind the splits, where it bounds the degrees of freedom: three
    #: groups are three pieces of evidence in however many splits. None where it does not, or is unknown
    pieces: int | None = None

    @classmethod
    def build(
        cls, scores: Mapping[str, ArrayLike], *, n_train: float | None = None, n_test: float | None = None,
        higher_is_better: bool | None = None, metric: str = UNNAMED, unit: Unit | None = None,
        pieces: int | None = None, runs: int | None = None, missing: Policy = "refuse",
        bounds: tuple[float, float] | None = None, called: Callable[[str], str] = as_argument,
    ) -> Scores:  # fmt: skip
        """Check and pair the scores of the learners; without `higher_is_better` the metric's name tells.

        A vector with `runs` is a cross-validation repeated so often, run by run, as scikit-learn's splitters give it; a
        short one of which nothing is known is taken for one cross-validation. Missing scores are refused, left out
        (splits of random splits, whole runs or folds of cross-validation) or taken as the worst possible ones.
        `called` is how messages name what was given of a learner.
        """
        one_of(missing, "missing", POLICIES)
        names = named_models(scores)
        read = numbers if missing == "refuse" else _with_gaps
        named = dict(zip(map(called, names), scores.values(), strict=True))
        given = {name: read(values, name) for name, values in named.items()}
        a = next(iter(given.values()))
        for name, values in given.items():
            moderate(values, name)
        not_vanishing(*given.values(), name="scores")
        _one_shape(given)
        if a.ndim not in (1, 2) or 0 in a.shape:
            raise InvalidInput(f"scores must have shape (runs, folds) or (splits,), got {a.shape}")
        if a.size < 2:
            raise InvalidInput("one split says nothing about the variance between splits: at least 2 are needed, got 1")
        sizes = [
            None if size is None else positive(size, name) for size, name in ((n_train, "n_train"), (n_test, "n_test"))
        ]
        assumed_folds = a.ndim == 1 and runs is None and sizes == [None, None] and a.size <= MOST_FOLDS
        if a.ndim == 1 and (runs is not None or assumed_folds):
            given = {name: _by_run(values, 1 if runs is None else runs) for name, values in given.items()}
        elif runs is not None and runs != a.shape[0]:
            raise InvalidInput(f"runs must be {a.shape[0]}, as the scores have it, got {runs}")
        shape = next(iter(given.values())).shape
        if len(shape) == 1 and None in sizes:
            raise InvalidInput(
                "n_train and n_test are needed for random splits, because their overlap decides the variance, or runs "
                f"for a repeated cross-validation (runs=1 for one); got n_train={n_train}, n_test={n_test}"
            )
        if len(shape) == 2 and shape[1] < 2:
            raise InvalidInput(f"a cross-validation has at least 2 folds, got shape {shape} (runs, folds)")
        metric = measured_by(metric, names)
        check_scales(metric, dict(zip(names, given.values(), strict=True)))
        higher, direction = resolve_direction(metric, higher_is_better)
        rule = MissingRule(policy=missing, metric=metric, higher_is_better=higher, bounds=bounds, unit=unit)
        values, lost = _settled(given, rule)
        return cls(
            names=names,
            values=values,
            missing=lost,
            n_train=sizes[0],
            n_test=sizes[1],
            higher_is_better=higher,
            metric=metric,
            direction=direction,
            declared_unit=check_unit(unit),
            folds_assumed=assumed_folds,
            pieces=None if pieces is None else integer(pieces, "pieces", minimum=2),
        )

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape[1:]

    @property
    def test_train_ratio(self) -> float:
        """n_test / n_train of one split; 1/(k−1) for k folds of unknown size."""
        if self.n_train is not None and self.n_test is not None:
            return self.n_test / self.n_train
        return 1 / (int(self.shape[1]) - 1)

    @property
    def correlation(self) -> float:
        """Nadeau and Bengio's correlation between splits, n_test / (n_train + n_test)."""
        return self.test_train_ratio / (1 + self.test_train_ratio)

    def most_df(self, nominal: float) -> float:
        """The nominal degrees of freedom, but no more than the independent pieces have."""
        return nominal if self.pieces is None else min(nominal, self.pieces - 1.0)

    @property
    def design(self) -> str:
        if len(self.shape) == 1:
            return f"{self.shape[0]} random splits"
        runs, folds = self.shape
        return f"{folds}-fold cross-validation" if runs == 1 else f"{runs}×{folds}-fold cross-validation"

    @property
    def repeated_runs(self) -> tuple[int, int] | None:
        """Two runs with the same scores in any order of the folds, if they can hardly be so by chance."""
        if len(self.shape) == 1:
            return None
        known: dict[tuple[tuple[float, ...], ...], int] = {}
        # two partitions never give the same scores by chance, but for a few folds of few examples
        for run, scores in enumerate(np.moveaxis(self.values, 0, -1).tolist()):
            row = tuple(sorted(map(tuple, scores)))
            # few different scores (two folds, or scores of a handful of examples) meet again by chance
            if row in known and len(set(row)) >= 3:
                return known[row], run
            known.setdefault(row, run)
        return None

    @property
    def places(self) -> dict[str, Labels]:
        keys = ("split",) if len(self.shape) == 1 else ("run", "fold")
        return dict(zip(keys, np.indices(self.shape).reshape(len(self.shape), -1), strict=True))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class InfluenceScores(Scores):
    """Scores of a repeated cross-validation, with what its examples tell of the influence of each on training."""

    parts: Array  #: Of each pair of learners, in the order of `itertools.combinations`, the parts of the variance
    fewest: int | None = None  #: Examples of the rarest class; None where there are no classes

    @classmethod
    def of(cls, scores: Scores, parts: Array, fewest: int | None) -> InfluenceScores:
        return cls(
            **{one.name: getattr(scores, one.name) for one in fields(scores) if one.init}, parts=parts, fewest=fewest
        )

    def of_pair(self, i: int, j: int) -> Array:
        """The parts of one pair; the first, the estimate, has the sign of the order."""
        k, low, high = len(self.names), min(i, j), max(i, j)
        found = self.parts[low * k - low * (low + 1) // 2 + high - low - 1].copy()
        found[0] *= 1 if i < j else -1
        return np.asarray(found)

    def pair(self, i: int, j: int) -> InfluenceScores:
        return replace(PartScores.pair(self, i, j), parts=self.of_pair(i, j)[None])

    @property
    def repeated_runs(self) -> None:
        """The partitions were made here, and differ: equal scores are chance."""
        return

    @property
    def digest(self) -> str:
        return digest([self.values, self.parts])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HalvedScores(Scores):
    """Scores whose first row are the splits of all examples, and whose others those of halves, two by two.

    `values` are (learners, 1 + 2 · halvings, splits).
    """

    @property
    def means(self) -> Array:
        """Mean score of each learner on the splits of all examples."""
        return np.asarray(self.values[:, 0].mean(axis=1))

    @property
    def design(self) -> str:
        rows, each = self.shape
        return f"{each} random splits, and {each} of each half of {rows // 2} halvings"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BlockScores(PartScores):
    """Scores of a round robin: every pair of blocks is left out once, and both are tested.

    `values` are (learners, dealings, g, g): ``values[m, r, b, c]`` on block c of dealing r by learner m that saw
    neither b nor c. The diagonal is 0 and means nothing.

    >>> scores = BlockScores.build({"a": np.full((3, 3), 0.8), "b": np.full((3, 3), 0.7)}, metric="accuracy")
    >>> scores.design, scores.differences.size
    ('round-robin cross-validation of 3 blocks', 6)
    """

    part: ClassVar[str] = "block"

    pieces: int | None = None  #: Examples or groups that were dealt; None where it is not known

    @classmethod
    def build(
        cls, scores: Mapping[str, ArrayLike], *, n_train: float | None = None, higher_is_better: bool | None = None,
        metric: str = UNNAMED, pieces: int | None = None, called: Callable[[str], str] = as_argument,
    ) -> BlockScores:  # fmt: skip
        """Check and pair the scores of the learners, each (g, g) or (dealings, g, g)."""
        names = named_models(scores)
        given = {
            called(name): _blocks(values, called(name)) for name, values in zip(names, scores.values(), strict=True)
        }
        _one_shape(given)
        higher, direction = resolve_direction(metric, higher_is_better)
        return cls(
            names=names, values=np.array(list(given.values())), n_train=n_train, higher_is_better=higher,
            metric=metric, direction=direction, pieces=pieces,
        )  # fmt: skip

    @property
    def dealings(self) -> int:
        return int(self.values.shape[1])

    @property
    def blocks(self) -> int:
        return int(self.values.shape[2])

    @property
    def apart(self) -> Flags:
        """Where two different blocks meet: all but the diagonal of every dealing."""
        return np.broadcast_to(~np.eye(self.blocks, dtype=bool), self.values.shape[1:])

    @property
    def flat(self) -> Array:
        return np.asarray(self.values[:, self.apart])

    @property
    def numbers(self) -> Array:
        return self.flat

    @property
    def tables(self) -> Array:
        """Differences a − b of two as the round-robin test takes them: (dealings, g, g), with 0 on the diagonal."""
        return rounded_differences(*self.values)

    @property
    def differences(self) -> Array:
        """Of two learners, a − b on every block of every training, in one row."""
        return np.asarray(self.tables[self.apart])

    @property
    def design(self) -> str:
        times = f", {self.dealings} dealings" if self.dealings > 1 else ""
        return f"round-robin cross-validation of {self.blocks} blocks{times}"

    @property
    def places(self) -> dict[str, Labels]:
        """The dealing, the other block that was left out, and the block that was tested."""
        return dict(zip(("dealing", "left_out", "tested"), np.argwhere(self.apart).T, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExampleScores(PartScores):
    """Scores of single examples in each run of a cross-validation: right or wrong, or a loss.

    `values` are (learners, runs, examples).

    >>> folds = {"resampling": "cv_examples", "resampled": "2-fold cross-validation", "n_train": 2}
    >>> scores = ExampleScores.build({"a": [[1, 0, 1]], "b": [[1, 1, 0]]}, [[0, 0, 1]], **folds)
    >>> scores.differences.tolist(), scores.means.round(2).tolist()
    ([[0.0, -1.0, 1.0]], [0.67, 0.67])
    """

    part: ClassVar[str] = "example"

    left_out: Integers  #: Per run and example what was left out of the training with it
    resampling: str  #: The kind of evidence that it is
    resampled: str  #: The resampling in words

    @classmethod
    def build(
        cls, scores: Mapping[str, ArrayLike], left_out: ArrayLike, *, resampling: str, resampled: str, n_train: float,
        higher_is_better: bool | None = None, metric: str = "accuracy",
    ) -> ExampleScores:  # fmt: skip
        names = named_models(scores)
        given = {name: numbers(values, name, min_ndim=2) for name, values in zip(names, scores.values(), strict=True)}
        ids = np.asarray(left_out, dtype=np.int64)
        _one_shape({**given, "left_out": ids})
        if 0 in ids.shape:
            raise InvalidInput(f"scores must have shape (runs, examples), got {ids.shape}")
        higher, direction = resolve_direction(metric, higher_is_better)
        return cls(
            names=names, values=np.array(list(given.values())), left_out=ids, resampling=resampling,
            resampled=resampled, n_train=n_train, higher_is_better=higher, metric=metric, direction=direction,
        )  # fmt: skip

    @property
    def design(self) -> str:
        return self.resampled

    @property
    def digest(self) -> str:
        return digest([self.values, self.left_out])

    @property
    def places(self) -> dict[str, Labels]:
        return dict(zip(("run", "example"), np.indices(self.left_out.shape).reshape(2, -1), strict=True))

    def columns(self) -> dict[str, Labels]:
        run, example = self.places.values()
        return {"run": run, "example": example, "left_out": self.left_out.ravel(), **PartScores.columns(self)}


def check_fold_sizes(folds: int, n_train: float | None, n_test: float | None) -> None:
    """Refuse test sets too large for so many folds; smaller ones are some folds of a finer cross-validation.

    >>> check_fold_sizes(10, 900, 100)
    >>> check_fold_sizes(3, 67, 34)
    >>> check_fold_sizes(5, 135, 15)
    """
    if n_train is None or n_test is None:
        return
    # each fold is one of k parts: as large as the others, but for rounding
    if n_test - (n_train + n_test) / folds > 1:
        raise InvalidInput(
            f"n_train and n_test must fit {folds} folds, where n_train is at least {folds - 1} times n_test, "
            f"got n_train={n_train:g} and n_test={n_test:g}"
        )


def without_holes(there: Flags) -> Flags:
    """Of splits, runs × folds, those that count: whole runs, or folds of every run, whichever are more.

    >>> without_holes(np.array([[True, True, True], [True, True, False]])).tolist()
    [[True, True, False], [True, True, False]]
    """
    runs, folds = np.asarray(there.all(axis=1)), np.asarray(there.all(axis=0))
    by_run = runs.sum() * there.shape[1] >= folds.sum() * there.shape[0]
    return np.broadcast_to(runs[:, None] if by_run else folds[None, :], there.shape)


def _by_run(values: Array, runs: int) -> Array:
    integer(runs, "runs", minimum=1)
    if values.size % runs or values.size // runs < 2:
        raise InvalidInput(f"runs must divide the {values.size} scores into runs of at least 2 folds, got {runs}")
    return np.asarray(values.reshape(runs, -1))


def _with_gaps(scores: ArrayLike, name: str) -> Array:
    found = floats(missing_as_nan(scores), name)
    numbers(found[~np.isnan(found)], name)
    return found


def _one_shape(given: Mapping[str, Array | Integers]) -> None:
    (first, a), *others = given.items()
    for name, values in others:
        if values.shape != a.shape:
            raise InvalidInput(f"{first} and {name} must have one shape, got {a.shape} and {values.shape}")


def _settled(given: Mapping[str, Array], rule: MissingRule) -> tuple[Array, MissingValues | None]:
    """The scores on the splits that count, learners × splits, and what was missing."""
    values = np.array(list(given.values()))
    shape, size = values.shape[1:], values[0].size
    settled = settle_missing(
        {name: part.reshape(-1, 1) for name, part in given.items()}, rule,
        place=lambda name, where: f"{name}[{int(where[0])}]", unit="split",
    )  # fmt: skip
    if settled.missing is None:
        return values, None
    kept = settled.kept.reshape(shape)
    kept = kept if len(shape) == 1 else without_holes(kept)
    filled = np.array([part.reshape(shape)[kept] for part in settled.values])
    if len(shape) == 2:
        filled = filled.reshape(len(values), -1, int(kept.any(axis=0).sum()) or 1)
    if filled[0].size < 2 or (len(shape) == 2 and filled.shape[2] < 2):
        every = "both" if len(values) == 2 else "all"
        raise InvalidInput(
            f"at least 2 splits with a score of {every} are needed, got {filled[0].size}: missing='drop' leaves too few"
        )
    return filled, replace(settled.missing, items=size - filled[0].size)


def _blocks(scores: ArrayLike, name: str) -> Array:
    array = floats(scores, name)
    array = array[None] if array.ndim == 2 else array
    if array.ndim != 3 or array.shape[1] != array.shape[2] or array.shape[1] < FEWEST_BLOCKS or not len(array):
        raise InvalidInput(
            f"{name} must have shape (g, g) or (dealings, g, g) with at least {FEWEST_BLOCKS} blocks, got "
            f"{np.shape(scores)}"
        )
    cleared = numbers(np.where(np.eye(array.shape[1], dtype=bool), 0.0, array), name)
    moderate(cleared, name)
    return cleared


def _shown(score: float) -> str:
    """Whole numbers, such as right and wrong, without digits."""
    return f"{score:.0f}" if score == int(score) else f"{score:.4f}".replace("-", "−")
