"""Scores of two learners on the same splits of one data set."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.digest import digest
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import UNNAMED, Unit, check_unit, metric_words, resolve_direction, unit_of
from foldwise.core.types import Array, Flags, Labels
from foldwise.core.validation import floats, integer, missing_as_nan, moderate, not_vanishing, numbers, one_of, positive
from foldwise.evidence.evidence import EvidenceTable
from foldwise.evidence.missing import POLICIES, MissingRule, MissingValues, Policy, settle_missing
from foldwise.evidence.rounding import rounded_differences

__all__ = ["MOST_FOLDS", "Scores", "check_fold_sizes", "without_holes"]

MOST_FOLDS = 10
"""Scores in a vector up to which it is taken for one cross-validation: more are hardly one, and to take a repeated
cross-validation for a single one of many small folds would promise too much."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scores:
    """Paired scores, and how the splits they come from overlap.

    Attributes
    ----------
    a, b
        Scores of the two learners: shape (runs, folds) for cross-validation, (splits,) for random splits.
    n_train, n_test
        Sizes of one split; None where the folds alone decide their ratio.
    higher_is_better
        False for losses.
    direction_assumed
        Whether that is only assumed, because neither the metric's name nor anybody said so.
    declared_unit
        The unit, where somebody or the file says it.
    metric
        What the scores measure, for people to read.
    folds_assumed
        Whether a vector of scores was only taken for one cross-validation, because nobody said what it is.
    pieces
        Number of independent groups (or examples) behind the splits, where it bounds the degrees of freedom: three
        groups are three pieces of evidence in however many splits. None where it does not, or is unknown.
    missing
        What was missing, and what was done about it; None where nothing was.

    Examples
    --------
    >>> scores = Scores.build([[0.8, 0.9], [0.7, 0.8]], [[0.6, 0.8], [0.7, 0.9]])
    >>> scores.design, scores.test_train_ratio
    ('2×2-fold cross-validation', 1.0)
    """

    a: Array
    b: Array
    n_train: float | None
    n_test: float | None
    higher_is_better: bool
    metric: str
    direction_assumed: bool = False
    declared_unit: Unit | None = None
    folds_assumed: bool = False
    pieces: int | None = None
    missing: MissingValues | None = None

    @classmethod
    def build(
        cls,
        scores_a: ArrayLike,
        scores_b: ArrayLike,
        *,
        n_train: float | None = None,
        n_test: float | None = None,
        higher_is_better: bool | None = None,
        metric: str = UNNAMED,
        unit: Unit | None = None,
        pieces: int | None = None,
        runs: int | None = None,
        missing: Policy = "refuse",
        bounds: tuple[float, float] | None = None,
    ) -> Scores:
        """Check and pair the scores of two learners; without `higher_is_better` the metric's name tells.

        A vector with `runs` is a cross-validation repeated so often, run by run, as scikit-learn's splitters give it; a
        short one of which nothing is known is taken for one cross-validation. Missing scores are refused, left out
        (splits of random splits, whole runs or folds of cross-validation) or taken as the worst possible ones.
        """
        one_of(missing, "missing", POLICIES)
        read = numbers if missing == "refuse" else _with_gaps
        a, b = read(scores_a, "scores_a"), read(scores_b, "scores_b")
        for name, values in (("scores_a", a), ("scores_b", b)):
            moderate(values, name)
        not_vanishing(a, b, name="scores")
        if a.shape != b.shape:
            raise InvalidInput(f"scores_a and scores_b must have one shape, got {a.shape} and {b.shape}")
        if a.ndim not in (1, 2) or 0 in a.shape:
            raise InvalidInput(f"scores must have shape (runs, folds) or (splits,), got {a.shape}")
        if a.size < 2:
            raise InvalidInput("one split says nothing about the variance between splits: at least 2 are needed, got 1")
        sizes = [
            None if size is None else positive(size, name) for size, name in ((n_train, "n_train"), (n_test, "n_test"))
        ]
        assumed_folds = a.ndim == 1 and runs is None and sizes == [None, None] and a.size <= MOST_FOLDS
        if a.ndim == 1 and (runs is not None or assumed_folds):
            a, b = (_by_run(values, 1 if runs is None else runs) for values in (a, b))
        elif runs is not None and runs != a.shape[0]:
            raise InvalidInput(f"runs must be {a.shape[0]}, as the scores have it, got {runs}")
        if a.ndim == 1 and None in sizes:
            raise InvalidInput(
                "n_train and n_test are needed for random splits, because their overlap decides the variance, or runs "
                f"for a repeated cross-validation (runs=1 for one); got n_train={n_train}, n_test={n_test}"
            )
        if a.ndim == 2 and a.shape[1] < 2:
            raise InvalidInput(f"a cross-validation has at least 2 folds, got shape {a.shape} (runs, folds)")
        higher, assumed = resolve_direction(metric, higher_is_better)
        rule = MissingRule(policy=missing, metric=metric, higher_is_better=higher, bounds=bounds, unit=unit)
        a, b, lost = _settled(a, b, rule)
        return cls(
            a=a,
            b=b,
            missing=lost,
            n_train=sizes[0],
            n_test=sizes[1],
            higher_is_better=higher,
            metric=metric,
            direction_assumed=assumed,
            declared_unit=check_unit(unit),
            folds_assumed=assumed_folds,
            pieces=None if pieces is None else integer(pieces, "pieces", minimum=2),
        )

    @property
    def unit(self) -> Unit:
        """Fractions, percentages, or the metric's own unit."""
        return unit_of(self.metric, (self.a, self.b), self.declared_unit)

    @property
    def differences(self) -> Array:
        """A − b on every split, in the score's own unit; what rounding alone tells apart is the same."""
        return rounded_differences(self.a, self.b)

    @property
    def test_train_ratio(self) -> float:
        """n_test / n_train of one split; 1/(k−1) for k folds of unknown size."""
        if self.n_train is not None and self.n_test is not None:
            return self.n_test / self.n_train
        return 1 / (int(self.a.shape[1]) - 1)

    @property
    def correlation(self) -> float:
        """Nadeau and Bengio's correlation between splits, n_test / (n_train + n_test)."""
        return self.test_train_ratio / (1 + self.test_train_ratio)

    def most_df(self, nominal: float) -> float:
        """The nominal degrees of freedom, but no more than the independent pieces have."""
        return nominal if self.pieces is None else min(nominal, self.pieces - 1.0)

    @property
    def design(self) -> str:
        """The resampling in words."""
        if self.a.ndim == 1:
            return f"{self.a.size} random splits"
        runs, folds = self.a.shape
        return f"{folds}-fold cross-validation" if runs == 1 else f"{runs}×{folds}-fold cross-validation"

    @property
    def means(self) -> tuple[float, float]:
        """Mean score of a and of b."""
        return float(self.a.mean()), float(self.b.mean())

    @property
    def digest(self) -> str:
        """Equal exactly when the scores are."""
        return digest([self.a, self.b])

    @property
    def repeated_runs(self) -> tuple[int, int] | None:
        """Two runs with the same pairs of scores in any order, if they can hardly be so by chance."""
        if self.a.ndim == 1:
            return None
        known: dict[tuple[tuple[float, float], ...], int] = {}
        for run, pairs in enumerate(zip(self.a.tolist(), self.b.tolist(), strict=True)):
            row = tuple(sorted(zip(*pairs, strict=True)))
            # few different pairs (two folds, or scores of a handful of examples) meet again by chance
            if row in known and len(set(row)) >= 3:
                return known[row], run
            known.setdefault(row, run)
        return None

    @property
    def majority(self) -> float | None:
        """Scores do not know the classes."""
        return None

    def columns(self, names: tuple[str, str]) -> dict[str, Labels]:
        """One row per split, with its run and fold."""
        keys = ("split",) if self.a.ndim == 1 else ("run", "fold")
        places = dict(zip(keys, np.indices(self.a.shape).reshape(self.a.ndim, -1), strict=True))
        values = {names[0]: self.a.ravel(), names[1]: self.b.ravel(), "difference": self.differences.ravel()}
        return places | values

    def table(self, names: tuple[str, str]) -> EvidenceTable:
        """One row per split, counted from 1."""
        places = [", ".join(str(i + 1) for i in index) for index in np.ndindex(*self.a.shape)]
        values = zip(places, self.a.ravel(), self.b.ravel(), self.differences.ravel(), strict=True)
        rows = tuple((place, f"{a:.4f}", f"{b:.4f}", f"{d:+.4f}".replace("-", "−")) for place, a, b, d in values)
        columns = ("split" if self.a.ndim == 1 else "run, fold", *names, "difference")
        return EvidenceTable(columns=columns, rows=rows, caption=f"{metric_words(self.metric)} on each split")


