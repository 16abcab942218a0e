"""Scores of several learners on several data sets, with everything a comparison must know about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.decisions import Decision, How
from foldwise.core.digest import digest
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import (
    UNNAMED,
    Unit,
    check_scales,
    check_unit,
    measure_decisions,
    measured_by,
    resolve_direction,
    sentinel_decisions,
    unit_of,
)
from foldwise.core.replicates import refuse_repeated, refuse_replicate_column, refuse_replicate_labels
from foldwise.core.types import Array, Flags
from foldwise.core.validation import few_enough, floats, missing_as_nan, moderate, unmasked
from foldwise.evidence.missing import MissingRule, MissingValues, settle_missing

_CELLS_NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreTable:
    """Data sets × learners, or data sets × learners × splits; checked when it is made.

    Examples
    --------
    >>> table = ScoreTable.of([[0.95, 0.94], [0.97, 0.90]], learners=["nb", "c45"], datasets=["iris", "wine"])
    >>> table.means.shape, table.n_splits
    ((2, 2), 1)
    """

    #: Scores of shape (data sets, learners) or (data sets, learners, splits); NaN marks a missing cell. An array that
    #: can't be written to
    values: Array
    #: learners, datasets: Names of the columns and rows, all different
    learners: tuple[str, ...]
    datasets: tuple[str, ...]
    higher_is_better: bool = True  #: False for errors and losses
    #: n_train, n_test: Sizes of the training and test set of one split: one number each, or one per data set; needed by
    #: the procedures that use the splits. None when unknown
    n_train: Array | None = None
    n_test: Array | None = None
    metric: str = UNNAMED  #: What the scores measure, for people to read
    #: Whether the direction is only assumed, because neither the metric's name nor anybody said so
    direction: How = "by its name"
    declared_unit: Unit | None = None  #: The unit, where somebody or the file says it
    mixed: bool = False  #: Whether data sets are measured in different units, so that scores have no mean over them

    def __post_init__(self) -> None:
        _check_shape(self.values)
        _check_names(self.learners, "learners", self.values.shape[1])
        _check_names(self.datasets, "datasets", self.values.shape[0])
        refuse_replicate_labels(self.datasets)
        _check_columns(self.learners, self.values)
        _check_direction(self.higher_is_better)
        if np.isinf(self.values).any():
            raise InvalidInput(f"scores must be finite, but {self._cells(np.isinf(self.values))} is infinite")
        moderate(self.values, "scores")

    @classmethod
    def of(
        cls, scores: ArrayLike | Mapping[str, ArrayLike], *, learners: Sequence[str] | None = None,
        datasets: Sequence[str] | None = None, higher_is_better: bool | None = None, n_train: ArrayLike | None = None,
        n_test: ArrayLike | None = None, metric: str = UNNAMED, unit: Unit | None = None,
    ) -> ScoreTable:  # fmt: skip
        """Build a table from an array, or from a mapping of learners to their scores on the data sets.

        Names that are not given are made up: ``learner 1``, ``data set 1``. Without `higher_is_better` the metric's
        name tells the direction.
        """
        if isinstance(scores, Mapping):
            learners = list(scores) if learners is None else learners
            columns = [_float_array(column) for column in scores.values()]
            if len({column.shape for column in columns}) > 1:
                shapes = ", ".join(f"{name}: {len(np.atleast_1d(c))}" for name, c in zip(scores, columns, strict=True))
                raise InvalidInput(f"scores must have the same data sets for every learner, got {shapes}")
            if not columns:
                raise InvalidInput("scores must have at least two learners, got 0")
            scores = np.stack(columns, axis=1)
        values = _float_array(scores)
        _check_shape(values)
        _check_direction(higher_is_better)
        named = _names(learners, "learner", values.shape[1])
        metric = measured_by(metric, named)
        check_scales(
            metric, dict(zip(named, np.moveaxis(values, 1, 0), strict=False)), of_items=False
        )  # names are checked below
        higher, direction = resolve_direction(metric, higher_is_better)
        return cls(
            values=values, learners=named, datasets=_names(datasets, "data set", values.shape[0]),
            higher_is_better=higher, n_train=_sizes(n_train, "n_train", values.shape[0]),
            n_test=_sizes(n_test, "n_test", values.shape[0]), metric=metric, direction=direction,
            declared_unit=check_unit(unit),
        )  # fmt: skip

    def only(self, names: Sequence[str]) -> ScoreTable:
        """The same table with these learners alone, in this order."""
        if tuple(names) == self.learners:
            return self
        places = [self.learners.index(name) for name in names]
        return replace(self, values=self.values[:, places], learners=tuple(names))

    @property
    def n_datasets(self) -> int:
        """Number of data sets."""
        return int(self.values.shape[0])

    @property
    def n_learners(self) -> int:
        """Number of learners."""
        return int(self.values.shape[1])

    @property
    def n_splits(self) -> int:
        """Scores per cell; 1 when the table holds one number per data set and learner."""
        return int(self.values.shape[2]) if self.values.ndim == 3 else 1

    @property
    def means(self) -> Array:
        """One score per data set and learner: the mean over the splits."""
        return np.asarray(self.values.mean(axis=2)) if self.values.ndim == 3 else self.values

    @property
    def oriented(self) -> Array:
        """`means` with the sign changed where lower is better, so that higher is."""
        return self.means if self.higher_is_better else -self.means

    @property
    def names(self) -> tuple[str, ...]:
        """The learners, which are what is compared."""
        return self.learners

    @property
    def design(self) -> str:
        """How many learners on how many data sets."""
        return f"{self.n_learners} learners on {self.n_datasets} data sets"

    def columns(self) -> dict[str, object]:
        """The mean scores as columns of a table."""
        return {"data set": list(self.datasets), **dict(zip(self.learners, self.means.T, strict=True))}

    @property
    def unit(self) -> Unit:
        """Fractions, percentages, or the metric's own unit."""
        return unit_of(self.metric, self.values, self.declared_unit)

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """What was decided about the numbers: their direction and, where it is shown, their unit."""
        told = measure_decisions(
            self.metric, self.unit, higher_is_better=self.higher_is_better, direction=self.direction,
            declared_unit=self.declared_unit is not None,
        )  # fmt: skip
        return (*told, *sentinel_decisions(self.learners, list(np.moveaxis(self.values, 1, 0))))

    @property
    def test_train_ratio(self) -> Array | None:
        """n_test / n_train of each data set; None when either is unknown."""
        return None if self.n_train is None or self.n_test is None else self.n_test / self.n_train

    @property
    def digest(self) -> str:
        """Equal exactly when the scores are."""
        return digest([self.values])

    @property
    def missing(self) -> tuple[tuple[str, str], ...]:
        """The (data set, learner) pairs without a complete score."""
        empty = np.isnan(self.means)
        return tuple((self.datasets[i], self.learners[j]) for i, j in np.argwhere(empty))

    @property
    def constant_learners(self) -> tuple[str, ...]:
        """Learners with the same score on every data set: allowed, but worth a caveat."""
        constant = (self.means == self.means[:1]).all(axis=0)
        return tuple(name for name, same in zip(self.learners, constant, strict=True) if same)

    def require_complete(self) -> None:
        """Raise `InvalidInput` that names the empty cells, if there are any."""
        if self.missing:
            raise InvalidInput(
                f"every learner needs a score on every data set, but there is none for "
                f"{self._cells(np.isnan(self.means))}; leave such data sets out with missing='drop' "
                "(--missing drop), take the worst possible score with missing='worst', or ask for the "
                "Skillings–Mack test"
            )

    def settled(self, rule: MissingRule) -> tuple[ScoreTable, MissingValues | None]:
        """The table without gaps, as the rule says, and what was missing; a data set is left out for all learners."""
        parts = {name: self.values[:, j].reshape(self.n_datasets, -1) for j, name in enumerate(self.learners)}
        found = settle_missing(
            parts,
            replace(rule, metric=self.metric, higher_is_better=self.higher_is_better, unit=self.declared_unit),
            place=lambda name, where: f"{name} on {self.datasets[int(where[0])]}",
            unit="data set",
        )
        if found.missing is None:
            return self, None
        values = np.stack(found.values, axis=1).reshape(self.values.shape)[found.kept]
        values.setflags(write=False)
        kept = replace(
            self,
            values=values,
            datasets=tuple(name for name, there in zip(self.datasets, found.kept, strict=True) if there),
            n_train=None if self.n_train is None else self.n_train[found.kept],
            n_test=None if self.n_test is None else self.n_test[found.kept],
        )
        return kept, found.missing

    def _cells(self, wrong: Flags) -> str:
        bad = np.argwhere(wrong.any(axis=2) if wrong.ndim == 3 else wrong)
        named = [f"{self.learners[j]} on {self.datasets[i]}" for i, j in bad[:_CELLS_NAMED]]
        more = f" and {len(bad) - _CELLS_NAMED} more" if len(bad) > _CELLS_NAMED else ""
        return ", ".join(named) + more