def check_fold_sizes(folds: int, n_train: float | None, n_test: float | None) -> None:
    """Refuse test sets too large for so many folds; smaller ones are some folds of a finer cross-validation.

    Examples
    --------
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


def _by_run(values: Array, runs: int) -> Array:
    integer(runs, "runs", minimum=1)
    if values.size % runs or values.size // runs < 2:
        raise InvalidInput(f"runs must divide the {values.size} scores into runs of at least 2 folds, got {runs}")
    return np.asarray(values.reshape(runs, -1))


def without_holes(there: Flags) -> Flags:
    """Of splits, runs × folds, those that count: whole runs, or folds of every run, whichever are more.

    Examples
    --------
    >>> without_holes(np.array([[True, True, True], [True, True, False]])).tolist()
    [[True, True, False], [True, True, False]]
    """
    runs, folds = np.asarray(there.all(axis=1)), np.asarray(there.all(axis=0))
    by_run = runs.sum() * there.shape[1] >= folds.sum() * there.shape[0]
    return np.broadcast_to(runs[:, None] if by_run else folds[None, :], there.shape)


def _with_gaps(scores: ArrayLike, name: str) -> Array:
    found = floats(missing_as_nan(scores), name)
    numbers(found[~np.isnan(found)], name)
    return found


def _settled(a: Array, b: Array, rule: MissingRule) -> tuple[Array, Array, MissingValues | None]:
    """The scores on the splits that count, and what was missing."""
    settled = settle_missing(
        {"scores_a": a.reshape(-1, 1), "scores_b": b.reshape(-1, 1)},
        {"scores_a": np.isnan(a).reshape(-1, 1), "scores_b": np.isnan(b).reshape(-1, 1)},
        rule,
        unit_of_row=np.arange(a.size),
        units=a.size,
        place=lambda name, where: f"{name}[{int(where[0])}]",
        unit="split",
    )
    if settled.missing is None:
        return a, b, None
    kept = settled.kept.reshape(a.shape)
    kept = kept if a.ndim == 1 else without_holes(kept)
    shape = (-1,) if a.ndim == 1 else (-1, int(kept.any(axis=0).sum()) or 1)
    first, second = (part.reshape(a.shape)[kept].reshape(shape) for part in settled.values)
    if first.size < 2 or (a.ndim == 2 and first.shape[1] < 2):
        raise InvalidInput(
            f"at least 2 splits with a score of both are needed, got {first.size}: missing='drop' leaves too few"
        )
    return first, second, replace(settled.missing, items=a.size - first.size)