def _check_direction(higher_is_better: object) -> None:
    if higher_is_better is not None and not isinstance(higher_is_better, (bool, np.bool_)):
        raise InvalidInput(
            f"higher_is_better must be True or False for the whole table, got {higher_is_better!r}; "
            "negate the columns that run the other way"
        )


def _float_array(scores: ArrayLike) -> Array:
    unmasked(given := missing_as_nan(scores), "scores")
    try:
        values = np.array(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"scores must be numbers, data sets × learners: {error}") from error
    values.setflags(write=False)
    return values


def _check_shape(values: Array) -> None:
    if values.ndim not in (2, 3) or (values.ndim == 3 and values.shape[2] == 0):
        raise InvalidInput(f"scores must be data sets × learners (× splits), got shape {values.shape}")
    if values.shape[1] < 2:
        raise InvalidInput(f"scores must have at least two learners (columns), got {values.shape[1]}")
    if values.shape[0] < 2:
        raise InvalidInput(
            f"scores must have at least two data sets (rows), got {values.shape[0]}; "
            "for one data set compare the learners' splits with compare_scores"
        )


def _names(given: Sequence[str] | None, kind: str, count: int) -> tuple[str, ...]:
    if given is None:
        return tuple(f"{kind} {i + 1}" for i in range(count))
    return tuple(str(name) for name in given)


def _check_columns(learners: tuple[str, ...], values: Array) -> None:
    """Refuse a count of runs or folds among the learners: whole numbers under such a name."""
    columns = values if values.ndim == 2 else values[:, :, 0]
    for name, column in zip(learners, columns.T, strict=True):
        if np.all(column == np.round(column)):
            refuse_replicate_column(name)


def _check_names(names: tuple[str, ...], what: str, count: int) -> None:
    if len(names) != count:
        raise InvalidInput(f"{what} must name each of the {count}, got {len(names)} names")
    if what == "learners":
        few_enough(names, what)
    twice = sorted(name for name, times in Counter(names).items() if times > 1)
    if twice and what == "datasets":
        refuse_repeated(names)
    if twice:
        raise InvalidInput(f"{what} must have different names, but {twice[0]!r} occurs more than once")


def _sizes(given: ArrayLike | None, name: str, datasets: int) -> Array | None:
    if given is None:
        return None
    sizes = floats(given, name)
    if sizes.shape not in ((), (datasets,)) or not (np.isfinite(sizes) & (sizes > 0)).all():
        raise InvalidInput(f"{name} must be a number above 0, or one per data set, got {given!r}")
    return np.broadcast_to(sizes, (datasets,)).copy()
